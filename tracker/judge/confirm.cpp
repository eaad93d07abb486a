#include "tracker/judge/confirm.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tracker/judge/difference.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/judge/not_comparable.hpp"
#include "tracker/model/policy.hpp"

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

std::optional<double> measuring_time_s(const std::set<std::string>& benchmarks, const std::vector<Run>& runs,
                                       int rounds) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    const auto of_these = std::count_if(run->benchmarks.begin(), run->benchmarks.end(),
                                        [&](const Benchmark& b) { return benchmarks.count(b.name) > 0; });
    const double length_s = length_of(*run);
    // A job that goes on with fewer benchmarks does not tell how long all take.
    if (of_these == 0 || length_s <= 0 || !run->interim_analyses.empty()) continue;
    const double each_s =
        length_s / std::max(1, invocation_count(*run)) / static_cast<double>(run->benchmarks.size());
    return 2 * each_s * rounds * static_cast<double>(benchmarks.size());
  }
  return {};
}

void MeasuringCost::set_suite(int benchmarks, const std::vector<Run>& runs) {
  suite_benchmarks_ = benchmarks;
  for (const auto& run : runs)
    if (const double length_s = length_of(run);
        run.selection.is_all() && run.interim_analyses.empty() && length_s > 0)
      set_suite(benchmarks, 2 * length_s / std::max(1, invocation_count(run)));
}

void MeasuringCost::set_suite(int benchmarks, double round_s) {
  suite_benchmarks_ = benchmarks;
  suite_round_s_ = round_s;
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

// Whether it is slower by the stored runs. Only measuring side by side tells what the code has to do with it.
bool looks_slower(const Comparison& row) {
  return row.verdict == Verdict::kRegressed || row.verdict == Verdict::kSameCode;
}

int pairs_of(const Comparison& row) {
  return std::min(row.base_invocations, row.candidate_invocations);
}

// `in_turn`: a job has measured it so already. It is worth another one only where that left it open.
bool is_doubtful(const Comparison& row, bool in_turn, bool again) {
  if (!is_compared(row)) return false;  // a new one below its floor has no other side
  const bool is_open = row.verdict == Verdict::kInconclusive;
  if (!looks_slower(row) && (row.report_only || !(may_fail(row) || is_open))) return false;
  const bool is_settled = !is_open && (!may_fail(row) || pairs_of(row) >= kPairsForRegressedMin);
  return !in_turn || (again && !is_settled);
}

int count_compared(const ComparisonReport& report) {
  return static_cast<int>(std::count_if(report.comparisons.begin(), report.comparisons.end(), is_compared));
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
  if (first_check_) cost_.set_suite(count_compared(*first_check_), runs);
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
    if (const Comparison& row = rows_.at(name); looks_slower(row) || may_fail(row)) names.insert(name);
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
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
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
  const bool all_measured = has_first_check_ && std::all_of(rows_.begin(), rows_.end(), [&](const auto& row) {
                              return pairs_.count(row.first) > 0;
                            });
  if (all_measured) {
    report.notes = last_->notes;
    return report;
  }
  for (const auto& note : last_->notes)
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end())
      report.notes.push_back("while confirming: " + note);
  return report;
}

namespace {

// The base's own offset is in all ratios with it: each counts as less certain than it is alone.
constexpr double kSharedBase = 2;

void rename_all(std::vector<Run>& runs, const Policy& policy) {
  if (policy.renames.empty()) return;
  for (auto& run : runs) rename_benchmarks(run, policy.renames);
}

}  // namespace

std::vector<PairRatios> pair_ratios(const Run& base, const Run& candidate, const Policy& policy) {
  std::map<std::string, std::string> names;  // of the base, by how they are called now
  for (const auto& benchmark : base.benchmarks)
    names[renamed(benchmark.name, policy.renames)] = benchmark.name;
  std::vector<PairRatios> all;
  for (const auto& recorded : candidate.benchmarks) {
    Benchmark benchmark = recorded;
    benchmark.name = renamed(recorded.name, policy.renames);
    const auto before = names.find(benchmark.name);
    if (before == names.end()) continue;
    PairRatios pairs{benchmark.name, recorded.name, gate_for(policy, benchmark), {}};
    SideValues of_base = side_values(Runs(&base, 1), before->second, pairs.gate.metric);
    SideValues of_candidate = side_values(Runs(&candidate, 1), recorded.name, pairs.gate.metric);
    if (!keep_pairs(of_base, of_candidate)) continue;
    const double sign = pairs.gate.metric.better == Better::kLower ? 1 : -1;
    for (const double log : minus(of_candidate.logs_by_job.front(), of_base.logs_by_job.front()))
      pairs.ratios.push_back(sign * log);
    all.push_back(std::move(pairs));
  }
  return all;
}

std::optional<StoredRatio> stored_ratio(std::vector<Run> base, std::vector<Run> candidate,
                                        const NoiseHistory& history, const std::string& benchmark,
                                        const Metric& metric, const Policy& policy) {
  if (base.empty() || candidate.empty()) return {};
  rename_all(base, policy);
  rename_all(candidate, policy);
  SideValues of_base = side_values(base, benchmark, metric);
  SideValues of_candidate = side_values(candidate, benchmark, metric);
  if (of_base.logs_by_job.empty() || of_candidate.logs_by_job.empty()) return {};
  const Distance distance = distance_between(base, candidate);
  const Contrast difference = contrast(of_base, of_candidate, distance);
  const auto of_machine = of_one_machine(history, candidate.back());
  const auto known = learn_noise({{benchmark, metric}}, of_machine ? *of_machine : history);
  const auto noise = job_noise(known, candidate.front().device.kind, distance);
  const auto job = noise.variance.find(benchmark);
  const double job_variance = job != noise.variance.end()
                                  ? job->second.value
                                  : default_job_variance(candidate.front().device.kind, distance).value;
  StoredRatio ratio;
  ratio.log_ratio = metric.better == Better::kLower ? difference.estimate : -difference.estimate;
  ratio.variance = kSharedBase *
                   (difference.sampling_factor * difference.own.value + difference.job_factor * job_variance);
  return ratio;
}

namespace {

// What one job measured of both sides side by side.
struct SharedJob {
  const Run* base = nullptr;
  const Run* candidate = nullptr;

  bool is_whole() const { return base->selection.is_all() && candidate->selection.is_all(); }
};

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
    return std::none_of(jobs.begin(), jobs.end(),
                        [&](const SharedJob& job) { return job.base->job == run.job; });
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
