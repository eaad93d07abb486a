// What tracker.toml says: what is measured, and what is accepted. Reviewed text, as data.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/run.hpp"

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

// What a counter of a benchmark has to be, in every sample: a result that is wrong is no measurement.
struct Requirement {
  // ==, >=, <=
  enum class Relation { kEqual, kLeast, kMost };
  std::string counter;
  Relation relation = Relation::kEqual;
  double value = 0;  // in the counter's unit
  std::string text;  // as it is written: "Passed = 1"
};
// `value`: of the counter, in its unit. NaN meets none.
bool is_met(const Requirement& requirement, double value);
// Counters that say by their usual names whether the result was right, or count what was wrong of it, as a
// requirement; empty for others.
std::optional<Requirement> usual_requirement(const std::string& counter);

// When a benchmark that is slower with identical machine code fails the build.
enum class SameCode { kReport, kFailInTurn, kFail };

// Whether a benchmark is measured where both sides are the same program.
enum class IdenticalCode { kSkip, kMeasure };

// One [[policy]] table. Of all that match a benchmark, each setting comes from the last that has it.
struct PolicyRule {
  std::string match;  // a glob over benchmark names
  std::optional<std::string> metric;
  std::optional<Better> better;           // for a counter; a built-in metric keeps its own
  std::optional<Statistic> statistic;     // of an invocation's repetitions
  std::optional<double> threshold;        // a share: 0.02
  std::optional<Floor> threshold_amount;  // in the metric's unit, in place of a share: "5 ns"
  std::optional<Requirement> require;
  std::optional<bool> same_clock;  // compared at the same clock of the device
  std::optional<SameCode> same_code;
  std::optional<IdenticalCode> identical_code;
  std::optional<bool> report_only;
  std::optional<bool> may_be_missing;
  std::optional<bool> may_exceed_peak;  // as a benchmark in cache may exceed the memory's bandwidth
  std::optional<std::string> bound;  // a benchmark drawn as a limit; {1}, {2}, … are segments of the name
  std::optional<Floor> floor;
  std::optional<std::string> source;  // the file an annotation points at; segments as in `bound`
};

// One [[waiver]] table: a regression that is accepted, so far and so long.
struct Waiver {
  std::string match;  // a glob over benchmark names
  std::string reason;
  std::string granted;  // a date ("2026-11-20"), or the commit it was granted for
  double ceiling = 0;   // how much worse than the base is accepted: a share
  std::string expires;  // the last day it holds: "2026-12-31"; empty: for ever, as of [[accepted]]
  // Of [[accepted]]: the machine changed there, so that levels before and after it say nothing of the code.
  // No ceiling.
  bool machine = false;
};

// One [[rename]] table. Both are globs with equally many '*', each of which stands for the same text.
struct Rename {
  std::string from;
  std::string to;
  bool operator==(const Rename&) const = default;
};

// The [sentinel] table: benchmarks of one commit that stays the same. When they move, the machine moved.
struct SentinelSettings {
  std::string commit;              // empty: there is none
  std::vector<std::string> match;  // globs over its benchmarks; none: a few of them
};

struct Policy {
  double confidence = 0.99;  // of all intervals of a report together
  std::vector<PolicyRule> rules;
  std::vector<Waiver> waivers;
  // The [[accepted]] tables: changes that one commit (`granted`) made, which hold where it lies between both
  // sides.
  std::vector<Waiver> accepted;
  // Of these, the changes of the machine that lie between both sides of a comparison, and with nothing
  // granted those that the sentinel shows.
  std::vector<Waiver> machine_changes;
  std::vector<Rename> renames;
  SentinelSettings sentinel;
  std::vector<std::string> asked;  // labels of binaries that are measured only where they are asked for
};

