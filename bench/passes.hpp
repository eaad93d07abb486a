// Runs benchmarks by passes: in each, every benchmark is measured once. A repetition is one pass, or several
// that follow one another, whose outcomes are reported together.
//
// Google Benchmark runs one benchmark after the other, or mixes their repetitions at random. What is made
// anew for every repetition of every benchmark must be cheap; made anew for every pass, it may cost. So
// Google Benchmark is asked what it would run, that is measured by passes, and then it runs again and is told
// the outcomes: its options, reporters and statistics are its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
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
  // just run.
  using Report = std::function<void(benchmark::State&, const std::vector<Outcome>&)>;
  // Called before each pass but the first one, with its number from 2 on, and how many there are.
  using BeginPass = std::function<void(int pass, int passes)>;

  // `per_repetition` is at least 1.
  Passes(int per_repetition, BeginPass begin_pass)
      : per_repetition_(per_repetition), begin_pass_(std::move(begin_pass)) {}
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;

  // Registers a benchmark with manual time, in microseconds. This must outlive Google Benchmark's list of
  // them.
  void add(const std::string& name, std::int64_t iterations, Measure measure, Report report) {
    entries_.push_back(std::make_unique<Entry>(Entry{std::move(measure), std::move(report)}));
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

  struct Entry {
    Measure measure;
    Report report;
    int calls = 0;
    std::deque<Outcome> outcomes;  // of passes that are not reported yet
  };

  struct Call {
    Entry* entry;
    int repetition;
  };

  int passes() const {
    int repetitions = 0;
    for (const Call& call : calls_) repetitions = std::max(repetitions, call.repetition + 1);
    return repetitions * per_repetition_;
  }

  void answer(benchmark::State& state, Entry& entry) {
    if (is_asking_) {
      calls_.push_back({&entry, entry.calls++});
      // Seen only in the --benchmark_out of a process that died while it measured.
      return state.SkipWithError("not measured yet");
    }
    std::vector<Outcome> outcomes;
    for (int i = 0; i < per_repetition_; ++i) {
      if (entry.outcomes.empty()) entry.outcomes.push_back(entry.measure());
      outcomes.push_back(std::move(entry.outcomes.front()));
      entry.outcomes.pop_front();
    }
    entry.report(state, outcomes);
  }

  void measure_all() {
    const int all = passes();
    for (int pass = 0; pass < all; ++pass) {
      if (pass > 0) begin_pass_(pass + 1, all);
      for (const Call& call : calls_)
        if (call.repetition == pass / per_repetition_) call.entry->outcomes.push_back(call.entry->measure());
    }
  }

  int per_repetition_;
  BeginPass begin_pass_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Call> calls_;  // that Google Benchmark makes, in its order
  bool is_asking_ = false;
};

}  // namespace bench
