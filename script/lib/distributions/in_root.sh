#!/usr/bin/env bash
# shellcheck disable=SC2016  # the user's shell expands them
# What script/try-distributions does in an empty root, as root: packages and servers; the rest as the user `stranger`. Prints a
# line for each step: its seconds, and whether it did what it should.
set -uo pipefail
cd /srv/try || exit
failed=0
apt() { apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "$@" >>/srv/try/apt.log 2>&1; }
as_stranger() { (cd /srv/stranger && env -i PATH=/srv/stranger/.local/bin:/usr/bin:/bin HOME=/srv/stranger LC_ALL=C.UTF-8 \
  TRACKER_RELEASES="$TRACKER_RELEASES" VERSION="$VERSION" setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs bash -euo pipefail -c "$1"); }

# step <what> <exit code> <words expected> <command>...
step() {
  local what=$1 code=$2 words=$3 began=$EPOCHREALTIME status=0 output
  shift 3
  output=$("$@" 2>&1) || status=$?
  local seconds
  seconds=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.1f", b - a}')
  if [[ $status == "$code" && $output == *"$words"* ]]; then
    printf '%7s s  ok      %s\n' "$seconds" "$what"
  else
    failed=1
    printf '%7s s  FAILED  %s: exit %s\n%s\n' "$seconds" "$what" "$status" "$output"
  fi
}

useradd --uid 1000 --create-home --home-dir /srv/stranger stranger
cp /srv/try/small_bench.cpp /srv/stranger/
sed -i 's/^void fails/[[maybe_unused]] &/; /BENCHMARK(fails)/d' /srv/stranger/small_bench.cpp
step "apt-get install git curl" 0 '' bash -c 'apt-get -qq update >>/srv/try/apt.log 2>&1; apt-get -qq install -y --no-install-recommends git curl ca-certificates >>/srv/try/apt.log 2>&1'
step "install.sh" 0 'installed tracker' as_stranger 'curl -fsS "$TRACKER_RELEASES/v$VERSION/install.sh" | sh -s -- "$VERSION"'
step "two folders of JSON, one twice as slow: red" 1 'regressed' as_stranger '
  executions() { mkdir "$1"; for i in 1 2 3 4 5 6 7 8; do
    echo "{\"context\": {\"date\": \"2026-01-01T0$i:00:00+00:00\", \"host_name\": \"here\", \"num_cpus\": 2}, \"benchmarks\": [{\"name\": \"work\", \"run_name\": \"work\", \"run_type\": \"iteration\", \"iterations\": 10, \"real_time\": $2.$i, \"cpu_time\": $2.$i, \"time_unit\": \"ns\"}]}" >"$1/$i.json"; done; }
  executions old 1000; executions new 2000; tracker compare old new'
step "apt-get install g++ libbenchmark-dev (the project's own)" 0 '' bash -c 'apt-get -qq install -y --no-install-recommends g++ libbenchmark-dev >>/srv/try/apt.log 2>&1'
step "a project with a benchmark binary" 0 '' as_stranger '
  git config --global user.name Stranger; git config --global user.email stranger@example.org; git config --global init.defaultBranch main
  mkdir project; cd project; git init -q; cp ../small_bench.cpp bench.cpp
  printf "#!/bin/sh\nmkdir -p build\nexec g++ -std=c++17 -O2 bench.cpp -o build/bench -lbenchmark -lpthread\n" >build.sh; chmod +x build.sh; ./build.sh
  echo build/ >.gitignore; git add -A; git commit -qm "A benchmark"'
step "tracker init" 0 'wrote' as_stranger 'cd project; tracker init; sed -i "s|^# build = .*|build = [[\"./build.sh\"]]|" tracker.toml; git add -A; git commit -qm "Measure it"'
step "tracker run" 0 'recorded' as_stranger 'cd project; tracker run -n 3 --filter "^sum/1024$"'
step "a commit that is twice as slow: red" 1 'regressed' as_stranger 'cd project
  sed -i "s|for (const int value : values) {|for (int twice = 0; twice < 2; ++twice) &|" bench.cpp; git commit -qam "Sum twice"
  tracker compare HEAD~1 --measure -n 5 --filter "^sum/1024$"'
