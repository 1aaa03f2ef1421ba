//! Columns of a Parquet file: texts and numbers, some of them in lists.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

/// What a column has in each row.
pub enum Column {
    Texts(Vec<String>),
    Numbers(Vec<i32>),
    /// A number, or none.
    Known(Vec<Option<i32>>),
    TextLists(Vec<Vec<String>>),
    /// Lists of numbers, some of which may be missing.
    NumberLists(Vec<Vec<Option<i32>>>),
}

impl Column {
    /// The line of a schema for a column with this name.
    fn schema(&self, name: &str) -> String {
        let list = |element: &str| {
            format!("REQUIRED group {name} (LIST) {{ REPEATED group list {{ {element}; }} }}")
        };
        match self {
            Column::Texts(_) => format!("REQUIRED BYTE_ARRAY {name} (UTF8);"),
            Column::Numbers(_) => format!("REQUIRED INT32 {name};"),
            Column::Known(_) => format!("OPTIONAL INT32 {name};"),
            Column::TextLists(_) => list("REQUIRED BYTE_ARRAY element (UTF8)"),
            Column::NumberLists(_) => list("OPTIONAL INT32 element"),
        }
    }
}

/// A file that is written group by group.
pub struct Columns<W: Write + Send> {
    writer: SerializedFileWriter<W>,
}

impl<W: Write + Send> Columns<W> {
    /// Begins a file whose columns have these names, and the kinds of `like`.
    pub fn new(out: W, names: &[&str], like: &[Column]) -> Result<Columns<W>, ParquetError> {
        let lines: Vec<String> =
            names.iter().zip(like).map(|(name, column)| column.schema(name)).collect();
        let schema = parse_message_type(&format!("message positions {{ {} }}", lines.join(" ")))?;
        let compression = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        Ok(Columns { writer })
    }

    /// Writes rows, as columns of the kinds that the file has.
    pub fn write(&mut self, columns: &[Column]) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        let bytes = |text: &String| ByteArray::from(text.as_str());
        for column in columns {
            match column {
                Column::Texts(texts) => {
                    let texts: Vec<ByteArray> = texts.iter().map(bytes).collect();
                    put::<ByteArrayType, W>(&mut group, &texts, None, None)?;
                }
                Column::Numbers(numbers) => put::<Int32Type, W>(&mut group, numbers, None, None)?,
                Column::Known(numbers) => {
                    let known: Vec<i16> = numbers.iter().map(|one| one.is_some().into()).collect();
                    let numbers: Vec<i32> = numbers.iter().flatten().copied().collect();
                    put::<Int32Type, W>(&mut group, &numbers, Some(&known), None)?;
                }
                Column::TextLists(lists) => {
                    let (known, repeated) = levels(lists, |_| 1);
                    let texts: Vec<ByteArray> = lists.iter().flatten().map(bytes).collect();
                    put::<ByteArrayType, W>(&mut group, &texts, Some(&known), Some(&repeated))?;
                }
                Column::NumberLists(lists) => {
                    let (known, repeated) = levels(lists, |one| 1 + i16::from(one.is_some()));
                    let numbers: Vec<i32> = lists.iter().flatten().flatten().copied().collect();
                    put::<Int32Type, W>(&mut group, &numbers, Some(&known), Some(&repeated))?;
                }
            }
        }
        group.close()?;
        Ok(())
    }

    /// Ends the file.
    pub fn close(self) -> Result<(), ParquetError> {
        self.writer.close().map(|_| ())
    }
}

/// The levels of lists (S. Melnik and others, Dremel, 2010): how much of each element is there, and whether it goes on a
/// list. An empty list has one element that is not there.
fn levels<T>(lists: &[Vec<T>], known: impl Fn(&T) -> i16) -> (Vec<i16>, Vec<i16>) {
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    for list in lists {
        match list.is_empty() {
            true => definition.push(0),
            false => definition.extend(list.iter().map(&known)),
        }
        repetition.push(0);
        repetition.extend(list.iter().skip(1).map(|_| 1));
    }
    (definition, repetition)
}

/// Writes the next column of a group.
fn put<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    known: Option<&[i16]>,
    repeated: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let next = group.next_column()?;
    let mut column = next.ok_or_else(|| ParquetError::EOF("no column is left".to_owned()))?;
    column.typed::<T>().write_batch(values, known, repeated)?;
    column.close()
}
