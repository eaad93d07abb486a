# shellcheck shell=bash disable=SC2154  # common.sh sets root
# Packages of npm that a package-lock.json pins by version and hash.

# pinned_modules <folder with package.json and package-lock.json> <name>: prints build/<name>, whose node_modules holds
# them; fetched where they are not there yet, or not these. Safe to call twice at a time.
pinned_modules() {
  local from=$1 folder=$root/build/$2
  if ! command -v npm >/dev/null; then
    echo "npm is missing: install Debian's package npm" >&2
    return 1
  fi
  mkdir -p "$root/build"
  (
    flock 9
    if ! cmp -s "$from/package-lock.json" "$folder/installed.json"; then
      rm -rf "$folder"
      mkdir -p "$folder"
      cp "$from/package.json" "$from/package-lock.json" "$folder"
      (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >&2 ||
        { echo "npm cannot install what $from/package.json names, as said above" >&2; exit 1; }
      cp "$from/package-lock.json" "$folder/installed.json"
    fi
  ) 9>"$root/build/$2.lock" || return 1
  echo "$folder"
}
