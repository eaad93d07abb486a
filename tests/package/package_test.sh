#!/usr/bin/env bash
# Tests of what is installed: `package_test.sh CASE BUILD_FOLDER CXX` runs case_CASE in a temp folder of its own.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "$2")
export CXX=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'package_test: %s\n' "$*" >&2
  exit 1
}

install_all() { cmake --install "$build" --prefix "$scratch/root" >install.log || fail "cmake --install: $(cat install.log)"; }

case_command_works_where_it_is_installed() {
  install_all
  local version page
  version=$(root/bin/tracker --version)
  [[ $version =~ ^tracker\ [0-9.]+\ \(commit\ [0-9a-f]{8}\+?,\ .+\)$ || $version == *"(commit unknown,"* ]] ||
    fail "unexpected version: $version"
  page=$(<root/share/man/man1/tracker.1)
  [[ $page == *"tracker compare"* ]] || fail "the manual page lacks 'tracker compare'"
  for file in share/bash-completion/completions/tracker share/zsh/site-functions/_tracker \
    share/fish/vendor_completions.d/tracker.fish; do
    [[ -s root/$file ]] || fail "no $file"
  done
}

# A folder of eight executions, each ten times, that take $2 ns or a little more.
executions() {
  local i
  mkdir "$1"
  for i in 1 2 3 4 5 6 7 8; do
    printf '{"context": {"date": "2026-01-01T0%s:00:00+00:00", "host_name": "here", "num_cpus": 2}, "benchmarks": [' "$i"
    printf '{"name": "work", "run_name": "work", "run_type": "iteration", "iterations": 10, "real_time": %s.%s, "cpu_time": %s.%s, "time_unit": "ns"}' \
      "$2" "$i" "$2" "$i"
    printf ']}\n'
  done | split -l 1 --additional-suffix=.json - "$1/run-"
}

case_program_links_the_library() {
  install_all
  mkdir program
  cp "$repository/tests/package/judge_two_files.cpp" program/
  cat >program/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(judge_two_files LANGUAGES CXX)
find_package(tracker REQUIRED)
add_executable(judge_two_files judge_two_files.cpp)
target_link_libraries(judge_two_files PRIVATE tracker::formats tracker::judge tracker::report)
END
  cmake -S program -B built -DCMAKE_PREFIX_PATH="$scratch/root" >cmake.log 2>&1 || fail "configure: $(tail -n 20 cmake.log)"
  cmake --build built >make.log 2>&1 || fail "build: $(tail -n 20 make.log)"
  executions old 1000
  executions same 1000
  executions slow 2000
  local output status=0
  output=$(built/judge_two_files old slow) || status=$?
  [[ $status == 1 && $output == *regressed*work* ]] || fail "old against slow: $status: $output"
  status=0
  output=$(built/judge_two_files old same) || status=$?
  [[ $status == 0 && $output != *regressed\ * ]] || fail "old against same: $status: $output"
}

# Some packages call no other minor version compatible with what was asked for.
case_newer_minor_versions_are_found() {
  mkdir -p lib/cmake/widget
  touch lib/cmake/widget/widget-config.cmake
  cat >look.cmake <<END
cmake_minimum_required(VERSION 3.25)
include(CMakePackageConfigHelpers)
write_basic_package_version_file("$scratch/lib/cmake/widget/widget-config-version.cmake" VERSION 3.12.3
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
set(CMAKE_PREFIX_PATH "$scratch")
include("$repository/cmake/AtLeast.cmake")
tracker_at_least(widget \${wanted})
message("found widget \${widget_VERSION}")
END
  local wanted
  for wanted in 3.0 3.12 3.12.3 2; do
    [[ $(cmake -D "wanted=$wanted" -P look.cmake 2>&1) == 'found widget 3.12.3' ]] || fail "3.12.3 is at least $wanted"
  done
  for wanted in 3.13 4.0; do
    if cmake -D "wanted=$wanted" -P look.cmake >look.log 2>&1; then fail "3.12.3 is not $wanted"; fi
    grep -q 'widget 3.12.3 is too old' look.log || fail "$(cat look.log)"
  done
}

case_debian_packages_name_what_they_need() {
  (cd "$build" && cpack -G DEB -B "$scratch/packages") >cpack.log 2>&1 || fail "cpack: $(tail -n 20 cpack.log)"
  local needs
  needs=$(dpkg-deb -f packages/tracker_*.deb Depends)
  for name in git libgit2 libcurl libc6; do
    [[ $needs == *"$name"* ]] || fail "tracker depends on '$needs', and not on $name"
  done
  # Loaded when they are first used: the program itself does not name them.
  [[ $(objdump -p "$build/bin/tracker") != *@(libcurl|libpq)* ]] || fail "tracker loads libcurl or libpq at its start"
  if [[ $("$build/bin/tracker" --store postgresql://localhost:1/none 2>&1) != *"without PostgreSQL"* ]]; then
    [[ $needs == *libpq* ]] || fail "tracker depends on '$needs', and not on libpq"
  fi
  needs=$(dpkg-deb -f packages/libtracker-dev_*.deb Depends)
  for name in nlohmann-json3-dev liblz4-dev; do
    [[ $needs == *"$name"* ]] || fail "libtracker-dev depends on '$needs', and not on $name"
  done
  dpkg-deb -x packages/tracker_*.deb unpacked
  unpacked/usr/bin/tracker --version >/dev/null || fail "the packed command does not start"
}

"case_$1"
