//! All tables and all proofs of tiny games: none that is accepted is false, whatever it says, and each true
//! value is shown by some. The games have loops, extra turns, and points that are banked between loops;
//! endless play may be worth something else in each loop. What is true comes from trying all strategies.

use foregone_check::equation::{self, Found, Reached, Said};
use foregone_check::proofs::{ProofVerdict, check};
use foregone_check::{Effort, plain};
use foregone_record::format::checksum::Checksum;
use foregone_record::proof::{Claim, ProofManifest, proof_key};
use foregone_record::read::Bytes;
use foregone_record::{Listed, Table, Values};
use foregone_rules::sample::Dice;
use foregone_rules::{
    Banked, Distance, Encode, Game, Outcome, PointBank, Side, Symmetry, Value, Worth,
};
use foregone_trial::Forged;

/// Nodes; in the first `OPEN` of them the game is not over.
const NODES: usize = 5;
const OPEN: usize = 3;

/// What differs from loop to loop.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Nothing,
    Endless,
    EndlessAndBanks,
}

const KINDS: [Kind; 3] = [Kind::Nothing, Kind::Endless, Kind::EndlessAndBanks];

/// A game, by node; values and gains are the first player's.
struct Tiny {
    turns: [Side; NODES],
    /// Where each move leads, and what it banks.
    moves: [Vec<(usize, i32)>; NODES],
    ends: [i32; NODES],
    endless: [i32; NODES],
    layers: [u32; NODES],
}

/// A node, and what the first player has banked.
type State = (usize, i32);

impl Game for Tiny {
    type State = State;
    type Move = usize;

    fn start(&self) -> State {
        (0, 0)
    }
    fn turn(&self, (node, _): &State) -> Side {
        self.turns[*node]
    }
    fn outcome(&self, (node, bank): &State) -> Option<Outcome> {
        (*node >= OPEN).then(|| Outcome(self.ends[*node] + bank))
    }
    fn moves(&self, (node, _): &State) -> impl Iterator<Item = usize> {
        0..self.moves[*node].len()
    }
    fn play(&self, (node, bank): &State, mv: usize) -> State {
        let (to, gain) = self.moves[*node][mv];
        (to, bank + gain)
    }
    fn endless(&self, (node, bank): &State) -> Outcome {
        Outcome(self.endless[*node] + bank)
    }
}

impl Banked for Tiny {
    fn banked(&self, state: &State) -> Value {
        Outcome(state.1).value_for(self.turn(state))
    }
    fn unbanked(&self, (node, _): &State) -> State {
        (*node, 0)
    }
}

impl Symmetry for Tiny {}

impl Encode for Tiny {
    type Bank = PointBank;

    fn bits(&self) -> u32 {
        8
    }
    fn encode(&self, (node, _): &State) -> u128 {
        *node as u128
    }
    fn decode(&self, code: u128) -> State {
        ((code as usize).min(NODES - 1), 0)
    }
}

impl Tiny {
    fn new(dice: &mut Dice, kind: Kind) -> Tiny {
        let to: [Vec<usize>; NODES] = std::array::from_fn(|node| match node < OPEN {
            true => (0..1 + dice.below(3)).map(|_| dice.below(NODES)).collect(),
            false => Vec::new(),
        });
        let mut leads = [[false; NODES]; NODES];
        (0..NODES).for_each(|node| to[node].iter().for_each(|to| leads[node][*to] = true));
        for by in 0..NODES {
            for from in 0..NODES {
                let there = leads[by];
                if leads[from][by] {
                    leads[from].iter_mut().zip(there).for_each(|(leads, there)| *leads |= there);
                }
            }
        }
        // In a loop, both are the same everywhere, and nothing is banked.
        let all = dice.below(3) as i32 - 1;
        let (mut endless, mut layers) = ([all; NODES], [0; NODES]);
        for node in 0..NODES {
            let like = (0..node).find(|other| leads[node][*other] && leads[*other][node]);
            if kind != Kind::Nothing {
                endless[node] = like.map_or(dice.below(5) as i32 - 2, |other| endless[other]);
            }
            if kind == Kind::EndlessAndBanks {
                layers[node] = like.map_or(dice.below(3) as u32, |other| layers[other]);
            }
        }
        let moves = std::array::from_fn(|node| {
            let gain = |to: &usize, dice: &mut Dice| match kind {
                Kind::EndlessAndBanks if !leads[*to][node] => dice.below(5) as i32 - 2,
                _ => 0,
            };
            to[node].iter().map(|to| (*to, gain(to, dice))).collect()
        });
        Tiny {
            turns: std::array::from_fn(|_| Side::BOTH[dice.below(2)]),
            moves,
            ends: std::array::from_fn(|_| dice.below(5) as i32 - 2),
            endless,
            layers,
        }
    }

