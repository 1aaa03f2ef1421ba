//! The third lesson: alpha-beta, step by step, with its window, its cuts, and what they leave out.

use foregone::control::counted;
use foregone::sort::by_rank;
use foregone::{Invalid, Side};
use maud::{Markup, html};

use super::example::{GAME, Mark, POSITION, Tree, meaning, signed};
use super::{Answer, Fields, Shown, board, mark, open, picked_move, step_link};
use crate::service::Service;

/// What both sides are sure of elsewhere: X of at least the first value, O of at most the second.
type Window = [Option<i32>; 2];

/// The order in which moves are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Listed,
    Best,
    Worst,
}

impl Order {
    const ALL: [(&str, Order, &str); 3] = [
        ("", Order::Best, "the best first, as if the search knew them"),
        ("listed", Order::Listed, "as they are listed"),
        ("worst", Order::Worst, "the worst first"),
    ];

    fn children(self, tree: &Tree, at: usize) -> Vec<usize> {
        let node = &tree.0[at];
        let mut children = node.children.clone();
        let worth = |child: &usize| {
            let value = tree.0[*child].value;
            if node.turn == Side::First { -value } else { value }
        };
        let sign = match self {
            Order::Listed => 0,
            Order::Best => 1,
            Order::Worst => -1,
        };
        by_rank(&mut children, &|child| i64::from(sign * worth(child)));
        children
    }
}

/// What the search knows of a position after it: its value, or a bound of it if moves were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth {
    value: i32,
    bound: Option<Bound>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
}

impl Worth {
    const fn exact(value: i32) -> Worth {
        Worth { value, bound: None }
    }

    /// In words: `+1`, `at most 0`.
    fn words(self) -> String {
        self.after("at least ", "at most ")
    }

    /// As a label: `+1`, `≤ 0`.
    fn sign(self) -> String {
        self.after("≥ ", "≤ ")
    }

    /// The value after what says which bound it is.
    fn after(self, at_least: &str, at_most: &str) -> String {
        let bound = match self.bound {
            None => "",
            Some(Bound::AtLeast) => at_least,
            Some(Bound::AtMost) => at_most,
        };
        format!("{bound}{}", signed(self.value))
    }
}

/// A step of the search.
enum Event {
    /// A position is entered.
    Enter(Window),
    /// The game is over.
    End,
    /// A move's value came back, and the best so far is this.
    Back { child: usize, worth: Worth, best: i32, window: Window },
    /// The rest of the moves need not be looked at.
    Cut { best: i32, bound: i32, window: Window, rest: Vec<usize> },
    /// All moves were looked at, or enough of them.
    Left(Worth),
}

/// The search of the tree, step by step: the position, and what happens there.
struct Trace<'t> {
    tree: &'t Tree,
    order: Order,
    steps: Vec<(usize, Event)>,
}

impl Trace<'_> {
    fn visit(&mut self, at: usize, window: Window) -> Worth {
        let node = &self.tree.0[at];
        self.steps.push((at, Event::Enter(window)));
        if let Some(value) = node.outcome {
            self.steps.push((at, Event::End));
            return Worth::exact(value);
        }
        let [mut low, mut high] = window;
        let mut best: Option<Worth> = None;
        let children = self.order.children(self.tree, at);
        for (nth, child) in children.iter().enumerate() {
            let worth = self.visit(*child, [low, high]);
            let better = best.is_none_or(|best| node.prefers(worth.value, best.value));
            let Worth { value: now, .. } =
                *best.insert(if better { worth } else { best.unwrap_or(worth) });
            match node.turn {
                Side::First => low = Some(low.map_or(now, |low| low.max(now))),
                Side::Second => high = Some(high.map_or(now, |high| high.min(now))),
            }
            self.steps
                .push((at, Event::Back { child: *child, worth, best: now, window: [low, high] }));
            let rest = children[nth + 1..].to_vec();
            if let (Some(sure), Some(max)) = (low, high)
                && sure >= max
                && !rest.is_empty()
            {
                let bound = if node.turn == Side::First { max } else { sure };
                let window = [low, high];
                self.steps.push((at, Event::Cut { best: now, bound, window, rest }));
                let bound = match node.turn {
                    Side::First => Bound::AtLeast,
                    Side::Second => Bound::AtMost,
                };
                best = Some(Worth { value: now, bound: Some(bound) });
                break;
            }
        }
        let best = best.unwrap_or(Worth::exact(0));
        self.steps.push((at, Event::Left(best)));
        best
    }

    fn of(tree: &Tree, order: Order) -> Trace<'_> {
        let mut trace = Trace { tree, order, steps: Vec::new() };
        trace.visit(0, [None, None]);
        trace
    }

    /// How many positions are looked at.
    fn visited(&self) -> usize {
        self.steps.iter().filter(|(_, event)| matches!(event, Event::Enter(_))).count()
    }
}

