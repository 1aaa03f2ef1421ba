//! The third lesson: alpha-beta, step by step, with its window, its cuts, and what they leave out.

use foregone::{Invalid, Side};
use maud::{Markup, html};

use super::example::{GAME, Mark, POSITION, Tree, meaning, signed};
use super::{Answer, Fields, Shown, mark, open};
use crate::address::Address;
use crate::draw::svg;
use crate::service::Service;
use crate::view::board::Clicking;

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
        ("", Order::Listed, "as they are listed"),
        ("best", Order::Best, "the best first"),
        ("worst", Order::Worst, "the worst first"),
    ];

    fn children(self, tree: &Tree, at: usize) -> Vec<usize> {
        let node = &tree.0[at];
        let mut children = node.children.clone();
        let worth = |child: &usize| {
            let value = tree.0[*child].value;
            if node.turn == Side::First { -value } else { value }
        };
        match self {
            Order::Listed => {}
            Order::Best => children.sort_by_key(worth),
            Order::Worst => children.sort_by_key(|child| -worth(child)),
        }
        children
    }
}

/// A step of the search.
enum Event {
    /// A position is entered.
    Enter(Window),
    /// The game is over.
    End,
    /// A move's value came back, and the best so far is this.
    Back { child: usize, best: i32, window: Window },
    /// The rest of the moves need not be looked at.
    Cut { best: i32, bound: i32, rest: Vec<usize> },
    /// All moves were looked at, or enough of them.
    Left(i32),
}

/// The search of the tree, step by step: the position, and what happens there.
struct Trace<'t> {
    tree: &'t Tree,
    order: Order,
    steps: Vec<(usize, Event)>,
}

impl Trace<'_> {
    fn visit(&mut self, at: usize, window: Window) -> i32 {
        let node = &self.tree.0[at];
        self.steps.push((at, Event::Enter(window)));
        if let Some(value) = node.outcome {
            self.steps.push((at, Event::End));
            return value;
        }
        let [mut low, mut high] = window;
        let mut best: Option<i32> = None;
        let children = self.order.children(self.tree, at);
        for (nth, child) in children.iter().enumerate() {
            let value = self.visit(*child, [low, high]);
            let better = best.is_none_or(|best| node.prefers(value, best));
            let now = if better { value } else { best.unwrap_or(value) };
            best = Some(now);
            match node.turn {
                Side::First => low = Some(low.map_or(now, |low| low.max(now))),
                Side::Second => high = Some(high.map_or(now, |high| high.min(now))),
            }
            self.steps.push((at, Event::Back { child: *child, best: now, window: [low, high] }));
            let rest = children[nth + 1..].to_vec();
            if let (Some(sure), Some(most)) = (low, high)
                && sure >= most
                && !rest.is_empty()
            {
                let bound = if node.turn == Side::First { most } else { sure };
                self.steps.push((at, Event::Cut { best: now, bound, rest }));
                break;
            }
        }
        let best = best.unwrap_or(0);
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
                Some(low) => { "X is sure of " (signed(*low)) " or more elsewhere" }
                None => { "X is sure of nothing yet" }
            }
            "; "
            @match high {
                Some(high) => { "O can hold X to " (signed(*high)) " or less elsewhere." }
                None => { "O is sure of nothing yet." }
            }
        }
    }
}

