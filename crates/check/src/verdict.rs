//! The verdict on a file. All its numbers were counted here, never taken from the file.

use std::fmt;

use foregone_record::words::{counted, grouped};
use foregone_record::{Listed, Values};
use foregone_rules::{Value, Worth};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::equation::Found;

/// The verdict on a table; positions are states of the game, or texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<S> {
    /// Every entry is right.
    Right(Counts),
    /// Something in the table is false.
    False(Flaw<S>),
    /// Nothing false was found, but the content of the file does not prove that it is right.
    Unshown(Unshown<S>),
}

/// The number of checked positions in each layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By layer.
    pub layers: Vec<Count>,
}

/// The number of positions, by their value for the mover (without banked points).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Won.
    pub wins: u64,
    /// Drawn; if the file has no distances, also by endless play.
    pub draws: u64,
    /// Drawn by endless play, if the file has distances.
    pub endless: u64,
    /// Lost.
    pub losses: u64,
}

impl Count {
    /// Counts a position with this worth.
    pub(crate) fn add(&mut self, worth: Worth) {
        let count = match worth.value().0 {
            1.. => &mut self.wins,
            0 if worth.is_endless() => &mut self.endless,
            0 => &mut self.draws,
            _ => &mut self.losses,
        };
        *count += 1;
    }

    /// The sum of two counts.
    pub(crate) fn and(self, other: Count) -> Count {
        Count {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            endless: self.endless + other.endless,
            losses: self.losses + other.losses,
        }
    }

    /// The number of counted positions.
    pub fn positions(self) -> u64 {
        self.wins + self.draws + self.endless + self.losses
    }

    fn fields(self) -> Json {
        json!({
            "positions": self.positions(), "wins": self.wins, "draws": self.draws,
            "endless": self.endless, "losses": self.losses,
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count { wins, draws, endless, losses } = *self;
        write!(f, "{} won, {} drawn", grouped(wins), grouped(draws))?;
        if endless > 0 {
            write!(f, ", {} endless", grouped(endless))?;
        }
        write!(f, ", {} lost", grouped(losses))
    }
}

impl Counts {
    /// The sum over all layers.
    pub fn total(&self) -> Count {
        self.layers.iter().fold(Count::default(), |sum, count| sum.and(*count))
    }
}

/// The part of a game that a table covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The number of layers of the table, from the lowest.
    pub layers: u32,
    /// The number of layers of the game.
    pub of: u32,
    /// Whether they contain the start.
    pub start: bool,
    /// Which positions are listed, if they are listed by keys.
    pub listed: Listed,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Coverage { layers, of, start, listed } = *self;
        match layers {
            _ if layers >= of && of == 1 => f.write_str("the whole game")?,
            _ if layers >= of => write!(f, "all {}", counted(of.into(), "layer", "layers"))?,
            1 => write!(f, "layer 0 of {of} alone")?,
            _ => write!(f, "layers 0 to {} of {of}", layers - 1)?,
        }
        f.write_str(if start { "" } else { ", not the start" })?;
        listed.left_out().map_or(Ok(()), |left_out| write!(f, ", but for {left_out}"))
    }
}

impl Coverage {
    /// As fields of a report.
    pub fn fields(self) -> Json {
        let mut fields = json!({"layers": self.layers, "of": self.of, "start": self.start});
        if !self.listed.is_all() {
            fields["listed"] = json!(self.listed);
        }
        fields
    }
}

/// A false part of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw<S> {
    /// An entry.
    Entry {
        /// The layer and the number of the position; `None` if positions were visited without
        /// numbers.
        place: Option<(u32, u64)>,
        /// The position; `None` if the entry has none.
        position: Option<S>,
        /// The fault.
        fault: Fault,
    },
    /// The number of positions that the file states for a layer.
    Count {
        /// The layer.
        layer: u32,
        /// The stated number.
        stated: u64,
        /// The counted number.
        counted: u64,
    },
}

/// The fault of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It differs from what follows from the entries of the positions after it.
    Wrong {
        /// What the table stores.
        values: Values,
        /// The worth in the entry.
        stored: Worth,
        /// The worth that follows; with ranks, another rank may be right too.
        derived: Worth,
    },
    /// The position has no entry.
    Missing,
    /// A move leads to a position that has no entry.
    Open,
    /// By the rules the game is not over there, but has no move.
    Stuck,
    /// It has no position.
    NoPosition,
    /// No play from the start leads to the position.
    Unreached,
    /// No result of the game is worth as much.
    TooLarge,
}

/// A value with its sign; 0 has no sign.
fn signed(value: i32) -> String {
    if value == 0 { "0".to_owned() } else { format!("{value:+}") }
}

/// An entry of a table with these values, in words.
fn in_words(values: Values, worth: Worth) -> String {
    let Value(value) = worth.value();
    match (values, worth.distance().plies()) {
        (Values::Wdl, _) => ["loss", "draw", "win"][(value.signum() + 1) as usize].to_owned(),
        (Values::Score, _) => signed(value),
        (Values::ScoreRank, rank) => format!("{} with rank {}", signed(value), rank.unwrap_or(0)),
        (Values::ScoreDistance, _) => worth.to_string(),
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Wrong { values, stored, derived } => {
                let [stored, derived] = [stored, derived].map(|worth| in_words(*values, *worth));
                write!(f, "the table says {stored}, but {derived} follows from the moves")
            }
            Fault::Missing => f.write_str("the position has no entry"),
            Fault::Open => f.write_str("a move leads to a position that has no entry"),
            Fault::Stuck => f.write_str("the game is not over, but there is no move"),
            Fault::NoPosition => f.write_str("the entry belongs to no position"),
            Fault::Unreached => f.write_str("no play from the start leads to the position"),
            Fault::TooLarge => f.write_str("no result of the game is worth as much"),
        }
    }
}

