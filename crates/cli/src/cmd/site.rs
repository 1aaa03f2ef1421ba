//! `foregone site`: the page as a folder of files, solved in the browser that shows it.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use foregone::Registry;
use foregone::book::SHIPPED;
use foregone::control::bytes;
use foregone::record::Table;
use foregone::record::disk::{Disk, DiskFile};
use foregone::record::write::aside;
use foregone_browser::{TABLES, folder};
use serde_json::json;

use crate::args::{Memory, Refused, game};
use crate::cmd::prove::make;
use crate::progress::Working;
use crate::tables::{refuse_proof, refuse_table};
use crate::terminal;
use crate::web::PublicAddress;

#[derive(clap::Args)]
pub struct Args {
    /// The folder to write; it must not exist, or be empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Write into a folder that has files; those with other names stay
    #[arg(long)]
    force: bool,
    /// The WebAssembly module [default: the one in this program, if it was built with one]
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// A table to put beside the page, where positions are looked up; can be given several times
    #[arg(long = "table", value_name = "FILE")]
    tables: Vec<PathBuf>,
    /// A proof to put beside the page, which then plays by it; can be given several times
    #[arg(long = "proof", value_name = "FILE")]
    proofs: Vec<PathBuf>,
    /// Make a proof of a game's value and put it beside the page, or keep the one that is there; can be given several
    /// times. Connect Four takes two to three minutes
    #[arg(long = "prove", value_name = "GAME")]
    proven: Vec<String>,
    /// The address at which the folder will be, such as https://example.org/games: links that people send then have a
    /// picture
    #[arg(long, value_name = "URL")]
    address: Option<PublicAddress>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: Memory,
}

/// The module in this program.
#[cfg(feature = "site")]
const MODULE: Option<&[u8]> = Some(include_bytes!(env!("FOREGONE_MODULE")));
#[cfg(not(feature = "site"))]
const MODULE: Option<&[u8]> = None;

/// What a module begins with.
const MAGIC: &[u8] = b"\0asm";

fn module(args: &Args) -> anyhow::Result<Vec<u8>> {
    let Some(file) = &args.module else {
        let none = "this program was built without the WebAssembly module: build it with \
                    crates/browser/build.sh, and give its file by --module";
        return Ok(MODULE.ok_or_else(|| Refused(none.to_owned()))?.to_vec());
    };
    let name = || file.display().to_string();
    let module = fs::read(file).with_context(name)?;
    if !module.starts_with(MAGIC) {
        return Err(Refused(format!("{} is not a WebAssembly module", name())).into());
    }
    Ok(module)
}

/// Makes the proofs that are asked for and not in the folder yet; their files.
fn prove_all(registry: &Registry, args: &Args) -> anyhow::Result<Vec<PathBuf>> {
    let games =
        args.proven.iter().map(|text| game(registry, text)).collect::<Result<Vec<_>, _>>()?;
    let folder = args.output.join(TABLES);
    let mut files = Vec::new();
    for game in games {
        let words = game.specification();
        let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let file = folder.join(words.collect::<Vec<_>>().join("-") + ".proof");
        if !file.exists() {
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot write {}", folder.display()))?;
            let working = Working::start();
            make(&*game.session(), &file, Vec::new(), &args.memory.control(&working))?;
        }
        files.push(file);
    }
    Ok(files)
}

/// The tables and proofs, each with its name in the folder.
fn tables<'a>(
    args: &'a Args,
    made: &'a [PathBuf],
) -> anyhow::Result<Vec<(folder::Table, &'a Path)>> {
    let mut tables: Vec<(folder::Table, &Path)> = Vec::new();
    let kinds = [(&*args.tables, false), (&*args.proofs, true), (made, true)];
    for (file, is_proof) in kinds.iter().flat_map(|(all, kind)| all.iter().map(|one| (one, *kind)))
    {
        let table = Table::open(file).with_context(|| file.display().to_string())?;
        match is_proof {
            true => refuse_table(&table, file)?,
            false => refuse_proof(&table, file)?,
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if tables.iter().any(|(other, _)| other.name == name) {
            return Err(Refused(format!("two files are called {name}: rename one")).into());
        }
        if format!("{TABLES}/{name}") == folder::LIST {
            return Err(
                Refused(format!("{name} is the list of the tables: rename the file")).into()
            );
        }
        let size = fs::metadata(file)?.len();
        tables.push((folder::Table::new(name, size, || fs::read(file))?, file));
    }
    Ok(tables)
}

/// Refuses a folder with files, without `force`.
fn may_fill(folder: &Path, force: bool) -> Result<(), Refused> {
    let shown = folder.display();
    let Ok(mut files) = fs::read_dir(folder) else {
        return match folder.exists() {
            true => Err(Refused(format!("{shown} is not a folder"))),
            false => Ok(()),
        };
    };
    if !force && files.next().is_some() {
        return Err(Refused(format!("{shown} has files already: use --force to write among them")));
    }
    Ok(())
}

/// Writes a file completely or not at all.
fn put(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<DiskFile>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let named = || format!("cannot write {}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).with_context(named)?;
    aside(&Disk::default(), path, write).with_context(named)
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let module = module(args)?;
    // What is given is looked at before a proof is made.
    tables(args, &[])?;
    may_fill(&args.output, args.force)?;
    let made = prove_all(registry, args)?;
    let tables = tables(args, &made)?;
    // The books that come with Foregone, which the module does not hold.
    let books =
        SHIPPED.iter().filter(|(name, _)| tables.iter().all(|(table, _)| table.name != *name));
    let of_book = |(name, book): &(&str, &[u8])| {
        folder::Table::new((*name).to_owned(), book.len() as u64, || Ok(book.to_vec()))
    };
    let given = tables.iter().map(|(table, _)| Ok(table.clone()));
    let listed = given.chain(books.clone().map(of_book)).collect::<io::Result<Vec<_>>>()?;
    let files = folder::files(module, &listed, args.address.as_ref().map(PublicAddress::as_str));
    for (table, file) in &tables {
        let to = args.output.join(TABLES).join(&table.name);
        if to == *file {
            continue;
        }
        put(&to, |aside| io::copy(&mut fs::File::open(file)?, aside).map(drop))?;
    }
    for (name, book) in books {
        put(&args.output.join(TABLES).join(name), |aside| aside.write_all(book))?;
    }
    for file in &files {
        put(&args.output.join(&file.path), |aside| aside.write_all(&file.bytes))?;
    }
    let count = listed.len() + files.len();
    let total = listed.iter().map(|table| table.bytes).sum::<u64>()
        + files.iter().map(|file| file.bytes.len() as u64).sum::<u64>();
    let mut out = terminal::out();
    let folder = args.output.display();
    if args.json {
        let report =
            json!({"folder": args.output, "files": count, "bytes": total, "tables": listed});
        return Ok(writeln!(out, "{report:#}")?);
    }
    writeln!(out, "{folder}: {count} files, {}", bytes(total))?;
    writeln!(
        out,
        "Any static host serves this folder, for example: python3 -m http.server -d {folder}"
    )?;
    Ok(())
}
