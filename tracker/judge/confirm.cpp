#include "tracker/judge/confirm.hpp"

#include <algorithm>
#include <utility>

#include "tracker/judge/decision.hpp"

namespace tracker::judge {
namespace {

std::set<std::string> measured_after(const Run& run, int round) {
  std::set<std::string> names;
  for (const auto& invocation : run.invocations)
    if (invocation.round > round)
      for (const auto& [name, samples] : invocation.samples) names.insert(name);
  return names;
}

void keep_benchmarks(Run& run, const std::set<std::string>& names) {
  std::erase_if(run.benchmarks, [&](const Benchmark& one) { return names.count(one.name) == 0; });
  for (auto& invocation : run.invocations)
    std::erase_if(invocation.samples, [&](const auto& one) { return names.count(one.first) == 0; });
  index_benchmarks(run);
}

}  // namespace

double InterimAnalysis::error_share() const {
  return (1 - kFirstCheckShare) / (number * (number + 1.0));
}

double attempts_error_share(int attempts) {
  return 1 / (static_cast<double>(attempts) * attempts);
}

InterimAnalysis InterimAnalysis::next() const {
  return {number + 1, std::max(rounds + 3, rounds * 3 / 2), rounds};
}

InterimAnalysis InterimAnalysis::within(double left_s, double expected_s) const {
  if (expected_s <= left_s) return *this;
  InterimAnalysis shorter = *this;
  shorter.rounds = rounds_before + static_cast<int>(std::max(new_rounds() * left_s / expected_s, 0.0));
  return shorter;
}

void keep_for_analysis(const InterimAnalysis& analysis, const std::vector<Rename>& renames, Run& base,
                       Run& candidate) {
  for (Run* run : {&base, &candidate}) {
    std::erase_if(run->invocations, [&](const Invocation& one) { return one.round > analysis.rounds; });
    rename_benchmarks(*run, renames);
  }
  if (analysis.rounds_before == 0) return;
  const auto of_candidate = measured_after(candidate, analysis.rounds_before);
  std::set<std::string> both;
  for (const auto& name : measured_after(base, analysis.rounds_before))
    if (of_candidate.count(name) > 0) both.insert(name);
  for (Run* run : {&base, &candidate}) {
    keep_benchmarks(*run, both);
    run->selection = {"", static_cast<int>(both.size())};  // what it lacks was not asked for
  }
}

double length_of(const Run& run) {
  double length_s = 0;
  for (const auto& invocation : run.invocations) length_s += invocation.length_s;
  return length_s;
}

double invocation_s(const Run& run) {
  return length_of(run) / std::max(1, invocation_count(run));
}

std::optional<double> measuring_time_s(const std::set<std::string>& benchmarks, const std::vector<Run>& runs,
                                       int rounds) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    const auto of_these = std::ranges::count_if(
        run->benchmarks, [&](const Benchmark& b) { return benchmarks.count(b.name) > 0; });
    const double all_s = invocation_s(*run);
    // A job that goes on with fewer benchmarks does not tell how long all take.
    if (of_these == 0 || all_s <= 0 || !run->interim_analyses.empty()) continue;
    return 2 * (all_s / static_cast<double>(run->benchmarks.size())) * rounds *
           static_cast<double>(benchmarks.size());
  }
  return {};
}

void MeasuringCost::set_suite(int benchmarks, std::optional<double> round_s) {
  suite_benchmarks_ = benchmarks;
  if (round_s) suite_round_s_ = round_s;
}

void MeasuringCost::add(int rounds, int benchmarks, double seconds) {
  measured_s_ += seconds;
  if (rounds <= 0 || benchmarks <= 0) return;
  benchmark_rounds_ += static_cast<double>(rounds) * benchmarks;
  benchmark_round_s_ = seconds / rounds / benchmarks;
}

double MeasuringCost::expected_s(int rounds, int benchmarks) const {
  double each_s = 0;
  if (benchmark_round_s_)
    each_s = *benchmark_round_s_;
  else if (suite_round_s_ && suite_benchmarks_ > 0)
    each_s = *suite_round_s_ / suite_benchmarks_;
  return each_s * rounds * benchmarks;
}

