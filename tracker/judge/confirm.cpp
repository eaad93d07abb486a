#include "tracker/judge/confirm.hpp"

#include <algorithm>

namespace tracker {
namespace {

bool may_fail(Verdict verdict) {
  return verdict == Verdict::kRegressed || verdict == Verdict::kBelowFloor;
}

int pairs_of(const Comparison& row) {
  return std::min(row.base_invocations, row.candidate_invocations);
}

// A verdict that fails the build on few pairs is none yet.
Comparison without_haste(Comparison row) {
  const int pairs = pairs_of(row);
  if (!may_fail(row.verdict) || pairs >= kPairsForRegressedMin) return row;
  row.verdict = Verdict::kInconclusive;
  row.waiver.reset();
  row.more_invocations = kPairsForRegressedMin - pairs;
  row.reason += ", but in " + std::to_string(pairs) + " pairs; a failure takes " +
                std::to_string(kPairsForRegressedMin);
  return row;
}

// No reasonable number of rounds would settle it. The noise of a few pairs does not tell that.
bool is_hopeless(const Comparison& row) {
  return row.verdict == Verdict::kInconclusive && !row.more_invocations &&
         pairs_of(row) >= kPairsForRegressedMin;
}

bool is_partial(const Run& run) {
  return !run.filter.empty();
}

bool has_whole_run(const SideRuns& side) {
  return !std::all_of(side.runs.begin(), side.runs.end(), is_partial);
}

}  // namespace

double Look::error_share() const {
  return (1 - kScreenShare) / (number * (number + 1.0));
}

Look Look::next() const {
  return {number + 1, std::max(rounds + 3, rounds * 3 / 2), rounds};
}

bool is_doubtful(const Comparison& row) {
  if (row.verdict == Verdict::kRegressed) return true;
  return !row.report_only && (row.verdict == Verdict::kBelowFloor || row.verdict == Verdict::kInconclusive);
}

Confirmation::Confirmation(ComparisonReport screen) : screen_(std::move(screen)) {
  for (const auto& row : screen_->comparisons) {
    rows_[row.benchmark] = row;
    if (is_doubtful(row)) undecided_.push_back(row.benchmark);
  }
  comparisons_ = static_cast<int>(undecided_.size());
}

JudgeOptions Confirmation::judging(const Look& look, JudgeOptions otherwise) const {
  otherwise.error_share = look.error_share();
  otherwise.comparisons_min = comparisons_;
  return otherwise;
}

void Confirmation::look(const ComparisonReport& so_far) {
  const bool is_first_of_all = !screen_ && !last_;
  last_ = so_far;
  if (is_first_of_all) {
    comparisons_ =
        static_cast<int>(std::count_if(so_far.comparisons.begin(), so_far.comparisons.end(), is_compared));
    for (const auto& row : so_far.comparisons) {
      rows_[row.benchmark] = row;
      if (is_doubtful(row)) undecided_.push_back(row.benchmark);
    }
  }
  std::map<std::string, const Comparison*> seen;
  for (const auto& row : so_far.comparisons) seen[row.benchmark] = &row;
  for (const auto& name : std::vector<std::string>(undecided_)) {
    const auto row = seen.find(name);
    if (row != seen.end())
      take(*row->second);
    else
      take_missing(name);
  }
}

void Confirmation::take(const Comparison& judged) {
  Comparison row = without_haste(judged);
  row.confirmed = screen_.has_value();
  const int pairs = pairs_of(row);
  const bool is_stuck = pairs <= pairs_[row.benchmark];
  pairs_[row.benchmark] = pairs;
  const bool is_open = row.verdict == Verdict::kInconclusive;
  if (is_open && is_stuck) row.reason += "; measuring it gave no more results";
  if (!is_open || is_stuck || is_hopeless(row)) std::erase(undecided_, row.benchmark);
  rows_[row.benchmark] = std::move(row);
}

// What the stored runs say holds then: no better is known.
void Confirmation::take_missing(const std::string& name) {
  rows_[name].reason += "; measuring it in turn gave no results";
  std::erase(undecided_, name);
}

void Confirmation::stop(const std::string& why) {
  for (const auto& name : undecided_) {
    Comparison& row = rows_[name];
    if (pairs_.count(name) > 0) {
      row.reason += "; " + why + " first";
      continue;
    }
    row.verdict = Verdict::kInconclusive;
    row.waiver.reset();
    row.more_invocations.reset();
    row.reason = "not confirmed: " + row.reason + "; " + why + " before it was measured in turn";
  }
  undecided_.clear();
}

ComparisonReport Confirmation::report() const {
  ComparisonReport report = screen_ ? *screen_ : last_.value_or(ComparisonReport{});
  report.comparisons.clear();
  for (const auto& [name, row] : rows_) report.comparisons.push_back(row);
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
  if (!screen_ || !last_) return report;
  const auto add = [](Side& side, const Side& more) {
    side.runs.insert(side.runs.end(), more.runs.begin(), more.runs.end());
    side.jobs += more.jobs;
  };
  add(report.base, last_->base);
  add(report.candidate, last_->candidate);
  for (const auto& note : last_->notes)
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end())
      report.notes.push_back("while confirming: " + note);
  return report;
}

void MeasuringCost::set_suite(int benchmarks, double round_s) {
  suite_benchmarks_ = benchmarks;
  suite_round_s_ = round_s;
}

void MeasuringCost::add(int rounds, int benchmarks, double seconds) {
  if (rounds <= 0 || benchmarks <= 0) return;
  measured_s_ += seconds;
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

std::string selection_expression(const std::vector<std::string>& names) {
  std::string expression = "^(";
  for (const auto& name : names) {
    if (&name != &names.front()) expression += '|';
    for (const char c : name) {
      if (std::string_view(R"(.[\()*+?{|^$)").find(c) != std::string_view::npos) expression += '\\';
      expression += c;
    }
  }
  return expression + ")$";
}

void leave_out_partial_jobs(SideRuns& base, SideRuns& candidate) {
  if (!has_whole_run(base) || !has_whole_run(candidate)) return;
  std::erase_if(base.runs, is_partial);
  std::erase_if(candidate.runs, is_partial);
}

}  // namespace tracker
