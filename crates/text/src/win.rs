//! Moves that win at once, as a set of cells, for games in which a move puts one piece on a cell, and a row or a chain
//! of own pieces wins: exact search need not make them to see them.

use std::sync::Arc;

use crate::board::{Cells, bit};
use crate::results::values;
use crate::typed::{Number, Rules, Set, Statement, Truth};

/// The cells on which one more piece of a side ends the game with the best result that there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wins {
    /// Those that can be chosen; of a chain only those that complete it.
    pub cells: Set,
    /// The set of own pieces and the rows of which one has to be complete.
    pub rows: Option<(usize, Arc<[Cells]>)>,
}

/// `None` if the rules of the side have another form.
pub(crate) fn wins(rules: &Rules, side: usize) -> Option<Wins> {
    let own = &rules.sides[side];
    let [Statement::Choose { local, from }, Statement::Put { set, on: Set::Local(on) }] =
        &own.moves[..]
    else {
        return None;
    };
    let Statement::If { condition: Truth::Any(won), then, .. } = own.end.first()? else {
        return None;
    };
    let [least, most] = values(rules);
    let best = if side == 0 { most } else { -least };
    if on != local || then[..] != [Statement::Finish(Number::Value(best.into()))] {
        return None;
    }
    let mine = Set::State(*set);
    match won {
        Set::Rows { rows, within } if **within == mine => {
            Some(Wins { cells: from.clone(), rows: Some((*set, rows.clone())) })
        }
        Set::Both(parts) => match &parts[..] {
            [Set::Flood { from: begin, within, table }, Set::Cells(goal)]
            | [Set::Cells(goal), Set::Flood { from: begin, within, table }]
                if **within == mine =>
            {
                let Set::Cells(begin) = **begin else { return None };
                let of = [begin, *goal].into_iter().zip([table.clone(), back(table)]);
                let reached = of.map(|(zone, table)| beside(zone, &mine, table));
                Some(Wins {
                    cells: Set::Both([from.clone()].into_iter().chain(reached).collect()),
                    rows: None,
                })
            }
            _ => None,
        },
        _ => None,
    }
}

/// The cells of a zone, and those that steps lead to from what is connected to it.
fn beside(zone: Cells, mine: &Set, table: Arc<[Cells]>) -> Set {
    let [from, within] = [Set::Cells(zone), mine.clone()].map(Box::new);
    let connected = Box::new(Set::Flood { from, within, table: table.clone() });
    Set::Union(vec![Set::Step { table, of: connected }, Set::Cells(zone)])
}

/// The steps of a table, backwards.
fn back(table: &[Cells]) -> Arc<[Cells]> {
    let leads = |cell: usize| move |from: &usize| table[*from] & bit(cell) != 0;
    (0..table.len())
        .map(|cell| (0..table.len()).filter(leads(cell)).fold(0, |all, from| all | bit(from)))
        .collect()
}
