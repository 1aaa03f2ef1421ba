//! The page of all games, in groups, each with its board. It is made from the registry, so a new game needs nothing
//! here.

use foregone::sample::Dice;
use foregone::sort::by_rank;
use foregone::{AnyGame, Invalid, Registry, family::Group, show::Scene};
use maud::{Markup, html};
use serde::Deserialize;

use super::editor;
use super::frame::{HOME, Reply, frame, wrong};
use crate::address::Address;
use crate::draw::svg;
use crate::lessons::puzzle;
use crate::players::Who;
use crate::words::capital;

/// What an address of this page says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    pub find: String,
}

/// The names of its fields.
pub const NAMES: [&str; 1] = ["find"];

/// A game in the list.
pub struct Card {
    group: Group,
    /// What a search looks at, in lower case.
    words: String,
    shown: Markup,
    /// Its place among the games to begin with, and how it is shown there.
    first: Option<(usize, Markup)>,
}

/// Games in whose usual form the second player wins: a person begins there as the second. `foregone solve` finds it of all
/// but Dobutsu Shogi (Tanaka 2009) and Reversi (Feinstein 1993).
const SECOND_WINS: [&str; 12] = [
    "col",
    "cram",
    "dara",
    "dobutsu-shogi",
    "domineering",
    "fox-and-hounds",
    "hexapawn",
    "konane",
    "pop-out",
    "quoridor",
    "reversi",
    "snort",
];

/// The games to begin with: how long one takes, and what is known of it.
const FIRST_GAMES: [(&str, &str, &str); 3] = [
    ("tic-tac-toe", "2 minutes, easy", "Solved: with no mistake it is a draw."),
    (
        "connect-four",
        "10 minutes, hard",
        "Solved: the first player wins. That is you, if you find the moves.",
    ),
    ("fox-and-hounds", "10 minutes, not so hard", "Solved: the hounds win. You lead them."),
];

/// A game against the computer that errs at times, where the person has the better side.
fn first_game(name: &str) -> Address {
    let mut players = [Who::Human, Who::Medium];
    if SECOND_WINS.contains(&name) {
        players.reverse();
    }
    Address { players, ..Address::new(name) }
}

/// Other words by which people look for a game, by its name.
const ALSO: [(&str, &str); 12] = [
    ("awari", "oware wari mancala"),
    ("checkers", "draughts"),
    ("connect-four", "four in a row"),
    ("fox-and-hounds", "fox and geese wolf and sheep"),
    ("gomoku", "five in a row"),
    ("hex", "nash"),
    ("kalah", "kalaha mancala"),
    ("mnk", "noughts and crosses"),
    ("morris", "mill merels"),
    ("ohvalhu", "mancala"),
    ("reversi", "othello"),
    ("tic-tac-toe", "noughts and crosses"),
];

/// All games of a registry, in the order of groups.
pub fn cards(registry: &Registry) -> Result<Vec<Card>, Invalid> {
    let mut cards = Vec::new();
    for about in registry.families() {
        let game = registry.game(&about.name)?;
        let called = registry.called(&game.specification());
        let name = called.map_or(&about.name[..], |alias| alias.name);
        let title = registry.title(&*game);
        let more = html! {
            @if name != about.name {
                p { a href=(first_game(&about.name).link()) { (about.title) } ": any board size" }
            }
        };
        let others = registry.aliases().iter().filter(|alias| {
            registry.game(alias.name).is_ok_and(|other| other.about().name == about.name)
        });
        let others: Vec<_> = others.map(|alias| alias.title).collect();
        let words = [&about.title, title, &others.join(" ")].join(" ");
        cards.push(card(&*game, name, title, &words, &more)?);
    }
    for name in registry.texts() {
        let more = html! { p.dim { "Written as " a href=(editor::link(name)) { "text" } } };
        let game = registry.game(name)?;
        cards.push(card(&*game, name, game.title(), game.title(), &more)?);
    }
    by_rank(&mut cards, &|card| card.group as i64);
    Ok(cards)
}

