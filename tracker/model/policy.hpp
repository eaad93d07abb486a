// What tracker.toml says: what is measured, and what is accepted. Reviewed text, as data.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/model/metric.hpp"

namespace tracker {

// What a benchmark must reach, whatever the base did. For a metric where lower is better the limit is the
// most it may be; a share of another benchmark is one of its speed either way: 0.95 of a 1 ms product
// allows 1 / 0.95 ms.
struct Floor {
  double limit = 0;               // in `unit`; with `of`, a share
  std::string unit;               // of the limit, without a prefix: "B/s"; empty for a counter
  std::optional<std::string> of;  // another benchmark of the same run; {1}, {2}, … are segments of the name
  std::string text;               // as it is written: "90% of transpose/copy_row/{3}/{4}"
};

// When a benchmark that is slower with identical machine code fails the build.
enum class SameCode { kReport, kFailInTurn, kFail };

// One [[policy]] table. Of all that match a benchmark, each setting comes from the last that has it.
struct PolicyRule {
  std::string match;  // a glob over benchmark names
  std::optional<std::string> metric;
  std::optional<Better> better;     // for a counter; a built-in metric keeps its own
  std::optional<double> threshold;  // a share: 0.02
  std::optional<SameCode> same_code;
  std::optional<bool> report_only;
  std::optional<bool> may_be_missing;
  std::optional<bool> may_exceed_peak;  // as a benchmark in cache may exceed the memory's bandwidth
  std::optional<std::string> bound;  // a benchmark drawn as a limit; {1}, {2}, … are segments of the name
  std::optional<Floor> floor;
  std::optional<std::string>
      source;  // the file an annotation points at, from the root; segments as in `bound`
};

// One [[waiver]] table: a regression that is accepted, so far and so long.
struct Waiver {
  std::string match;  // a glob over benchmark names
  std::string reason;
  std::string granted;  // a date ("2026-11-20"), or the commit it was granted for
  double ceiling = 0;   // how much worse than the base is accepted: a share
  std::string expires;  // the last day it holds: "2026-12-31"
};

// One [[rename]] table. Both are globs with equally many '*', each of which stands for the same text.
struct Rename {
  std::string from;
  std::string to;
};

struct Policy {
  double confidence = 0.99;  // of all intervals of a report together
  std::vector<PolicyRule> rules;
  std::vector<Waiver> waivers;
  std::vector<Rename> renames;
  std::vector<std::string> asked;  // file names of binaries that are measured only where they are asked for
};

// The policy for one benchmark.
struct Gate {
  Metric metric;
  double threshold = 0.05;
  SameCode same_code = SameCode::kReport;
  bool report_only = false;
  bool may_be_missing = false;
  bool may_exceed_peak = false;
  std::optional<std::string> bound;  // with the segments filled in
  std::optional<Floor> floor;        // likewise
  std::string source;                // likewise; empty where none is named
};

Gate gate_for(const Policy& policy, const Benchmark& benchmark);

// "a/{2}/c" for the name "x/y/z" is "a/y/c"; a segment that is not there is left as it stands.
std::string fill_segments(const std::string& pattern, const std::string& name);

// The segments that a pattern names: {2, 5} for "{2} at {5}".
std::set<std::size_t> segments_in(const std::string& pattern);

// A binary's `when`; kAsked: only where the command line names it.
enum class RunsWhere { kAlways, kGpu, kNoGpu, kAsked };
enum class RunsOn { kAuto, kCpu, kGpu };  // a binary's `device`

struct Binary {
  std::string path;  // relative to the root of the repository, or absolute
  std::vector<std::string> arguments;
  RunsWhere when = RunsWhere::kAlways;
  RunsOn device = RunsOn::kAuto;
};

// One [[sweep]] table: benchmarks of which each is one choice among many, drawn as grids. `rows` and
// `columns` are what a benchmark's row and column are called, in segments of its name; one that is empty is
// found in the names. What is in neither tells the grids apart.
struct Sweep {
  std::string match;  // a glob over benchmark names
  std::string rows;   // "{2}"
  std::string columns;
  std::string row_title;  // "variant"; may be empty
  std::string column_title;
};

// One [[roofline]] table: the work of benchmarks that do not state it, or state other bytes than those that
// must move. Of all that match a benchmark, each formula comes from the last that has it (work_formula.hpp).
struct WorkRule {
  std::string match;  // a glob over benchmark names
  std::string bytes;  // of one iteration; empty: what the benchmark states
  std::string flops;
};

struct MeasureSettings {
  std::vector<std::vector<std::string>> build;  // argument vectors, run in order at the root
  int invocations = 5;
  int repetitions = 5;
  double timeout_s = 600;  // of one invocation
  double build_timeout_s = 3600;
  // Whether what another build left in a worktree is removed before a build: always, or never. Not said:
  // all but CMake's folders, where that build was of another commit.
  std::optional<bool> clean;
  int worktrees = 2;  // builds of so many commits are kept
};

struct ProfileSettings {
  std::vector<std::string>
      skip_kernels;  // functions that the binaries launch for themselves: to fill, to flush
};

// The whole of tracker.toml.
struct Config {
  std::vector<Binary> binaries;
  MeasureSettings measure;
  ProfileSettings profile;
  std::string store_ref = "refs/tracker/v1";
  std::string baselines_directory = "baselines";
  Policy policy;
  std::vector<Sweep> sweeps;
  std::vector<WorkRule> work;
};

}  // namespace tracker
