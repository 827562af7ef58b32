#!/bin/sh
# A Debian 13 root with python3 alone, in a folder of its own: the README's two commands run in it, as a newcomer
# types them.  MIRROR is where Debian comes from; COMMANDS is "certify test" unless said otherwise.
set -eu
mirror=${MIRROR:-http://deb.debian.org/debian}
commands=${COMMANDS:-certify test}
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "make fresh needs root and debootstrap (apt-get install debootstrap)" >&2
    exit 2
fi
house=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
away() {
    trap '' INT TERM HUP
    umount -q "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap away EXIT
trap 'exit 130' INT TERM HUP

echo "== debootstrap trixie into $root"
debootstrap --variant=minbase --include=python3,ca-certificates trixie "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 1 "$root.log" >&2; rm -f "$root.log"; exit 1; }
rm -f "$root.log"
mount -t proc proc "$root/proc" || echo "no /proc there: what needs it will say so"
[ ! -f /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# Registries and certificates are those that this machine uses.
for file in /etc/pip.conf /root/.config/pip/pip.conf; do
    [ ! -f "$file" ] || cp "$file" "$root/etc/pip.conf"
done
certificates=/etc/ssl/certs/ca-certificates.crt
[ ! -f "$certificates" ] || cp "$certificates" "$root$certificates"
mkdir "$root/refbot"
git -C "$house" archive HEAD | tar -x -C "$root/refbot"
for command in $commands; do
    echo "== python3 bootstrap.py $command"
    start=$(date +%s)
    chroot "$root" /usr/bin/env -C /refbot LANG=C.UTF-8 python3 bootstrap.py "$command"
    echo "== $command took $(($(date +%s) - start)) s"
done
