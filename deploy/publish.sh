#!/usr/bin/env bash
# Publishes the crates, each after those that it needs. It leaves out what is there already, so it may be run again.
# crates.io takes five new crates at once, then one in ten minutes: it waits.
set -euo pipefail
cd "$(dirname "$0")/.."

for crate in foregone-prefetch foregone-rules foregone-text foregone-record foregone-trial foregone-check foregone \
    foregone-cluster foregone-page foregone-browser foregone-cli; do
    until said=$(cargo publish --locked --package "$crate" 2>&1); do
        case $said in
            *"already exists"*) break ;;
            *"429 Too Many Requests"*) sleep 630 ;;
            *)
                echo "$said" >&2
                exit 1
                ;;
        esac
    done
    echo "$crate is there"
done
