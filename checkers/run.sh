#!/usr/bin/env bash
# Two checkers that share no code, foregone-check and check.py, look at the same files: true ones, which
# both accept, and false ones with right checksums, which both refuse. With --all: every entry of small
# tables changed to every other worth, else a sample of such edits.
set -euo pipefail
cd "$(dirname "$0")/.."

all=false
case "${1-}" in
    --all) all=true ;;
    '') ;;
    *) echo "usage: checkers/run.sh [--all]" >&2; exit 2 ;;
esac

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
python=$target/python/bin/python
[ -x "$python" ] || python3 -m venv "$target/python"
# As tests are built, so that nothing is built again after them. With --all there is enough to do that it pays to
# optimise.
if $all; then
    cargo build --release --workspace --bins --examples
    target=$target/release
else
    cargo build --workspace --bins --examples --tests
    target=$target/debug
fi
"$python" -m pip install --quiet --disable-pip-version-check -r checkers/requirements.txt
(cd checkers && "$python" -m unittest --quiet)

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

fail() {
    echo "error: $*" >&2
    exit 1
}

# The exit status of a command, whose words are thrown away.
status() {
    local code=0
    "$@" >/dev/null 2>&1 || code=$?
    echo "$code"
}

# Both checkers accept a file.
right() {
    local file
    for file in "$@"; do
        "$target/foregone-check" "$file" >/dev/null || fail "foregone-check refuses $file"
        "$python" checkers/check.py "$file" || fail "check.py refuses $file"
    done
}

# Both checkers end with this status: 1 for a false file, 3 for one that cannot be shown to be right, 4 for a book that
# is right if its values at the horizon are.
refused() {
    local expected=$1 file=$2 code
    code=$(status "$target/foregone-check" "$file")
    [ "$code" = "$expected" ] || fail "foregone-check: status $code of ${file##*/}, not $expected"
    code=$(status "$python" checkers/check.py "$file")
    [ "$code" = "$expected" ] || fail "check.py: status $code of ${file##*/}, not $expected"
    forged=$((forged + 1))
}

# Forges a file, which both checkers then refuse with this exit status.
forge() {
    "$python" checkers/forge.py -o "$folder/forged" "${@:2}"
    refused "$1" "$folder/forged"
}

# Both checkers say the same of a file with each edit of a list, by the programs that check many files in
# one process; the first of them fails if a false file is accepted, or if merging positions matters.
edited() {
    local file=$1 one=$2 other=$3 edits=$folder/edits count
    "$python" checkers/forge.py list "$file" "${@:4}" >"$edits"
    # shellcheck disable=SC2086
    "$target/examples/edits" $one --threads "$(nproc)" "$file" <"$edits" >"$folder/one" ||
        fail "${file##*/}: see above"
    "$python" checkers/check.py $other "$file" <"$edits" >"$folder/other"
    cmp "$folder/one" "$folder/other" || fail "the checkers differ on an edit of ${file##*/}"
    count=$(wc -l <"$edits")
    [ "$count" = "$(wc -l <"$folder/one")" ] || fail "not all edits of ${file##*/} were checked"
    forged=$((forged + count))
}

forged=0

# True files: made from the rules, by the command, and those of the repository.
"$target/examples/files" "$folder"
# The command says what it does, which is of interest only if it fails.
quietly() {
    "$@" >"$folder/said" 2>&1 || { cat "$folder/said" >&2; fail "see above"; }
}
build() {
    quietly "$target/foregone" table build "$1" --values "$2" -o "$folder/$3.table" "${@:4}"
}
prove() {
    quietly "$target/foregone" prove "$1" -o "$folder/$2.proof" "${@:3}"
}
build tic-tac-toe score+distance built-tic-tac-toe
build "mnk(columns=4,rows=3,line=3,misere=true)" wdl built-mnk-4-3
build three-mens-morris score+distance built-three-mens-morris
build "nim(heaps=3-4-5,misere=true)" score+distance built-nim-3-4-5
build "kalah(pits=3,stones=2)" score built-kalah-3-2
build "nim(heaps=1-2-3,misere=true)" wdl nim-misere
build dots-and-boxes score built-dots-and-boxes
build "dots-and-boxes(columns=3,rows=1)" score built-dots-and-boxes-3-1
build "hex(size=2,swap=true)" score+distance built-hex-2
build "hex(size=3)" score+distance built-hex-3
build "hex(columns=4,rows=3)" score+distance built-hex-4-3
build "hex(size=3,swap=true)" wdl built-hex-3-swap
for capture in always nonempty; do
    for end in either mover; do
        for rest in owner mover none; do
            build "kalah(pits=2,stones=2,capture=$capture,end=$end,rest=$rest)" score \
                "built-kalah-$capture-$end-$rest"
        done
    done
done
for slam in forbidden void; do
    build "awari(pits=2,stones=2,slam=$slam)" score+rank "built-awari-$slam"
    build "awari(pits=3,stones=1,slam=$slam)" score+rank "awari-$slam"
