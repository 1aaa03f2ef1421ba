//! A second machine with an empty disk continues a build from an object store.

#![cfg(feature = "object-store")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foregone::games::Kalah;
use foregone::record::Values;
use foregone::record::disk::Disk;
use foregone::record::write::{Target, unfinished};
use foregone::tables::{build, build_layer};
use foregone::{Control, promise::Indexed};
use foregone_cluster::Bucket;
use foregone_trial::{Folder, game};

use common::{Case, bands};

/// A folder as an object store.
fn bucket(store: &Folder, folder: &Folder) -> Bucket {
    let url = format!("file://{}/some/prefix", store.file("").display());
    fs::create_dir_all(store.file("some/prefix")).unwrap();
    Bucket::open(&url.replace("//some", "/some"), &folder.file("")).unwrap()
}

/// A target for a table, with a mirror.
fn target(store: &Folder, folder: &Folder) -> Target {
    let disk = Disk::hasty().with_mirror(Arc::new(bucket(store, folder)));
    Target::on(disk, &folder.file("table"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all.sort_unstable();
    all
}

fn case() -> Case<impl Indexed> {
    let kalah = game::<Kalah>(&[("pits", "3"), ("stones", "3")]);
    bands(kalah, Values::Score, Some(9))
}

#[test]
fn another_machine_goes_on() {
    let case = case();
    let expected = case.alone(&Folder::new());
    let (store, first, second) = (Folder::new(), Folder::new(), Folder::new());
    let (control, technique) = (Control::default(), &case.technique);
    for layer in 0..5 {
        let target = target(&store, &first);
        build_layer(case.subject(), technique, target, &case.plan, layer, &control).unwrap();
    }
    let part = unfinished(&second.file("table"));
    let fetch = |wanted: fn(&str) -> bool| bucket(&store, &second).fetch(&part, wanted).unwrap();
    assert_eq!(fetch(|_| true), 11, "five layers of two files each, and which table it is");
    assert_eq!(fetch(|_| true), 6, "lists alone are fetched again");
    // A file that was cut short is fetched again.
    fs::write(part.join("3.blocks"), b"short").unwrap();
    assert_eq!(fetch(|name| name == "4.blocks"), 0);
    assert_eq!(fetch(|name| name == "3.blocks"), 1);
    let mut solved = Vec::new();
    let target = target(&store, &second);
    let mut on_layer = |layer, _| solved.push(layer);
    build(case.subject(), technique, target, &case.plan, &control, &mut on_layer).unwrap();
    assert_eq!(solved, [5, 6, 7, 8]);
    assert!(fs::read(second.file("table")).unwrap() == expected);
    // Only the table is left.
    let left = files(&store.file("some/prefix"));
    assert_eq!(left, [store.file("some/prefix/table")]);
    assert!(fs::read(&left[0]).unwrap() == expected);
    let third = Folder::new();
    assert_eq!(bucket(&store, &third).fetch(&third.file(""), |name| name == "table").unwrap(), 1);
    assert!(fs::read(third.file("table")).unwrap() == expected);
}

#[test]
fn odd_addresses_are_errors() {
    for url in ["", "bucket", "ftp://bucket/x", "s3:/", "http//x"] {
        let error = Bucket::open(url, Path::new("")).unwrap_err().to_string();
        assert!(error.contains("expected an address such as s3://bucket/prefix"), "{error}");
    }
}
