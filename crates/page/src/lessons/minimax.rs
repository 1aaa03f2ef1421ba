//! The second lesson: minimax. The reader finds the value of every position, those near the ends first, by playing
//! the best move of each.

use foregone::{Invalid, Side};
use maud::html;

use super::example::{GAME, Mark, POSITION, Tree, meaning, signed};
use super::{Answer, Fields, Shown, board, mark, open, picked_move};
use crate::service::Service;

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let tree = Tree::grow(service)?;
    let choices = tree.choices();
    let step = fields.step().min(choices.len());
    // A position with one move has the value of the next one.
    let known = |mut at: usize| {
        while let [child] = tree.0[at].children[..] {
            at = child;
        }
        tree.0[at].outcome.is_some() || choices[..step].contains(&at)
    };
    let here = choices.get(step).copied().unwrap_or(0);
    let node = &tree.0[here];
    let at_node = Fields { moves: node.path.join(","), ..Fields::default() };
    let session = open(service, GAME, POSITION, &at_node)?;
    // The move that the reader has made here.
    let mv = picked_move(&*session, fields).unwrap_or_else(|| fields.moves.clone());
    let tried = node.children.iter().find(|child| tree.0[**child].mv() == mv);
    let unplayed = Fields { moves: String::new(), pick: String::new(), ..fields.clone() };
    let mut refused = None;
    if step < choices.len()
        && let Some(child) = tried
    {
        if tree.0[*child].value == node.value {
            return Ok(Answer::Go(unplayed.at(step + 1)));
        }
        refused = Some(*child);
    }
    let side = mark(node.turn);
    let max = match node.turn {
        Side::First => "the largest value",
        Side::Second => "the smallest value",
    };
    let text = html! {
        p {
            "Where the game is over, its value is clear: " b { "+1" } " if X wins, " b { "0" } " for a draw, "
            b { "−1" } " if O wins. Everywhere else it is the value of the best move: X takes the largest of "
            "the values below (" b { "max" } "), O the smallest (" b { "min" } "). Where there is only one move, there is no choice."
        }
        @if let Some(before) = step.checked_sub(1).map(|before| &tree.0[choices[before]]) {
            p id="right" {
                "Right: " (mark(before.turn)) "'s best move there leads to " (signed(before.value))
                ", so that position is worth " b { (signed(before.value)) } "."
            }
        }
        @if step < choices.len() {
            p.task {
                b { "Your turn: " } "in the framed position " (side) " is to move, and the values of all its moves are "
                "known. Play for " (side) ": choose the move with " (max) "."
            }
            @if let Some(child) = refused {
                p.error id="wrong" role="alert" {
                    "After " (tree.0[child].mv()) " it is " (signed(tree.0[child].value)) " ("
                    (meaning(tree.0[child].value)) "). " (side) " has a better move."
                }
            }
        }
    };
    let below = tree.draw("The tree, with the values that are known", |at| Mark {
        class: match () {
            () if at == here && step < choices.len() => "here",
            () if known(at) => "seen",
            () => "",
        },
        kind: "",
        label: known(at).then(|| signed(tree.0[at].value)),
    });
    let after = |mv: &str| Fields { moves: mv.to_owned(), ..unplayed.clone() }.link();
    let status = match step < choices.len() {
        true => format!("{side} to move: position {} of {}", step + 1, choices.len()),
        false => format!("The value is {}: {}", signed(tree.0[0].value), meaning(tree.0[0].value)),
    };
    Ok(Answer::Shown(Shown {
        text,
        status,
        board: match step < choices.len() {
            true => board(&*session, fields, &after),
            false => crate::draw::svg::still(&session.scene(), "The position at the root"),
        },
        below,
        done: (step == choices.len()).then_some(
            "Every position of the tree has its value, and the root's says what perfect play leads to. This is how \
             the plainest solver works.",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::*;

    #[test]
    fn best_moves_lead_to_the_end_and_others_are_refused() {
        let service = service();
        let tree = Tree::grow(&service).unwrap();
        let mut fields = Fields::of("minimax");
        for at in tree.choices() {
            let node = &tree.0[at];
            let of = |right: bool| {
                node.children.iter().find(|child| (tree.0[**child].value == node.value) == right)
            };
            if let Some(wrong) = of(false) {
                fields.moves = tree.0[*wrong].mv().to_owned();
                let (same, page) = page_of(&service, &fields);
                assert_eq!(same, fields);
                assert!(page.contains("id=\"wrong\""), "{page}");
            }
            fields.moves = tree.0[*of(true).unwrap()].mv().to_owned();
            let (next, page) = page_of(&service, &fields);
            assert!(page.contains("id=\"right\""));
            fields = next;
        }
        assert!(page_of(&service, &fields).1.contains("id=\"learned\""));
    }
}
