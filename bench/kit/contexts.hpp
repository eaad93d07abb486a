// What a kernel gave in several CUDA contexts, one after the other: how well their mean is known, and the
// repetition that they are together. Pure: neither CUDA nor Google Benchmark's state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/kit/counters.hpp"

namespace tracker::kit {

// What a kernel gave in several CUDA contexts, one after the other: how well their mean is known, and the
// repetition that they are together. Pure: neither CUDA nor Google Benchmark's state.

// What a kernel gave in one CUDA context, or why it gave nothing.
struct Outcome {
  std::string error;
  Measured measured;
  benchmark::UserCounters conditions;
  std::optional<double> overhead_s;  // of a launch
};

// The mean of a kernel's contexts is known well enough where its standard error is no larger. Contexts of one
// kernel differ by 0.1 to 0.4 % (standard deviation), at most by 1.1 % (cuBLAS TF32 1024³).
inline constexpr double kStandardErrorMax = 0.0025;
// Times that lie farther apart are measured again also where they agree at the same clock: one context in a
// thousand is 2 to 13 % off.
inline constexpr double kContextSpreadMax = 0.02;
// Of a process: a further context takes 0.3 s.
inline constexpr int kFurtherContextsMax = 5;

// How many of so many values are left out at each end: a fifth.
std::size_t trimmed_at_each_end(std::size_t count);

// Of the mean of what trimmed_at_each_end() leaves, as a share of it; infinite for fewer than two values.
// (Tukey and McLaughlin 1963, "Less vulnerable confidence and significance procedures for location": the
// values left out count as if each were as far out as what is left goes.)
double standard_error(std::span<const double> values);

// The largest less the smallest time, as a share of the median; 0 for one context.
double spread_of(std::span<const Outcome> contexts);

// Whether a repetition needs no further context: its mean time is known well enough, or it is at the same
// clock and no time is far off. How far a kernel follows the clock is its own: its times are taken to fall
// with the clock as they are, with its square root, or in proportion to it. Where that makes them agree, the
// clock makes the difference; it lasts for seconds, so that a few contexts more would not average it. True of
// fewer than two contexts, and where one has an error: measuring again would not take it away.
bool contexts_suffice(std::span<const Outcome> contexts);

// What a suite that exists measured for one repetition. Google Benchmark calls its function with 1 iteration,
// then with more, until they take long enough: only the last call counts. Each call has a stream, and mostly
// memory, of its own, which move a time as a context does; so the calls of one search are reported as the
// contexts of a repetition are. Pure.
class CallsOfASearch {
 public:
  // The outcomes to report for this call, the newest one last: of a later call of a search, those of its
  // calls since the second one; otherwise this one alone. `origin` is the same for all calls of one
  // benchmark. Another benchmark of one origin that needs so many more iterations is as much faster.
  std::span<const Outcome> add(const void* origin, std::int64_t iterations, const Outcome& outcome);

 private:
  const void* origin_ = nullptr;
  std::int64_t iterations_ = 0;
  double mean_s_ = 0;  // of the first call
  std::vector<Outcome> outcomes_;
};

// A repetition of several contexts: the first error, or means and conditions_of() of those whose times count.
// The fastest and the slowest ones (trimmed_at_each_end) are left out with all that they say, as many on
// either side, so that neither side of a comparison gains. The last `further` were measured as the others did
// not suffice.
Outcome repetition_of(std::span<const Outcome> contexts, int further);

// Runs benchmarks by passes: in each, every benchmark is measured once. A repetition is one pass, or several
// that follow one another, whose outcomes are reported together. Repetitions whose outcomes do not suffice
// are measured again, in further passes after all others.
//
// Google Benchmark runs one benchmark after the other, or mixes their repetitions at random. What is made
// anew for every repetition of every benchmark must be cheap; made anew for every pass, it may cost. So
// Google Benchmark is asked what it would run, that is measured by passes, and then it runs again and is told
// the outcomes: its options, reporters and statistics are its own.

// Outcome: what one pass gives of one benchmark.
template <typename Outcome>
class Passes {
 public:
  // Measures one benchmark once.
  using Measure = std::function<Outcome()>;
  // States a repetition, by the outcomes of its passes, to a State that Google Benchmark gives: as if it had
  // just run. The last `further` of them are those of further passes.
  using Report = std::function<void(benchmark::State&, const std::vector<Outcome>&, int further)>;
  struct Pass {
    int number = 0;               // from 2 on
    int planned = 0;              // passes without the further ones
    std::size_t repetitions = 0;  // to measure in it
  };
  // Called before each pass but the first one.
  using BeginPass = std::function<void(const Pass&)>;
  // Whether a repetition's outcomes suffice, so that it is not measured again. Asked when all are measured,
  // and after each further pass; not asked where there is one pass only.
  using Suffice = std::function<bool(const std::vector<Outcome>&)>;

