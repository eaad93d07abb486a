// Runs benchmarks by passes: in each, every benchmark is measured once. A repetition is one pass, or several
// that follow one another, whose outcomes are reported together. Repetitions whose outcomes do not agree are
// measured again, in two further passes after all others.
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
  // just run. The last `further` of them, 0 or kFurtherPasses, are those of further passes.
  using Report = std::function<void(benchmark::State&, const std::vector<Outcome>&, int further)>;
  // Called before each pass but the first one, with its number from 2 on, and how many there are: without the
  // further passes until it is known that there are any.
  using BeginPass = std::function<void(int pass, int passes)>;
  // Whether a repetition's outcomes agree, so that it is not measured again. Asked once for each, when all
  // are measured; not asked where there is one pass only.
  using Agree = std::function<bool(const std::vector<Outcome>&)>;

  // Of a process, for all repetitions together.
  static constexpr int kFurtherPasses = 2;

  // `per_repetition` is at least 1.
  Passes(int per_repetition, BeginPass begin_pass, Agree agree)
      : per_repetition_(per_repetition), begin_pass_(std::move(begin_pass)), agree_(std::move(agree)) {}
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

  struct Repetition {
    std::vector<Outcome> outcomes;
    int further = 0;  // of them, the last ones
  };

  struct Entry {
    Measure measure;
    Report report;
    std::vector<Repetition> repetitions;  // as many as Google Benchmark would run
    std::size_t reported = 0;
  };

  struct Call {
    Entry* entry;
    int repetition;

    Repetition& measured() const { return entry->repetitions[static_cast<std::size_t>(repetition)]; }
    void measure() const { measured().outcomes.push_back(entry->measure()); }
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
    Repetition& repetition = entry.repetitions[entry.reported++];
    for (int i = static_cast<int>(repetition.outcomes.size()); i < per_repetition_; ++i)
      repetition.outcomes.push_back(entry.measure());
    entry.report(state, repetition.outcomes, repetition.further);
  }

  void measure_all() {
    const int all = passes();
    for (int pass = 0; pass < all; ++pass) {
      if (pass > 0) begin_pass_(pass + 1, all);
      for (const Call& call : calls_)
        if (call.repetition == pass / per_repetition_) call.measure();
    }
    measure_again(all);
  }

  void measure_again(int passes_before) {
    std::vector<Call> calls;
    std::copy_if(calls_.begin(), calls_.end(), std::back_inserter(calls),
                 [this](const Call& call) { return !agree_(call.measured().outcomes); });
    if (calls.empty()) return;
    for (int further = 1; further <= kFurtherPasses; ++further) {
      begin_pass_(passes_before + further, passes_before + kFurtherPasses);
      for (const Call& call : calls) {
        call.measure();
        call.measured().further = further;
      }
    }
  }

  int per_repetition_;
  BeginPass begin_pass_;
  Agree agree_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Call> calls_;  // that Google Benchmark makes, in its order
  bool is_asking_ = false;
};

}  // namespace bench
