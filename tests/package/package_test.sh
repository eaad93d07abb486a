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
  # What CUDA's driver loads into programs finds nothing else there, and needs nothing that they may not have.
  [[ $(objdump -T root/lib/tracker/libtracker_injection.so) == *InitializeInjectionNvtx2* ]] || fail "no injected library"
  [[ $(objdump -p root/lib/tracker/libtracker_injection.so) != *NEEDED*@(stdc++|libcuda|libcupti)* ]] ||
    fail "the injected library needs others"
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

# A stranger's repository, and a suite before and after its two lines: with nvcc for the oldest and the newest GPUs, and
# without it, where benchmarks of a GPU are left out.
case_kit_builds_what_others_wrote() {
  install_all
  [[ -s root/include/tracker/bench.hpp ]] || fail "no header of the kit"
  cp -r "$repository/examples/kernels" "$repository/examples/suite" .
  local options=(-DCMAKE_PREFIX_PATH="$scratch/root" "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
  cmake -S kernels -B without -DCMAKE_CUDA_COMPILER= "${options[@]}" >cmake.log 2>&1 || fail "configure: $(tail -n 20 cmake.log)"
  cmake --build without -j 2 >make.log 2>&1 || fail "build without CUDA: $(tail -n 20 make.log)"
  local output
  output=$(without/kernels_bench 2>&1) || fail "without CUDA: $output"
  [[ $output == *"6 GPU benchmarks are left out"* ]] || fail "without CUDA: $output"
  local nvcc=${CUDACXX:-/usr/local/cuda/bin/nvcc}
  if ! command -v "$nvcc" >/dev/null; then
    echo "no nvcc: the kit was not compiled for a GPU"
    exit 77
  fi
  options+=(-DCMAKE_CUDA_COMPILER="$nvcc" "-DCMAKE_CUDA_ARCHITECTURES=75-real;120-real")
  local example
  for example in kernels suite; do
    cmake -S $example -B built-$example "${options[@]}" >cmake.log 2>&1 || fail "configure $example: $(tail -n 20 cmake.log)"
    cmake --build built-$example -j 2 >make.log 2>&1 || fail "build $example: $(tail -n 20 make.log)"
  done
  local status=0
  output=$(built-kernels/kernels_bench 2>&1) || status=$?
  [[ $status == 0 && $output == *scan/block/f32/* || $status == 4 && $output == *"no CUDA device"* ]] ||
    fail "kernels_bench: $status: $output"
  if ((status == 0)); then
    git -C kernels init --quiet && git -C kernels add . && git -C kernels -c user.name=n -c user.email=e@x commit --quiet -m kernels
    output=$(cd kernels && TRACKER_LEASES=$scratch ../root/bin/tracker run -n 1 -- ../built-kernels/kernels_bench 2>&1) ||
      fail "tracker run: $output"
    [[ $output == *scan/block/f32/* ]] || fail "tracker run: $output"
  fi
  [[ $(built-suite/suite_after --benchmark_list_tests 2>&1) == *saxpy_f32/65536/manual_time* ]] || fail "the suite lists nothing"
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

# release_is_built: whether this build makes what a release ships; the case is skipped where it does not.
release_is_built() {
  sysroot=$(sed -n 's/^TRACKER_SYSROOT:PATH=//p' "$build/CMakeCache.txt")
  if [[ -z $sysroot ]]; then
    echo "this build makes no release: it has no TRACKER_SYSROOT"
    exit 77
  fi
  release=$build/release
  program=$build/installed/bin/tracker
}

case_debian_packages_name_what_they_need() {
  local packages=$build/release needs
  if [[ ! -d $packages ]]; then
    packages=$scratch/packages
    (cd "$build" && cpack -G DEB -B "$packages") >cpack.log 2>&1 || fail "cpack: $(tail -n 20 cpack.log)"
  fi
  needs=$(dpkg-deb -f "$packages"/tracker_*.deb Depends)
  for name in git libcurl libc6; do
    [[ $needs == *"$name"* ]] || fail "tracker depends on '$needs', and not on $name"
  done
  # Loaded when they are first used: the program itself does not name them.
  [[ $(objdump -p "$build/bin/tracker") != *@(libcurl|libpq)* ]] || fail "tracker loads libcurl or libpq at its start"
  if [[ $("$build/bin/tracker" --store postgresql://localhost:1/none 2>&1) != *"without PostgreSQL"* ]]; then
    [[ $needs == *libpq* ]] || fail "tracker depends on '$needs', and not on libpq"
  fi
  needs=$(dpkg-deb -f "$packages"/libtracker-dev_*.deb Depends)
  for name in nlohmann-json3-dev liblz4-dev; do
    [[ $needs == *"$name"* ]] || fail "libtracker-dev depends on '$needs', and not on $name"
  done
  dpkg-deb -x "$packages"/tracker_*.deb unpacked
  unpacked/usr/bin/tracker --version >/dev/null || fail "the packed command does not start"
}

# Nothing but the C library of 2020, by the names and versions of its symbols.
case_release_needs_an_old_libc_only() {
  release_is_built
  local needed versions newest
  needed=$(readelf -d "$program" | sed -n 's/.*Shared library: \[\(.*\)\]/\1/p')
  [[ -n $needed ]] || fail "$program names no library at all"
  for name in $needed; do
    [[ $name == @(libc.so.6|libm.so.6|libpthread.so.0|libdl.so.2|librt.so.1|ld-linux-*) ]] || fail "the program needs $name"
  done
  [[ $(readelf -d "$program") != *@(RPATH|RUNPATH)* ]] || fail "the program looks for libraries in a folder of its own"
  versions=$(readelf --version-info "$program" | grep -oE '\b(GLIBC|GLIBCXX|CXXABI|GCC)_[0-9.]+' | sort -uV)
  [[ $versions == *GLIBC_2* ]] || fail "no versions of symbols were read"
  [[ $versions != *@(GLIBCXX|CXXABI|GCC)_* ]] || fail "the standard library is not inside: $versions"
  newest=$(printf '%s\nGLIBC_2.31\n' "$versions" | sort -V | tail -n 1)
  [[ $newest == GLIBC_2.31 ]] || fail "the program needs $newest"
}

# By the loader and the C library of Debian 11, which a release was linked with.
case_release_runs_with_an_old_libc() {
  release_is_built
  local libc loader output status=0
  libc=$(dirname "$(find "$sysroot/lib" -name 'libc.so.6' | head -n 1)")
  loader=$(find "$libc" -name 'ld-2.31.so')
  executions old 1000
  executions slow 2000
  output=$("$loader" --library-path "$libc" "$program" compare old slow) || status=$?
  [[ $status == 1 && $output == *regressed*work* ]] || fail "old against slow: $status: $output"
}

# What a release holds beside the program; the checksums; the list of materials.
case_release_is_complete() {
  release_is_built
  (cd "$release" && sha256sum --check --quiet SHA256SUMS) || fail "checksums"
  [[ $(wc -l <"$release/SHA256SUMS") == 6 ]] || fail "SHA256SUMS: $(cat "$release/SHA256SUMS")"
  local file
  for file in share/man/man1/tracker.1 share/bash-completion/completions/tracker share/doc/tracker/LICENSE \
    share/doc/tracker/NOTICE share/doc/tracker/licenses/libgit2-dev.txt share/doc/tracker/licenses/uplot.txt; do
    [[ -s $build/installed/$file ]] || fail "no $file"
  done
  python3 - "$release"/*.spdx.json <<'END' || fail "the SPDX file"
import json, sys
document = json.load(open(sys.argv[1]))
names = {package["SPDXID"]: package for package in document["packages"]}
assert len(names) == len(document["packages"]) >= 20
assert all(package["versionInfo"] and package["licenseDeclared"] for package in names.values())
assert {relation["relatedSpdxElement"] for relation in document["relationships"]} == set(names)
END
}

# Packed again by another user's habits: the same bytes.
case_release_is_the_same_twice() {
  release_is_built
  (umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$repository/script/release" --build "$build" --out "$scratch/again" >release.log 2>&1) ||
    fail "script/release: $(cat release.log)"
  diff "$release/SHA256SUMS" again/SHA256SUMS || fail "packing twice made two releases"
}

# serve <folder>: by HTTP, at $address.
serve() {
  : >served.log  # read before the server, in the background, may have opened it
  python3 -u -m http.server --bind 127.0.0.1 --directory "$1" 0 >>served.log 2>&1 &
  server=$!
  trap 'kill "$server"; rm -rf "$scratch"' EXIT
  local i
  for ((i = 0; i < 100; ++i)); do
    address=$(sed -n 's/.*(\(http:.*\)\/) .*/\1/p' served.log)
    if [[ -n $address ]]; then return 0; fi
    sleep 0.1
  done
  fail "the server did not start: $(cat served.log)"
}

case_installer_installs_and_refuses() {
  release_is_built
  local version output status=0
  version=$(sed -n 's/^project(tracker VERSION \([0-9.]*\).*/\1/p' "$repository/CMakeLists.txt")
  mkdir -p served home
  cp -r "$release" "served/v$version"
  serve served
  output=$(env -i PATH="$PATH" HOME="$scratch/home" TRACKER_RELEASES="$address" sh "$release/install.sh" "$version" 2>&1) || status=$?
  [[ $status == 0 && $output == "installed tracker $version (commit "* && $output == *'add it to PATH'* ]] || fail "installing: $status: $output"
  home/.local/bin/tracker --version >/dev/null || fail "the installed command does not start"
  rm -rf home/.local
  local archive
  for archive in "served/v$version/tracker-$version"-*.tar.*; do printf 'x' >>"$archive"; done
  status=0
  output=$(env -i PATH="$PATH" HOME="$scratch/home" TRACKER_RELEASES="$address" sh "$release/install.sh" "$version" 2>&1) || status=$?
  [[ $status == 4 && $output == *'is not the one that the release states: nothing was installed'* && ! -e home/.local ]] ||
    fail "a wrong sum: $status: $output"
  status=0
  output=$(env -i PATH="$PATH" HOME="$scratch/home" TRACKER_RELEASES="$address" sh "$release/install.sh" 9.9.9 2>&1) || status=$?
  [[ $status == 4 && $output == *'cannot download'*'v9.9.9'* && ! -e home/.local ]] || fail "no such version: $status: $output"
}

"case_$1"
