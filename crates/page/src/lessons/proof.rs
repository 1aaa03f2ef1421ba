//! The eighth lesson: a proof. The reader moves the fox and tries to get past the hounds, who have nothing but a file of
//! moves.

use std::sync::{Arc, OnceLock};

use foregone::record::Table;
use foregone::record::read::Bytes;
use foregone::solver::Advice;
use foregone::{Invalid, Side};
use maud::html;

use super::{Answer, Fields, Shown, board, kept, open, picked_move, status};
use crate::service::Service;
use crate::view;

pub const GAME: &str = "fox-and-hounds";

/// Made by `foregone prove fox-and-hounds -o FILE`; a test checks it.
const PROOF: &[u8] = include_bytes!("fox-and-hounds.proof");

fn proof() -> Result<Arc<Table>, Invalid> {
    static READ: OnceLock<Arc<Table>> = OnceLock::new();
    let damaged = |_| Invalid::new("proof", "a proof that can be read");
    let read = kept(&READ, || Table::read(Bytes(PROOF)).map(Arc::new).map_err(damaged));
    read.cloned()
}

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let proof = proof()?;
    let mut session = open(service, GAME, "", fields)?;
    session.consult(proof.clone());
    if let Some(mv) = picked_move(&*session, fields) {
        return Ok(Answer::Go(fields.after(&mv)));
    }
    let damaged = |_| Invalid::new("proof", "a proof that is not damaged");
    if session.outcome().is_none() && session.turn() == Side::Second {
        return match session.advice().map_err(damaged)? {
            Some(Advice::Move { mv, .. }) => Ok(Answer::Go(fields.after(&mv))),
            _ => Err(Invalid::new("proof", "a move for every position")),
        };
    }
    // What the proof promised when the hounds moved last.
    let mut before = session.fork();
    let left = match before.undo().then(|| before.advice()).transpose().map_err(damaged)?.flatten()
    {
        Some(Advice::Move { left, .. }) => Some(left),
        _ => None,
    };
    let moves = session.played().len();
    let caught = session.outcome().is_some();
    let positions = view::proof::moves(&proof);
    let text = html! {
        p {
            "The hounds win, whatever the fox does. Solving the game shows it: 895,094 positions. But why should you "
            "believe a solver? A " b { "proof" } " can be checked by anybody. It names one move of the hounds for "
            "each position that can arise when they follow it. It says nothing about other positions."
        }
        p {
            "This one has " b { (positions) } " moves in " (PROOF.len()) " bytes. A checker, which knows the rules but does "
            "not search, plays " b { "every" } " move of the fox against it and sees that the hounds always have an answer and "
            "that it cannot go on for ever."
        }
        p.task {
            b { "Your turn: " } "you are the fox. Get past the hounds, to the row at the top. They look up their moves in "
            "the proof, and do no thinking."
        }
        p id="left" aria-live="polite" {
            @if caught { "The fox cannot move. " }
            @if let Some(left) = left.filter(|_| !caught) {
                "The proof says: at most " b { (left) } " more moves of the hounds. "
            }
            @if moves > 0 {
                a.button id="undo" href=(Fields { moves: session.played()[..moves.saturating_sub(2)].join(","), pick: String::new(), ..fields.clone() }.link()) {
                    "Take a move back"
                }
            }
        }
    };
    let below = html! {
        section.card {
            h2 { "Make and check it yourself" }
            pre tabindex="0" { code {
                "foregone prove fox-and-hounds -o fox.proof\n"
                "foregone-check fox.proof"
            } }
        }
    };
    Ok(Answer::Shown(Shown {
        text,
        status: status(service, GAME, &*session)?,
        board: board(&*session, fields, &|mv| fields.after(mv).link()),
        below,
        done: caught.then_some(
            "Every way that you try was foreseen. Proofs of larger games work the same: that of Connect Four on 7x6 has a \
             move for each position that the first player can come to.",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::*;
    use foregone::Control;
    use foregone::check::proofs::ProofVerdict;

    #[test]
    fn the_proof_is_right() {
        let (game, session) = service().open(GAME).unwrap();
        let verdict = session.check(&proof().unwrap(), &Control::default()).unwrap();
        assert!(
            matches!(verdict, ProofVerdict::Proven { .. }),
            "{} {verdict:?}",
            game.specification()
        );
    }

    #[test]
    fn no_fox_gets_past() {
        let service = service();
        for seed in 0..20 {
            let mut dice = foregone::sample::Dice::new(seed);
            let mut fields = Fields::of("proof");
            loop {
                let session = open(&service, GAME, "", &fields).unwrap();
                let moves = session.moves();
                if session.outcome().is_some() {
                    assert_eq!(session.outcome().unwrap().0, -1);
                    break;
                }
                fields = fields.after(&moves[dice.below(moves.len())]);
                let (next, page) = page_of(&service, &fields);
                let over = open(&service, GAME, "", &next).unwrap().outcome().is_some();
                assert_eq!(page.contains("id=\"learned\""), over);
                fields = next;
            }
        }
    }
}
