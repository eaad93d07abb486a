#!/usr/bin/env bash
# Tests of script/: `script_test.sh CASE` runs the function case_CASE in a temp folder of its own.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'script_test: %s\n' "$*" >&2
  exit 1
}

# expect_rc <status> <command>...: keeps stdout and stderr in $output.
expect_rc() {
  local expected=$1 status=0
  shift
  output=$("$@" 2>&1) || status=$?
  if [[ $status != "$expected" ]]; then fail "$* ended with $status instead of $expected: $output"; fi
}

expect_output() {
  if [[ $output != *"$1"* ]]; then fail "expected '$1' in: $output"; fi
}

# fake <command> <body of a shell script>
fake() {
  mkdir -p bin
  printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}

# A repository with the scripts, and one good source.
make_repository() {
  git init -q .
  cp -r "$repository/script" .
  if [[ -d $repository/build/actionlint ]]; then mkdir build; ln -s "$repository/build/actionlint" build/; fi
  mkdir -p kernels bench tests tracker/base
  echo 'int add(int a, int b) { return a + b; }' >tracker/base/good.cpp
  echo 'add_library(base good.cpp)' >tracker/base/CMakeLists.txt
  mkdir good
  printf '%s\n' 'inputs: {a: {required: true}}' 'outputs: {c: {value: 1}}' 'runs: {using: composite, steps: []}' >good/action.yml
  mkdir caching
  printf '%s\n' 'runs:' '  using: composite' '  steps:' "    - uses: $cache  # v4.3.0" >caching/action.yml
  echo '' | tee {kernels,bench,tests,tracker}/CMakeLists.txt >/dev/null
  rm script/lib/small_subjects.tsv  # of another repository
  mkdir docs
  # shellcheck disable=SC2016  # a page's code
  echo '| `base/` | 2 | 100 |' >docs/architecture.md
}

# workflow <what stands at the top> <what stands in the job> <its step>: the format of a workflow of that shape.
workflow() { printf '%s\\n' 'on: push' "$1" 'jobs:' '  a:' '    runs-on: [self-hosted, gpu]' "$2" '    steps:' "      - $3"; }
# action <its step>
action() { printf '%s\\n' 'name: a' 'runs:' '  using: composite' '  steps:' "    - $1"; }
p='permissions: {}' t='    timeout-minutes: 1' checkout=actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5
cache=actions/cache/restore@0057852bfaa89a56745cba8c7296529d2fc39830
# shellcheck disable=SC2016  # GitHub's, not the shell's
expression='${{ github.sha }}' said='${{ steps.x.outputs.'

