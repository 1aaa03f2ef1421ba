use super::*;
use foregone_rules::games::{ConnectFour, Mnk, ThreeMensMorris};
use foregone_rules::{Acyclic, Args, Family, Symmetry};

fn plies<G: Game>(
    game: &G,
    depth: Option<usize>,
    representative: Option<Representative<G>>,
) -> Vec<Ply> {
    let control = Control::default();
    let census = Census::new(game, game.start(), representative, &control);
    let max = depth.map_or(usize::MAX, |depth| depth + 1);
    census.take(max).collect::<Result<_, _>>().unwrap()
}

#[test]
fn tic_tac_toe_is_counted_right() {
    let game = Mnk::tic_tac_toe();
    let like: Representative<Mnk> = Mnk::representative;
    let census = plies(&game, None, Some(like));
    assert_eq!(census.len(), 10);
    let sum = |count: fn(&Ply) -> u128| census.iter().map(count).sum::<u128>();
    assert_eq!(sum(|ply| ply.nodes), 549_946);
    assert_eq!(sum(|ply| ply.finished), 255_168);
    assert_eq!(sum(|ply| ply.positions.into()), 5_478);
    assert_eq!(sum(|ply| ply.merged.unwrap().positions.into()), 765);
    assert_eq!(sum(|ply| ply.merged.unwrap().finished), 26_830);
}

#[test]
fn a_census_counts_the_nodes_of_the_tree() {
    let args = Args::new(&ConnectFour::ABOUT, [("columns", "4"), ("rows", "3"), ("line", "3")]);
    let game = ConnectFour::create(&args.unwrap()).unwrap();
    for depth in 0..8 {
        let tree = Tree::new(&game).cut(depth as u32);
        let census = plies(&game, Some(depth), None);
        let nodes: u128 = census.iter().map(|ply| ply.nodes).sum();
        assert_eq!(u128::from(tree.count()), nodes);
        let opinion = |_: &_| Outcome::DRAW;
        let (plain, pruned) = (tree.minimax(&opinion), tree.alpha_beta(&opinion));
        assert_eq!(plain.nodes, tree.count());
        assert_eq!((plain.best, plain.outcome), (pruned.best, pruned.outcome));
    }
}

#[test]
fn whole_trees_equal_the_reference() {
    let game = Mnk::tic_tac_toe();
    let worths = crate::reference::worths(&game, &game.start());
    for (state, worth) in worths.iter().filter(|(state, _)| game.progress(state) >= 3) {
        let tree = Tree::from(&game, *state);
        let opinion = |_: &_| unreachable!("the tree is not cut off");
        for judged in [tree.minimax(&opinion), tree.alpha_beta(&opinion)] {
            let mover = game.turn(state);
            assert_eq!(judged.outcome.value_for(mover), worth.value());
            let after = |mv| {
                let child = game.play(state, mv);
                worths[&child].value().seen_from(game.turn(&child), mover)
            };
            assert!(judged.best.is_none_or(|mv| after(mv) == worth.value()));
        }
    }
}

#[test]
fn an_endless_game_has_a_census_to_any_depth() {
    let game = ThreeMensMorris::create(&Args::new(&ThreeMensMorris::ABOUT, []).unwrap()).unwrap();
    let census = plies(&game, Some(300), None);
    assert_eq!(census.len(), 301);
    assert_eq!(census[300].nodes, u128::MAX, "counts stop at the largest number");
}
