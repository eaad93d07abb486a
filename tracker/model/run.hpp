// A run: what one job recorded for one commit on one device; what noise is learned from and what a store
// holds, which are many runs. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracker {

// One kernel that an iteration launches, or another operation on the device ("memset", "memcpy").
struct KernelLaunch {
  std::string kernel;             // "smem_padded_kernel"
  std::string grid;               // blocks: "256x256"
  std::string block;              // threads: "32x8"
  std::string cluster;            // blocks: "2x1"; empty without clusters
  std::int64_t shared_bytes = 0;  // dynamic
  bool operator==(const KernelLaunch&) const = default;
};

// Of all kernels that one iteration launches. Every part may be missing: benchmarks of strangers state
// what they know.
struct Code {
  std::string hash;                    // of the machine code, hexadecimal; empty where it is not known
  std::int64_t bytes = 0;              // of machine code
  std::vector<KernelLaunch> launches;  // in their order
  std::map<std::string, std::int64_t> instructions;  // how many of each are in the code: {"FFMA": 512}
  std::string why_no_hash;  // in words, where it is known why: "compiled by the driver from PTX"
  bool operator==(const Code&) const = default;
};

// Both are known, and neither the code nor the way it is launched differs.
bool is_same_code(const Code& a, const Code& b);

// What two invocations of one benchmark say, put together. Where they disagree the code is not known: there
// is no hash, why_no_hash says so, and launches stay only where both have the same.
std::optional<Code> common_code(const std::optional<Code>& a, const std::optional<Code>& b);

// Where and under which conditions something was measured. Plain data; what is not known is absent.

// Histories of the two are never compared.
enum class DeviceKind { kCpu, kGpu };

// A GPU, or the CPU where a benchmark runs on none.
struct Device {
  DeviceKind kind = DeviceKind::kCpu;
  std::string model;                              // "NVIDIA H200"
  std::optional<std::string> uuid;                // of the board: a fact about the run, not part of the key
  std::optional<std::string> compute_capability;  // "9.0"
  std::optional<std::string> mig_profile;         // "1g.18gb"
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> l2_bytes;
  std::optional<int> core_count;  // streaming multiprocessors, or CPU threads
  std::optional<bool> ecc;
  std::optional<double> power_limit_w;
  std::optional<double> memory_clock_mhz;  // the clocks that the peaks below are stated for
  std::optional<double> core_clock_mhz;
  std::optional<double> peak_bytes_per_second;  // theoretical
  std::optional<double> peak_flops;             // theoretical, FP32 on the FP32 pipes
};

// What histories are kept apart by, fit for a path and a file name: model, memory, power limit and MIG
// profile of a GPU ("nvidia-h200-140gib-700w"), model and threads of a CPU ("cpu-intel-xeon-6960p-2t").
std::string device_key(const Device& device);

// Enough of a board's UUID to tell it from the others of a machine: "GPU-5d7fcfd0".
std::string short_uuid(const std::string& uuid);

// Stands between the flags and the files in Software::build.
inline constexpr char kBuildFilesMark[] = " | ";

struct Software {
  std::optional<std::string> driver;        // "580.159.04"
  std::optional<std::string> cuda_driver;   // the newest CUDA the driver knows: "13.0"
  std::optional<std::string> cuda_runtime;  // the one the binary was built with
  std::optional<std::string> cublas;
  std::optional<std::string> compiler;
  std::optional<std::string> flags;
  std::optional<std::string> build_type;
  std::optional<std::string> library;  // the release of Google Benchmark: "1.9.1", "1.9.5-40-g0123abc"
  std::optional<std::string> build;    // commands, and after kBuildFilesMark files: "a.sh 1a2b3c4"

  bool operator==(const Software&) const = default;
};

