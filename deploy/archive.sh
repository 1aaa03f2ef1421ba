#!/usr/bin/env bash
# Packs the programs of a release build with manual pages and completions.
#
#   deploy/archive.sh NAME FOLDER-OF-PROGRAMS
#
# makes NAME.tar.gz, on Windows NAME.zip. The programs have to run on this machine.
set -euo pipefail
name=$1 built=$2
here=$(cd "$(dirname "$0")/.." && pwd)

mkdir -p "$name/completions"
for program in foregone foregone-check; do
    cp "$built/$program.exe" "$name" 2>/dev/null || cp "$built/$program" "$name"
done
# Cargo says nothing if it leaves a feature out.
"$name"/foregone --version | grep -q 'features: jit, many, parquet' || { echo "built without --features full" >&2; exit 1; }
cp "$here/README.md" "$here/CHANGELOG.md" "$here"/LICENSE-* "$name"
"$name"/foregone man -o "$name/man"
cp "$here/crates/check/foregone-check.1" "$name/man"
for shell in bash elvish fish powershell zsh; do
    "$name"/foregone completions $shell >"$name/completions/foregone.$shell"
done
case $(uname) in
    MINGW* | MSYS*) 7z a "$name.zip" "$name" ;;
    *) tar --sort=name --owner=0 --group=0 --mtime="@${SOURCE_DATE_EPOCH:-0}" -czf "$name.tar.gz" "$name" 2>/dev/null ||
        tar czf "$name.tar.gz" "$name" ;;
esac
