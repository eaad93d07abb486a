#include "tracker/judge/confirm.hpp"

#include <algorithm>
#include <set>

#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

bool may_fail(Verdict verdict) {
  return verdict == Verdict::kRegressed || verdict == Verdict::kBelowFloor;
}

bool is_doubtful(const Comparison& row, bool again) {
  if (row.confirmed) return again && !row.report_only && row.verdict == Verdict::kInconclusive;
  if (!is_compared(row)) return false;  // a new one below its floor has no other side
  if (row.verdict == Verdict::kRegressed) return true;
  return !row.report_only && (may_fail(row.verdict) || row.verdict == Verdict::kInconclusive);
}

int pairs_of(const Comparison& row) {
  return std::min(row.base_invocations, row.candidate_invocations);
}

int count_compared(const ComparisonReport& report) {
  return static_cast<int>(std::count_if(report.comparisons.begin(), report.comparisons.end(), is_compared));
}

// What fails the build on few pairs is no verdict yet.
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

constexpr char kPartOfJob[] = "what is undecided";

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
}

}  // namespace

double Look::error_share() const {
  return (1 - kScreenShare) / (number * (number + 1.0));
}

Look Look::next() const {
  return {number + 1, std::max(rounds + 3, rounds * 3 / 2), rounds};
}

void keep_for_look(const Look& look, const std::vector<Rename>& renames, Run& base, Run& candidate) {
  for (Run* run : {&base, &candidate}) {
    std::erase_if(run->invocations, [&](const Invocation& one) { return one.round > look.rounds; });
    rename_benchmarks(*run, renames);
  }
  if (look.rounds_before == 0) return;
  const auto of_candidate = measured_after(candidate, look.rounds_before);
  std::set<std::string> both;
  for (const auto& name : measured_after(base, look.rounds_before))
    if (of_candidate.count(name) > 0) both.insert(name);
  for (Run* run : {&base, &candidate}) {
    keep_benchmarks(*run, both);
    run->filter = kPartOfJob;  // what it lacks was not asked for
  }
}

std::vector<std::string> doubtful_in(const ComparisonReport& report, bool again) {
  std::vector<std::string> names;
  for (const auto& row : report.comparisons)
    if (is_doubtful(row, again)) names.push_back(row.benchmark);
  return names;
}

Confirmation::Confirmation(ComparisonReport screen, std::vector<std::string> doubtful, int comparisons_min)
    : is_screened_(true),
      screen_(std::move(screen)),
      undecided_(std::move(doubtful)),
      benchmarks_(static_cast<int>(undecided_.size())),
      comparisons_min_(std::max(benchmarks_, comparisons_min)) {
  for (const auto& row : screen_->comparisons) rows_[row.benchmark] = row;
}

void Confirmation::learn_time(const std::vector<Run>& runs) {
  if (screen_) cost_.set_suite(count_compared(*screen_), runs);
}

JudgeOptions Confirmation::judging(const Look& look, JudgeOptions otherwise) const {
  otherwise.error_share = look.error_share();
  otherwise.comparisons_min = comparisons_min_;
  return otherwise;
}

double Confirmation::expected_s(const Look& look) const {
  return cost_.expected_s(look.new_rounds(), static_cast<int>(undecided_.size()));
}

void Confirmation::begin(const Look& look, const ComparisonReport& first, double measured_s) {
  screen_ = first;
  for (const auto& row : first.comparisons) rows_[row.benchmark] = row;
  undecided_ = doubtful_in(first, true);
  benchmarks_ = comparisons_min_ = count_compared(first);
  cost_.set_suite(benchmarks_, measured_s / look.new_rounds());
}

void Confirmation::look(const Look& look, const ComparisonReport& so_far, double measured_s) {
  const bool is_first_of_all = !screen_;
  if (is_first_of_all) begin(look, so_far, measured_s);
  const int asked = is_first_of_all ? benchmarks_ : static_cast<int>(undecided_.size());
  cost_.add(look.new_rounds(), asked, measured_s - cost_.measured_s());
  rounds_ = look.rounds;
  last_ = so_far;
  std::map<std::string, const Comparison*> seen;
  for (const auto& row : so_far.comparisons) seen[row.benchmark] = &row;
  for (const auto& name : std::vector<std::string>(undecided_)) {
    const auto row = seen.find(name);
    if (row != seen.end())
      take(*row->second);
    else
      take_missing(name);
  }
  if (look.next().rounds > kRoundsMax) undecided_.clear();
}

void Confirmation::take(const Comparison& judged) {
  Comparison row = without_haste(judged);
  row.confirmed = is_screened_;
  const int pairs = pairs_of(row);
  const bool is_stuck = pairs <= pairs_[row.benchmark];
  pairs_[row.benchmark] = pairs;
  const bool is_open = row.verdict == Verdict::kInconclusive;
  if (is_open && is_stuck) row.reason += "; measuring it gave no more results";
  if (!is_open || is_stuck || is_hopeless(row)) std::erase(undecided_, row.benchmark);
  rows_[row.benchmark] = std::move(row);
}

// What was known before holds then: no better is known.
void Confirmation::take_missing(const std::string& name) {
  rows_[name].reason += pairs_.count(name) > 0 ? "; measuring it gave no more results"
                                               : "; measuring it in turn gave no results";
  std::erase(undecided_, name);
}

void Confirmation::give_up() {
  for (const auto& name : std::vector<std::string>(undecided_)) take_missing(name);
}

void Confirmation::stop(const std::string& why) {
  out_of_time_ = !undecided_.empty();
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
  ComparisonReport report = screen_.value_or(ComparisonReport{});
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
  if (is_screened_) {
    add(report.base, last_->base);
    add(report.candidate, last_->candidate);
  }
  for (const auto& note : last_->notes)
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end())
      report.notes.push_back("while confirming: " + note);
  return report;
}

}  // namespace tracker