struct Host {
  std::string name;
  std::optional<std::string> cpu;
  std::optional<int> cpu_count;
  std::optional<std::string> os;
  std::optional<double> cpu_mhz;
  std::optional<std::string> caches;  // "L1 32 KiB, L3 32 MiB"
  std::optional<bool> cpu_scaling;    // the clock follows the load, so that cpu_mhz tells nothing
};

// What shows that two hosts are not one machine, whatever they are called: "4 → 64 CPUs". Empty where nothing
// does.
std::string machines_apart(const Host& base, const Host& candidate);

// What the device did during one invocation, over all of its readings.
struct Conditions {
  std::optional<double> core_clock_mhz_min;
  std::optional<double> core_clock_mhz_max;
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_c_max;
  std::optional<double> throttled_s;          // time the clocks were held down, in all
  std::vector<std::string> throttle_reasons;  // "power_cap", "sw_thermal", …
  std::optional<int> other_processes;         // most seen at once on the GPU beside the benchmark
  std::optional<double> load_average;  // number of processes that want a CPU, of the host, at the start

  // Something was seen that makes the numbers doubtful. The power cap alone is none: a full-speed GEMM
  // meets it on a healthy GPU, every time alike.
  bool disturbed() const;
};

// Why an invocation's samples do not count.
enum class ExclusionReason {
  kNone,  // they count
  kWarmUp,
  kOtherProcess,
  kThrottled,
  kLowClocks,
  kPairDisturbed,    // the other half of its pair is excluded
  kPairInterrupted,  // its pair has no other half
  kOther             // as a document says that another version of tracker wrote
};

struct Exclusion {
  ExclusionReason reason = ExclusionReason::kNone;
  std::string detail;  // throttled: "sw_thermal"; low clocks: which; other: all that the document says

  explicit operator bool() const { return reason != ExclusionReason::kNone; }
  bool operator==(const Exclusion&) const = default;
};

// As documents and people have it: "throttled: sw_thermal"; empty where nothing is excluded.
std::string exclusion_in_words(const Exclusion& exclusion);
// What such words mean.
Exclusion exclusion_of(const std::string& words);

// The clock a benchmark's own rates refer to: Google Benchmark's UseManualTime, UseRealTime, or neither.
// kNone: it is not timed, its times are 0, and its values are the counter kStatedValue.
enum class TimeBase { kManual, kReal, kCpu, kNone };

// The counter that holds the values of a benchmark that is not timed.
inline constexpr const char* kStatedValue = "value";

// What is the same for every sample of one benchmark.
struct Benchmark {
  std::string name;    // "transpose/smem_padded/f32/8192x8192": the run name without method suffixes
  std::string binary;  // the binary that has it: label_of() it
  TimeBase time_base = TimeBase::kCpu;
  std::string unit;             // of its values, where it is not timed: "MB"
  std::string better;           // likewise: "lower" or "higher"
  std::optional<int> instance;  // of its family, from the second on: those of other arguments or threads
  std::map<std::string, std::string> attributes;  // the suffixes split off: {"iterations": "10"}
  std::optional<double> bytes_per_iteration;
  std::optional<double> flops_per_iteration;
  std::optional<double> items_per_iteration;
  std::map<std::string, double> counters;  // equal in all samples, in their own units: registers, …
  std::optional<Code> code;                // of the kernels it launches
  std::string host_code;                   // written by earlier versions, and not used
  std::optional<std::string> error;        // what it said instead of measuring
  std::optional<bool> skipped;             // true: it did not want to be measured, and `error` says why
};

// Marks a benchmark that did not want to be measured.
void skip(Benchmark& benchmark, const std::string& why);

// One benchmark in one invocation; every vector has one entry a repetition, in the order they ran.
struct Samples {
  std::vector<double> real_time_ns;  // per iteration; the manual time where there is one
  std::vector<double> cpu_time_ns;   // per iteration
  std::vector<std::int64_t> iterations;
  std::map<std::string, std::vector<double>> counters;  // those that vary, in their own units
  // Where a few values stand for all repetitions (tracker/summary/packed_run.hpp): how many there were. Then
  // the fewest and the most stand for their iterations, in one invocation for all, and the vectors need not
  // be as long as each other.
  std::size_t repetitions = 0;
};

