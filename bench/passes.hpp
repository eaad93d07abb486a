// Runs benchmarks by passes: in each, every benchmark is measured once. A repetition is one pass, or several
// that follow one another, whose outcomes are reported together. Repetitions whose outcomes do not suffice
// are measured again, in further passes after all others.
//
// Google Benchmark runs one benchmark after the other, or mixes their repetitions at random. What is made
// anew for every repetition of every benchmark must be cheap; made anew for every pass, it may cost. So
// Google Benchmark is asked what it would run, that is measured by passes, and then it runs again and is told
// the outcomes: its options, reporters and statistics are its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace bench {

// Outcome: what one pass gives of one benchmark.
template <typename Outcome>
class Passes {
 public:
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
  void run(benchmark::BenchmarkReporter* reporter = nullptr) {
    Silent silent;
    is_asking_ = true;
    benchmark::RunSpecifiedBenchmarks(&silent);
    is_asking_ = false;
    if (calls_.empty()) return;  // they were listed, or the filter matches none of them: that was said
    if (passes() > 1) measure_all();
    benchmark::RunSpecifiedBenchmarks(reporter);
  }

 private:
  class Silent : public benchmark::BenchmarkReporter {
   public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
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

}  // namespace bench
