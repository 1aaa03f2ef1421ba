#!/usr/bin/env bash
# Builds the module for browsers, and says where it is. Needs rustup, and clang with the C library of WASI
# (Debian: clang, wasi-libc).
set -euo pipefail
cd "$(dirname "$0")/../.."

rustup target add wasm32-wasip1 >&2
# The C library of zstd is compiled for the browser, too.
export CC_wasm32_wasip1=${CC_wasm32_wasip1:-clang}
export CFLAGS_wasm32_wasip1=${CFLAGS_wasm32_wasip1:---sysroot=/usr -I/usr/include/wasm32-wasi}
cargo build --profile browser -p foregone-browser --target wasm32-wasip1 >&2
echo "${CARGO_TARGET_DIR:-target}/wasm32-wasip1/browser/foregone_browser.wasm"
