//! Tells the program which commit it is built from: what the variable FOREGONE_COMMIT says, what stands in a published
//! package, or what git says. A development build is not asked to know, since each commit would build it anew.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=FOREGONE_COMMIT");
    let given = env::var("FOREGONE_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = given.or_else(of_package).or_else(of_git) {
        println!("cargo:rustc-env=FOREGONE_COMMIT={commit}");
    }
}

/// Cargo writes the commit into a package.
fn of_package() -> Option<String> {
    let told = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = told.split_once("\"sha1\": \"")?;
    rest.get(..10).map(str::to_owned)
}

fn of_git() -> Option<String> {
    let head = Path::new("../../.git/logs/HEAD");
    if env::var("PROFILE").as_deref() != Ok("release") || !head.exists() {
        return None;
    }
    println!("cargo:rerun-if-changed={}", head.display());
    let args = ["describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"];
    let said = Command::new("git").args(args).output().ok().filter(|said| said.status.success())?;
    String::from_utf8(said.stdout).ok().map(|commit| commit.trim().to_owned())
}