fn card(
    game: &dyn AnyGame,
    name: &str,
    title: &str,
    words: &str,
    more: &Markup,
) -> Result<Card, Invalid> {
    let about = game.about();
    let scene = midgame(game)?;
    let also = ALSO.iter().filter(|(part, _)| name.contains(part)).map(|(_, also)| *also);
    let also = also.collect::<Vec<_>>().join(" ");
    let words = [words, name, &about.summary, about.group.title(), &also].join(" ").to_lowercase();
    let tile = |below: &Markup| {
        html! {
            li.card.game {
                a href=(first_game(name).link()) {
                    (svg::thumbnail(&scene, &format!("A position of {title}")))
                    h3 { (title) }
                }
                p { (capital(&about.summary)) "." }
                (below)
            }
        }
    };
    let shown = tile(more);
    let first = FIRST_GAMES.iter().enumerate().find(|(_, (first, ..))| *first == name);
    let first =
        first.map(|(at, (_, time, known))| (at, tile(&html! { p.dim { (time) ". " (known) } })));
    Ok(Card { group: about.group, words, shown, first })
}

/// A position after some moves, which shows more of a game than an empty board; the same each time.
fn midgame(game: &dyn AnyGame) -> Result<Scene, Invalid> {
    const PLIES: usize = 7;
    let mut dice = Dice::new(PLIES as u64);
    let mut session = game.session();
    for _ in 0..PLIES {
        let moves = session.moves();
        let mut next = session.fork();
        next.play(&moves[dice.below(moves.len())])?;
        if next.outcome().is_some() {
            break;
        }
        session = next;
    }
    Ok(session.scene())
}

/// The games whose names or descriptions have all words of a text.
pub fn home(cards: Result<&[Card], &Invalid>, find: &str) -> Reply {
    let cards = match cards {
        Ok(cards) => cards,
        Err(error) => return Reply::Wrong(wrong("No games", &error.to_string(), None)),
    };
    let lower = find.to_lowercase();
    let fits = |card: &&Card| lower.split_whitespace().all(|word| card.words.contains(word));
    let found: Vec<_> = cards.iter().filter(fits).collect();
    let first = (0..FIRST_GAMES.len()).filter_map(|nth| {
        cards.iter().filter_map(|card| card.first.as_ref()).find(|(at, _)| *at == nth)
    });
    let body = html! {
        div.intro {
            h1 { "Which game?" }
            p { "Play against an opponent of your strength, see what every move is worth, and why." }
            form.find role="search" action="index.html" method="get" hx-get="index.html" hx-target="#games"
                hx-select="#games" hx-swap="outerHTML" hx-trigger="input delay:150ms, submit"
                hx-sync="this:replace" hx-replace-url="true" {
                label for="find" { "Find a game" }
                input type="search" id="find" name="find" value=(find) maxlength="100" autocomplete="off"
                    placeholder="name, or what it is about";
                button { "Find" }
            }
        }
        div.controls { (puzzle::today()) }
        section.card id="kept" hidden {
            h2 { "Your games" }
            ul.saved id="saved" {}
        }
        div id="games" {
            @if found.is_empty() {
                p role="status" {
                    "No game has these words. " a href="rules.html" { "Write your own" } ", or see "
                    a href=(HOME) { "all games" } "."
                }
            }
            @if find.is_empty() {
                h2 { "Start here" }
                ul.games.start { @for (_, shown) in first { (shown) } }
            }
            @for group in Group::ALL {
                @let all: Vec<_> = found.iter().filter(|card| card.group == group).collect();
                @if !all.is_empty() {
                    h2 { (group.title()) }
                    ul.games { @for card in all { (card.shown) } }
                }
            }
        }
    };
    Reply::Page(frame("Games", None, &body))
}

#[cfg(test)]
mod tests {
    use foregone::{Control, Request, Side};

    use super::*;

    #[test]
    fn a_person_begins_on_the_side_that_can_win() {
        let registry = Registry::standard();
        let control = Control::default().with_memory(64 << 20).with_positions(50_000);
        let mut decided = 0;
        for name in registry.names() {
            let request = Request::default().with_moves(false).with_line(false);
            let mut session = registry.game(name).unwrap().session();
            let report = session.solve(&request, &control);
            let Some(value) = report.value.filter(|value| report.proven && *value != 0) else {
                continue;
            };
            let second = (value > 0) != (session.turn() == Side::First);
            let [_, players] = first_game(name).players;
            assert_eq!(players == Who::Human, second, "{name}");
            decided += 1;
        }
        assert!(decided > 20, "{decided}");
    }
}
