#!/usr/bin/env bash
# Downloads the release of tracker that the file `release` names, and unpacks it where its sum is the one stated there. Needs
# neither root nor a compiler.
set -euo pipefail
step=download
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

version=$(released version)
file=tracker-$version-linux-$(uname -m).tar.gz
url=${TRACKER_RELEASES:-${GITHUB_SERVER_URL:-https://github.com}/${TRACKER_ACTION_REPOSITORY:-$GITHUB_REPOSITORY}/releases/download}/v$version/$file
way_out="the input 'tracker' names a tracker of your own, and 'install: source' builds one"
if command -v curl >/dev/null; then
  get=(curl --fail --silent --show-error --location --retry 3 --output "$state/$file" "$url")
elif command -v wget >/dev/null; then
  get=(wget --no-verbose --output-document "$state/$file" "$url")
else
  die "$exit_environment" "neither curl nor wget is here to download $file: install one of them; or $way_out"
fi
"${get[@]}" || die "$exit_environment" "cannot download $url: $way_out"
if ! printf '%s  %s\n' "$(released "sha256_$(uname -m)")" "$state/$file" | sha256sum --check --status; then
  rm -f "$state/$file"
  die "$exit_environment" "the SHA-256 sum of $url is not the one that the action states: it is not used"
fi
tar -xzf "$state/$file" --strip-components=1 -C "$state" || die "$exit_environment" "$file cannot be unpacked, as said above"
rm -f "$state/$file"
"$state/bin/tracker" --version || die "$exit_environment" "the downloaded tracker does not start: it needs glibc 2.31 or newer"
command -v git >/dev/null || die "$exit_environment" "git is not on this runner: tracker needs it"