# lint, file, its text (by printf), the finding (by printf)
house_rules=(
  headers-in-modules  tracker/judge/a.hpp   '\n#include <git2.h>\n'                'tracker/judge/a.hpp:2: <git2.h> belongs to'
  headers-in-modules  tracker/judge/a.hpp   '# include "gnuplot-iostream.h"\n'     'a.hpp:1: "gnuplot-iostream.h" belongs to tracker/plot/'
  headers-in-modules  tests/judge/a.cpp     '#include <CLI/CLI.hpp>\n'             'tests/judge/a.cpp:1: <CLI/CLI.hpp>'
  headers-in-modules  tracker/model/a.hpp   '#include <nlohmann/json.hpp>\n'       'tracker/model/a.hpp:1:'
  headers-in-modules  tracker/model/a.hpp   '#include <toml++/toml.h>\n'           'tracker/model/a.hpp:1:'
  headers-in-modules  tracker/judge/a.cpp   '#include <boost/math/tools/roots.hpp>\n'  'tracker/judge/a.cpp:1:'
  headers-in-modules  kernels/a.cpp         '#include <benchmark/benchmark.h>\n'   'kernels/a.cpp:1:'
  headers-in-modules  tracker/measure/a.cpp '#include <cuda_runtime.h>\n'          'tracker/measure/a.cpp:1:'
  headers-in-modules  tracker/measure/a.cpp '#include "kernels/gemm.hpp"\n'        'tracker/measure/a.cpp:1:'
  modules-use         tracker/base/a.cpp     '\n#include "tracker/model/run.hpp"\n'   'a.cpp:2: tracker/base/CMakeLists.txt does not say that it USES model'
  modules-use         tracker/a/CMakeLists.txt 'tracker_module(a SOURCES a.cpp\n  USES base)\n'  'tracker/a/CMakeLists.txt:2: USES base, and includes nothing of it'
  silent-library      tracker/judge/a.cpp    '\nvoid f() { std::cout << 1; }\n'        'tracker/judge/a.cpp:2: only tracker/commands prints'
  silent-library      tracker/app/a.cpp      'auto* a = std::getenv("CI");\n'          'tracker/app/a.cpp:1: app/ reads no environment variable'
  one-definition      tracker/base/a.hpp    'struct A {\n};\nenum class A {\n'      'tracker/base/a.hpp:3: A has the name of another type: tracker/base/a.hpp:1'
  one-definition      tracker/model/a.hpp   '// namespace tracker\nstruct A {\n};\nstruct A {\n'   'tracker/model/a.hpp:4: A has the name of another type'
  room-namespaces     tracker/judge/a.hpp   '\nnamespace tracker {\n}\n'           'tracker/judge/a.hpp:2: what judge/ declares is in the namespace tracker::judge'
  room-namespaces     tracker/judge/a.cpp   'namespace tracker::judges {\n}\n'     'tracker/judge/a.cpp:1: what judge/ declares'
  room-namespaces     tracker/judge/a.hpp   'int a();\n'                           'tracker/judge/a.hpp:1: the header declares nothing in the namespace'
  room-namespaces     tracker/base/a.hpp    'namespace other {\n}\n'              'tracker/base/a.hpp:1: the header declares nothing in the namespace'
  file-length         tracker/base/long.hpp "$(printf '//%.0s\\n' {1..601})"       'tracker/base/long.hpp:601: 601 lines'
  small-subjects      script/lib/small_subjects.tsv '\ntracker/base/a.hpp\twhy\n'  'small_subjects.tsv:2: tracker/base/a.hpp needs no reason'
  room-figures        tracker/base/b.hpp    'int b();\n'                           'docs/architecture.md:1: base/ has 3 files and 100 lines'
  machine-paths       docs/a.md             'line\nsee `/ho''me/me/x`\n'           'docs/a.md:2: a path of one machine'
  no-shell            tracker/base/a.cpp    'int f() { return std::system("ls"); }\n'  'tracker/base/a.cpp:1: no shell'
  no-shell          bench/a.cu            '\nauto* p = popen ("ls", "r");\n'     'bench/a.cu:2: no shell'
  all-built           tracker/base/a.cpp    'int a;\n'                             'a.cpp:1: not named in tracker/base/CMakeLists.txt'
  all-built           kernels/gemm/a.cu     '\n'                                   'kernels/gemm/a.cu:1: not named in kernels/'
  all-built           tests/base/a_test.cpp 'int a;\n'                             'tests/base/a_test.cpp:1: not named in tests/CMakeLists.txt'
  public-comments     kernels/a.hpp         '#pragma once\n'                           'kernels/a.hpp:1: the header does not begin with a comment'
  public-comments     bench/kit/a.hpp       '// A.\n\nint f();\n'                      'bench/kit/a.hpp:3: f has no comment'
  public-comments     tracker/protocol/a.hpp '// A.\n\n// B.\nint f();\n\ntemplate <typename T>\nT g(\n    T x);\n'  'a.hpp:6: g has no comment'
  public-comments     kernels/a.hpp         '// A.\n\nstruct B {\n  int c = 0;\n};\n'  'kernels/a.hpp:3: B has no comment'
  public-comments     kernels/a.hpp         '// A.\n\nenum class B { kC };\n'          'kernels/a.hpp:3: B has no comment'
  public-comments     kernels/a.hpp         '// A.\n\nusing B = int;\n'                'kernels/a.hpp:3: B has no comment'
  public-comments     kernels/a.hpp         '// A.\n\ninline constexpr int kB = 1;\n'  'kernels/a.hpp:3: kB has no comment'
  public-comments     kernels/a.hpp         '// A.\n\n// B.\nclass B {\n public:\n  int c(int d = {}) const;\n};\n'  'kernels/a.hpp:6: c has no comment'
  public-comments     kernels/a.hpp         '// A.\n\n// B.\nstruct B {\n  double length = 0;\n};\n'  'kernels/a.hpp:5: length has no unit'
  public-comments     kernels/a.hpp         '// A.\n\n// B.\nvoid f(int timeout);\n'  'kernels/a.hpp:4: timeout has no unit'
  public-comments     kernels/a.hpp         '// A.\n\n// B.\nstd::map<int, double> f();\n'  'kernels/a.hpp:4: f has no unit'
  public-comments     kernels/a.hpp         '// A.\n\n// B.\ninline int f(int b) {\n  if (b < 0) throw b;\n  return b;\n}\n'  'kernels/a.hpp:4: f throws'
  public-comments     kernels/a.hpp         '// A.\n\n// B.\nvoid f(const float* in);\n'  'kernels/a.hpp:4: in has no comment that gives the shape'
  links               docs/a.md             'line\n\n[b](b.md)\n'                    "docs/a.md:3: there is no 'docs/b.md'"
  links               docs/a.md             '# A *b*\n[c](#a-b), [d\ne](#e)\n'      "docs/a.md:3: 'docs/a.md' has no heading '#e'"
  links               docs/a.md             '<img src="a.png">\n'                    "docs/a.md:1: there is no 'docs/a.png'"
  workflow-rules    .github/workflows/a.yml "$(workflow '' "$t" 'run: a')"       'a.yml:1: no permissions at the top'
  workflow-rules    .github/workflows/a.yml "$(workflow 'permissions: write-all' "$t" 'run: a')"  'a.yml:2: permissions: write-all'
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t"$'\n    permissions: write-all' 'run: a')"  'a.yml:7: permissions: write-all'
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" '' 'run: a')"       "a.yml:4: job 'a' has no timeout-minutes"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" "run: echo $expression")"  'a.yml:8: an expression inside run'
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t"$'\n    container: debian:12' 'run: a')"  "a.yml:7: the image 'debian:12' is pinned by no digest"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t"$'\n    services: {a: {image: postgres:15}}' 'run: a')"  "a.yml:7: the image 'postgres:15' is pinned by no digest"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" 'uses: actions/cache@v4')"       "a.yml:8: 'actions/cache@v4' is pinned by no"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" 'uses: docker://alpine')"        "a.yml:8: 'docker://alpine' is pinned by no"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" "{uses: $checkout, with: {persist-credentials: false}}")"  'lacks the comment'
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" "uses: $checkout  # v4.3.1")"    'a.yml:8: checkout without a word on persist-credentials'
  workflow-rules    .github/workflows/a.yml 'on: [push, pull_request_target]\npermissions: {}\n'  'a.yml:1: pull_request_target'
  workflow-rules    .github/workflows/a.yml 'on: [push\n'                        'a.yml:1: cannot be read'
  workflow-rules    .github/workflows/a.yml "$(workflow 'permissions: {contents: write}' "$t" "{uses: $cache}  # v4.3.0")"  "a.yml:8: job 'a' may write and uses a cache"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t"$'\n    permissions: {contents: write}' "{uses: ./caching}")"  "a.yml:9: job 'a' may write and uses a cache"
  workflow-rules    tools/action.yml      "$(action 'run: a')"                   'tools/action.yml:5: a step of an action names its shell'
  workflow-rules    tools/action.yml      "$(action "{shell: bash, run: '$expression'}")"      'tools/action.yml:5: an expression inside run'
  workflow-rules    tools/action.yml      "$(action 'uses: ../a')"               "action.yml:5: '../a' is pinned by no"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" 'uses: ./b')"  "a.yml:8: there is no './b/action.yml'"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" '{uses: ./good, with: {a: 1, b: 2}}')"  "a.yml:8: './good' has no input 'b'"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" 'uses: ./good')"  "a.yml:8: './good' needs the input 'a'"
  workflow-rules    .github/workflows/a.yml "$(workflow "$p" "$t" "{uses: ./good, id: x, with: {a: '${said}d }}'}}")"  "step 'x' has no output 'd'"
  actionlint        .github/workflows/a.yml "$(workflow "$p" "$t" 'runs: a')"    'a.yml:8:9: unexpected key "runs"'
  actionlint        .github/workflows/a.yml "$(workflow "$p" '    needs: b' 'run: a')"  'a.yml:4:3: job "a" needs job "b" which does not exist'
  actionlint        .github/workflows/a.yml "$(workflow "$p" '    concurrency: {group: a, queues: max}' 'run: a')"  'unexpected key "queues"'
  actionlint        .github/workflows/a.yml 'on: push\njobs: {a: {runs-on: gpus, steps: [{run: a}]}}\n'  'label "gpus" is unknown'
)