double MeasuringCost::saved_s(int rounds) const {
  if (benchmark_rounds_ == 0) return 0;
  const double round_s = suite_round_s_.value_or(measured_s_ / benchmark_rounds_ * suite_benchmarks_);
  return std::max(0.0, round_s * rounds - measured_s_);
}

namespace {

bool may_fail(const Comparison& row) {
  return row.verdict == Verdict::kRegressed || row.verdict == Verdict::kBelowFloor ||
         (row.verdict == Verdict::kSameCode && row.same_code_fails);
}

int pairs_of(const Comparison& row) {
  return std::min(row.base_invocations, row.candidate_invocations);
}

// `in_turn`: a job has measured it so already. It is worth another one only where that left it open.
bool is_doubtful(const Comparison& row, bool in_turn, bool again) {
  if (!is_compared(row)) return false;  // a new one below its floor has no other side
  const bool is_open = row.verdict == Verdict::kInconclusive;
  // Only measuring side by side tells what the code has to do with it.
  if (!is_slower(row) && (row.report_only || !(may_fail(row) || is_open))) return false;
  const bool is_settled = !is_open && (!may_fail(row) || pairs_of(row) >= kPairsForRegressedMin);
  return !in_turn || (again && !is_settled);
}

int count_compared(const ComparisonReport& report) {
  return static_cast<int>(std::ranges::count_if(report.comparisons, is_compared));
}

// What fails the build on few pairs is no verdict yet.
Comparison without_haste(Comparison row) {
  const int pairs = pairs_of(row);
  if (!may_fail(row) || pairs >= kPairsForRegressedMin) return row;
  row.verdict = Verdict::kInconclusive;
  row.waiver.reset();
  row.cause.clear();
  row.more_invocations = kPairsForRegressedMin - pairs;
  row.reasons.push_back({ReasonCode::kTooFewPairs, {{"pairs", pairs}, {"needed", kPairsForRegressedMin}}});
  return row;
}

bool is_undecided(const Comparison& row) {
  return row.verdict == Verdict::kInconclusive || (row.floor && row.floor->unclear);
}

// No reasonable number of rounds would settle it. The noise of a few pairs does not tell that.
bool is_hopeless(const Comparison& row) {
  return !row.more_invocations && pairs_of(row) >= kPairsForRegressedMin;
}

}  // namespace

std::vector<std::string> doubtful_in(const ComparisonReport& report, bool again) {
  std::vector<std::string> names;
  for (const auto& row : report.comparisons)
    if (is_doubtful(row, report.interleaved || row.confirmed, again)) names.push_back(row.benchmark);
  return names;
}

Confirmation::Confirmation(ComparisonReport first_check, std::vector<std::string> doubtful,
                           int comparisons_min)
    : has_first_check_(true),
      first_check_(std::move(first_check)),
      undecided_(std::move(doubtful)),
      benchmarks_(static_cast<int>(undecided_.size())),
      comparisons_min_(std::max(benchmarks_, comparisons_min)) {
  for (const auto& row : first_check_->comparisons) rows_[row.benchmark] = row;
}

void Confirmation::learn_time(const std::vector<Run>& runs) {
  if (!first_check_) return;
  std::optional<double> round_s;
  for (const auto& run : runs)
    if (const double all_s = invocation_s(run);
        run.selection.is_all() && run.interim_analyses.empty() && all_s > 0)
      round_s = 2 * all_s;
  cost_.set_suite(count_compared(*first_check_), round_s);
}

Options Confirmation::judging(const InterimAnalysis& analysis, Options otherwise) const {
  otherwise.error_share = analysis.error_share();
  otherwise.comparisons_min = comparisons_min_;
  return otherwise;
}

double Confirmation::expected_s(const InterimAnalysis& analysis) const {
  return cost_.expected_s(analysis.new_rounds(), static_cast<int>(undecided_.size()));
}

