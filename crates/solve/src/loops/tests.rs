use std::time::Duration;

use super::*;
use crate::strong::Strong;
use foregone_record::disk::Disk;
use foregone_rules::Game;
use foregone_rules::games::{FoxAndHounds, ThreeMensMorris};
use foregone_trial::{Graph, game};

/// Solves in both ways; how many positions are left out where a win at once is passed over.
fn check<G: Encode<Bank = NoBank>>(game: &G, name: &str) -> u64 {
    let strong = Strong::solve_bare(game, &game.start(), &Control::default()).unwrap();
    let going_on = || strong.iter().filter(|(state, _)| game.outcome(state).is_none());
    let solved = |follow, threads| {
        let way = Way { follow, threads, folder: None };
        solve((game, &game.start()), None, way, &Control::default()).unwrap()
    };
    let [all, in_play] = [Follow::All, Follow::InPlay].map(|follow| solved(follow, 1));
    assert_eq!(all.positions(), going_on().count() as u64, "{name}");
    let mut found = 0;
    for (state, worth) in going_on() {
        assert_eq!(all.worth(game, state), Some(worth), "{name}: {state:?}");
        if let Some(other) = in_play.worth(game, state) {
            assert_eq!(other, worth, "{name}: {state:?}");
            found += 1;
        }
    }
    assert_eq!(in_play.positions(), found, "{name}");
    for follow in [Follow::All, Follow::InPlay] {
        let (one, two) = (solved(follow, 1), solved(follow, 2));
        assert!(one.codes == two.codes && one.sizes == two.sizes, "{name}");
    }
    all.positions() - found
}

#[test]
fn games_that_loop_are_worth_what_strong_solving_says() {
    check(&game::<ThreeMensMorris>(&[]), "three men's morris");
    for stuck in ["draw", "pass", "lose"] {
        check(&game::<FoxAndHounds>(&[("size", "6"), ("stuck", stuck)]), stuck);
    }
}

#[test]
fn random_graphs_are_worth_what_strong_solving_says() {
    let (mut solved, mut left_out) = (0, 0);
    for seed in 0..3000 {
        let graph = Graph::new(seed).with_endless([0, 0, 1, -2][seed as usize % 4]);
        if graph.outcome(&graph.start()).is_none() {
            left_out += check(&graph, &format!("graph {seed}"));
            solved += 1;
        }
    }
    assert!(solved > 1500 && left_out > 1000, "{solved} {left_out}");
}

/// Where endless play is not worth the same everywhere, there is no order of rounds.
#[test]
fn endless_play_that_differs_is_refused() {
    let mut refused = 0;
    for seed in 0..500 {
        let graph = Graph::new(seed).with_loops(seed);
        let start = graph.start();
        if graph.outcome(&start).is_some() {
            continue;
        }
        let way = Way { follow: Follow::All, threads: 1, folder: None };
        match solve((&graph, &start), None, way, &Control::default()) {
            Err(why) => {
                assert!(matches!(why, Failure::Unfit), "{why:?}");
                refused += 1;
            }
            Ok(solution) => {
                let strong = Strong::solve_bare(&graph, &start, &Control::default()).unwrap();
                for (state, worth) in strong.iter() {
                    let over = graph.outcome(state).is_some();
                    assert!(over || solution.worth(&graph, state) == Some(worth), "{seed}");
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Moves that do not fit into memory are put aside in a file, and nothing is left of it.
#[test]
fn moves_that_are_put_aside_change_nothing() {
    let place = foregone_trial::Folder::new();
    let game = game::<FoxAndHounds>(&[("stuck", "pass")]);
    let solved = |folder, memory| {
        let way = Way { follow: Follow::All, threads: 2, folder };
        solve((&game, &game.start()), None, way, &Control::default().with_memory(memory))
    };
    let in_memory = solved(None, 1 << 30).unwrap();
    let (file, disk) = (place.file("moves"), Disk::default());
    let path = file.parent().unwrap();
    let folder = Some(Folder { disk: &disk, path, every: Duration::MAX });
    let mut aside = 0;
    for memory in [20 << 20, 30 << 20, 40 << 20, 60 << 20] {
        let here = solved(None, memory);
        let solution = solved(folder, memory).unwrap();
        assert!(solution.codes == in_memory.codes && solution.sizes == in_memory.sizes);
        aside += u32::from(matches!(here, Err(Failure::Halted(Halted::Memory { .. }))));
    }
    assert!((1..4).contains(&aside), "{aside}");
    assert_eq!(std::fs::read_dir(path).unwrap().count(), 0);
}

/// A run that was stopped anywhere goes on from what it had found; a file that was damaged, or of another run, counts as none.
#[test]
fn a_run_goes_on_from_what_was_found() {
    let place = foregone_trial::Folder::new();
    let passing = game::<FoxAndHounds>(&[("size", "6"), ("stuck", "pass")]);
    let (file, disk) = (place.file("found"), Disk::default());
    let folder = Folder { disk: &disk, path: file.parent().unwrap(), every: Duration::ZERO };
    let solved = |follow, folder, control: Control| {
        let way = Way { follow, threads: 2, folder };
        solve((&passing, &passing.start()), None, way, &control)
    };
    let whole = solved(Follow::All, None, Control::default()).unwrap();
    let is_whole = |solution: Solution| {
        assert!(solution.codes == whole.codes && solution.sizes == whole.sizes);
    };
    for limit in [1, 2000, 5000, 9000] {
        let few = Control::default().with_positions(limit);
        let halted = solved(Follow::All, Some(folder), few);
        assert!(matches!(halted, Err(Failure::Halted(Halted::Positions { .. }))), "{limit}");
        assert!(file.is_file());
    }
    // Without a move more: all positions are there, and none waits.
    is_whole(solved(Follow::All, Some(folder), Control::default()).unwrap());
    let kept = std::fs::read(&file).unwrap();
    let other = solved(Follow::InPlay, Some(folder), Control::default()).unwrap();
    assert!(other.positions() < whole.positions());
    for at in (0..kept.len()).step_by(kept.len() / 50) {
        let mut damaged = kept.clone();
        damaged[at] ^= 1;
        std::fs::write(&file, &damaged).unwrap();
        is_whole(solved(Follow::All, Some(folder), Control::default()).unwrap());
        std::fs::write(&file, &kept[..at]).unwrap();
        is_whole(solved(Follow::All, Some(folder), Control::default()).unwrap());
    }
    // A file that was made up, here by a game in which play ends sooner, has too few positions.
    let few = game::<FoxAndHounds>(&[("size", "6")]);
    let way = Way { follow: Follow::All, threads: 1, folder: Some(folder) };
    std::fs::remove_file(&file).unwrap();
    solve((&few, &few.start()), None, way, &Control::default()).unwrap();
    let refused = solved(Follow::All, Some(folder), Control::default());
    assert!(matches!(refused, Err(Failure::File(_))), "{:?}", refused.map(|it| it.positions()));
}

#[test]
fn limits_hold() {
    let game = game::<FoxAndHounds>(&[("size", "6")]);
    let way = Way { follow: Follow::All, threads: 1, folder: None };
    let halted = |control: Control| match solve((&game, &game.start()), None, way, &control) {
        Err(Failure::Halted(halted)) => Some(halted),
        _ => None,
    };
    for memory in [1000, 30_000, 60_000, 100_000] {
        let halted = halted(Control::default().with_memory(memory));
        assert!(matches!(halted, Some(Halted::Memory { .. })), "{memory}: {halted:?}");
    }
    let few = halted(Control::default().with_positions(1000));
    assert_eq!(few, Some(Halted::Positions { limit: 1000 }));
}
