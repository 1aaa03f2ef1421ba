//! The first lesson: a game as a tree. The reader plays both sides and visits all ends.

use maud::html;

use super::example::{GAME, Mark, POSITION, Tree, meaning};
use super::{Answer, Fields, Shown, board, mark, open, status};
use crate::service::Service;
use foregone::Invalid;
use foregone::control::counted;

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let tree = Tree::grow(service)?;
    let session = open(service, GAME, POSITION, fields)?;
    let ends = tree.ends();
    let here = tree.find(&session.played()).unwrap_or(0);
    let mut seen: Vec<usize> =
        fields.seen.split(',').filter_map(|text| text.parse().ok()).collect();
    seen.retain(|number| *number < ends.len());
    if let Some(number) = ends.iter().position(|end| *end == here) {
        seen.push(number);
    }
    seen.sort_unstable();
    seen.dedup();
    let kept = seen.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let keeping = Fields { seen: kept, ..fields.clone() };
    let depth = |at: usize| tree.0[at].path.len();
    let plies = (0..tree.0.len()).map(depth).max().unwrap_or(0);
    let count = |ply: usize| (0..tree.0.len()).filter(|at| depth(*at) == ply).count();
    let counts: Vec<String> = (0..=plies).map(|ply| count(ply).to_string()).collect();
    let node = &tree.0[here];
    let text = html! {
        p {
            "Three squares are empty, and X is to move. Each move leads to another position, and each of "
            "these to others: that is the " b { "game tree" } " below. Its root is the position now; it "
            "ends where the game is over."
        }
        p {
            "Move by move there are " (counts.join(", ")) " positions: "
            (tree.0.len()) " in all, of which " (ends.len()) " are ends. The tree from the empty board has 549,946 positions, repeats counted."
        }
        p.task {
            b { "Your turn: " } "play both sides, and reach every end. You have seen "
            (seen.len()) " of " (ends.len()) "."
        }
        p {
            @match node.outcome {
                Some(value) => { "This is an end: " (meaning(value)) ". " }
                None => { (mark(node.turn)) " has " (counted(node.children.len() as u64, "move", "moves")) " here. " }
            }
            @if let Some(parent) = node.parent {
                @let moves = tree.0[parent].path.join(",");
                a.button id="back" href=(Fields { moves, ..keeping.clone() }.link()) { "One move back" }
                @if parent > 0 {
                    " " a.button href=(Fields { moves: String::new(), ..keeping.clone() }.link()) { "Back to the root" }
                }
            }
        }
    };
    let on_path = |at: usize| tree.0[here].path.starts_with(&tree.0[at].path);
    let below = tree.draw("Everything that can still happen", |at| {
        let number = ends.iter().position(|end| *end == at);
        let visited = number.is_some_and(|number| seen.contains(&number));
        Mark {
            class: match () {
                () if at == here => "here",
                () if on_path(at) => "path",
                () if visited => "seen",
                () => "",
            },
            kind: "",
            label: tree.0[at].outcome.filter(|_| visited).map(|value| meaning(value).to_owned()),
        }
    });
    Ok(Answer::Shown(Shown {
        text,
        status: status(service, GAME, &*session)?,
        board: board(&*session, fields, &|mv| keeping.after(mv).link()),
        below,
        done: (seen.len() == ends.len())
            .then_some("You have seen the whole tree. What a position is worth is decided by the ends below it."),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::*;

    #[test]
    fn all_ends_make_it_done() {
        let service = service();
        let tree = Tree::grow(&service).unwrap();
        let mut fields = Fields::of("tree");
        let ends = tree.ends();
        for (nth, end) in ends.iter().enumerate() {
            fields.moves = tree.0[*end].path.join(",");
            let (_, page) = page_of(&service, &fields);
            assert_eq!(page.contains("id=\"learned\""), nth + 1 == ends.len());
            let seen: Vec<_> = (0..=nth).map(|nth| nth.to_string()).collect();
            fields.seen = seen.join(",");
            assert!(page.contains(&fields.seen.replace(',', "%2C")), "{page}");
        }
    }
}