// The number of repetitions, also where a few values stand for all of them.
std::size_t repetition_count(const Samples& samples);

// A number above zero to about a tenth, in a byte: one more than four times its logarithm to base 2. 0: not
// known.
std::uint8_t rough(double number);
double from_rough(std::uint8_t number);

// How many values stand for the times of so many repetitions: the least, and the one or two in the middle.
constexpr std::size_t kept_times(std::size_t repetitions) {
  if (repetitions <= 2) return repetitions;
  return repetitions % 2 == 0 ? 3 : 2;
}

// Where a benchmark has samples in a run, and how many repetitions it had there.
struct SampledInvocation {
  std::uint32_t invocation = 0;  // counted from 0
  std::uint32_t repetitions = 0;
  bool operator==(const SampledInvocation&) const = default;
};

// One execution of one binary. Where its library cannot interleave repetitions: that many executions of one
// repetition each, one after the other.
struct Invocation {
  std::string binary;
  int executions = 1;
  std::string started_at;  // UTC, ISO 8601: "2026-11-20T12:49:01Z"
  double length_s = 0;
  int round = 0;       // counted from 1: in a job with two sides, those of one round are pairs; 0: not known
  int build = 0;       // counted from 1, where its side was built several times (compare --rebuild); 0: once
  std::string board;   // the GPU's UUID, where the run is of several boards; empty: the run's device
  Exclusion excluded;  // why its samples do not count, where they do not
  Conditions conditions;
  std::map<std::string, Samples> samples;  // by benchmark name
};

// A binary that did not deliver all its invocations.
struct BinaryFailure {
  std::string binary;
  std::string what;  // "was killed by signal 11 (Segmentation fault) in invocation 3"
};

// Benchmarks that a job did not measure, as their program is the one of another commit: docs/reasons.md.
struct SameProgramAs {
  std::string commit;
  std::vector<std::string> benchmarks;  // as the binaries name them
  std::optional<double> saved_s;        // what measuring both sides would have taken
};

// What is known of a binary that was measured, beside its kernels: docs/reasons.md.
struct Program {
  std::string whole;   // a hash of all that is loaded
  std::string around;  // written by earlier versions, and not used
  bool operator==(const Program&) const = default;
};

// What a document had before tracker store compact made one without single repetitions of it.
struct CompactedFrom {
  std::int64_t samples = 0;  // repetitions of all benchmarks and invocations
  std::int64_t bytes = 0;    // of its text
};

// Which of its benchmarks a run was asked for.
struct RunSelection {
  std::string expression;  // as --filter has it; empty: all of them, or more names than an expression takes
  int named = 0;           // benchmarks that were chosen by name, not by the user's expression; 0: none

  bool operator==(const RunSelection&) const = default;
  bool is_all() const { return expression.empty() && named == 0; }
};

struct Run {
  std::string id;          // sorts by time, and is unique: "20261120T124901Z-3f9a0c1e"
  std::string job;         // the same for all runs measured side by side in one job
  std::string commit;      // 40 hexadecimal digits; empty for files that belong to none
  bool dirty = false;      // the working tree had changes that the commit has not
  RunSelection selection;  // which benchmarks were asked for: what it lacks of others is not missing
  bool isolated = false;   // every benchmark had a process of its own
  bool sentinel = false;   // it measured the machine by code that stays the same: no value of its commit
  std::vector<int> interim_analyses;  // rounds after which a confirming job was judged; empty: at its end
  std::string started_at;
  double length_s = 0;
  Device device;
  Software software;  // of the first binary; what it does not state, of the first that does
  Host host;
  std::vector<Benchmark> benchmarks;                // in the order of the binaries' own lists
  std::vector<Invocation> invocations;              // in the order they ran
  std::map<std::string, Software> binary_software;  // by binary, of those that state another one
  std::map<std::string, Program> programs;          // by binary, where it is known
  std::vector<BinaryFailure> failures;
  std::vector<std::string> aggregates_only;  // benchmarks without single repetitions to judge by
  std::optional<SameProgramAs> same_program;
  std::optional<CompactedFrom> compacted;  // its samples are a few values each: see Samples::repetitions
  std::vector<std::uint32_t> by_name;      // places of `benchmarks` in the order of names: index_benchmarks()
};

