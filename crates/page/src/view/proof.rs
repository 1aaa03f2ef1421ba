//! A proof about the game, beside its board: what it claims, its move here, and to play against it.

use foregone::control::counted;
use foregone::record::Table;
use foregone::record::proof::{Claim, ProofManifest};
use foregone::solver::Advice;
use foregone::{Side, Twin};
use maud::{Markup, html};

use super::page::Page;
use crate::address::Address;
use crate::players::Who;
use crate::words::capital;

/// How many positions a proof has, each with a move.
pub fn moves(proof: &Table) -> u64 {
    // The bounds are in one layer, the moves in another.
    proof.manifest().layers.first().map_or(0, |layer| layer.positions)
}

impl Page<'_> {
    /// What is claimed, with the winner by its name.
    fn claimed(&self, proof: &ProofManifest) -> String {
        let words = proof.words(self.game.unit(), "");
        Side::BOTH.into_iter().fold(words, |words, side| {
            let wins = Claim { first: side == Side::First, at_least: 1 }.words("result");
            words.replace(&wins, &self.voice().the_does(side, "win"))
        })
    }

    /// What a proof says of the game and of this position; nothing if there is none.
    pub(super) fn proof(&self) -> Markup {
        let name = self.game.specification();
        let Some(proof) = self.service.proof(&name) else { return html! {} };
        let Some(contents) = &proof.manifest().proof else { return html! {} };
        let here = &*self.record.here;
        let claims = |side: Side| contents.claims.iter().any(|claim| claim.side() == side);
        let against = |side: Side| {
            let mut players = [Who::Human; 2];
            players[side.index()] = Who::Perfect;
            Address { players, ..self.address.back_to(0) }.link()
        };
        html! {
            section.card id="proof" aria-label="Proof" {
                h2 { "Proof" }
                p {
                    "It is proven that " (self.claimed(contents)) ". The proof has a move for "
                    (counted(moves(&proof), "position", "positions")) "."
                }
                @if here.outcome().is_none() {
                    @match here.advice() {
                        Ok(Some(Advice::Answers)) => {
                            p { "Whatever " (self.voice().the(here.turn())) " plays, it has an answer." }
                        }
                        Ok(Some(Advice::Move { mv, left, .. })) => p {
                            "Here it plays " a href=(self.address.after(&mv).link()) { (mv) }
                            "."
                            @if left > 0 { " It then wins in at most " (left) " of its moves." }
                        },
                        Ok(None) => p { "This position is not in it: its side has played another move." },
                        Err(error) => p.error { (capital(&error.to_string())) "." },
                    }
                }
                @for side in Side::BOTH {
                    @if claims(side) {
                        p { a.button href=(against(side)) { "Play against " (self.voice().the(side)) } }
                    }
                }
                // The verified checker knows the rules of all texts, and those of quantum tic-tac-toe.
                @let is_verifiable =
                    proof.manifest().rules.is_some()
                        || Twin::exists(&self.service.registry, &name)
                        || name == "quantum-tic-tac-toe";
                details {
                    summary { "Check it yourself" }
                    pre tabindex="0" { code {
                        "foregone prove '" (name) "' -o game.proof\n"
                        "foregone-check game.proof"
                        @if is_verifiable { "\nforegone-verified game.proof" }
                    } }
                    @if is_verifiable {
                        p { small { "The last command is a verified checker: the program that runs is a theorem of Coq." } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::Reply;
    use crate::route::{Queue, Route};
    use crate::service::{Deadline, Service};
    use foregone::{Registry, solver::Advice};
    use std::time::Duration;

    /// The page of an address at once, after redirects.
    fn page(service: &Service, query: &str) -> String {
        let mut query = query.to_owned();
        for _ in 0..9 {
            let route = Route::parse("play.html", &query).unwrap().unwrap();
            let deadline = Deadline::after(Duration::from_secs(20));
            match route.at_once(service, Queue::default(), &deadline) {
                Some(Reply::Page(page)) => return page.into_string(),
                Some(Reply::Go(link)) => query = link.split_once('?').unwrap().1.to_owned(),
                reply => panic!("{reply:?}"),
            }
        }
        panic!("too many redirects");
    }

    #[test]
    fn a_proof_is_shown_and_plays() {
        let place = foregone_trial::Folder::new();
        let proof = include_bytes!("../lessons/fox-and-hounds.proof");
        std::fs::write(place.file("fox"), proof).unwrap();
        std::fs::write(place.file("nonsense"), "no proof").unwrap();
        let service = Service::new(Registry::standard(), 1 << 24, 1, Some(place.file("")));
        let start = page(&service, "game=fox-and-hounds&second=human");
        assert!(start.contains("Whatever the fox plays"), "{start}");
        assert!(start.contains("It is proven that from the start the hounds win."), "{start}");
        assert!(
            start.contains("a move for 627 positions") && start.contains("Play against the hounds")
        );
        assert!(start.contains("foregone-check game.proof\nforegone-verified game.proof"));
        let (_, mut fox) = service.open("fox-and-hounds").unwrap();
        let mv = fox.moves()[0].clone();
        let after = page(&service, &format!("game=fox-and-hounds&second=human&moves={mv}"));
        assert!(
            after.contains("Here it plays") && after.contains("It then wins in at most"),
            "{after}"
        );
        // The perfect player follows it, and solves nothing.
        fox.play(&mv).unwrap();
        let Ok(Some(Advice::Move { mv: proven, .. })) = fox.advice() else { panic!() };
        let played = page(&service, &format!("game=fox-and-hounds&second=perfect&moves={mv}"));
        assert!(played.contains(&format!("value=\"{mv},{proven}\"")), "{proven}: {played}");
        // A move that the proof does not make.
        let other = fox.moves().into_iter().find(|mv| *mv != proven).unwrap();
        fox.play(&other).unwrap();
        let astray = fox.played().join(",");
        let astray = page(&service, &format!("game=fox-and-hounds&second=human&moves={astray}"));
        assert!(astray.contains("not in it") && !astray.contains("Whatever"), "{astray}");
        fox.play(&fox.moves()[0].clone()).unwrap();
        let left = fox.played().join(",");
        let left = page(&service, &format!("game=fox-and-hounds&second=human&moves={left}"));
        assert!(left.contains("Here it plays") || left.contains("not in it"), "{left}");
        assert!(!page(&service, "game=nim").contains("id=\"proof\""));
        // Other rules of the same family have no proof.
        let other = "game=fox-and-hounds(size=6)&second=human";
        assert!(!page(&service, other).contains("id=\"proof\""));
    }
}
