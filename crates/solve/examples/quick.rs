use foregone::games::*;
use foregone::*;
use std::time::Instant;
fn g<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}
fn strong<G: Game>(name: &str, game: &G) {
    let t = Instant::now();
    let s = Strong::solve(game, &Control::default().with_memory(20 << 30)).unwrap();
    println!("{name}: {} positions {:?} {:?}", s.positions(), s.worth(&game.start()), t.elapsed());
}
fn main() {
    let m = Mnk::tic_tac_toe();
    for a in [Algorithm::Negamax, Algorithm::Minimax, Algorithm::AlphaBeta] {
        for _ in 0..3 {
            let t = Instant::now();
            let s = Search::new(&m, a).without_loops().run(&m.start(), &Control::default());
            let e = t.elapsed();
            println!("{a:?} {} {:?} {:.0} M/s", s.nodes, e, s.nodes as f64 / e.as_secs_f64() / 1e6);
        }
    }
    for _ in 0..5 {
        let t = Instant::now();
        let s = search::value(&m, &m.start());
        let e = t.elapsed();
        println!("value {:?} {:.0} M/s", s, s.1 as f64 / e.as_secs_f64() / 1e6);
    }
    strong("ttt", &m);
    strong("ttt", &m);
    strong("fh8", &g::<FoxAndHounds>(&[]));
    strong("fh8 pass", &g::<FoxAndHounds>(&[("stuck", "pass")]));
    strong("fh6", &g::<FoxAndHounds>(&[("size", "6")]));
    strong("c54", &g::<ConnectFour>(&[("columns", "5"), ("rows", "4")]));
    strong("c45", &g::<ConnectFour>(&[("columns", "4"), ("rows", "5")]));
    strong("morris", &g::<ThreeMensMorris>(&[]));
    for (p, n) in [("4", "1"), ("4", "2"), ("5", "1")] {
        strong(&format!("kalah{p}{n}"), &g::<Kalah>(&[("pits", p), ("stones", n)]));
    }
}