// "12 benchmarks", "what matches 'gemm/.*'"; empty where all were asked for. Not yet printable.
std::string selection_in_words(const RunSelection& selection);

// Most invocations that any benchmark has, of those that count: what a person means by a run's invocations.
int invocation_count(const Run& run);

// What was stated with this benchmark: by its binary, or else of the run.
const Software& software_of(const Run& run, const Benchmark& benchmark);

// The fewest and the most iterations that any of its repetitions had; zeros where none states any.
struct IterationRange {
  std::int64_t fewest = 0;
  std::int64_t most = 0;
};
IterationRange iterations_in(const Run& run, const std::string& benchmark);

// What counts of a benchmark in an invocation; null where it is excluded or has nothing of it.
const Samples* counted_samples(const Invocation& invocation, const std::string& benchmark);

// The times that the benchmark's rates refer to, one a repetition.
const std::vector<double>& times_of_base(const Samples& samples, TimeBase base);

// What runs that were measured side by side share: the job, or the run's own id.
const std::string& job_or_id(const Run& run);

// Makes find_benchmark() fast. Whoever changes names or the order of `benchmarks` calls it again.
void index_benchmarks(Run& run);

// The boards that its invocations ran on, each once, in the order of their names: the run's own, or those of
// a job that used several. Empty where none is known.
std::vector<std::string> boards_of(const Run& run);

// Null where there is none of that name. Looks through all where the run has no index.
const Benchmark* find_benchmark(const Run& run, const std::string& name);

// What a profiler's hardware counters said of a commit's benchmarks; no time in it is a sample.
struct ProfiledBenchmark {
  std::string name;                        // as in the runs: "transpose/smem_padded/f32/8192x8192"
  std::string kernel;                      // the one whose counters these are: "smem_padded_kernel"
  int launches = 0;                        // that were counted; values are their medians
  std::map<std::string, double> counters;  // by ncu's own metric name, in base units
};

struct Profile {
  std::string id;      // as a run's
  std::string commit;  // 40 hexadecimal digits
  bool dirty = false;
  std::string started_at;  // UTC, ISO 8601
  std::string profiler;    // "ncu 2025.3.1"
  Device device;
  Software software;
  std::vector<ProfiledBenchmark> benchmarks;
};

// Null where there is none of that name.
const ProfiledBenchmark* find_benchmark(const Profile& profile, const std::string& name);

// A commit, as it is shown and named.
struct Commit {
  std::string id;       // 40 hexadecimal digits
  std::string subject;  // the first line of its message
  std::string author;
  std::string date;  // of the committer, UTC, ISO 8601
};

// As people read it: "1a2b3c4".
std::string short_id(const std::string& commit);
// As commands, branches and folders name it, which have to find it again: "1a2b3c4d5e".
std::string lasting_id(const std::string& commit);
// "1a2b3c4 Subject", printable.
std::string describe(const Commit& commit);

// The times of one benchmark in several runs. Of a history whose runs have all benchmarks alike, that is much
// less than a Benchmark and its Samples in each run.
struct BenchmarkTimes {
  struct InRun {
    std::uint32_t run = 0;    // its place in NoiseHistory::runs; larger than that of the one before
    std::uint32_t shape = 0;  // a place in `shapes`
    std::uint32_t first = 0;  // of its times: kept_times() for each invocation of the shape, in turn
  };

