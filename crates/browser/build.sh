#!/usr/bin/env bash
# Builds the module for browsers, and says where it is. Needs rustup, and clang with the C library of WASI
# (Debian: clang, wasi-libc).
set -euo pipefail
cd "$(dirname "$0")/../.."

target=wasm32-wasip1-threads
rustup target add $target >&2
# The C library of zstd is compiled for the browser, too.
export CC_wasm32_wasip1_threads=${CC_wasm32_wasip1_threads:-clang}
c_flags='--sysroot=/usr -I/usr/include/wasm32-wasi -pthread -matomics -mbulk-memory'
# One decoder for each part of a block instead of two, and no errors in words: a few kilobytes less.
c_flags+=' -DHUF_FORCE_DECOMPRESS_X1 -DZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT -DZSTD_NO_INLINE -DZSTD_STRIP_ERROR_STRINGS'
export CFLAGS_wasm32_wasip1_threads=${CFLAGS_wasm32_wasip1_threads:-$c_flags}
# A module that lives on after a call, and whose memory can grow to 4 GiB; with short addresses in its code.
reactor=$(rustc --print target-libdir --target $target)/self-contained/crt1-reactor.o
memory='-C link-arg=--initial-memory=16777216 -C link-arg=--max-memory=4294967296'
# Messages name files without the folders of this machine.
paths="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src= --remap-path-prefix=$PWD/="
export CARGO_TARGET_WASM32_WASIP1_THREADS_RUSTFLAGS="-C link-arg=$reactor $memory -C link-arg=--compress-relocations $paths"
cargo build --profile browser -p foregone-browser --target $target >&2
echo "${CARGO_TARGET_DIR:-target}/$target/browser/foregone_browser.wasm"
