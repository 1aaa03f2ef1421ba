//! Which statements may change places: neither asks for what the other one changes, or both add to it, and it does not
//! matter which of them ends the game. A loop over cells has no order if its rounds may change places.

use crate::typed::{Block, Number, Part, Set, Sign, Statement, Truth};

/// A name of a block, or a mark of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Name(usize),
    Mark(usize),
}

/// How a statement changes a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// It gets another value.
    Anew,
    /// Cells are added to it.
    Unites,
    /// A number of at least 0 is added to it.
    Adds,
}

/// What a statement asks for, and what it does.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    asks: Vec<Place>,
    changes: Vec<(Place, Change)>,
    /// The results with which it ends the game.
    ends: Vec<Number>,
    refuses: bool,
}

impl Touched {
    /// `None` if a statement does more than change names and marks, refuse the move or end the game.
    pub fn of(statement: &Statement) -> Option<Touched> {
        let mut touched = Touched::default();
        touched.add(statement).then_some(touched)
    }

    /// What a block touches.
    pub fn of_block(block: &Block) -> Option<Touched> {
        let mut touched = Touched::default();
        block.iter().all(|statement| touched.add(statement)).then_some(touched)
    }

    fn add(&mut self, statement: &Statement) -> bool {
        let effect = statement.effect();
        let moves = effect.pieces || effect.counts || effect.numbers || effect.again;
        if moves || effect.chooses || matches!(statement, Statement::Stop) {
            return false;
        }
        self.refuses |= effect.refuses;
        match statement {
            Statement::SetLocal { local, value } => {
                self.change(Place::Name(*local), &Set::Local(*local), value);
            }
            Statement::Mark { set, value } => {
                self.change(Place::Mark(*set), &Set::State(*set), value);
            }
            Statement::NumberLocal { local, value } if adds_to(*local, value) => {
                self.changes.push((Place::Name(*local), Change::Adds));
            }
            Statement::Finish(value) => {
                self.ask(Part::Number(value));
                self.ends.push(value.clone());
            }
            other => {
                other.parts().into_iter().for_each(|part| self.ask(part));
                let name = effect.local.map(|local| (Place::Name(local), Change::Anew));
                self.changes.extend(name);
            }
        }
        statement.blocks().flatten().all(|within| self.add(within))
    }

    /// A place gets a value, perhaps its own one and more.
    fn change(&mut self, place: Place, own: &Set, value: &Set) {
        if let Set::Union(parts) = value
            && parts.iter().filter(|part| part.contains(own)).count() == 1
            && parts.contains(own)
        {
            let others = parts.iter().filter(|part| *part != own);
            others.for_each(|part| self.ask(Part::Set(part)));
            return self.changes.push((place, Change::Unites));
        }
        self.ask(Part::Set(value));
        self.changes.push((place, Change::Anew));
    }

    fn ask(&mut self, part: Part<'_>) {
        match part {
            Part::Set(Set::Local(local))
            | Part::Number(Number::Local(local))
            | Part::Truth(Truth::Local(local)) => self.asks.push(Place::Name(*local)),
            Part::Set(Set::State(set)) => self.asks.push(Place::Mark(*set)),
            part => part.parts().into_iter().for_each(|part| self.ask(part)),
        }
    }

    /// Whether this and another one have the same effect in either order.
    pub fn may_change_places_with(&self, other: &Touched) -> bool {
        let keeps = |one: &Touched, other: &Touched| {
            one.changes.iter().all(|(place, change)| {
                let also = other.changes.iter().filter(|(also, _)| also == place);
                !other.asks.contains(place)
                    && also.map(|(_, how)| how).all(|how| how == change && *how != Change::Anew)
            })
        };
        keeps(self, other) && keeps(other, self) && self.may_end_beside(other)
    }

    /// Whether it does not matter which of them ends the game: what the other one would have done is not seen any more.
    fn may_end_beside(&self, other: &Touched) -> bool {
        let mut ends = self.ends.iter().chain(&other.ends);
        let Some(first) = ends.next() else { return true };
        let is_seen = |touched: &Touched| {
            let mark = |(place, _): &(Place, Change)| matches!(place, Place::Mark(_));
            touched.refuses || touched.changes.iter().any(mark)
        };
        ends.all(|end| end == first)
            && matches!(first, Number::Value(_))
            && !is_seen(self)
            && !is_seen(other)
    }

    /// Whether rounds of a loop, of which each does this, may come in any order. `outer` says which names have a value
    /// before the loop: each round sets the others for itself.
    pub fn may_come_in_any_order(mut self, outer: impl Fn(usize) -> bool) -> bool {
        let stays = |place: &Place| match place {
            Place::Name(local) => outer(*local),
            Place::Mark(_) => true,
        };
        self.asks.retain(stays);
        self.changes.retain(|(place, _)| stays(place));
        self.may_change_places_with(&self)
    }
}

/// Whether a value is that of a name and a number of at least 0 that is written out.
fn adds_to(local: usize, value: &Number) -> bool {
    let Number::Calculate(Sign::Plus, one, other) = value else { return false };
    let is = |name: &Number, by: &Number| {
        *name == Number::Local(local) && matches!(by, Number::Value(by) if *by >= 0)
    };
    is(one, other) || is(other, one)
}
