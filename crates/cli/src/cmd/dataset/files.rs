//! The files of a dataset: rows as lines of JSON or as columns of Parquet, written group by group and read row by row.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use foregone::dataset::Row;
use foregone::record::format::checksum::Checksum;

use super::manifest::Part;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Compressed columns
    Parquet,
    /// A line of JSON for each position
    Jsonl,
}

impl Format {
    pub fn usual() -> Format {
        if cfg!(feature = "parquet") { Format::Parquet } else { Format::Jsonl }
    }

    pub fn ending(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Jsonl => "jsonl",
        }
    }
}

/// How many rows are written at once.
#[cfg(feature = "parquet")]
const GROUP: usize = 4_096;

/// A file that is being written.
pub struct Split {
    name: String,
    path: PathBuf,
    rows: u64,
    to: To,
}

enum To {
    Jsonl(BufWriter<File>),
    #[cfg(feature = "parquet")]
    Parquet(crate::columns::Columns<File>, Vec<Row>),
}

impl Split {
    pub fn begin(folder: &Path, stem: String, format: Format) -> anyhow::Result<Split> {
        let name = format!("{stem}.{}", format.ending());
        let path = folder.join(&name);
        let file = || File::create(&path).with_context(|| path.display().to_string());
        let to = match format {
            Format::Jsonl => To::Jsonl(BufWriter::new(file()?)),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let (names, like) = columns(&[]);
                To::Parquet(crate::columns::Columns::new(file()?, &names, &like)?, Vec::new())
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(without()),
        };
        Ok(Split { name, path, rows: 0, to })
    }

    pub fn add(&mut self, row: Row) -> anyhow::Result<()> {
        self.rows += 1;
        match &mut self.to {
            To::Jsonl(file) => {
                serde_json::to_writer(&mut *file, &row)?;
                Ok(file.write_all(b"\n")?)
            }
            #[cfg(feature = "parquet")]
            To::Parquet(file, waiting) => {
                waiting.push(row);
                if waiting.len() >= GROUP {
                    file.write(&columns(&std::mem::take(waiting)).1)?;
                }
                Ok(())
            }
        }
    }

    /// The end of the file, which is on the disk then.
    pub fn end(self, split: &str) -> anyhow::Result<Part> {
        match self.to {
            To::Jsonl(mut file) => file.flush()?,
            #[cfg(feature = "parquet")]
            To::Parquet(mut file, waiting) => {
                if !waiting.is_empty() {
                    file.write(&columns(&waiting).1)?;
                }
                file.close()?;
            }
        }
        let named = || self.path.display().to_string();
        File::open(&self.path).and_then(|file| file.sync_all()).with_context(named)?;
        let checksum = Checksum::of(&fs::read(&self.path).with_context(named)?).to_string();
        Ok(Part { name: self.name, split: split.to_owned(), rows: self.rows, checksum })
    }
}

#[cfg(feature = "parquet")]
fn columns(rows: &[Row]) -> (Vec<&'static str>, Vec<crate::columns::Column>) {
    use crate::columns::Column;
    let text =
        |of: fn(&Row) -> &String| Column::Texts(rows.iter().map(|row| of(row).clone()).collect());
    let texts = |of: fn(&Row) -> &Vec<String>| {
        Column::TextLists(rows.iter().map(|row| of(row).clone()).collect())
    };
    let numbers =
        |of: fn(&Row) -> Vec<Option<i32>>| Column::NumberLists(rows.iter().map(of).collect());
    let plies = |plies: &Option<u32>| plies.map(|plies| plies as i32);
    let columns = [
        ("position", text(|row| &row.position)),
        ("line", texts(|row| &row.line)),
        ("cells", numbers(|row| row.cells.iter().copied().map(Some).collect())),
        ("board", text(|row| &row.board)),
        ("text", text(|row| &row.text)),
        ("alike", text(|row| &row.alike)),
        ("ply", Column::Numbers(rows.iter().map(|row| row.ply as i32).collect())),
        ("turn", text(|row| &row.turn)),
        ("value", Column::Numbers(rows.iter().map(|row| row.value).collect())),
        ("plies", Column::Known(rows.iter().map(|row| plies(&row.plies)).collect())),
        ("legal", texts(|row| &row.legal)),
        ("values", numbers(|row| row.values.iter().copied().map(Some).collect())),
        (
            "distances",
            numbers(|row| {
                row.distances.iter().map(|plies| plies.map(|plies| plies as i32)).collect()
            }),
        ),
        ("best", texts(|row| &row.best)),
        ("found", text(|row| &row.found)),
        ("difficulty", text(|row| &row.difficulty)),
    ];
    columns.into_iter().unzip()
}

