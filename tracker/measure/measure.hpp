// One job: all invocations of one side, or of two side by side.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tracker/measure/invoke.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/measure/progress.hpp"

namespace tracker::measure {

// One checkout to measure.
struct Target {
  std::string label;  // "HEAD~1", for messages; empty where there is only one
  std::filesystem::path root;
  std::vector<Binary> binaries;
  SharedPlaces shared;  // a binary that loads files of these is ended, and has failed
  std::string build;    // how it was built, as Software has it; empty: not known
};

constexpr double kLongJobS = 60;  // below that, fewer rounds save nothing

struct Options {
  int invocations = 5;  // rounds: in each, every target's every binary runs once
  // Where nobody has said how many rounds, and the job takes longer than this: fewer, if wall time is a
  // multiple of what is measured (rounds_worth_it()).
  std::optional<double> shorten_above_s;
  int first_round = 1;  // where a job goes on that has had rounds before: it is warm then
  int repetitions = 5;
  double timeout_s = 600;
  std::string filter;
  std::vector<std::string>
      only;                     // names of benchmarks, as tracker has them; empty: all that match the filter
  bool isolate = false;         // every benchmark in a process of its own
  std::uint64_t seed = 0;       // of the order within the rounds
  std::filesystem::path spool;  // the folder that keeps every binary's own JSON
  std::string cpus;             // that benchmarks may run on, as [measure] has it; empty: all
  bool high_priority = false;
  std::vector<Device> boards;     // of one model: rounds are spread over them; empty: where a binary runs
  std::string visible_gpus;       // without `boards`: InvocationSpec::visible_gpus
  std::size_t padding_bytes = 0;  // more of the benchmarks' environment, which moves their stack
  // From then on no round is started, after the first two; what is under way is finished.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::function<void(const std::string&)> tell;  // what a person should know before it is measured
};

// A binary that did not deliver. It is not started again in this job (with `isolate`: for that benchmark).
struct Failure {
  std::string target;
  Binary binary;
  int invocation = 0;  // counted from 1
  std::string what;
  std::string last_output;
  bool ended_badly = false;  // it crashed, or exited with an error
};

struct Measured {
  std::vector<std::vector<formats::BenchmarkFile>> files;  // by target, in the order they ran
  std::vector<Failure> failures;
  bool interrupted = false;
  int next_round = 1;              // where the job can be gone on with
  int excluded = 0;                // invocations in `files` that do not count
  std::string excluded_for;        // in words
  int retakes = 0;                 // invocations made again for them
  std::vector<std::string> notes;  // what a person should be told of how it was measured
  std::string out_of_time;         // which benchmarks were not looked at, in words; empty: all were
  std::vector<Warning> warnings;
  std::vector<bool> incomplete;  // by target: it lacks benchmarks, as it was interrupted
};

// The targets in turn, which first is drawn, so that what drifts over the job meets both alike; invocations
// of one round are pairs. With two targets both measure the same set of benchmarks in one process: what only
// one has gets a process of its own. Disturbed invocations (plan.hpp) and a first round that was
// warming up (plan.hpp) are left out and made again, within bounds, and kept in `files`. What fails is
// noted, and costs no other binary its results. With several boards each measures rounds of its own, both
// targets of a round on the same one; what runs on the CPU is measured before, alone. kUsage where no
// benchmark matches the filter; where there is none of `only`, the files are empty.
Measured measure(const std::vector<Target>& targets, const Options& options,
                 const LocalEnvironment& environment, Progress& progress);

// Adds what was measured later of the same targets.
void append(Measured more, Measured& measured);

}  // namespace tracker::measure