// The policy for one benchmark.
struct Gate {
  Metric metric;
  double threshold = 0.05;                // a share
  std::optional<Floor> threshold_amount;  // takes the threshold's place: threshold_at()
  std::optional<Requirement> require;
  bool same_clock = false;
  SameCode same_code = SameCode::kReport;
  std::optional<IdenticalCode> identical_code;  // not stated: skip, unless there is a floor to be reached
  bool report_only = false;
  bool may_be_missing = false;
  bool may_exceed_peak = false;
  std::optional<std::string> bound;  // with the segments filled in
  std::optional<Floor> floor;        // likewise
  std::string source;                // likewise; empty where none is named
};

// Whether any benchmark is judged by a percentile of its repetitions: summaries of runs do not have that.
bool needs_repetitions(const Policy& policy);

// The rules that match the benchmark, put together: for each key, the last rule that states it counts.
Gate gate_for(const Policy& policy, const Benchmark& benchmark);

// The threshold as a share of this value of the metric. kUsage where the unit of an amount does not fit the
// metric.
double threshold_at(const Gate& gate, const std::string& benchmark, const std::optional<double>& value);

// Whether the same program on both sides is not measured. A floor asks what the candidate reaches, so that it
// is measured unless the policy states otherwise.
bool skips_identical_code(const Gate& gate);

// "a/{2}/c" for the name "x/y/z" is "a/y/c"; a segment that is not there is left as it stands.
std::string fill_segments(const std::string& pattern, const std::string& name);

// The segments that a pattern names: {2, 5} for "{2} at {5}".
std::set<std::size_t> segments_in(const std::string& pattern);

// A binary's `when`; kAsked: only where the command line names it.
enum class RunsWhere { kAlways, kGpu, kNoGpu, kAsked };
enum class RunsOn { kAuto, kCpu, kGpu };  // a binary's `device`

// A binary is its path and its arguments: with others it is another binary.
struct Binary {
  std::string path;      // relative to the root of the repository, or absolute
  std::string built_as;  // where another commit's build makes it; empty: at `path`
  std::vector<std::string> arguments;
  std::string directory;  // where it runs, relative to the root or absolute; empty: at the root
  RunsWhere when = RunsWhere::kAlways;
  RunsOn device = RunsOn::kAuto;
  std::string prefix;        // put before the names of all its benchmarks
  bool prints_rows = false;  // CSV or JSON lines, on its standard output; it takes no arguments of ours
  std::string label;         // what runs call it, from label_binaries(); empty: its file name
  bool is_part = false;      // arguments of this run alone choose some of its benchmarks
  std::optional<std::vector<std::string>> reads;  // globs: the files of the repository that it reads
};

// Whether both are one path with the same arguments.
bool is_same_binary(const Binary& a, const Binary& b);
// The path and the arguments as one would type them, for messages.
std::string describe(const Binary& binary);
// What runs and messages call it.
std::string label_of(const Binary& binary);
// Gives a label to each that shares its file name with another: its path, and its arguments where the path is
// shared as well.
void label_binaries(std::vector<Binary>& binaries);
// Whether two labels of runs may mean one binary: runs made before labels had paths have file names.
bool may_be_same_binary(std::string_view label, std::string_view other);

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
// must move. Of all that match a benchmark, each formula comes from the last that has it
// (benchmark_name.hpp).
struct WorkRule {
  std::string match;  // a glob over benchmark names
  std::string bytes;  // of one iteration; empty: what the benchmark states
  std::string flops;
};

// "0-3,6" → {0, 1, 2, 3, 6}; empty where it is no such list.
std::vector<int> parse_cpu_list(std::string_view text);

// What `--gpus` takes: this word, a count from 1 on, or UUIDs (or their beginnings) separated by commas.
inline constexpr char kAllGpusWord[] = "all";
bool is_gpu_choice(const std::string& text);
// The count that it asks for; 0 where it asks otherwise.
std::size_t gpu_count_of(const std::string& choice);

// Argument vectors, run in order at the root.
using BuildCommands = std::vector<std::vector<std::string>>;

