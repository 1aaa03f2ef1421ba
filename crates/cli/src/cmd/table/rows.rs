//! A table's positions as lines of a file that other programs read: CSV, and Parquet where the
//! feature of that name is on.

use std::io::Write;

use anyhow::Context;
use foregone::any::AnyTables;
use foregone::record::{Table, Values};

/// A position of a table.
pub struct Row {
    /// Its layer, from 0.
    pub layer: u32,
    /// Its notation.
    pub position: String,
    /// What it is worth to the side to move.
    pub value: i32,
    /// In how many plies play ends; `None` if it does not, or the table has no distances.
    pub distance: Option<u32>,
}

/// Visits every position of a table that the game's notation accepts.
pub fn rows(
    tables: &dyn AnyTables,
    table: &Table,
    mut visit: impl FnMut(Row) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let contents = table.manifest();
    for (layer, of) in (0u32..).zip(&contents.layers) {
        for block in 0..of.blocks() {
            let cells = table.block(layer, block)?;
            for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != 0) {
                let worth = table.worths(layer)[usize::from(*cell) - 1];
                let index = block * of.cells() + at as u64;
                let position = tables.position(table, layer, index)?;
                let position =
                    position.with_context(|| format!("number {index} of layer {layer} is none"))?;
                if !tables.accepts(&position) {
                    continue;
                }
                let known = contents.values == Values::ScoreDistance;
                let distance = worth.distance().plies().filter(|_| known);
                visit(Row { layer, position, value: worth.value().0, distance })?;
            }
        }
    }
    Ok(())
}

/// Writes a header and a line for every position.
pub fn csv(tables: &dyn AnyTables, table: &Table, out: impl Write) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let plain = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => anyhow::Error::new(error),
        other => anyhow::anyhow!("{other:?}"),
    };
    writer.write_record(["layer", "position", "value", "distance"]).map_err(plain)?;
    rows(tables, table, |row| {
        let distance = row.distance.map_or(String::new(), |plies| plies.to_string());
        let [layer, value] = [row.layer.to_string(), row.value.to_string()];
        writer.write_record([&layer, &row.position, &value, &distance]).map_err(plain)
    })?;
    Ok(writer.flush()?)
}

/// How many positions are written at a time.
#[cfg(feature = "parquet")]
const GROUP: usize = 1 << 18;

/// Writes every position as a row of four columns.
#[cfg(feature = "parquet")]
pub fn parquet(
    tables: &dyn AnyTables,
    table: &Table,
    out: impl Write + Send,
) -> anyhow::Result<()> {
    use crate::columns::{Column, Columns};
    let columns = |group: &[Row]| {
        [
            Column::Numbers(group.iter().map(|row| row.layer as i32).collect()),
            Column::Texts(group.iter().map(|row| row.position.clone()).collect()),
            Column::Numbers(group.iter().map(|row| row.value).collect()),
            Column::Known(group.iter().map(|row| row.distance.map(|plies| plies as i32)).collect()),
        ]
    };
    let names = ["layer", "position", "value", "distance"];
    let mut writer = Columns::new(out, &names, &columns(&[]))?;
    let mut group = Vec::with_capacity(GROUP);
    rows(tables, table, |row| {
        group.push(row);
        if group.len() == GROUP {
            writer.write(&columns(&group))?;
            group.clear();
        }
        Ok(())
    })?;
    if !group.is_empty() {
        writer.write(&columns(&group))?;
    }
    Ok(writer.close()?)
}

/// Said where Parquet is asked of a program without it.
#[cfg(not(feature = "parquet"))]
pub const WITHOUT: &str = "this program was built without Parquet: \
                           `cargo install --path crates/cli --features full` builds it with it";

#[cfg(not(feature = "parquet"))]
pub fn parquet(_: &dyn AnyTables, _: &Table, _: &mut (dyn Write + Send)) -> anyhow::Result<()> {
    Err(crate::args::Refused(WITHOUT.to_owned()).into())
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use ::parquet::file::reader::FileReader;
    use ::parquet::file::serialized_reader::SerializedFileReader;
    use foregone::tables::Plan;
    use foregone::{Control, Registry};

    use super::*;

    /// Both files hold every position of the table that its game reads.
    #[test]
    fn both_files_hold_every_position() {
        let file = std::env::temp_dir().join(format!("foregone-export-{}", std::process::id()));
        for (name, values, expected) in [
            ("fox-and-hounds(size=4)", Values::ScoreDistance, 336),
            // Of 70 boards of up to 4 stones, in 41 both sides have some, and one is empty.
            ("kalah(pits=2,stones=1)", Values::Score, 42),
            ("three-mens-morris", Values::ScoreDistance, 5390),
            // All that play can reach.
            ("tic-tac-toe", Values::ScoreDistance, 5478),
        ] {
            let game = Registry::standard().game(name).unwrap();
            let tables = game.tables().unwrap();
            let plan = Plan { values, layers: None, threads: 1, all: false };
            tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
            let table = Table::open(&file).unwrap();
            let (mut lines, mut columns) = (Vec::new(), Vec::new());
            csv(tables, &table, &mut lines).unwrap();
            parquet(tables, &table, &mut columns).unwrap();
            let mut lines = csv::Reader::from_reader(&lines[..]);
            let reader = SerializedFileReader::new(bytes::Bytes::from(columns)).unwrap();
            let mut found = reader.get_row_iter(None).unwrap();
            let mut count = 0;
            for line in lines.records() {
                let row = found.next().unwrap().unwrap();
                let plain = |text: String| text.trim_matches('"').replace("null", "");
                let fields = row.get_column_iter().map(|(_, field)| plain(field.to_string()));
                assert_eq!(fields.collect::<Vec<_>>(), line.unwrap().iter().collect::<Vec<_>>());
                count += 1;
            }
            assert!(found.next().is_none());
            assert_eq!(count, expected, "{name}");
        }
        std::fs::remove_file(&file).unwrap();
    }
}