void Confirmation::begin(const InterimAnalysis& analysis, const ComparisonReport& first, double measured_s) {
  first_check_ = first;
  for (const auto& row : first.comparisons) rows_[row.benchmark] = row;
  undecided_ = doubtful_in(first, true);
  benchmarks_ = comparisons_min_ = count_compared(first);
  cost_.set_suite(benchmarks_, measured_s / analysis.new_rounds());
}

void Confirmation::analyse(const InterimAnalysis& analysis, const ComparisonReport& so_far,
                           double measured_s) {
  const bool is_first_of_all = !first_check_;
  if (is_first_of_all) begin(analysis, so_far, measured_s);
  const int asked = is_first_of_all ? benchmarks_ : static_cast<int>(undecided_.size());
  cost_.add(analysis.new_rounds(), asked, measured_s - cost_.measured_s());
  rounds_ = analysis.rounds;
  last_ = so_far;
  std::map<std::string, const Comparison*> seen;
  for (const auto& row : so_far.comparisons) seen[row.benchmark] = &row;
  std::erase_if(undecided_, [&](const std::string& name) {
    const auto row = seen.find(name);
    // One that only this base lacks, as its binary failed, is not new.
    if (row != seen.end() && (is_compared(*row->second) || row->second->verdict == Verdict::kFailed))
      return take(*row->second);
    take_missing(name);
    return true;
  });
  if (analysis.next().rounds <= kRoundsMax) return;
  for (const auto& name : undecided_)
    rows_[name].reasons.push_back({ReasonCode::kTooManyRounds, {{"rounds", kRoundsMax}}});
  undecided_.clear();
}

bool Confirmation::take(const Comparison& judged) {
  Comparison row = without_haste(judged);
  row.confirmed = has_first_check_;
  const int pairs = pairs_of(row);
  const bool is_stuck = pairs <= pairs_[row.benchmark];
  pairs_[row.benchmark] = pairs;
  const bool is_open = is_undecided(row);
  if (is_open && is_stuck) row.reasons.push_back({ReasonCode::kNoMoreResults});
  const bool is_done = !is_open || is_stuck || is_hopeless(row);
  rows_[row.benchmark] = std::move(row);
  return is_done;
}

// What was known before holds then: no better is known.
void Confirmation::take_missing(const std::string& name) {
  const bool had_some = pairs_.count(name) > 0;
  rows_[name].reasons.push_back({had_some ? ReasonCode::kNoMoreResults : ReasonCode::kNoResults});
}

std::set<std::string> Confirmation::slower() const {
  std::set<std::string> names;
  for (const auto& name : undecided_)
    if (const Comparison& row = rows_.at(name); is_slower(row) || may_fail(row)) names.insert(name);
  return names;
}

void Confirmation::take_same_program(const std::set<std::string>& benchmarks, const Policy& policy) {
  for (const auto& name : std::vector<std::string>(undecided_)) {
    if (benchmarks.count(name) == 0) continue;
    rows_[name] = same_program_row(name, policy);
    std::erase(undecided_, name);
    --benchmarks_;
  }
}

void Confirmation::give_up() {
  for (const auto& name : undecided_) take_missing(name);
  undecided_.clear();
}

void Confirmation::stop(const std::string& why) {
  out_of_time_ = !undecided_.empty();
  for (const auto& name : undecided_) {
    Comparison& row = rows_[name];
    if (pairs_.count(name) > 0) {
      row.reasons.push_back({ReasonCode::kStopped, {{"text", why}}});
      continue;
    }
    row.verdict = Verdict::kInconclusive;
    row.waiver.reset();
    row.cause.clear();
    row.more_invocations.reset();
    row.reasons.insert(row.reasons.begin(), {ReasonCode::kNotConfirmed});
    row.reasons.push_back({ReasonCode::kNotMeasuredAgain, {{"text", why}}});
  }
  undecided_.clear();
}

