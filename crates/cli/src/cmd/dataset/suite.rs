//! `foregone dataset suite`: games of all kinds that are solved whole in a short time, and variants of them, made by
//! chance, of which a model has hardly learned the answers by heart.

use std::collections::BTreeSet;

use anyhow::Context;
use foregone::control::Halted;
use foregone::dataset::Wanted;
use foregone::sample::Dice;
use foregone::text::{SHIPPED, nameless, vary};
use foregone::{AnyGame, Control, Registry};

use super::{Source, Written};
use crate::args::number;
use crate::progress::Working;

#[derive(clap::Args)]
pub struct Suite {
    /// Only these games, instead of all that are small enough
    games: Vec<String>,
    /// Number of variants, made from the seed
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(0..=1_000_u32))]
    variants: u32,
    #[command(flatten)]
    written: Written,
}

/// Games that come with Foregone, on boards that are small enough.
const GAMES: [&str; 46] = [
    "achi",
    "amazons(size=3)",
    "ataxx(size=3)",
    "awari(pits=3,stones=2)",
    "baghchal",
    "breakthrough(columns=4,rows=4)",
    "bridg-it",
    "checkers",
    "chomp(columns=8,rows=5)",
    "clobber(columns=4,rows=4)",
    "col(columns=4,rows=4)",
    "connect-four(columns=4,rows=4)",
    "connect-four(columns=5,rows=4)",
    "cram(columns=5,rows=4)",
    "dara",
    "dodgem(size=3)",
    "domineering(columns=5,rows=5)",
    "dots-and-boxes(columns=3,rows=2)",
    "five-mens-morris(men=4)",
    "fox-and-hounds",
    "hare-and-hounds",
    "hex(size=3)",
    "hexapawn(columns=4,rows=4)",
    "kalah(pits=3,stones=4)",
    "konane",
    "l-game",
    "misere-tic-tac-toe",
    "mnk(columns=4,rows=3,line=3)",
    "mu-torere",
    "nim(heaps=4-5-6)",
    "notakto",
    "ohvalhu(pits=4,stones=3)",
    "order-and-chaos(size=3)",
    "picaria",
    "quantum-tic-tac-toe",
    "quarto(size=3)",
    "quixo",
    "reversi(size=4)",
    "shisima",
    "six-mens-morris(men=4)",
    "snort(columns=4,rows=4)",
    "tapatan",
    "three-mens-morris",
    "tic-tac-toe",
    "wild-tic-tac-toe",
    "dodgem(size=4)",
];

/// A variant has at least this many positions, and at most that many.
const SIZES: [usize; 2] = [300, 2_000_000];

/// A variant is trivial unless this many percent of its positions have a move that throws the value away.
const DECISIONS: usize = 20;

/// Perfect play of a variant takes at least this many plies.
const SHORTEST: u32 = 5;

pub fn run(registry: &Registry, args: &Suite) -> anyhow::Result<()> {
    let own = args.games.iter().map(String::as_str);
    let all = GAMES.into_iter().filter(|_| args.games.is_empty());
    let games = own.chain(all).map(|name| Source::read(registry, name));
    let mut sources = games.collect::<Result<Vec<_>, _>>()?;
    let working = Working::start();
    sources.extend(variants(args, &args.written.memory.control(&working))?);
    drop(working);
    let mut wanted = Wanted::default();
    (wanted.by_ply, wanted.by_value) = (true, true);
    // All of them are solved whole; Quarto on 3x3 has 10,138,881 positions.
    wanted.whole = 20_000_000;
    super::write(&args.games, sources, wanted, &args.written, Some(args.variants))
}

/// Variants of texts, drawn until there are enough that are games and not trivial.
fn variants(args: &Suite, control: &Control) -> anyhow::Result<Vec<Source>> {
    let mut dice = Dice::new(args.written.seed);
    let (mut found, mut titles) = (Vec::new(), BTreeSet::new());
    // What comes with Foregone is no variant, under whatever name.
    let mut known: BTreeSet<String> = SHIPPED.iter().map(|text| nameless(text.source)).collect();
    // Every third try or so is one.
    let tries = 200 + 50 * u64::from(args.variants);
    for _ in 0..tries {
        if found.len() == args.variants as usize {
            return Ok(found);
        }
        let text = vary(SHIPPED[dice.below(SHIPPED.len())].source, &mut dice);
        let Some(text) = text else { continue };
        let title = text.lines().next().and_then(|line| line.strip_prefix("game "));
        let name = format!("{}.rules", title.context("a variant has no title")?.to_lowercase());
        let is_new = !titles.contains(&name) && known.insert(nameless(&text));
        let Some(source) = Source::of_rules(name.clone(), text, &[]).ok().filter(|_| is_new) else {
            continue;
        };
        if is_worth_it(&*source.game, control)? {
            titles.insert(name);
            found.push(source);
        }
    }
    anyhow::ensure!(
        found.len() == args.variants as usize,
        "only {} variants were found in {tries} tries: ask for fewer",
        found.len()
    );
    Ok(found)
}

/// Whether a game has positions enough, and decisions.
fn is_worth_it(game: &dyn AnyGame, control: &Control) -> anyhow::Result<bool> {
    let session = game.session();
    let [least, most] = SIZES;
    let map = match session.map(most as u64, control) {
        Ok(Ok(map)) => map,
        // Equal seeds give equal variants, or none.
        Err(halted @ (Halted::Stopped { .. } | Halted::Memory { .. })) => return Err(halted.into()),
        Ok(Err(_)) | Err(_) => return Ok(false),
    };
    let open = || (0..map.positions()).filter(|number| !map.is_over(*number));
    let decisions = open().filter(|number| {
        let here = map.worth(*number).value();
        map.moves(*number).any(|(_, worth)| worth.value() != here)
    });
    let plies = map.worth(0).distance().plies();
    Ok(map.positions() >= least
        && plies.is_none_or(|plies| plies >= SHORTEST)
        && 100 * decisions.count() >= DECISIONS * open().count())
}
