#!/usr/bin/env bash
# A Debian package of the programs, manual pages and completions of a release's archive for Linux. Needs cargo-deb.
#
#   deploy/debian.sh foregone-0.1.0-x86_64-unknown-linux-musl.tar.gz
set -euo pipefail
archive=$(realpath "$1")
cd "$(dirname "$0")/.."

rm -rf target/deb
mkdir -p target/deb target/release
tar xzf "$archive" --strip-components=1 -C target/deb
# Where cargo-deb looks for programs.
cp target/deb/foregone target/deb/foregone-check target/release/
cargo deb --no-build --no-strip -p foregone-cli