/// A window in words.
fn window(window: &Window) -> Markup {
    let [low, high] = window;
    html! {
        p id="window" {
            b { "Window: " }
            @match low {
                Some(low) => { "X already has at least " (signed(*low)) }
                None => { "X has nothing for sure yet" }
            }
            "; "
            @match high {
                Some(high) => { "O can already hold X to at most " (signed(*high)) "." }
                None => { "O has nothing for sure yet." }
            }
        }
    }
}

fn told(tree: &Tree, at: usize, event: &Event) -> Markup {
    let node = &tree.0[at];
    let side = mark(node.turn);
    let name = match node.path[..] {
        [] => "the root".to_owned(),
        _ => format!("the position after {}", node.path.join(", ")),
    };
    html! {
        @match event {
            Event::Enter(bounds) => {
                p { "The search enters " (name) ". " @if node.outcome.is_none() { (side) " is to move." } }
                (window(bounds))
            }
            Event::End => p { "The game is over: " (meaning(node.value)) ", " b { (signed(node.value)) } "." },
            Event::Back { child, worth, best, window: bounds } => {
                p {
                    (side) "'s move on square " (tree.0[*child].mv()) " is worth " b { (worth.words()) } " to X. "
                    @if worth.value == *best {
                        "So " (name) " is worth " (if node.turn == Side::First { "at least " } else { "at most " })
                        b { (signed(*best)) } "."
                    } @else { "For " (side) " this is no better than " b { (signed(*best)) } ", so nothing changes." }
                }
                (window(bounds))
            }
            Event::Cut { best, bound, window: bounds, rest } => {
                @let other = mark(node.turn.other());
                @let left_out = rest.iter().map(|child| tree.0[*child].mv()).collect::<Vec<_>>().join(", ");
                p id="cut" {
                    b { "A cut. " }
                    @match node.turn {
                        Side::Second => { "Here O can hold X to " (signed(*best)) " or less. By a move before this position X already gets " (signed(*bound)) ". " }
                        Side::First => { "Here X gets " (signed(*best)) " or more. By a move before this position O already holds X to " (signed(*bound)) ". " }
                    }
                    "So " (other) " gains nothing by coming here, and " (side) "'s other moves (square "
                    (left_out) ") are left out."
                }
                (window(bounds))
            }
            Event::Left(worth) => p { "Done with " (name) ": " b { (worth.words()) } "." },
        }
    }
}

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let tree = Tree::grow(service)?;
    let order = Order::ALL.iter().find(|(name, ..)| *name == fields.seen);
    let order = order.map_or(Order::Best, |(_, order, _)| *order);
    let trace = Trace::of(&tree, order);
    let last = trace.steps.len() - 1;
    let step = fields.step().min(last);
    let (here, event) = &trace.steps[step];
    // What is known after this step.
    let mut values: Vec<Option<Worth>> = vec![None; tree.0.len()];
    let mut cut = vec![false; tree.0.len()];
    let mut entered = 0;
    for (at, event) in &trace.steps[..=step] {
        match event {
            Event::Enter(_) => entered += 1,
            Event::End => values[*at] = tree.0[*at].outcome.map(Worth::exact),
            Event::Left(worth) => values[*at] = Some(*worth),
            Event::Cut { rest, .. } => rest.iter().for_each(|child| cut[*child] = true),
            Event::Back { .. } => {}
        }
    }
    for at in 0..cut.len() {
        cut[at] |= tree.0[at].parent.is_some_and(|parent| cut[parent]);
    }
    let node = &tree.0[*here];
    let at_node = Fields { moves: node.path.join(","), ..Fields::default() };
    let session = open(service, GAME, POSITION, &at_node)?;
    // The move that the reader has made here.
    let mv = picked_move(&*session, fields).unwrap_or_else(|| fields.moves.clone());
    let tried = node.children.iter().copied().find(|child| tree.0[*child].mv() == mv);
    let unplayed = Fields { moves: String::new(), pick: String::new(), ..fields.clone() };
    let go = |id: &str, words: &str, to| step_link(&unplayed, id, words, to);
    let is_cut = |(_, event): &(usize, Event)| matches!(event, Event::Cut { .. });
    let next_cut = trace.steps.iter().skip(step + 1).position(is_cut).map(|more| step + 1 + more);
    let crossed = match event {
        Event::Back { window: [Some(low), Some(high)], .. } => {
            low >= high && next_cut != Some(step + 1)
        }
        _ => false,
    };
    let text = html! {
        p {
            "Minimax looks at all " (tree.0.len()) " positions. Alpha-beta carries a " b { "window" }
            ": what each side already has for sure, as X sees it. When the two meet or cross, nothing more in a position matters: one "
            "side will avoid this position. That is a " b { "cut" } ", and the rest of the position is left out. The value "
            "at the root stays the same."
        }
        div.steps {
            p.controls {
                (go("step-start", "«", (step > 0).then_some(0)))
                (go("step-back", "Back", step.checked_sub(1)))
                (go("step-on", "Step", (step < last).then_some(step + 1)))
                (go("step-cut", "Next cut", next_cut))
                (go("step-end", "»", (step < last).then_some(last)))
                " " small { "step " (step) " of " (last) ", " (counted(entered, "position", "positions")) " looked at" }
            }
            div aria-live="polite" {
                (told(&tree, *here, event))
                @if crossed { p { "The window is closed. Here no move is left, so nothing is left out." } }
            }
        }
        p.task { b { "Try it: " } "look at the moves in another order." }
        ul.orders {
            @for (name, each, words) in Order::ALL {
                li {
                    @if each == order { b { (words) } }
                    @else { a href=(Fields { seen: name.to_owned(), ..unplayed.at(0) }.link()) { (words) } }
                    ": " (Trace::of(&tree, each).visited()) " positions"
                }
            }
        }
    };
    let after = |mv: &str| Fields { moves: mv.to_owned(), ..unplayed.clone() }.link();
    let trying = html! {
        @if node.outcome.is_none() {
            section.card.trying aria-label="The framed position" {
                h2 { "Your turn" }
                p { "Play a move of " (mark(node.turn)) " in the framed position: does the search need it?" }
                (board(&*session, fields, &after))
                @if let Some(child) = tried {
                    @let worth = html! { b { (signed(tree.0[child].value)) } " (" (meaning(tree.0[child].value)) ")" };
                    p id="tried" role="status" {
                        b { (mv) } " is worth " (worth) ". "
                        @if cut[child] {
                            "The search does not look at it: whatever it is worth, " (mark(node.turn.other()))
                            " does as well or better by a move before this position."
                        } @else if let Some(found) = values[child] {
                            "The search has looked at it, and knows: " (found.words()) "."
                        } @else {
                            "The search has not looked at it so far."
                        }
                    }
                }
            }
        }
    };
    let board = tree.draw("What the search has seen so far", |at| Mark {
        class: match () {
            () if at == *here => "here",
            () if cut[at] => "cut",
            () if values[at].is_some() => "seen",
            () if tree.0[*here].path.starts_with(&tree.0[at].path) => "path",
            () => "",
        },
        kind: "",
        label: match cut[at] {
            true => Some("left out".to_owned()),
            false => values[at].map(Worth::sign),
        },
    });
    let status = match tree.0[*here].outcome {
        Some(value) => format!("Over: {}", meaning(value)),
        None => format!("{} to move", mark(tree.0[*here].turn)),
    };
    Ok(Answer::Shown(Shown {
        text,
        status,
        board,
        below: trying,
        done: (step == last).then_some(match trace.visited() < tree.0.len() {
            true => {
                "The same value, from fewer positions. In large trees, with the best moves first, only about the square \
                 root of all positions is looked at."
            }
            false => "The same value, but in this order nothing is left out: try another one.",
        }),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::*;

    #[test]
    fn every_order_finds_the_value_and_good_ones_look_at_less() {
        let tree = Tree::grow(&service()).unwrap();
        let visited = |order| {
            let trace = Trace::of(&tree, order);
            let Some((0, Event::Left(worth))) = trace.steps.last() else { panic!() };
            assert_eq!(*worth, Worth::exact(tree.0[0].value));
            // What was left out never makes a value wrong.
            for (at, event) in &trace.steps {
                let Event::Left(worth) = event else { continue };
                let value = tree.0[*at].value;
                assert!(match worth.bound {
                    None => worth.value == value,
                    Some(Bound::AtLeast) => worth.value <= value,
                    Some(Bound::AtMost) => worth.value >= value,
                });
            }
            trace.visited()
        };
        let [listed, best, worst] = [Order::Listed, Order::Best, Order::Worst].map(visited);
        assert!(best <= listed && listed < tree.0.len(), "{best} {listed}");
        assert!(best < worst, "{best} {worst}");
    }

    /// What is looked at is what the library's alpha-beta looks at, whose order is the game's.
    #[test]
    fn it_is_the_search_of_the_library() {
        let service = service();
        let tree = Tree::grow(&service).unwrap();
        let session = open(&service, GAME, POSITION, &Fields::default()).unwrap();
        let request = foregone::TreeRequest { depth: None };
        let report = session.tree(&request, &foregone::Control::default());
        let nodes = report.alphabeta.unwrap().nodes as usize;
        assert_eq!(report.minimax.unwrap().nodes as usize, tree.0.len());
        assert_eq!(Trace::of(&tree, Order::Listed).visited(), nodes);
    }

    #[test]
    fn a_move_that_was_cut_off_can_be_tried() {
        let service = service();
        let tree = Tree::grow(&service).unwrap();
        let trace = Trace::of(&tree, Order::Best);
        let cut = trace.steps.iter().position(|(_, event)| matches!(event, Event::Cut { .. }));
        let step = cut.unwrap();
        let (here, Event::Cut { rest, .. }) = &trace.steps[step] else { panic!() };
        for child in &tree.0[*here].children {
            let moves = tree.0[*child].mv().to_owned();
            let fields = Fields { moves, ..Fields::of("alpha-beta") }.at(step);
            let (_, page) = page_of(&service, &fields);
            let left_out = page.contains("The search does not look at it");
            assert_eq!(left_out, rest.contains(child), "{page}");
            assert!(left_out || page.contains("The search has looked at it, and knows"));
        }
    }

    #[test]
    fn all_steps_are_shown_and_a_cut_is_explained() {
        let service = service();
        let mut cuts = 0;
        let last = Trace::of(&Tree::grow(&service).unwrap(), Order::Best).steps.len() - 1;
        for step in 0..=last {
            let (_, page) = page_of(&service, &Fields::of("alpha-beta").at(step));
            cuts += page.matches("id=\"cut\"").count();
            assert_eq!(page.contains("id=\"learned\""), step == last);
        }
        assert!(cuts > 0);
    }
}
