//! A table from code: built, checked, and read position by position.
//!
//! `cargo run --release --example table -- "nim(heaps=3-4-5)" nim.table`

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use foregone::check::Effort;
use foregone::record::Table;
use foregone::tables::Plan;
use foregone::{Control, Method, Registry, Request};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let wanted = args.next().unwrap_or_else(|| "nim(heaps=3-4-5)".to_owned());
    let usual = || std::env::temp_dir().join(format!("{}.table", std::process::id()));
    let (file, keep) =
        args.next().map_or_else(|| (usual(), false), |file| (PathBuf::from(file), true));

    let game = Registry::standard().game(&wanted)?;
    let tables = game.tables().ok_or("there are no tables of this game")?;
    let plan = Plan::new(tables.usual());
    tables.build(&file, &plan, &Control::default(), &mut |layer, bytes| {
        println!("layer {layer} is finished: {bytes} bytes on disk");
    })?;

    // Every entry is derived again from those that its moves lead to, by the rules alone.
    let table = Table::open(&file)?;
    let verdict = tables.verify(&table, Effort::default(), &|_| true)?;
    println!("{verdict}; covers {}", tables.coverage(&table));
    assert!(verdict.is_right());

    // By numbers: what stands in the table. The value is that for the side to move.
    let manifest = table.manifest();
    for (layer, part) in (0..).zip(&manifest.layers).take(2) {
        for index in 0..part.size.min(3) {
            if let Some(position) = tables.position(&table, layer, index)? {
                println!(
                    "layer {layer}, number {index}: {position} is {:?}",
                    table.get(layer, index)?
                );
            }
        }
    }

    // By positions: any question that the table can answer is answered by it.
    let mut session = game.session();
    session.consult(Arc::new(table));
    let request = Request::default().with_method(Method::Table);
    let report = session.solve(&request, &Control::default());
    println!("the start: value {:?}, distance {:?}", report.value, report.distance);
    println!("best: {}", report.best.join(", "));
    if !keep {
        std::fs::remove_file(&file)?;
    }
    Ok(())
}
