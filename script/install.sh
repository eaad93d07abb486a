#!/bin/sh
# Installs a release of tracker below ~/.local, or below $PREFIX: downloads it, checks its sum, unpacks it.
# usage: sh install.sh [VERSION]      (default: the newest)
# TRACKER_RELEASES names another place of the releases: a folder for each vVERSION.
set -eu
repository=${TRACKER_REPOSITORY:-OWNER/tracker}
releases=${TRACKER_RELEASES:-https://github.com/$repository/releases/download}
prefix=${PREFIX:-$HOME/.local}
fail() { echo "install.sh: $*" >&2; exit 4; }
get() { curl -fsSL "$1" 2>/dev/null || wget -qO- "$1" 2>/dev/null || fail "cannot download $1: is the version right, and is curl or wget here?"; }
version=${1:-$(get "https://api.github.com/repos/$repository/releases/latest" | sed -n 's/.*"tag_name": *"v\([^"]*\)".*/\1/p')}
[ -n "$version" ] || fail "$repository has no release yet"
kind=gz
if command -v xz >/dev/null; then kind=xz; fi
file=tracker-$version-linux-$(uname -m).tar.$kind
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
get "$releases/v$version/SHA256SUMS" >SHA256SUMS
grep " $file\$" SHA256SUMS >sum || fail "release $version has no $file"
get "$releases/v$version/$file" >"$file"
sha256sum -c sum >/dev/null 2>&1 || fail "the SHA-256 sum of $file is not the one that the release states: nothing was installed"
mkdir -p "$prefix"
tar -xf "$file" --strip-components=1 -C "$prefix" || fail "cannot unpack $file below $prefix"
echo "installed $("$prefix/bin/tracker" --version): $prefix/bin/tracker"
case :$PATH: in *:"$prefix/bin":*) ;; *) echo "add it to PATH: export PATH=\"$prefix/bin:\$PATH\"" ;; esac