    /// All strategies of a side: a move for each of its nodes, 0 elsewhere.
    fn strategies(&self, side: Side) -> Vec<[usize; OPEN]> {
        let mut all = vec![[0; OPEN]];
        for node in (0..OPEN).filter(|node| self.turns[*node] == side) {
            let with = |strategy: [usize; OPEN]| {
                (0..self.moves[node].len()).map(move |mv| {
                    let mut strategy = strategy;
                    strategy[node] = mv;
                    strategy
                })
            };
            all = all.into_iter().flat_map(with).collect();
        }
        all
    }

    /// What the first player gets from a node if both follow a strategy.
    fn result(&self, mut node: usize, strategies: [&[usize; OPEN]; 2]) -> i32 {
        let mut bank = 0;
        // After as many plies as there are nodes, play is in a loop.
        for _ in 0..NODES {
            if node >= OPEN {
                return bank + self.ends[node];
            }
            let (to, gain) = self.moves[node][strategies[self.turns[node].index()][node]];
            (node, bank) = (to, bank + gain);
        }
        bank + if node >= OPEN { self.ends[node] } else { self.endless[node] }
    }

    /// What each node is worth to the first player.
    fn values(&self) -> [i32; NODES] {
        let [first, second] = Side::BOTH.map(|side| self.strategies(side));
        std::array::from_fn(|node| {
            let least = |one| second.iter().map(|other| self.result(node, [one, other])).min();
            let max = |other| first.iter().map(|one| self.result(node, [one, other])).max();
            let value = first.iter().filter_map(least).max();
            assert_eq!(value, second.iter().filter_map(max).min());
            value.unwrap()
        })
    }

    /// Whether the entry of a node follows from the others.
    fn follows(&self, values: Values, table: &[Worth; NODES], node: usize) -> bool {
        let state = (node, 0);
        let said = |state: &State| {
            let Value(banked) = self.banked(state);
            Said { worth: table[state.0], layer: self.layers[state.0], banked }
        };
        let endless = self.endless(&state).value_for(self.turn(&state));
        let look_up = |to: &State| Ok::<_, ()>(Some(Reached { said: said(to), rises: false }));
        let found =
            equation::check(self, (values, Listed::All), &state, said(&state), endless, look_up);
        found == Ok(Found::Right)
    }

    /// What the prover needs at each node of a proof from `root` in which it follows a strategy;
    /// `None` if play does not lead there.
    fn needs(
        &self,
        (root, bank): State,
        Claim { first, at_least }: Claim,
        strategy: &[usize; OPEN],
    ) -> [Option<i32>; NODES] {
        let (side, sign) = if first { (Side::First, 1) } else { (Side::Second, -1) };
        let mut needs = [None; NODES];
        needs[root] = Some(at_least - sign * bank);
        for _ in 0..NODES {
            for node in 0..OPEN {
                let Some(need) = needs[node] else { continue };
                for (mv, (to, gain)) in self.moves[node].iter().enumerate() {
                    if self.turns[node] != side || strategy[node] == mv {
                        needs[*to] = needs[*to].max(Some(need - sign * gain));
                    }
                }
            }
        }
        needs
    }
}

/// The bytes of a proof with these entries: node, bound, rank, move.
fn proof(claim: Claim, entries: &[(usize, i32, u32, usize)]) -> Vec<u8> {
    let worth = |value, plies| Some(Worth::new(Value(value), Distance::Plies(plies)));
    let keys: Vec<_> = entries.iter().map(|(node, ..)| proof_key(*node as u128, 0)).collect();
    let bounds = entries.iter().map(|(_, bound, rank, _)| worth(*bound, *rank)).collect();
    let moves = entries.iter().map(|(.., mv)| worth(*mv as i32, 0)).collect();
    let forged = Forged {
        game: "game",
        fingerprint: Checksum(0),
        values: Values::ScoreDistance,
        layers: &[bounds, moves],
        keys: Some(&keys),
        proof: Some(ProofManifest { position: None, moves: Vec::new(), claims: vec![claim] }),
    };
    forged.bytes()
}