/// Why a file cannot be proven to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unshown<S> {
    /// Why.
    pub why: &'static str,
    /// A position where this was seen, if any.
    pub position: Option<S>,
}

impl<S> Verdict<S> {
    /// Converts the position to text.
    pub fn named(self, name: impl FnOnce(&S) -> String) -> Verdict<String> {
        match self {
            Verdict::Right(counts) => Verdict::Right(counts),
            Verdict::False(flaw) => Verdict::False(match flaw {
                Flaw::Entry { place, position, fault } => {
                    Flaw::Entry { place, position: position.as_ref().map(name), fault }
                }
                Flaw::Count { layer, stated, counted } => Flaw::Count { layer, stated, counted },
            }),
            Verdict::Unshown(Unshown { why, position }) => {
                Verdict::Unshown(Unshown { why, position: position.as_ref().map(name) })
            }
        }
    }

    /// Whether every entry is right.
    pub fn is_right(&self) -> bool {
        matches!(self, Verdict::Right(_))
    }
}

impl fmt::Display for Flaw<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Entry { place, position, fault } => {
                let place =
                    place.map(|(layer, number)| format!("number {number} of layer {layer}"));
                let position = position.as_ref().map(|position| format!("at `{position}`"));
                let at: Vec<_> = position.into_iter().chain(place).collect();
                write!(f, "{}: {fault}", at.join(", "))
            }
            Flaw::Count { layer, stated, counted } => write!(
                f,
                "the file states {} positions in layer {layer}, but there are {}",
                grouped(*stated),
                grouped(*counted)
            ),
        }
    }
}

impl fmt::Display for Unshown<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match &self.position {
            Some(position) => write!(f, " (seen at `{position}`)"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Verdict<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Right(counts) => {
                let total = counts.total();
                let positions = counted(total.positions(), "position", "positions");
                write!(f, "{positions} checked, all right ({total})")
            }
            Verdict::False(flaw) => flaw.fmt(f),
            Verdict::Unshown(unshown) => write!(f, "cannot be shown to be right: {unshown}"),
        }
    }
}

impl Verdict<String> {
    /// As fields of a report.
    pub fn fields(&self) -> Json {
        match self {
            Verdict::Right(counts) => {
                let mut fields = counts.total().fields();
                fields["verdict"] = json!("right");
                fields["layers"] = counts.layers.iter().map(|count| count.fields()).collect();
                fields
            }
            Verdict::False(flaw) => {
                let mut fields = json!({"verdict": "false", "why": flaw.to_string()});
                match flaw {
                    Flaw::Entry { place, position, fault } => {
                        fields["position"] = json!(position);
                        if let Some((layer, index)) = place {
                            (fields["layer"], fields["index"]) = (json!(layer), json!(index));
                        }
                        if let Fault::Wrong { values, stored, derived } = fault {
                            fields["stored"] = json!(in_words(*values, *stored));
                            fields["derived"] = json!(in_words(*values, *derived));
                        }
                    }
                    Flaw::Count { layer, stated, counted } => {
                        fields["layer"] = json!(layer);
                        fields["stated"] = json!(stated);
                        fields["counted"] = json!(counted);
                    }
                }
                fields
            }
            Verdict::Unshown(Unshown { why, position }) => {
                json!({"verdict": "unshown", "why": why, "position": position})
            }
        }
    }
}

/// The results for some entries of a table. Each has a place in the order of checking; of several
/// flaws the first one counts, on any number of threads.
pub(crate) struct Tally<S> {
    /// What the table stores.
    values: Values,
    pub flaw: Option<(u64, Flaw<S>)>,
    pub unshown: Option<(u64, Unshown<S>)>,
    pub count: Count,
}

impl<S: Copy> Tally<S> {
    /// An empty tally for a table with these values.
    pub fn new(values: Values) -> Tally<S> {
        Tally { values, flaw: None, unshown: None, count: Count::default() }
    }

    /// Adds the result for the entry of a position, `at` in the order; returns whether to continue.
    #[inline]
    pub fn take(
        &mut self,
        at: u64,
        place: Option<(u32, u64)>,
        (state, stored): (&S, Worth),
        found: Found,
    ) -> bool {
        let position = Some(*state);
        let fault = match found {
            Found::Right => {
                self.count.add(stored);
                return true;
            }
            Found::Unshown(why) => {
                self.count.add(stored);
                self.unshown.get_or_insert((at, Unshown { why, position }));
                return true;
            }
            Found::Wrong(derived) => Fault::Wrong { values: self.values, stored, derived },
            Found::Open => Fault::Open,
            Found::Stuck => Fault::Stuck,
        };
        self.fault(at, Flaw::Entry { place, position, fault })
    }

    /// Adds a flaw, `at` in the order: the first counts. Returns `false`.
    #[cold]
    pub fn fault(&mut self, at: u64, flaw: Flaw<S>) -> bool {
        self.flaw.get_or_insert((at, flaw));
        false
    }

    /// Joins the results of these entries and others.
    pub fn and(self, other: Tally<S>) -> Tally<S> {
        Tally {
            values: self.values,
            flaw: first(self.flaw, other.flaw),
            unshown: first(self.unshown, other.unshown),
            count: self.count.and(other.count),
        }
    }
}

fn first<T>(one: Option<(u64, T)>, other: Option<(u64, T)>) -> Option<(u64, T)> {
    one.into_iter().chain(other).min_by_key(|(at, _)| *at)
}
