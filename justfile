# What one does daily: `just` lists it.

_list:
    @just --list --unsorted

# Formatting, lints and tests: before every pull request.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo test --workspace

# Tests of one crate, such as `just test foregone-rules`.
test crate *args:
    cargo test -p {{ crate }} {{ args }}

# Every game keeps what it promises: the first test to run after a change of a game.
games:
    cargo test -p foregone-rules --test games

# Every method, table, proof and check on 100,000 random texts: four to eight hours of CPU; FROM and TEXTS divide them.
random-texts texts="100000" from="1000000":
    TEXTS={{ texts }} FROM={{ from }} cargo test --release -p foregone --test random_texts -- --nocapture

# After a new text: its positions are counted by other code, and the atlas gets its row.
games-listed:
    cargo build --profile dist -p foregone-cli
    python3 checkers/texts.py > crates/text/tests/counts.txt
    results/atlas.py
    git diff --stat

# The page, for changes of what people see.
serve *args:
    cargo run --release -- serve --open {{ args }}

# The page's tests in Chromium.
browser:
    cargo build
    npm --prefix crates/cli/tests/browser install --no-package-lock --no-fund --no-audit
    npm --prefix crates/cli/tests/browser test

# The pictures of the readme, taken from the page: look at the difference.
pictures:
    cargo build
    npm --prefix crates/cli/tests/browser install --no-package-lock --no-fund --no-audit
    npm --prefix crates/cli/tests/browser run pictures

# The Python package with its tests.
python:
    cargo build --workspace --lib
    crates/python/check.sh

# The tests of the Windows program, on Linux: needs `rustup target add x86_64-pc-windows-gnu`, mingw-w64, and a wine that
# has bcryptprimitives.dll (8.0 has none yet). What fails under wine alone: tests that start cargo, and the killing of
# processes that build a table together.
windows *args:
    CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine \
        cargo test --locked --target x86_64-pc-windows-gnu --workspace --exclude foregone-python {{ args }}

# The documentation of the library.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --open

# Speed; every answer is asserted.
bench *args:
    cargo bench -p foregone {{ args }}

# The long list of known values: half an hour, 20 GB.
known:
    cargo test --release -p foregone --test known --test texts -- --ignored

# Golden files of the command line, written anew: look at the difference.
golden:
    REFERENCE=overwrite cargo test -p foregone-cli --test book
    TRYCMD=overwrite cargo test -p foregone-cli --test cmd
    git diff crates/cli/tests/cmd docs/options.md

# All crates as they would be published, with their tests, in a folder of their own.
package:
    deploy/packaged.sh

# Everything at once for half an hour; target/soak has the chart.
soak:
    cargo build --profile dist -p foregone-cli -p foregone-check
    python3 crates/cli/benches/soak.py --minutes 30 --fuzz

# All results anew.
results:
    cargo build --profile dist -p foregone-cli -p foregone-check
    results/make --anew

# The book, opened in a browser.
book:
    mdbook build book --open

# Once, before the project is published: the account that holds it.
owner account:
    # Names of images are in lower case. Until now the links to the project's own site led nowhere.
    sed -i 's|ghcr.io/OWNER|ghcr.io/{{ lowercase(account) }}|' docs/*.md
    sed -i 's| --exclude OWNER||' .github/workflows/weekly.yml
    git grep -lw OWNER -- ':!justfile' | xargs sed -i 's/\bOWNER\b/{{ account }}/g'

# The version of all crates, in all places.
version number:
    old=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml); \
    sed -i "/^version\|^foregone/s/\"$old\"/\"{{ number }}\"/" Cargo.toml; \
    sed -i "s/^version: $old$/version: {{ number }}/" CITATION.cff
    cargo update --workspace
    git diff --stat

# The main job of CI.
ci:
    bash .ci/run
