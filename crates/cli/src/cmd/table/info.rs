//! `foregone table info`.

use std::io::Write;

use foregone::Registry;
use foregone::control::{bytes, counted};
use foregone::record::Table;
use foregone::tables::Plan;
use serde_json::json;

use super::{File, open};
use crate::tables::tables;
use crate::terminal;

/// What a table says of itself.
pub fn json(table: &Table) -> anyhow::Result<serde_json::Value> {
    let manifest = table.manifest();
    let mut report = json!({
        "game": manifest.game,
        "fingerprint": manifest.fingerprint,
        "values": manifest.values,
        "layers": manifest.layers.len(),
        "positions": manifest.layers.iter().map(|layer| layer.positions).sum::<u64>(),
        "numbers": manifest.layers.iter().map(|layer| layer.size).sum::<u64>(),
        "bytes": table.size()?,
    });
    if !table.listed().is_all() {
        report["listed"] = json!(table.listed());
    }
    Ok(report)
}

pub fn run(registry: &Registry, args: &File) -> anyhow::Result<()> {
    let (game, table) = open(registry, &args.file)?;
    let manifest = table.manifest();
    let plan = Plan::new(manifest.values);
    let all = tables(&*game)?.needs(&plan, 0).map_or(None, |needs| Some(needs.layers));
    let mut layers = counted(manifest.layers.len() as u64, "layer", "layers");
    if let Some(all) = all.filter(|all| *all as usize > manifest.layers.len()) {
        layers = format!("the lowest {} of {all} layers", manifest.layers.len());
    }
    let positions: u64 = manifest.layers.iter().map(|layer| layer.positions).sum();
    let size = table.size()?;
    let mut out = terminal::out();
    if args.json {
        let report = json(&table)?;
        return Ok(writeln!(out, "{report:#}")?);
    }
    writeln!(out, "{}", terminal::bold(&manifest.game))?;
    writeln!(
        out,
        "{} in {layers}, with {}; {}, {:.3} bytes a position; rules {}",
        counted(positions, "position", "positions"),
        manifest.values.name(),
        bytes(size),
        size as f64 / positions.max(1) as f64,
        manifest.fingerprint
    )?;
    if let Some(left_out) = table.listed().left_out() {
        writeln!(out, "left out: {left_out}")?;
    }
    Ok(())
}