done
# The usual game, to seven stones on the board.
build awari score+rank built-awari-whole --layers 8
prove tic-tac-toe tic-tac-toe
prove "mnk(columns=4,rows=3,line=3)" mnk-4-3
prove "connect-four(columns=4,rows=3,line=3)" connect-four
prove three-mens-morris three-mens-morris
prove three-mens-morris three-mens-morris-drawn --moves "1 9 5"
prove "nim(heaps=3-2-4)" nim --moves 1:2
prove dots-and-boxes dots-and-boxes
prove "dots-and-boxes(columns=3,rows=1)" dots-and-boxes-begun --moves "1 4 8"
prove "hex(size=3)" hex
prove "hex(size=3,swap=true)" hex-swap
prove "hex(columns=3,rows=4)" hex-3-4
prove "reversi(size=4)" reversi
prove "reversi(size=4,empties=winner)" reversi-winner --moves b1
prove "kalah(pits=3,stones=3)" kalah
prove "kalah(pits=2,stones=3)" kalah-with-stores --position "1 2 3 0 3 1 second"
prove "kalah(pits=3,stones=3,capture=nonempty,end=mover,rest=mover)" kalah-mover --moves "1 2"
prove "awari(pits=2,stones=3)" awari
prove "awari(pits=3,stones=1,slam=void)" awari-void
prove "awari(pits=2,stones=3)" awari-behind --position "1 2 0 1 0 4 second"
for file in "$folder"/*.table "$folder"/*.keys; do
    case "$file" in
        # A trial that foregone-check knows no game for; the examples check it by its library.
        */whole-*) "$python" checkers/check.py "$file" ;;
        *) right "$file" ;;
    esac
done
right "$folder"/*.proof proofs/{tic-tac-toe,connect-four-5x5,kalah-4-4}.proof

# Books, of which both derive all but the values at the horizon.
for book in "nim 3" "tic-tac-toe 4" "kalah(pits=3,stones=2) 5" "dots-and-boxes 3" "hex(size=3,swap=true) 2" \
    "reversi(size=4) 4"; do
    file="$folder/${book%%[ (]*}.book"
    quietly "$target/foregone" book build "${book% *}" --plies "${book##* }" -o "$file"
    refused 4 "$file"
    forge 1 add "$file" 1 1 0
done
# No value of it is at the horizon.
quietly "$target/foregone" book build "nim(heaps=1-2)" --plies 9 -o "$folder/whole.book"
right "$folder/whole.book"
forge 1 edit "$folder/nim.book" "0 0 9 0"
# At the horizon: no result is worth as much.
forge 1 edit "$folder/nim.book" "0 36 9 0"
forge 1 edit "$folder/kalah.book" "0 0 9 0"
forge 1 remove "$folder/tic-tac-toe.book" 0

# Of three values of one entry one is right, and both programs say so.
printf '0 0 %s 0\n' -1 0 1 >"$folder/edits"
quietly "$target/examples/edits" "$folder/nim-wdl.keys" <"$folder/edits"
[ "$(grep -cx right "$folder/said")" = 1 ] || fail "not one value of three is right"
"$python" checkers/check.py --edits "$folder/nim-wdl.keys" <"$folder/edits" >"$folder/other"
[ "$(grep -cx right "$folder/other")" = 1 ] || fail "not one value of three is right"

# False files, by the programs themselves.
forge 1 edit "$folder/tic-tac-toe-wdl.table" "9 0 1 0"
forge 1 edit "$folder/three-mens-morris-score+distance.keys" "0 0 - -"
forge 1 edit "$folder/kalah-score.table" "8 100 17 0"
forge 1 edit "$folder/nim-score+rank.table" "6 23 1 1"
forge 1 swap "$folder/tic-tac-toe-score+distance.table" 4 0 600 500
forge 1 swap "$folder/kalah-score+rank.table" 6 3 50 20
forge 1 add "$folder/nim-wdl.keys" 4095 1 0
forge 1 remove "$folder/nim-wdl.keys" 0
forge 1 add "$folder/nim.proof" 1 1 0 0
forge 1 claim "$folder/kalah.proof" 0 3
forge 1 claim "$folder/three-mens-morris-drawn.proof" 1 1
forge 1 claim proofs/kalah-4-4.proof 1 -1
# Other rules under this name.
forge 1 copy "$folder/nim-wdl.table" "$folder/nim-misere.table"
forge 1 copy "$folder/built-kalah-always-either-owner.table" \
    "$folder/built-kalah-nonempty-either-owner.table"
forge 1 copy "$folder/built-awari-forbidden.table" "$folder/built-awari-void.table"
forge 1 copy "$folder/kalah.proof" "$folder/kalah-mover.proof"
# True, but not shown by what is kept.
forge 3 keep "$folder/three-mens-morris-score+distance.table" wdl
forge 3 keep "$folder/three-mens-morris-score+distance.keys" score
forge 3 keep "$folder/kalah-score.table" wdl
forge 3 keep "$folder/kalah-score+rank.table" score+distance

# Many false files, in one process each.
tables=("$folder"/{tic-tac-toe,three-mens-morris,nim,kalah,awari}-*.table "$folder"/*.keys)
for file in "${tables[@]}" "$folder"/*.proof; do
    edited "$file" --plain --edits --sample 60
done
if $all; then
    for file in "${tables[@]}"; do
        case "$file" in
            # Without merging it takes long where there are many numbers; the sample has some.
            */tic-tac-toe-*.table | */three-mens-morris-*.table) edited "$file" "" --near ;;
            *) edited "$file" --plain --near ;;
        esac
    done
    for file in "$folder"/*.proof; do
        edited "$file" --plain --edits
    done
fi
echo "checkers: $forged false files or edits, on which both checkers agree"
