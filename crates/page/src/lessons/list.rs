//! The lessons, in their order.

use foregone::Invalid;

use super::example::{GAME, POSITION};
use super::{Answer, Fields, alpha_beta, backwards, chance, memory, minimax, numbers, proof, tree};
use crate::service::Service;

/// A lesson.
pub struct Lesson {
    /// Its name in addresses.
    pub name: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    /// About how long it takes.
    pub(super) minutes: u32,
    /// A question at the end, and the answer.
    pub(super) question: [&'static str; 2],
    /// The game and the position of its picture; the start, if there is no text.
    pub(super) picture: [&'static str; 2],
    pub(super) show: fn(&Service, &Fields) -> Result<Answer, Invalid>,
}

/// All lessons, in order.
pub static LESSONS: [Lesson; 8] = [
    Lesson {
        name: "tree",
        title: "A game is a tree",
        about: "See everything that can still happen in a game of tic-tac-toe.",
        minutes: 3,
        question: [
            "The tree of the whole game of tic-tac-toe has 549,946 nodes. Why are there only 5,478 positions?",
            "Several orders of moves lead to the same position, and each of them is a node of its own.",
        ],
        picture: [GAME, POSITION],
        show: tree::show,
    },
    Lesson {
        name: "minimax",
        title: "Minimax: what a position is worth",
        about: "Find the value of a position from the values at the ends.",
        minutes: 5,
        question: [
            "In another position X has nine moves: after eight of them O can win, after one nobody can. What is it worth?",
            "A draw. X takes the best move, however many bad ones there are.",
        ],
        picture: [GAME, "OXO/XX./OOX X"],
        show: minimax::show,
    },
    Lesson {
        name: "alpha-beta",
        title: "Alpha-beta: what need not be looked at",
        about: "Step through a search, and see why it leaves moves out.",
        minutes: 8,
        question: [
            "Why may a search leave out a move without knowing what it is worth?",
            "Because one answer is already known that makes the move before it worse than another one. How much \
             worse need not be known.",
        ],
        picture: [GAME, "X.O/.X./..O X"],
        show: alpha_beta::show,
    },
    Lesson {
        name: "memory",
        title: "Remember positions",
        about: "Reach a position in two ways, and count how often that happens.",
        minutes: 3,
        question: [
            "X has made three moves and O two. In how many orders could they have been made?",
            "In 12: X's three in 6 orders, each with O's two in 2.",
        ],
        picture: [GAME, "X../.O./..X O"],
        show: memory::show,
    },
    Lesson {
        name: "backwards",
        title: "Solve from the end backwards",
        about: "Solve a game in which play can go on for ever.",
        minutes: 8,
        question: [
            "Some position gets no value although all ends were followed back. What is it worth?",
            "What play without end is worth: neither side can make the game end well for itself.",
        ],
        picture: [backwards::GAME, ""],
        show: backwards::show,
    },
    Lesson {
        name: "chance",
        title: "Random games: what is likely",
        about: "Choose a move by random games, and see where they mislead.",
        minutes: 4,
        question: [
            "After one move 67 of 100 random games are won, after another 62. Is the first move better?",
            "Nobody knows: most of the answers in random games are mistakes, which a good player does not make.",
        ],
        picture: [GAME, chance::POSITION],
        show: chance::show,
    },
    Lesson {
        name: "numbers",
        title: "Proof numbers: where the least is left to prove",
        about: "Prove that X does not lose, and look at as little as possible.",
        minutes: 5,
        question: [
            "At a position of O, three moves have the proof numbers 2, 1 and 4. What is that of the position?",
            "7: to prove it, all three moves must be shown to be good for X.",
        ],
        picture: [GAME, "O.X/.X./O.X O"],
        show: numbers::show,
    },
    Lesson {
        name: "proof",
        title: "What a proof is",
        about: "Try to beat a proof that fits into 2.5 kB.",
        minutes: 5,
        question: [
            "Why has the proof one move for each position of the hounds, and none for those of the fox?",
            "The hounds need one move that works. Of the fox all moves are looked at, since nobody knows which it \
             will make.",
        ],
        picture: [proof::GAME, ""],
        show: proof::show,
    },
];