#[test]
fn no_table_that_follows_from_itself_is_false() {
    let mut dice = Dice::new(11);
    for (kind, round) in KINDS.into_iter().flat_map(|kind| (0..20).map(move |round| (kind, round)))
    {
        let game = Tiny::new(&mut dice, kind);
        let truth = game.values();
        for values in [Values::ScoreDistance, Values::ScoreRank] {
            // Distances are not for games that bank points.
            if values == Values::ScoreDistance && kind == Kind::EndlessAndBanks {
                continue;
            }
            let plies = (0..4).map(Distance::Plies);
            let plain = plies.flat_map(|plies| (-4..=4).map(move |v| Worth::new(Value(v), plies)));
            let endless = (-4..=4).map(|value| Worth::endless(Value(value)));
            let some: Vec<Worth> = match values {
                Values::ScoreDistance => plain.chain(endless).collect(),
                _ => plain.collect(),
            };
            let end = |node: usize| Outcome(game.ends[node]).value_for(game.turns[node]);
            let mut table = std::array::from_fn(|node| Worth::new(end(node), Distance::Plies(0)));
            let mut accepted = 0;
            for code in 0..some.len().pow(OPEN as u32) {
                for node in 0..OPEN {
                    table[node] = some[code / some.len().pow(node as u32) % some.len()];
                }
                if (0..NODES).all(|node| game.follows(values, &table, node)) {
                    let seen = |node: usize| table[node].value().outcome_for(game.turns[node]).0;
                    assert_eq!(std::array::from_fn(seen), truth, "{kind:?} {round} {table:?}");
                    accepted += 1;
                }
            }
            // Distances determine each other.
            if kind == Kind::Nothing {
                let right =
                    if values == Values::ScoreDistance { accepted == 1 } else { accepted > 0 };
                assert!(right, "{values:?} {round}: {accepted} tables");
            }
        }
    }
}

#[test]
fn no_proof_of_a_false_claim_is_accepted() {
    let mut dice = Dice::new(31);
    for (kind, round) in KINDS.into_iter().flat_map(|kind| (0..40).map(move |round| (kind, round)))
    {
        let game = Tiny::new(&mut dice, kind);
        let root = (dice.below(OPEN), dice.below(5) as i32 - 2);
        let value = Outcome(game.values()[root.0] + root.1);
        for (side, more) in Side::BOTH.into_iter().flat_map(|side| [(side, 0), (side, 1)]) {
            let at_least = value.value_for(side).0 + more;
            let claim = Claim { first: side == Side::First, at_least };
            let mut accepted = 0;
            for strategy in game.strategies(side) {
                let needs = game.needs(root, claim, &strategy);
                let entered = |node: &usize| game.turns[*node] == side && needs[*node].is_some();
                let nodes: Vec<usize> = (0..OPEN).filter(entered).collect();
                for ranks in 0..4u32.pow(nodes.len() as u32) {
                    let entry = |(at, node): (usize, &usize)| {
                        let rank = ranks / 4u32.pow(at as u32) % 4;
                        (*node, needs[*node].unwrap(), rank, strategy[*node])
                    };
                    let entries: Vec<_> = nodes.iter().enumerate().map(entry).collect();
                    let table = Table::read(Bytes(proof(claim, &entries))).unwrap();
                    let effort = Effort::default();
                    let [merged, plainly] = [
                        check(&game, &table, &root, effort, &|_| true),
                        plain::check_proof(&game, &table, &root, effort, &|_| true),
                    ]
                    .map(|verdict| matches!(verdict.unwrap(), ProofVerdict::Proven { .. }));
                    assert_eq!(merged, plainly, "{kind:?} {round} {claim:?} {entries:?}");
                    accepted += u32::from(merged);
                }
            }
            assert_eq!(accepted > 0, more == 0, "{kind:?} {round} {claim:?}: {accepted} proofs");
        }
    }
}