# Every rule accepts the good repository, and finds what is planted there, before and after it is committed.
case_house_rules() {
  make_repository
  local row lint file last=
  for ((row = 0; row < ${#house_rules[@]}; row += 4)); do
    lint=${house_rules[row]} file=${house_rules[row + 1]}
    if [[ $lint != "$last" ]]; then
      expect_rc 0 script/lint "$lint"
      expect_output "passed  $lint"
    fi
    mkdir -p "$(dirname "$file")"
    # shellcheck disable=SC2059  # the table holds formats
    printf "${house_rules[row + 2]}" >"$file"
    expect_rc 1 script/lint "$lint"
    expect_output "${house_rules[row + 3]}"
    expect_output "failed  $lint"
    if [[ $lint != "$last" ]]; then
      git add "$file"
      expect_rc 1 script/lint "$lint"
      git rm -q --cached "$file"
    fi
    rm "$file"
    last=$lint
  done
  # What only looks like a finding.
  printf '// popen("x")\nauto text = "\\"; system(\\"ls\\")";\nint f(Filesystem& s) { return s.system(); }\n#include "tracker/report/CLI/a.hpp"\n' \
    >tracker/base/good.cpp
  printf 'https://example.org/home/x and build/work/x\n' >README.md
  # shellcheck disable=SC2016  # code of a page
  printf '%s\n' '`[a](b)` [c](https://example.org/#d) [e](#f-g-1)' '```' '[h](i)' '```' '## F g' '## `F` [g](README.md)' >a.md
  # shellcheck disable=SC2059  # a format
  printf "$(workflow "$p" "$t"$'\n    concurrency: {group: a, queue: max}' "uses: $checkout  # v4.3.1
        with: {persist-credentials: false, ref: '$expression'}
      - {id: x, uses: ./good, with: {a: 1}}
      - {run: a, env: {a: '${said}c }}'}}")" >.github/workflows/a.yml
  expect_rc 0 script/lint no-shell headers-in-modules machine-paths links workflow-rules actionlint
}

# Public is also what another room includes, and a function throws where its source does. What says all of it passes.
case_public_comments() {
  make_repository
  mkdir tracker/app
  printf '// A.\n\nint f(int, double time_s);\n' >tracker/base/a.hpp
  printf '#include "tracker/base/a.hpp"\n[[noreturn]] void fail() { throw 1; }\nint f(int a, double b) {\n  fail();\n}\n' \
    >tracker/base/a.cpp
  expect_rc 0 script/lint public-comments
  echo '#include "tracker/base/a.hpp"' >tracker/app/a.cpp
  expect_rc 1 script/lint public-comments
  expect_output 'tracker/base/a.hpp:3: f has no comment'
  expect_output 'tracker/base/a.hpp:3: f throws, and no comment says which error'
  cat >tracker/base/a.hpp <<'END'
// What a header shows: "int g();" is a text, and /* no */ declaration.
#pragma once
#define F(x) \
  int f##x(double length);
struct Before;

// kUsage where `time_s` is below zero.
int f(int number, double time_s);
int f(int number);  // of one group

namespace detail {
int g(double length);
}

// A point, in pixels.
struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};
Point nearest(const std::vector<Point>& points);

struct Size {
  double area = 0;    // in square units,
                      // of the screen
  double (*of)(double) = nullptr;
  double width() const { return 1; }
};

// Owns a file.
class File {
 public:
  explicit File(int handle);
  ~File();
  int handle() const { return handle_; }

 private:
  void close(double when);
  int handle_ = 0;
};
END
  expect_rc 0 script/lint public-comments
  # shellcheck disable=SC2016  # a comment's code
  sed -i 's,^// kUsage where.*,// The seconds of `time_s`\, counted.,' tracker/base/a.hpp
  expect_rc 1 script/lint public-comments
  expect_output 'tracker/base/a.hpp:8: f throws, and no comment says which error'
}

case_lint_usage() {
  make_repository
  expect_rc 2 script/lint no-such-lint
  expect_output "'no-such-lint' is neither"
  expect_rc 2 script/lint --tally
  expect_rc 0 script/lint --tally tally.tsv no-shell file-length
  [[ $(cut -f 1,2 tally.tsv) == $'passed\tlint: file-length\npassed\tlint: no-shell' ]] || fail "$(cat tally.tsv)"
  rm -rf .git
  expect_rc 4 env GIT_CEILING_DIRECTORIES="$PWD/.." script/lint no-shell
}

# A newer release of the distribution lacks clang-format 14: others judge differently.
case_lint_skips_what_the_release_lacks() {
  make_repository
  sed -i 's/^llvm_version=.*/llvm_version=0/' script/lint
  # shellcheck disable=SC2016  # the fake's own
  fake apt-cache 'if [ "$2" != clang-format-0 ]; then echo "$2 | 1.0 | main"; fi'
  PATH=$PWD/bin:$PATH
  expect_rc 4 script/lint clang-format no-shell
  expect_output 'this release of the distribution has no clang-format-0'
  expect_output 'skipped  clang-format'
  expect_output 'passed  no-shell'
  expect_rc 0 script/lint --tally tally.tsv clang-format
  [[ $(cat tally.tsv) == $'skipped\tlint: clang-format\tthis release of the distribution has no clang-format-0'* ]] ||
    fail "$(cat tally.tsv)"
  fake apt-cache ''  # its lists are empty
  expect_rc 1 script/lint clang-format
  expect_output 'clang-format 0 is missing'
  expect_output 'failed  clang-format'
}

# The slow lints look at what changed: since the remote's main, in the last commit, or since a commit that is named.
case_lint_changed() {
  make_repository
  touch .clang-tidy
  fake cmake 'exit 0'
  # shellcheck disable=SC2016  # the fake's own
  fake clang-tidy-14 'if [ "$1" = --version ]; then echo "LLVM version 14.0.6"; else for last; do :; done; echo "$last" >>tidied; fi'
  PATH=$PWD/bin:$PATH
  unset TRACKER_LINT_BASE
  git config user.name tester
  git config user.email tester@example.org
  for name in first second third; do
    echo "int $name();" >"tracker/base/$name.cpp"
    git add . && git commit -qm "$name"
  done
  expect_tidied() { [[ $(sort tidied | tr '\n' ' ') == "$1" ]] || fail "$1 expected: $(cat tidied)"; rm -rf tidied build/lint; }
  expect_rc 0 script/lint clang-tidy
  expect_tidied 'tracker/base/third.cpp '
  echo 'int fourth();' >tracker/base/fourth.cpp
  git update-ref refs/remotes/origin/main HEAD~2
  expect_rc 0 script/lint clang-tidy
  expect_tidied 'tracker/base/fourth.cpp tracker/base/second.cpp tracker/base/third.cpp '
  expect_rc 0 env TRACKER_LINT_BASE=HEAD script/lint clang-tidy
  expect_tidied 'tracker/base/fourth.cpp '
  expect_rc 0 script/lint --deep clang-tidy
  expect_tidied 'tracker/base/first.cpp tracker/base/fourth.cpp tracker/base/good.cpp tracker/base/second.cpp tracker/base/third.cpp '
  expect_rc 4 env TRACKER_LINT_BASE=no-such-commit script/lint no-shell
  expect_output "'no-such-commit' (TRACKER_LINT_BASE) is no commit here"
}

case_verdict_quality_usage() {
  expect_rc 0 "$repository/script/verdict-quality" --help
  expect_output '--quick'
  expect_rc 2 "$repository/script/verdict-quality" --no-such-option
  expect_output "unknown option '--no-such-option'"
  expect_rc 2 "$repository/script/verdict-quality" --splits
  expect_output '--splits needs a value'
  expect_rc 2 "$repository/script/verdict-quality" missing.tar.xz
  expect_output "'missing.tar.xz' cannot be unpacked"
}

# Runs real tests of every outcome through ctest.
case_tally_counts() {
  # shellcheck source=script/lib/tally.sh
  source "$repository/script/lib/tally.sh"
  cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(outcomes LANGUAGES NONE)
enable_testing()
add_test(NAME passes COMMAND true)
add_test(NAME "fails & <says>" COMMAND false)
add_test(NAME missing COMMAND "${CMAKE_CURRENT_BINARY_DIR}/no-such-program")
add_test(NAME skips COMMAND printf "a_test.cpp:3: Skipped\\nno GPU here\\n\\n[  SKIPPED ] x\\n")
set_tests_properties(skips PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
add_test(NAME disabled COMMAND false)
set_tests_properties(disabled PROPERTIES DISABLED ON)
add_test(NAME set_up COMMAND false)
set_tests_properties(set_up PROPERTIES FIXTURES_SETUP fixture)
add_test(NAME not_set_up COMMAND true)
set_tests_properties(not_set_up PROPERTIES FIXTURES_REQUIRED fixture)
END
  cmake -B build -G Ninja >/dev/null
  local status=0
  ctest --test-dir build --output-junit "$PWD/junit.xml" >/dev/null 2>&1 || status=$?
  tally_ctest tally.tsv cpu junit.xml "$status" 1
  expect_rc 1 tally_report tally.tsv
  expect_output 'failed: cpu: fails & <says>'
  expect_output 'failed: cpu: missing'
  expect_output 'failed: cpu: not_set_up'
  expect_output 'skipped 1: no GPU here'
  [[ ${output##*$'\n'} == '1 passed, 4 failed, 2 skipped' ]] || fail "$output"

  rm tally.tsv
  status=0
  ctest --test-dir build -R passes --output-junit "$PWD/junit.xml" >/dev/null 2>&1 || status=$?
  tally_ctest tally.tsv cpu junit.xml "$status" 1
  expect_rc 0 tally_report tally.tsv
  [[ $output == '1 passed, 0 failed' ]] || fail "$output"
}

# Of a suite that is one test of ctest, each Google Test counts.
case_tally_counts_tests_of_suites() {
  # shellcheck source=script/lib/tally.sh
  source "$repository/script/lib/tally.sh"
  mkdir googletest
  {
    printf '<testcase name="%s" status="run">\n</testcase>\n' Good Sizes/Many
    printf '<testcase name="%s" status="fail">\n</testcase>\n' Mixed Crashed Late
  } >junit.xml
  result() { printf '<testcase name="%s" status="run" result="%s" classname="%s"' "$2" "$3" "$1"; }
  { result Good A completed; echo ' />'; result Good B completed; echo ' />'; } >googletest/Good.xml
  { result Sizes/Many A/1 completed; echo ' />'; } >googletest/Sizes_Many.xml
  {
    result Mixed 'A&lt;B' completed
    printf '>\n<failure message="x"><![CDATA[a\n<testcase name="no" result="completed" classname="one"\n]]></failure>\n</testcase>\n'
    result Mixed C skipped
    printf '>\n<skipped message="x_test.cpp:3&#x0A;no GPU here" />\n</testcase>\n'
    result Mixed D suppressed
    echo ' />'
  } >googletest/Mixed.xml
  { result Late A completed; echo ' />'; } >googletest/Late.xml
  tally_ctest tally.tsv asan junit.xml 8 1
  expect_rc 1 tally_report tally.tsv
  expect_output 'failed: asan: Mixed.A<B'
  expect_output $'failed: asan: Crashed\nfailed: asan: Late'
  expect_output 'skipped 1: no GPU here'
  expect_output 'skipped 1: disabled'
  [[ ${output##*$'\n'} == '4 passed, 3 failed, 2 skipped' ]] || fail "$output"
}

# No results, too few, a status that contradicts them, and nothing at all are failures.
case_tally_refuses() {
  # shellcheck source=script/lib/tally.sh
  source "$repository/script/lib/tally.sh"
  echo '<testsuite></testsuite>' >none.xml
  printf '<testcase name="a" status="run">\n</testcase>\n' >one.xml
  local row
  for row in 'missing.xml 0 1' 'none.xml 0 1' 'one.xml 0 2' 'one.xml 8 1'; do
    rm -f tally.tsv
    # shellcheck disable=SC2086  # three arguments
    tally_ctest tally.tsv cpu $row
    expect_rc 1 tally_report tally.tsv
    expect_output ' 1 failed'
  done
  : >tally.tsv
  expect_rc 1 tally_report tally.tsv
  expect_output '0 passed, 1 failed'
}

# A machine of the given release where dpkg knows of these packages only. Its commands write down how they were called.
fake_machine() {
  local release=$1 installed=$2 user=$3 tool
  printf '%s\n' "$release" >os-release
  fake dpkg-query "echo dpkg-query >>\"$PWD/calls\"; printf '%s' '$installed'"
  fake apt-get "echo apt-get \"\$@\" >>\"$PWD/calls\""
  fake sudo "echo sudo >>\"$PWD/calls\"; exec \"\$@\""
  fake id "echo $user"
  for tool in bash env dirname cat sed; do ln -sf "$(command -v "$tool")" "bin/$tool"; done
  if command -v dpkg >/dev/null; then ln -sf "$(command -v dpkg)" bin/dpkg; fi
  : >calls
}

run_setup() { env -u CUDACXX PATH="$PWD/bin" TRACKER_OS_RELEASE="$PWD/os-release" bash "$repository/script/setup" "$@"; }

debian=$'ID=debian\nVERSION_ID=12\nPRETTY_NAME="Debian 12"'

# Every package that script/setup --dev wants, as dpkg-query would print them.
all_installed() {
  sed -n '/^packages=(/,/^)/p; /^\(pinned\|dev\|demo\|npm\|browser\)_packages=(/p' "$repository/script/setup" |
    sed 's/.*(//; s/).*//' | tr ' ' '\n' | sed '/^$/d; s/$/ installed/'
}

# With the tracker that was built, as TRACKER. What is measured here is bound to the machine: the recorded half is not.
case_demo_shows_every_verdict() {
  expect_rc 0 env PATH="$PATH" "$repository/script/demo" --tracker "$TRACKER" --out "$PWD/demo"
  expect_output '6 regressed, 107 unchanged'
  expect_output '✗ regressed     BM_Transpose/1024'
  expect_output '✓ improved      BM_Find/4096'
  expect_output '+ new           BM_Random/4096'
  expect_output 'likely cause: shared memory'
  [[ $(grep -c '^exit code 1$' <<<"$output") == 2 ]] || fail "$output"
  [[ $(grep -c 'class="comment"' demo/index.html) == 2 ]] || fail 'the page does not have both comments'
  local picture
  while read -r picture; do
    [[ -s demo/$picture ]] || fail "the page shows $picture, which is not there"
  done < <(grep -o 'src="pages/[^"]*' demo/index.html | cut -d'"' -f2)
  grep -q 'src="pages/measured/charts/' demo/index.html || fail 'the page shows no chart'
  mkdir strange
  expect_rc 2 "$repository/script/demo" --tracker "$TRACKER" --out "$PWD/strange"
  expect_output 'name another folder with --out'
}

# A server of its own, wherever one can be started.
case_postgres_demo() {
  if [[ -z $(find /usr/lib/postgresql -maxdepth 3 -name initdb 2>/dev/null) ]]; then
    printf 'script.postgres_demo: Skipped\nno PostgreSQL server is installed: script/setup --dev, or apt-get install postgresql\n'
    exit 77
  fi
  expect_rc 0 "$repository/script/postgres-demo" --tracker "$TRACKER"
  expect_output 'made the tables (schema 2)'
  expect_output '6 runs copied'
  expect_output '1 regressed, 112 unchanged'
  expect_output 'compare prints the same, byte for byte'
  expect_rc 2 "$repository/script/postgres-demo" --trackr x
  expect_output "unknown option '--trackr'"
}

case_setup_does_nothing() {
  fake_machine "$debian" "$(all_installed)" 0
  expect_rc 0 run_setup --dev
  [[ $(cat calls) == dpkg-query ]] || fail "it called: $(cat calls)"
}

case_setup_installs() {
  fake_machine "$debian" "$(all_installed | sed 's/^cmake installed/cmake config-files/; /^libgit2-dev /d')" 0
  expect_rc 0 run_setup
  [[ $(tail -n 2 calls) == *' update'$'\n'*' install -y --no-install-recommends cmake libgit2-dev' ]] || fail "$(cat calls)"
  ! grep -q sudo calls || fail 'root needs no sudo'

  fake_machine $'ID=linuxmint\nVERSION_ID=22\nID_LIKE="ubuntu debian"' "$(all_installed | grep -v '^git ')" 1000
  expect_rc 0 run_setup
  [[ $(grep -c sudo calls) == 2 ]] || fail "$(cat calls)"
}

# A newer release has no clang of the version that all of us use; apt knows nothing before its first update.
case_setup_leaves_out_what_apt_lacks() {
  local clangs
  clangs=$(all_installed | grep -E -- '-14( |-)')
  [[ $clangs == *clang-format-14* ]] || fail "$clangs"
  fake_machine "$debian" "$(all_installed | grep -vF "$clangs")" 0
  fake apt-get "echo apt-get \"\$@\" >>\"$PWD/calls\"; for last; do :; done; if [ \$last = update ]; then : >\"$PWD/known\"; fi"
  fake apt-cache "if [ -e \"$PWD/known\" ]; then case \$2 in *-14 | *-14-*) ;; *) echo \"\$2 | 1.0 | main\" ;; esac; fi"
  expect_rc 0 run_setup --dev
  [[ $(grep apt-get calls) == *' update' ]] || fail "$(cat calls)"

  : >calls
  expect_rc 0 run_setup --dev
  [[ $(cat calls) == dpkg-query ]] || fail "it called: $(cat calls)"

  fake_machine "$debian" "$(all_installed | grep -vF "$clangs" | grep -v '^shellcheck ')" 0
  fake apt-cache "case \$2 in *-14 | *-14-*) ;; *) echo \"\$2 | 1.0 | main\" ;; esac"
  expect_rc 0 run_setup --dev
  [[ $(tail -n 1 calls) == *' install -y --no-install-recommends shellcheck' ]] || fail "$(cat calls)"
}

case_setup_refuses() {
  local some
  some=$(all_installed | grep -v '^git ')
  fake_machine "$debian" "$some" 1000
  rm bin/sudo
  expect_rc 4 run_setup
  expect_output 'run as root: apt-get update && apt-get install -y --no-install-recommends git'

  fake_machine "$debian" "$some" 0
  fake apt-get 'exit 100'
  expect_rc 4 run_setup
  expect_output 'apt failed'

  fake_machine $'ID=debian\nVERSION_ID=11\nPRETTY_NAME="Debian 11"' "$some" 0
  expect_rc 4 run_setup
  expect_output 'Debian 11 is older than 12'
  ! grep -q apt-get calls || fail 'it installed nevertheless'

  fake_machine $'ID=fedora\nVERSION_ID=40\nPRETTY_NAME="Fedora 40"' '' 0
  rm bin/dpkg-query bin/apt-get
  expect_rc 4 run_setup
  expect_output 'Fedora 40 has no apt'
  expect_output 'libgit2-dev'

  expect_rc 2 run_setup --force
  expect_output "unknown option '--force'"
}

case_function=case_${1:-}
declare -F "$case_function" >/dev/null || fail "no case '${1:-}'"
"$case_function"