  // `per_repetition` is at least 1. There are at most `further_max` further passes in a process, for all
  // repetitions together.
  Passes(int per_repetition, int further_max, BeginPass begin_pass, Suffice suffice)
      : per_repetition_(per_repetition),
        further_max_(further_max),
        begin_pass_(std::move(begin_pass)),
        suffice_(std::move(suffice)) {}
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;

  // Registers a benchmark with manual time, in microseconds. This must outlive Google Benchmark's list of
  // them.
  void add(const std::string& name, std::int64_t iterations, Measure measure, Report report) {
    entries_.push_back(std::make_unique<Entry>(Entry{std::move(measure), std::move(report), {}}));
    Entry& entry = *entries_.back();
    benchmark::RegisterBenchmark(name.c_str(),
                                 [this, &entry](benchmark::State& state) { answer(state, entry); })
        ->Iterations(iterations)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }

  // To be called once Google Benchmark took its options. Where there is one pass only, each benchmark is
  // measured when it is reported. To `reporter`, or to the one that the options choose, which Google
  // Benchmark 1.7 can make only once in a process. Passes on what the functions throw.
  // `asking`, where given, is true while Google Benchmark is only asked.
  void run(benchmark::BenchmarkReporter* reporter = nullptr, bool* asking = nullptr) {
    Silent silent;
    is_asking_ = true;
    if (asking != nullptr) *asking = true;
    benchmark::RunSpecifiedBenchmarks(&silent);
    is_asking_ = false;
    if (asking != nullptr) *asking = false;
    if (!silent.has_run()) return;  // they were listed, or the filter matches none of them: that was said
    if (passes() > 1) measure_all();
    benchmark::RunSpecifiedBenchmarks(reporter);
  }

 private:
  class Silent : public benchmark::BenchmarkReporter {
   public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override { has_run_ = has_run_ || !runs.empty(); }
    bool has_run() const { return has_run_; }

   private:
    bool has_run_ = false;
  };

  using Outcomes = std::vector<Outcome>;

  struct Entry {
    Measure measure;
    Report report;
    std::vector<Outcomes> repetitions;  // as many as Google Benchmark would run
    std::size_t reported = 0;
  };

  struct Call {
    Entry* entry;
    int repetition;

    Outcomes& outcomes() const { return entry->repetitions[static_cast<std::size_t>(repetition)]; }
    void measure() const { outcomes().push_back(entry->measure()); }
  };

  int passes() const {
    int repetitions = 0;
    for (const Call& call : calls_) repetitions = std::max(repetitions, call.repetition + 1);
    return repetitions * per_repetition_;
  }

  void answer(benchmark::State& state, Entry& entry) {
    if (is_asking_) {
      calls_.push_back({&entry, static_cast<int>(entry.repetitions.size())});
      entry.repetitions.emplace_back();
      // Seen only in the --benchmark_out of a process that died while it measured.
      return state.SkipWithError("not measured yet");
    }
    // Where Google Benchmark warms up it runs more than it did when it was asked.
    if (entry.reported == entry.repetitions.size()) entry.repetitions.emplace_back();
    Outcomes& outcomes = entry.repetitions[entry.reported++];
    while (static_cast<int>(outcomes.size()) < per_repetition_) outcomes.push_back(entry.measure());
    entry.report(state, outcomes, static_cast<int>(outcomes.size()) - per_repetition_);
  }

  void measure_all() {
    const int planned = passes();
    for (int pass = 0; pass < planned; ++pass) {
      std::vector<Call> calls;
      std::copy_if(calls_.begin(), calls_.end(), std::back_inserter(calls),
                   [&](const Call& call) { return call.repetition == pass / per_repetition_; });
      if (pass > 0) begin_pass_({.number = pass + 1, .planned = planned, .repetitions = calls.size()});
      for (const Call& call : calls) call.measure();
    }
    measure_again(planned);
  }

  void measure_again(int planned) {
    std::vector<Call> calls = calls_;
    for (int further = 1; further <= further_max_; ++further) {
      std::erase_if(calls, [this](const Call& call) { return suffice_(call.outcomes()); });
      if (calls.empty()) return;
      begin_pass_({.number = planned + further, .planned = planned, .repetitions = calls.size()});
      for (const Call& call : calls) call.measure();
    }
  }

  int per_repetition_;
  int further_max_;
  BeginPass begin_pass_;
  Suffice suffice_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Call> calls_;  // that Google Benchmark makes, in its order
  bool is_asking_ = false;
};

}  // namespace tracker::kit