step "without gnuplot a chart says what is missing" 4 'gnuplot was not found' as_stranger 'cd project; tracker plot --out charts'
step "tracker site" 0 'wrote' as_stranger 'cd project; tracker site pages; test -s pages/index.html'
step "apt-get install gnuplot-nox" 0 '' apt gnuplot-nox fonts-liberation
step "tracker plot" 0 '' as_stranger 'cd project; tracker plot --out charts; ls charts/*.png'
step "apt-get install openssh-server openssh-client libpq5 postgresql" 0 '' apt openssh-server openssh-client libpq5 postgresql python3 openssl
mkdir -p /run/sshd
as_stranger 'mkdir -m 700 .ssh; ssh-keygen -q -t ed25519 -N "" -f .ssh/id_ed25519; cp .ssh/id_ed25519.pub .ssh/authorized_keys; printf "StrictHostKeyChecking no\nPort 2222\n" >.ssh/config' >/dev/null
/usr/sbin/sshd -p 2222 -o ListenAddress=127.0.0.1
step "tracker sync over ssh, and back" 0 'sum/1024' as_stranger 'git init -q --bare shared.git; cd project; git remote add origin ssh://stranger@localhost/srv/stranger/shared.git
  git push -q origin main; tracker sync; cd ..; git clone -q ssh://stranger@localhost/srv/stranger/shared.git by-ssh; cd by-ssh; tracker sync --from-remote; tracker list benchmarks'
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout /srv/try/key.pem -out /srv/stranger/cert.pem 2>/dev/null
chmod 644 /srv/stranger/cert.pem
as_stranger 'git -C shared.git config http.receivepack true' >/dev/null
cp /srv/try/serve_git.py /srv/try/key.pem /srv/stranger/ && chown stranger /srv/stranger/key.pem
as_stranger 'exec python3 serve_git.py 8443 cert.pem key.pem /srv/stranger' >/srv/try/https.log 2>&1 &
https=$!
step "tracker sync over https, and back" 0 'sum/1024' as_stranger 'for i in 1 2 3 4 5 6 7 8 9; do curl -ksS https://localhost:8443/ >/dev/null 2>&1 && break; sleep 0.3; done
  git config --global http.sslCAInfo "$HOME/cert.pem"; cd project; git remote set-url origin https://localhost:8443/shared.git
  tracker record ../old/1.json --cpu here --commit HEAD~1; tracker sync; cd ..; git clone -q https://localhost:8443/shared.git by-https; cd by-https; tracker sync --from-remote; tracker list benchmarks'
kill "$https" 2>/dev/null
cluster=$(ls /usr/lib/postgresql)
server="/usr/lib/postgresql/$cluster/bin"
mkdir -p /srv/pg && chown postgres /srv/pg
setpriv --reuid=postgres --regid=postgres --clear-groups bash -c "$server/initdb -D /srv/pg/data -A trust >/dev/null && $server/pg_ctl -D /srv/pg/data -w -o '-p 5499 -k /srv/pg -c listen_addresses=127.0.0.1' start >/dev/null" >/srv/try/pg.log 2>&1
step "PostgreSQL $cluster, its libpq: tracker store copy, log" 0 'sum/1024' as_stranger 'cd project; psql -q -h 127.0.0.1 -p 5499 -U postgres -c "create database runs"
  tracker --store postgresql://postgres@127.0.0.1:5499/runs store prepare
  tracker store copy refs/tracker/v1 postgresql://postgres@127.0.0.1:5499/runs; tracker --store postgresql://postgres@127.0.0.1:5499/runs list benchmarks'
setpriv --reuid=postgres --regid=postgres --clear-groups "$server/pg_ctl" -D /srv/pg/data -m fast stop >/dev/null 2>&1
pkill -x sshd
exit "$failed"