fn told(tree: &Tree, at: usize, event: &Event) -> Markup {
    let node = &tree.0[at];
    let side = mark(node.turn);
    let name = match node.path[..] {
        [] => "the root".to_owned(),
        _ => format!("the position after {}", node.path.join(" ")),
    };
    html! {
        @match event {
            Event::Enter(bounds) => {
                p { "The search enters " (name) ". " @if node.outcome.is_none() { (side) " is to move." } }
                (window(bounds))
            }
            Event::End => p { "The game is over: " (meaning(node.value)) ", " b { (signed(node.value)) } "." },
            Event::Back { child, best, window: bounds } => {
                p {
                    (side) "'s move " (tree.0[*child].mv()) " is worth "
                    b { (signed(tree.0[*child].value)) } " to X. So " (name) " is worth "
                    (if node.turn == Side::First { "at least " } else { "at most " }) b { (signed(*best)) } "."
                }
                (window(bounds))
            }
            Event::Cut { best, bound, rest } => {
                p id="cut" {
                    b { "A cut. " } "Here " (side) " gets "
                    (if node.turn == Side::First { "at least " } else { "at most " }) (signed(*best)) " for X, and "
                    (mark(node.turn.other())) " has " (signed(*bound)) " elsewhere, which is at least as good for "
                    (mark(node.turn.other())) ". So " (mark(node.turn.other())) " will never let it come to this, and "
                    "the rest is left out: " (rest.iter().map(|child| tree.0[*child].mv()).collect::<Vec<_>>().join(", ")) "."
                }
            }
            Event::Left(value) => p { "Done with " (name) ": " b { (signed(*value)) } "." },
        }
    }
}

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let tree = Tree::grow(service)?;
    let order = Order::ALL.iter().find(|(name, ..)| *name == fields.seen);
    let order = order.map_or(Order::Listed, |(_, order, _)| *order);
    let trace = Trace::of(&tree, order);
    let last = trace.steps.len() - 1;
    let step = fields.step().min(last);
    let (here, event) = &trace.steps[step];
    // What is known after this step.
    let mut values: Vec<Option<i32>> = vec![None; tree.0.len()];
    let mut cut = vec![false; tree.0.len()];
    let mut entered = 0;
    for (at, event) in &trace.steps[..=step] {
        match event {
            Event::Enter(_) => entered += 1,
            Event::End => values[*at] = tree.0[*at].outcome,
            Event::Left(value) => values[*at] = Some(*value),
            Event::Cut { rest, .. } => rest.iter().for_each(|child| cut[*child] = true),
            Event::Back { .. } => {}
        }
    }
    for at in 0..cut.len() {
        cut[at] |= tree.0[at].parent.is_some_and(|parent| cut[parent]);
    }
    let go = |id: &str, words: &str, to: Option<usize>| {
        html! {
            @match to {
                Some(to) => a.button id=(id) href=(fields.at(to).link()) { (words) },
                None => span.button.off { (words) },
            }
        }
    };
    let text = html! {
        p {
            "Minimax looks at all " (tree.0.len()) " positions. Alpha-beta carries a " b { "window" }
            ": what each side is already sure of. Where a position turns out to be too good for one side, the other "
            "will not let it come to it, and the rest of it is left out. The value at the root stays the same."
        }
        p.controls {
            (go("step-start", "«", (step > 0).then_some(0)))
            (go("step-back", "Back", step.checked_sub(1)))
            (go("step-on", "Step", (step < last).then_some(step + 1)))
            (go("step-end", "»", (step < last).then_some(last)))
            " " small { "step " (step) " of " (last) ", " (entered) " positions looked at" }
        }
        div aria-live="polite" { (told(&tree, *here, event)) }
        p.task { b { "Try it: " } "look at the moves in another order." }
        ul.orders {
            @for (name, each, words) in Order::ALL {
                li {
                    @if each == order { b { (words) } }
                    @else { a href=(Fields { seen: name.to_owned(), ..fields.at(0) }.link()) { (words) } }
                    ": " (Trace::of(&tree, each).visited()) " positions"
                }
            }
        }
    };
    let at_node = Fields { moves: tree.0[*here].path.join(","), ..Fields::default() };
    let session = open(service, GAME, POSITION, &at_node)?;
    // Moves on this board are played on, against the perfect player.
    let play = |mv: &str| {
        let address = Address { position: Some(POSITION.to_owned()), ..Address::new(GAME) };
        let moves = tree.0[*here].path.iter().map(String::as_str).chain([mv]);
        moves.fold(address, |address, mv| address.after(mv)).link()
    };
    let options = session.options();
    let clicking =
        Clicking { options: &options, picked: &[], after: &play, picking: &|_| fields.link() };
    let scene = session.scene();
    let overlays = clicking.overlays(&scene, |_| None);
    let below = tree.draw("What the search has seen so far", |at| Mark {
        class: match () {
            () if at == *here => "here",
            () if cut[at] => "cut",
            () if values[at].is_some() => "seen",
            () if tree.0[*here].path.starts_with(&tree.0[at].path) => "path",
            () => "",
        },
        label: match cut[at] {
            true => Some("left out".to_owned()),
            false => values[at].map(signed),
        },
    });
    let status = match tree.0[*here].outcome {
        Some(value) => format!("Over: {}", meaning(value)),
        None => format!("{} to move; a click plays on from here", mark(tree.0[*here].turn)),
    };
    Ok(Answer::Shown(Shown {
        text,
        status,
        board: svg::board(&scene, "The position of this step", &overlays, &[]),
        below,
        done: (step == last).then_some(
            "The same value, from fewer positions. With the best moves first, a tree of n positions takes about the \
             square root of n; with the worst first, nearly all.",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{page_of, service};
    use super::super::{Fields, Lesson};
    use super::*;

    #[test]
    fn every_order_finds_the_value_and_good_ones_look_at_less() {
        let tree = Tree::grow(&service()).unwrap();
        let visited = |order| {
            let trace = Trace::of(&tree, order);
            let Some((0, Event::Left(value))) = trace.steps.last() else { panic!() };
            assert_eq!(*value, tree.0[0].value);
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
    fn all_steps_are_shown_and_a_cut_is_explained() {
        let service = service();
        let mut cuts = 0;
        let last = Trace::of(&Tree::grow(&service).unwrap(), Order::Listed).steps.len() - 1;
        for step in 0..=last {
            let (_, page) = page_of(&service, &Fields::of(Lesson::AlphaBeta).at(step));
            cuts += page.matches("id=\"cut\"").count();
            assert_eq!(page.contains("id=\"learned\""), step == last);
        }
        assert!(cuts > 0);
    }
}