struct MeasureSettings {
  BuildCommands build;
  int invocations = 5;
  bool says_invocations = false;  // they are said, and not the default
  int repetitions = 5;
  double timeout_s = 600;  // of one invocation
  std::string cpus;        // that benchmarks may run on: "auto", or a list such as "2-3,6"; empty: all
  bool high_priority = false;
  std::string gpus;            // to measure on: "all", a number or UUIDs; empty: what the benchmarks choose
  double lease_wait_s = 3600;  // for another job to leave them
  double build_timeout_s = 3600;
  int build_seed = 0;  // of compare --rebuild: the builds' variable TRACKER_BUILD_SEED; 0: none
  // Whether what another build left in a worktree is removed before a build: always, or never. Not said:
  // all but CMake's folders, where that build was of another commit.
  std::optional<bool> clean;
  int worktrees = 2;      // builds of so many commits are kept
  bool injection = true;  // programs that do not state what they launch are looked into
};

struct ProfileSettings {
  std::vector<std::string> skip_kernels;  // that the binaries launch for themselves: to fill, to flush
};

// What a drift past the threshold makes of `check`.
enum class DriftAction { kFail, kWarn, kIgnore };

// The [drift] table: the loss by a drift, which no single commit made.
struct DriftPolicy {
  DriftAction action = DriftAction::kFail;
  std::optional<double> threshold;  // a share; none: each benchmark's own
  // What the newest commits are compared with.
  bool since_release = true;
  bool since_baseline = true;
  std::vector<int> since_days{30, 90};  // before the newest value
};

// The [notify] table: when `check` posts what it found to a chat. The address is a secret, so that the
// environment alone has it.
enum class Notify { kNever, kFailed, kAlways };

// The whole of tracker.toml.
struct Config {
  std::vector<Binary> binaries;
  MeasureSettings measure;
  ProfileSettings profile;
  std::string store_ref = "refs/tracker/v1";
  std::string store_url;         // of a database in place of the ref; empty: none
  std::string store_repository;  // the history's name in it; empty: the id of the first commit
  std::string baselines_directory = "baselines";
  Policy policy;
  DriftPolicy drift;
  Notify notify = Notify::kNever;
  std::vector<Sweep> sweeps;
  std::vector<WorkRule> work;
};

// Renamed benchmarks: what was measured under an old name belongs to the series of the new one.

// The name with the first rename that matches it, and what that makes of it with the next, until none
// matches; each is used once. Where a '*' could stand for more than one text, it is the shortest.
std::string renamed(const std::string& name, const std::vector<Rename>& renames);

// Takes the run's benchmarks to their new names. One whose new name the run has already keeps its own.
void rename_benchmarks(Run& run, const std::vector<Rename>& renames);

// Takes benchmarks to the names that they have beside those of other runs (SharedNames). Of a run's own
// parts: whether any has another name now.
bool keep_names_apart(std::vector<Benchmark>& benchmarks, std::span<Invocation> invocations,
                      const SharedNames& shared);
void keep_names_apart(Run& run, const SharedNames& shared);
void keep_names_apart(NoiseHistory& history, const SharedNames& shared);

// Whether no run of the history has two benchmarks that would have the same name. Then it does not matter in
// which order they are taken to their new names, which is not known of `times`.
bool keeps_names_apart(const NoiseHistory& history, const std::vector<Rename>& renames);

// Of a history whose names are kept apart.
void rename_benchmarks(NoiseHistory& history, const std::vector<Rename>& renames);

// Likewise what was learned under the old names.
void rename_benchmarks(NoiseModel& noise, const std::vector<Rename>& renames);

// For runs whose benchmarks have been taken to their new names.
Policy without_renames(Policy policy);

// The first rename whose names come back to a rename that they have been through.
std::optional<std::size_t> rename_in_a_circle(const std::vector<Rename>& renames);

}  // namespace tracker
