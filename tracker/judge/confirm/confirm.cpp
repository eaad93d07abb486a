#include "tracker/judge/confirm/confirm.hpp"

#include <algorithm>

#include "tracker/judge/verdict/not_measured.hpp"

namespace tracker {
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

JudgeOptions Confirmation::judging(const InterimAnalysis& analysis, JudgeOptions otherwise) const {
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

}  // namespace tracker