  Benchmark benchmark;  // the same in all of these runs
  std::vector<InRun> in_runs;
  std::vector<std::vector<SampledInvocation>> shapes;
  std::vector<double> real_time_ns;
  std::vector<double> cpu_time_ns;
};

// What noise is learned from: a device's runs.
struct NoiseHistory {
  NoiseHistory() = default;
  NoiseHistory(std::vector<Run> all) : runs(std::move(all)) {}  // NOLINT(google-explicit-constructor)

  std::vector<Run> runs;
  std::vector<BenchmarkTimes> times;  // of the benchmarks that the runs do not have themselves
  int jobs_not_read = 0;              // that lie between both sides, and are older than these runs
};

// Those of its runs that fit, in their order.
NoiseHistory keep_runs(NoiseHistory history, const std::function<bool(const Run& run)>& fits);

// Those of the machine that measured this run, where machines that are apart go by its device's name: what
// machines differ by is no noise of one. Nothing where no run is of another. Of a GPU's runs the processor
// beside it tells nothing.
std::optional<NoiseHistory> of_one_machine(const NoiseHistory& history, const Run& run);

// A variance of logarithms, with the degrees of freedom that stand behind it; degrees 0: not known.
struct NoiseVariance {
  double value = 0;
  double degrees = 0;
};

struct BenchmarkNoise {
  NoiseVariance invocation;   // of one invocation around its job's mean
  NoiseVariance successive;   // of the difference of two invocations that follow one another in a job
  NoiseVariance same_board;   // of one job's offset, on the same board on another day
  NoiseVariance other_board;  // likewise, on another board of the model
  std::string metric;         // whose noise it is
};

// What earlier runs showed of the noise of each benchmark on a device: learned by judge/ from runs, kept with
// a baseline, and used by judge/ where a comparison's own data is short.
struct NoiseModel {
  std::map<std::string, BenchmarkNoise> benchmarks;  // by name
  int jobs = 0;                                      // that it was learned from
};

struct DeviceStats {
  std::string device;  // its key
  std::size_t runs = 0;
  std::size_t commits = 0;  // with runs
  std::string newest;       // run: "2026-11-20T12:49:01Z"; its id where that states no time
};

// Of all documents, dropped ones as well.
struct DocumentSizes {
  std::size_t runs = 0;
  std::size_t others = 0;
  std::uint64_t run_bytes = 0;  // as text
  std::uint64_t other_bytes = 0;
  std::size_t not_here = 0;                   // left out by a partial clone; not counted above
  std::optional<std::uint64_t> packed_bytes;  // their bodies in a database
};

// What git keeps for a whole repository: code and store.
struct GitDisk {
  std::size_t loose_objects = 0;
  std::size_t packed_objects = 0;
  std::size_t packs = 0;
  std::uint64_t loose_bytes = 0;
  std::uint64_t packed_bytes = 0;
};

// The samples of some runs without all that is stored around them: eight bytes a number.
struct SampledRuns {
  std::size_t runs = 0;
  std::size_t samples = 0;
  std::uint64_t text_bytes = 0;  // of these runs' documents
  std::uint64_t number_bytes = 0;
  std::uint64_t compressed_bytes = 0;  // of the numbers, by zlib, each run by itself
};

// What readers see, unless something else is said: what was dropped is counted apart.
struct StoreStats {
  std::string store;  // in words
  std::size_t runs = 0;
  std::size_t profiles = 0;
  std::size_t tombstones = 0;
  std::size_t others = 0;            // files that are not of tracker
  std::size_t commits = 0;           // with runs
  std::string oldest;                // run, as DeviceStats::newest; empty where there is none
  std::string newest;                // likewise
  std::vector<DeviceStats> devices;  // in the order of their keys
  DocumentSizes documents;
  SampledRuns sampled;
  std::optional<GitDisk> git;                  // none for a database
  std::optional<std::uint64_t> summary_bytes;  // the file that histories are read from; none: not made yet
};

}  // namespace tracker
