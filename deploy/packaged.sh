#!/usr/bin/env bash
# The crates as they would be published, unpacked in a folder of their own: they need nothing else, and their tests pass.
#
#   deploy/packaged.sh [arguments of cargo test]
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf target/package
cargo package --quiet --workspace --exclude foregone-python --no-verify --allow-dirty
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for crate in target/package/*.crate; do
    tar xzf "$crate" -C "$folder"
done
# What they need of each other comes from here, as it will come from crates.io.
{
    printf '[workspace]\nresolver = "3"\nmembers = ["*"]\nexclude = ["target"]\n[patch.crates-io]\n'
    for crate in "$folder"/*; do
        name=$(sed -n 's/^name = "\(.*\)"/\1/p' "$crate/Cargo.toml" | head -1)
        echo "$name = { path = \"$(basename "$crate")\" }"
    done
} >"$folder.toml"
mv "$folder.toml" "$folder/Cargo.toml"
cp Cargo.lock "$folder"
# Solvers in a test are unusable unoptimised.
export CARGO_PROFILE_DEV_OPT_LEVEL=1
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/packaged} cargo test --manifest-path "$folder/Cargo.toml" --workspace "$@"
