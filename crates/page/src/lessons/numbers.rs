//! The seventh lesson: proof numbers (Allis, van der Meulen and van den Herik 1994). The reader looks where the least is left to
//! show, until the root is proven.

use foregone::{Invalid, Side};
use maud::html;

use super::example::{GAME, Mark, POSITION, Tree};
use super::{Answer, Fields, Shown, board, mark, open, picked_move};
use crate::service::Service;

/// What is still to be shown at a position: at least so many positions to prove that X does not lose, and to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// More than any number of positions.
const NEVER: u32 = 99;

impl Tree {
    /// The numbers of all positions, if some have been looked at.
    fn numbers(&self, seen: &[usize]) -> Vec<Numbers> {
        let mut all = vec![Numbers { proof: 1, disproof: 1 }; self.0.len()];
        for (at, node) in self.0.iter().enumerate().rev() {
            let of_children = |number: fn(&Numbers) -> u32| {
                let all =
                    node.children.iter().map(|child| number(&all[*child])).collect::<Vec<_>>();
                let least = all.iter().copied().min().unwrap_or(NEVER);
                (least, all.iter().sum::<u32>().min(NEVER))
            };
            let (proof, disproof) = (of_children(|n| n.proof), of_children(|n| n.disproof));
            all[at] = match (node.outcome, node.turn) {
                (Some(0..), _) => Numbers { proof: 0, disproof: NEVER },
                (Some(_), _) => Numbers { proof: NEVER, disproof: 0 },
                _ if !seen.contains(&at) => continue,
                (None, Side::First) => Numbers { proof: proof.0, disproof: disproof.1 },
                (None, Side::Second) => Numbers { proof: proof.1, disproof: disproof.0 },
            };
        }
        all
    }
}

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let tree = Tree::grow(service)?;
    // The positions that were looked at; each is below another one of them.
    let mut seen: Vec<usize> = Vec::new();
    for at in fields.seen.split(',').filter_map(|text| text.parse::<usize>().ok()) {
        let known = tree.0.get(at).is_some_and(|node| {
            node.outcome.is_none() && node.parent.is_none_or(|parent| seen.contains(&parent))
        });
        if known && !seen.contains(&at) {
            seen.push(at);
        }
    }
    let numbers = tree.numbers(&seen);
    let session = open(service, GAME, POSITION, fields)?;
    if let Some(mv) = picked_move(&*session, fields) {
        return Ok(Answer::Go(fields.after(&mv)));
    }
    // The way from the root, as far as it follows the smallest numbers.
    let (mut here, mut refused) = (0, None);
    let number = |at: usize, child: usize| match tree.0[at].turn {
        Side::First => numbers[child].proof,
        Side::Second => numbers[child].disproof,
    };
    for mv in session.played() {
        let children = &tree.0[here].children;
        let Some(child) = children.iter().copied().find(|child| tree.0[*child].mv() == mv) else {
            break;
        };
        if children.iter().any(|other| number(here, *other) < number(here, child)) {
            refused = Some(child);
            break;
        }
        here = child;
        if !seen.contains(&here) {
            break;
        }
    }
    let node = &tree.0[here];
    let fields = &Fields { moves: node.path.join(","), pick: String::new(), ..fields.clone() };
    let session = open(service, GAME, POSITION, fields)?;
    let proven = numbers[0].proof == 0;
    if !proven && here > 0 && !seen.contains(&here) {
        // The end of the way: the position is looked at, and the next way begins at the root.
        let all = seen.iter().chain([&here]).map(usize::to_string).collect::<Vec<_>>();
        return Ok(Answer::Go(Fields {
            seen: all.join(","),
            moves: String::new(),
            ..fields.clone()
        }));
    }
    let side = mark(node.turn);
    let which = match node.turn {
        Side::First => "the smallest first number",
        Side::Second => "the smallest second number",
    };
    let begin = Fields { seen: "0".to_owned(), moves: String::new(), ..fields.clone() };
    let infinite =
        |number: u32| if number >= NEVER { "∞".to_owned() } else { number.to_string() };
    let text = html! {
        p {
            "Sometimes one question is enough: " b { "can X avoid a loss?" } " A " b { "proof number" } " says how many positions, "
            "at least, must still be shown to be good for X, and a " b { "disproof number" } " how many must be shown to be lost. "
            "A position that nobody has looked at has 1 and 1."
        }
        p {
            "X needs one move that holds: its proof number is the smallest of those below. All of O's moves must "
            "hold: there they are added. With disproof numbers it is the other way round."
        }
        @if seen.is_empty() {
            p.controls { a.button id="begin" href=(begin.link()) { "Look at the first position" } }
        } @else if !proven {
            p.task {
                b { "Your turn: " } "go to the position where the least is left to prove. At the framed one, " (side) " makes the move with " (which) ", on the large board. "
                "At a position that nobody has looked at, its moves appear, and the numbers change up to the root. Of equal numbers any will do."
            }
        }
        @if let Some(child) = refused {
            p.error id="wrong" role="alert" {
                "After " (tree.0[child].mv()) " it is " (infinite(number(here, child))) ". There is a move with a smaller number."
            }
        }
    };
    let shown =
        |at: usize| at == 0 || tree.0[at].parent.is_some_and(|parent| seen.contains(&parent));
    let below =
        tree.draw("Proof | disproof numbers: 0 | ∞ is proven, ∞ | 0 is disproven", |at| Mark {
            class: match () {
                () if at == here && !proven => "here",
                () if !shown(at) => "cut",
                () if seen.contains(&at) => "seen",
                () => "",
            },
            kind: match (shown(at), numbers[at]) {
                (true, Numbers { proof: 0, .. }) => "win",
                (true, Numbers { disproof: 0, .. }) => "loss",
                _ => "",
            },
            label: shown(at).then(|| {
                format!("{} | {}", infinite(numbers[at].proof), infinite(numbers[at].disproof))
            }),
        });
    let status = match proven {
        true => format!(
            "Proven: X does not lose. You opened {} of {} positions",
            seen.len(),
            tree.0.len()
        ),
        false => format!("{side} to move"),
    };
    Ok(Answer::Shown(Shown {
        text,
        status,
        board: match seen.contains(&here) && !proven {
            true => board(&*session, fields, &|mv| fields.after(mv).link()),
            false => crate::draw::svg::still(&session.scene(), "The position at the root"),
        },
        below,
        done: proven.then_some(
            "The search went where the least was left to show, and needed no order of moves and no depth. Where one side has few moves, \
             as in an attack, such a search finds proofs that are very deep.",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::*;

    /// Plays the lesson with the moves that have the smallest number, by a count from the rules alone.
    #[test]
    fn the_smallest_numbers_prove_the_root_and_others_are_refused() {
        let service = service();
        let tree = Tree::grow(&service).unwrap();
        let mut fields = Fields { seen: "0".to_owned(), ..Fields::of("numbers") };
        let mut refusals = 0;
        for _ in 0..60 {
            let (next, page) = page_of(&service, &fields);
            fields = next;
            if page.contains("id=\"learned\"") {
                let seen = fields.seen.split(',').count();
                assert!(seen < tree.0.iter().filter(|node| node.outcome.is_none()).count());
                assert!(refusals > 0);
                return;
            }
            let seen: Vec<usize> = fields.seen.split(',').map(|at| at.parse().unwrap()).collect();
            let numbers = tree.numbers(&seen);
            let path: Vec<String> =
                fields.moves.split(',').filter(|mv| !mv.is_empty()).map(str::to_owned).collect();
            let node = &tree.0[tree.find(&path).unwrap()];
            let number = |child: &&usize| match node.turn {
                Side::First => numbers[**child].proof,
                Side::Second => numbers[**child].disproof,
            };
            let least = node.children.iter().min_by_key(number).unwrap();
            let most = node.children.iter().max_by_key(number).unwrap();
            let after = |at: usize| fields.after(tree.0[at].mv());
            if number(&most) > number(&least) {
                let (same, page) = page_of(&service, &after(*most));
                assert!(page.contains("id=\"wrong\"") && same.seen == fields.seen, "{page}");
                refusals += 1;
            }
            fields = after(*least);
        }
        panic!("not proven: {fields:?}");
    }

    #[test]
    fn numbers_are_those_of_the_rules() {
        let tree = Tree::grow(&service()).unwrap();
        assert_eq!(tree.numbers(&[])[0], Numbers { proof: 1, disproof: 1 });
        // X has three moves, of which nothing is known.
        assert_eq!(tree.numbers(&[0])[0], Numbers { proof: 1, disproof: 3 });
        // With everything looked at, each number is 0 or infinite, as the value says.
        let all: Vec<usize> = (0..tree.0.len()).collect();
        for (node, numbers) in tree.0.iter().zip(tree.numbers(&all)) {
            let expected = if node.value >= 0 { (0, NEVER) } else { (NEVER, 0) };
            assert_eq!((numbers.proof, numbers.disproof), expected, "{:?}", node.path);
        }
    }
}