ComparisonReport Confirmation::report() const {
  ComparisonReport report = first_check_.value_or(ComparisonReport{});
  report.comparisons.clear();
  for (const auto& [name, row] : rows_) report.comparisons.push_back(row);
  std::ranges::sort(report.comparisons, matters_more);
  if (benchmarks_ > 0)
    report.effort = Effort{cost_.measured_s(), cost_.saved_s(rounds_), benchmarks_, rounds_, out_of_time_};
  if (!last_) return report;
  const auto add = [](Side& side, const Side& more) {
    side.runs.insert(side.runs.end(), more.runs.begin(), more.runs.end());
    side.jobs += more.jobs;
  };
  if (has_first_check_) {
    add(report.base, last_->base);
    add(report.candidate, last_->candidate);
  }
  // Where nothing of the stored runs is left, nothing that is said of them holds.
  const bool all_measured = has_first_check_ && std::ranges::all_of(rows_, [&](const auto& row) {
                              return pairs_.count(row.first) > 0;
                            });
  if (all_measured) {
    report.notes = last_->notes;
    return report;
  }
  for (const auto& note : last_->notes)
    if (std::ranges::find(report.notes, note) == report.notes.end())
      report.notes.push_back("while confirming: " + note);
  return report;
}

namespace {

Gate gate_of(const std::string& name, const Policy& policy) {
  Benchmark benchmark;
  benchmark.name = name;
  return gate_for(policy, benchmark);
}

// The benchmarks, as they are called now, that the floors of these are shares of.
std::set<std::string> references_of(const std::set<std::string>& names, const Policy& policy) {
  std::set<std::string> references;
  for (const auto& name : names)
    if (const auto floor = gate_of(renamed(name, policy.renames), policy).floor; floor && floor->of)
      references.insert(*floor->of);
  return references;
}

bool has_samples(const Run& run, const std::string& name) {
  return std::ranges::any_of(
      run.invocations, [&](const Invocation& one) { return !one.excluded && one.samples.contains(name); });
}

// The benchmarks, as they are called now, that one job has measured of both commits after this run.
std::set<std::string> measured_in_one_job(const MeasuredRuns& measured, const std::string& after,
                                          const Policy& policy) {
  std::set<std::string> names;
  for (const auto& candidate : measured.candidate)
    for (const auto& base : measured.base) {
      if (candidate.id <= after || candidate.job.empty() || candidate.job != base.job) continue;
      for (const auto& benchmark : candidate.benchmarks)
        if (has_samples(candidate, benchmark.name) && has_samples(base, benchmark.name))
          names.insert(renamed(benchmark.name, policy.renames));
    }
  return names;
}

}  // namespace

std::set<std::string> not_to_be_measured(const std::set<std::string>& same,
                                         const std::set<std::string>& measured, const Policy& policy) {
  std::set<std::string> skipped;
  std::set<std::string> kept = measured;
  for (const auto& name : same) {
    const bool skips = skips_identical_code(gate_of(renamed(name, policy.renames), policy));
    (skips && !measured.contains(name) ? skipped : kept).insert(name);
  }
  // What a floor needs may have a floor of its own, where the policy skips that.
  for (std::size_t before = 0; before != kept.size();) {
    before = kept.size();
    const auto references = references_of(kept, policy);
    for (const auto& name : std::set<std::string>(skipped))
      if (references.count(renamed(name, policy.renames)) > 0) kept.insert(skipped.extract(name));
  }
  return skipped;
}

Comparison same_program_row(const std::string& benchmark, const Policy& policy) {
  const Gate gate = gate_of(benchmark, policy);
  Comparison row;
  row.benchmark = benchmark;
  row.metric = gate.metric;
  row.threshold = gate.threshold;
  row.report_only = gate.report_only;
  row.source = gate.source;
  row.verdict = Verdict::kUnchanged;
  row.same_code = true;
  row.not_measured = true;
  row.reasons = {{ReasonCode::kSameProgram}};
  return row;
}