/// The bytes of a regular file that fits into the memory.
pub fn bytes(path: &Path, memory: u64) -> anyhow::Result<Vec<u8>> {
    let named = || path.display().to_string();
    let about = fs::metadata(path).with_context(named)?;
    anyhow::ensure!(about.is_file(), "{}: not a file", named());
    let (length, memory) = (about.len(), memory / 2);
    anyhow::ensure!(length <= memory, "{}: larger than half of --memory", named());
    fs::read(path).with_context(named)
}

/// Gives the rows of a file to `keep`, with groups that fit into the memory.
pub fn read(
    path: &Path,
    bytes: Vec<u8>,
    memory: u64,
    keep: &mut dyn FnMut(Row) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let named = || path.display().to_string();
    if path.extension().is_some_and(|end| end == "jsonl") {
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        for line in lines {
            anyhow::ensure!(line.starts_with(b"{"), "{}: expected an object in each line", named());
            keep(serde_json::from_slice(line).with_context(named)?)?;
        }
        return Ok(());
    }
    read_parquet(path, bytes, memory, keep)
}

#[cfg(not(feature = "parquet"))]
fn without() -> anyhow::Error {
    crate::args::Refused(crate::cmd::table::rows::WITHOUT.to_owned()).into()
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(
    _: &Path,
    _: Vec<u8>,
    _: u64,
    _: &mut dyn FnMut(Row) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    Err(without())
}

/// Rows of Parquet are objects of JSON with the fields of a row. The crate panics at some damaged files.
#[cfg(feature = "parquet")]
fn read_parquet(
    path: &Path,
    bytes: Vec<u8>,
    memory: u64,
    keep: &mut dyn FnMut(Row) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

    use parquet::file::reader::FileReader;
    use parquet::file::serialized_reader::SerializedFileReader;
    use parquet::record::reader::RowIter;
    let named = || format!("{}: a file of Parquet that is damaged or too large", path.display());
    let unpanicked = |step: &mut dyn FnMut() -> anyhow::Result<Option<Row>>| {
        // The panic is an error here, and nothing else is said of it.
        let usual = take_hook();
        set_hook(Box::new(|_| {}));
        let done = catch_unwind(AssertUnwindSafe(step));
        set_hook(usual);
        done.unwrap_or_else(|_| Err(anyhow::anyhow!("it has what no writer writes")))
            .with_context(named)
    };
    let (bytes, mut rows) = (bytes::Bytes::from(bytes), None);
    unpanicked(&mut || {
        let reader = SerializedFileReader::new(bytes.clone())?;
        let schema = reader.metadata().file_metadata().schema_descr().root_schema();
        let names: Vec<_> = schema.get_fields().iter().map(|field| field.name()).collect();
        anyhow::ensure!(names == columns(&[]).0, "expected the columns that a dataset has");
        let groups = reader.metadata().row_groups().iter();
        let largest = groups.map(|group| group.total_byte_size().unsigned_abs()).max();
        let fits = largest.is_none_or(|largest| largest <= memory / 2);
        anyhow::ensure!(fits, "a group of its rows, unpacked, is larger than half of --memory");
        rows = Some(RowIter::from_file_into(Box::new(reader)));
        Ok(None)
    })?;
    while let Some(row) = unpanicked(&mut || {
        let Some(row) = rows.as_mut().and_then(Iterator::next) else { return Ok(None) };
        Ok(Some(serde_json::from_value(row?.to_json_value())?))
    })? {
        keep(row)?;
    }
    Ok(())
}
