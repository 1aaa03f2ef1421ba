#!/usr/bin/env bash
# Builds a table on two hosts, which are network namespaces of this machine joined by a slow cable, and
# compares it with the one that one process builds. Needs root, ip and tc.
#
#   crates/cluster/tests/two-hosts.sh [FOREGONE [GAME [DELAY]]]
set -euo pipefail
program=$(realpath "${1:-target/release/foregone}")
game=${2:-fox-and-hounds}
delay=${3:-2ms}

folder=$(mktemp -d)
finish() {
    ip netns del foregone0 2>/dev/null || true
    ip netns del foregone1 2>/dev/null || true
    rm -r "$folder"
}
trap finish EXIT
ip netns add foregone0
ip netns add foregone1
ip link add cable0 netns foregone0 type veth peer name cable1 netns foregone1
for host in 0 1; do
    ip -n "foregone$host" address add "10.77.0.$((host + 1))/24" dev "cable$host"
    ip -n "foregone$host" link set "cable$host" up
    ip -n "foregone$host" link set lo up
    # A kernel without netem has a fast cable.
    ip netns exec "foregone$host" tc qdisc add dev "cable$host" root netem delay "$delay" ||
        echo "note: no delay on cable $host"
done

cd "$folder"
printf '10.77.0.1:7000\n10.77.0.2:7000\n' >hosts
head -c 32 /dev/urandom | base64 >secret
"$program" table build "$game" -o one.table >/dev/null
build() {
    ip netns exec "foregone$1" "$program" table build "$game" -o two.table \
        --hosts hosts --secret-file secret --process "$1"
}
build 1 &
build 0
wait $!
cmp one.table two.table
echo "two hosts have built the same file"