void put_same_programs(const SamePrograms& same, const Side& base, const Side& candidate,
                       const Policy& policy, std::vector<ComparisonReport>& reports) {
  for (const auto& [key, on_device] : same) {
    auto report = std::ranges::find(reports, key, &ComparisonReport::device);
    if (report == reports.end()) {
      ComparisonReport made;
      made.device = key;
      made.details = on_device.device;
      made.base = base;
      made.candidate = candidate;
      made.confidence = policy.confidence;
      report = reports.insert(reports.end(), std::move(made));
    }
    std::set<std::string> names;
    for (const auto& name : on_device.benchmarks) names.insert(renamed(name, policy.renames));
    auto& rows = report->comparisons;
    std::erase_if(rows, [&](const Comparison& row) { return names.contains(row.benchmark); });
    for (const auto& name : names) rows.push_back(same_program_row(name, policy));
    std::ranges::sort(rows, matters_more);
    report->not_measured = NotMeasured{static_cast<int>(names.size()), on_device.saved_s};
  }
}

void record_same_programs(const SamePrograms& same, const std::string& base_commit, const Run& empty,
                          std::vector<Run>& candidate) {
  for (const auto& [key, on_device] : same) {
    auto run = std::ranges::find(candidate, key, [](const Run& other) { return device_key(other.device); });
    if (run == candidate.end()) {
      run = candidate.insert(candidate.end(), empty);
      run->device = on_device.device;
    }
    run->same_program = SameProgramAs{
        base_commit, {on_device.benchmarks.begin(), on_device.benchmarks.end()}, on_device.saved_s};
  }
}

SamePrograms recorded_same_programs(const Device& device, const std::vector<NotedSameProgram>& noted,
                                    const std::string& base_commit, const MeasuredRuns& measured,
                                    const Policy& policy) {
  SameProgram same;
  same.device = device;
  for (const auto& [run, noted_same] : noted) {
    if (noted_same.commit != base_commit) continue;
    auto names = not_to_be_measured({noted_same.benchmarks.begin(), noted_same.benchmarks.end()}, {}, policy);
    const auto later = measured_in_one_job(measured, run, policy);
    std::erase_if(names,
                  [&](const std::string& name) { return later.contains(renamed(name, policy.renames)); });
    if (!names.empty() && noted_same.saved_s)
      same.saved_s = std::max(same.saved_s.value_or(0), *noted_same.saved_s);
    same.benchmarks.merge(names);
  }
  if (same.benchmarks.empty()) return {};
  return {{device_key(device), same}};
}

