# shellcheck shell=bash disable=SC2154  # its variables are those of common.sh
# A PostgreSQL server of a script's own: in a folder, on a socket in it, without a network. The system's is not touched.

# Prints the folder of the newest release's programs; fails where Debian's package postgresql is missing.
find_postgres() {
  local programs
  programs=$(find /usr/lib/postgresql -maxdepth 3 -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1)
  [[ -n $programs ]] && dirname "$programs"
}

# start_postgres <folder>: makes and starts a server in it; sets postgres_socket, to be used as
# postgresql://owner@/DATABASE?host=$postgres_socket. PostgreSQL refuses to run as root: then it is another user's.
start_postgres() {
  local folder=$1
  postgres_bin=$(find_postgres) || die "$exit_environment" "no PostgreSQL server is here: apt-get install postgresql"
  postgres_data=$folder/data
  postgres_socket=$folder/socket
  postgres_as=()
  mkdir -p "$postgres_data" "$postgres_socket"
  if [[ $(id -u) == 0 ]]; then
    local user=nobody
    if id postgres >/dev/null 2>&1; then user=postgres; fi
    chmod 755 "$folder"
    chown "$user" "$postgres_data" "$postgres_socket"
    postgres_as=(runuser -u "$user" --)
  fi
  if ! (cd / && "${postgres_as[@]}" "$postgres_bin/initdb" -D "$postgres_data" -U owner -A trust -E UTF8 --locale=C --no-sync &&
        "${postgres_as[@]}" "$postgres_bin/pg_ctl" -D "$postgres_data" -l "$postgres_data/log" -w \
            -o "-k $postgres_socket -c listen_addresses= ${postgres_options:-}" start) >"$folder/start.log" 2>&1; then
    cat "$folder/start.log" >&2
    die "$exit_environment" "the server does not start, as said above"
  fi
}

stop_postgres() {
  if [[ -n ${postgres_data:-} && -e $postgres_data/postmaster.pid ]]; then
    (cd / && "${postgres_as[@]}" "$postgres_bin/pg_ctl" -D "$postgres_data" -m fast -w stop) >/dev/null 2>&1 || true
  fi
}
