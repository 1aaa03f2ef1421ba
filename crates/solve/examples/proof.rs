//! A proof from code: made, checked, and asked for its moves.
//!
//! `cargo run --release --example proof -- "fox-and-hounds(size=6)" fox.proof`

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use foregone::record::Table;
use foregone::solver::Advice;
use foregone::{Control, Registry};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let wanted = args.next().unwrap_or_else(|| "fox-and-hounds(size=6)".to_owned());
    let usual = || std::env::temp_dir().join(format!("{}.proof", std::process::id()));
    let (file, keep) =
        args.next().map_or_else(|| (usual(), false), |file| (PathBuf::from(file), true));

    let game = Registry::standard().game(&wanted)?;
    let mut session = game.session();
    // No claims: the value of the position is found, and proven for both sides.
    let (manifest, size) = session.prove(&file, Vec::new(), &Control::default())?;
    let words = manifest.words(game.unit(), &session.position());
    println!("{words}: a move for {} positions, {} bytes", size.entries, size.bytes);

    // Nothing that the file says is believed: its moves are followed against every answer.
    let table = Arc::new(Table::open(&file)?);
    let verdict = session.check(&table, &Control::default())?;
    println!("{verdict}");
    assert!(verdict.is_proven());

    // The other side makes its first move each time, the proof answers.
    session.consult(table);
    while session.outcome().is_none() {
        let mv = match session.advice()?.ok_or("the proof says nothing here")? {
            Advice::Move { mv, .. } => mv,
            Advice::Answers => session.moves()[0].clone(),
        };
        session.play(&mv)?;
    }
    println!("{} ends with {:?}", session.played().join(" "), session.outcome());
    if !keep {
        std::fs::remove_file(&file)?;
    }
    Ok(())
}