namespace {

struct Judging {
  const SideRuns& base;
  const SideRuns& candidate;
  const NoiseHistory& history;
  const Policy& policy;
  const Options& options;
};

// In the order of time.
std::vector<SharedJob> shared_jobs(const SideRuns& base, const SideRuns& candidate) {
  std::vector<SharedJob> jobs;
  for (const auto& of_candidate : candidate.runs)
    for (const auto& of_base : base.runs) {
      if (of_base.job.empty() || of_base.job != of_candidate.job || of_base.id == of_candidate.id) continue;
      // A commit compared with itself has both of a job's runs on both sides.
      if (!jobs.empty() && jobs.back().candidate->job == of_candidate.job) jobs.pop_back();
      jobs.push_back({&of_base, &of_candidate});
    }
  return jobs;
}

NoiseHistory without(const NoiseHistory& history, const std::vector<SharedJob>& jobs) {
  return keep_runs(history, [&](const Run& run) {
    return std::ranges::none_of(jobs, [&](const SharedJob& job) { return job.base->job == run.job; });
  });
}

std::vector<Run> without(const std::vector<Run>& runs, const std::vector<SharedJob>& jobs) {
  return without(NoiseHistory(runs), jobs).runs;
}

// What was known when the job was judged.
NoiseHistory before(const NoiseHistory& history, const SharedJob& job) {
  return keep_runs(history, [&](const Run& run) {
    return run.job != job.base->job && run.started_at <= job.base->started_at;
  });
}

ComparisonReport judge_pair(const Judging& judging, Run base, Run candidate, const NoiseHistory& history,
                            const Options& options) {
  SideRuns of_base{judging.base.side, {}, judging.base.noise};
  SideRuns of_candidate{judging.candidate.side, {}, judging.candidate.noise};
  of_base.runs.push_back(std::move(base));
  of_candidate.runs.push_back(std::move(candidate));
  return judge(of_base, of_candidate, history, judging.policy, options);
}

// One that was judged once was so at its end.
std::vector<int> looks_of(const Run& run) {
  if (!run.interim_analyses.empty()) return run.interim_analyses;
  int rounds = invocation_count(run);
  for (const auto& invocation : run.invocations) rounds = std::max(rounds, invocation.round);
  return {rounds};
}

void repeat_analyses(const Judging& judging, const SharedJob& job, Confirmation& confirmation) {
  const auto history = before(judging.history, job);
  InterimAnalysis analysis{0, 0, 0};
  for (const int rounds : looks_of(*job.candidate)) {
    analysis = {analysis.number + 1, rounds, analysis.rounds};
    Run base = *job.base;
    Run candidate = *job.candidate;
    keep_for_analysis(analysis, judging.policy.renames, base, candidate);
    const double measured_s = length_of(base) + length_of(candidate);
    confirmation.analyse(analysis,
                         judge_pair(judging, std::move(base), std::move(candidate), history,
                                    confirmation.judging(analysis, judging.options)),
                         measured_s);
  }
}

// Of both sides, as the policy calls them now.
std::set<std::string> names_of(const SharedJob& job, const Policy& policy) {
  std::set<std::string> names;
  for (const auto* run : {job.base, job.candidate})
    for (const auto& benchmark : run->benchmarks) names.insert(renamed(benchmark.name, policy.renames));
  return names;
}

// A job that measured some benchmarks, over what is known without it.
ComparisonReport with_partial(const Judging& judging, ComparisonReport report, const SharedJob& job) {
  const auto measured = names_of(job, judging.policy);
  auto doubtful = doubtful_in(report, true);
  std::erase_if(doubtful, [&](const std::string& name) { return measured.count(name) == 0; });
  if (doubtful.empty()) return report;
  Confirmation confirmation(std::move(report), doubtful, static_cast<int>(measured.size()));
  confirmation.learn_time(judging.candidate.runs);
  repeat_analyses(judging, job, confirmation);
  return confirmation.report();
}

}  // namespace

ComparisonReport judge_stored(const SideRuns& base, const SideRuns& candidate, const NoiseHistory& history,
                              const Policy& policy, const Options& options) {
  if (options.pairing == Pairing::kNone) return judge(base, candidate, history, policy, options);
  auto jobs = shared_jobs(base, candidate);
  const auto newest_whole =
      std::find_if(jobs.rbegin(), jobs.rend(), [](const SharedJob& job) { return job.is_whole(); });
  std::optional<SharedJob> whole;
  if (newest_whole != jobs.rend()) whole = *newest_whole;
  auto partial = jobs;
  std::erase_if(partial, [](const SharedJob& job) { return job.is_whole(); });
  jobs.erase(jobs.begin(), newest_whole.base());  // what is older, and itself
  const bool has_analyses = whole && !whole->candidate->interim_analyses.empty();
  if (partial.empty() && !has_analyses) return judge(base, candidate, history, policy, options);
  const SideRuns of_base{base.side, without(base.runs, partial), base.noise};
  const SideRuns of_candidate{candidate.side, without(candidate.runs, partial), candidate.noise};
  const auto others = without(history, partial);
  if (of_base.runs.empty() || of_candidate.runs.empty())
    return judge(base, candidate, history, policy, options);

  Options first_options = options;
  if (!jobs.empty()) first_options.error_share = std::min(options.error_share, kFirstCheckShare);
  const Judging judging{of_base, of_candidate, others, policy, first_options};
  ComparisonReport report;
  if (has_analyses) {
    Confirmation confirmation;
    repeat_analyses(judging, *whole, confirmation);
    report = confirmation.report();
  } else {
    report = judge(of_base, of_candidate, others, policy, first_options);
  }
  for (const auto& job : jobs) report = with_partial(judging, std::move(report), job);
  return report;
}

}  // namespace tracker::judge
