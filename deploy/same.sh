#!/usr/bin/env bash
# Builds the programs twice, from clones in two folders, and compares: the same sources give the same bytes.
#
#   deploy/same.sh [arguments of cargo build, such as -p foregone-check]
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# != 0 ] || set -- -p foregone-cli -p foregone-check --features full
commit=$(git rev-parse --short=10 HEAD)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for copy in one another/longer; do
    git clone --quiet . "$folder/$copy"
    # Where the sources are, and whose they are, stands in no program.
    RUSTFLAGS="--remap-path-prefix=$HOME=~ --remap-path-prefix=$folder/$copy=." FOREGONE_COMMIT=$commit \
        cargo build --quiet --profile dist --locked --manifest-path "$folder/$copy/Cargo.toml" \
        "$@"
    find "$folder/$copy/target/dist" -maxdepth 1 -type f -executable -printf '%f\n' | sort | while read -r program; do
        echo "$(sha256sum <"$folder/$copy/target/dist/$program" | cut -c1-64) $program"
    done >"$folder/sums-${copy//\//-}"
    rm -rf "$folder/$copy/target"
done
cat "$folder/sums-one"
diff "$folder/sums-one" "$folder/sums-another-longer"
echo "both builds are the same"
