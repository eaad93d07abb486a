#include "tracker/app/backfilling.hpp"

#include <algorithm>
#include <iterator>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/history/history.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::app {

LineRange line_range_of(const std::string& text) {
  const auto dots = text.find("..");
  if (dots == std::string::npos || dots == 0 || text.find("...") != std::string::npos)
    throw Error(ExitCode::kUsage, in_quotes(text) + " is no range of commits",
                "write it as git does: v1.0..HEAD, or v1.0.. up to HEAD");
  const std::string last = text.substr(dots + 2);
  return {text.substr(0, dots), last.empty() ? "HEAD" : last};
}

Backfilling::Backfilling(const Workspace& workspace, BackfillRequest request,
                         const measure::LocalEnvironment& environment)
    : workspace_(workspace),
      request_(std::move(request)),
      range_(line_range_of(request_.range)),
      wanted_{request_.measuring.filter},
      environment_(environment),
      host_(measure::this_host().name) {
  if (!request_.measuring.filter.empty())
    BenchmarkFilter{request_.measuring.filter};  // a mistake in it is said first
  for (auto& one : repo::commit_range(workspace.repository(), range_.first, range_.last))
    line_.push_back(std::move(one.commit));
  if (line_.empty())
    throw Error(ExitCode::kUsage, "there is no commit in " + in_quotes(request_.range),
                "the older commit comes first, and is not part of the range: OLD..NEW");
  read_stored();
}

// Of this machine or, where devices are named, of those. Runs of part of the benchmarks, as a bisection
// makes them, say nothing of the others.
bool Backfilling::counts(const Run& run) const {
  const std::string key = device_key(run.device);
  const bool is_wanted = request_.device.empty() ? run.host.name == host_ || own_devices_.count(key) > 0
                                                 : glob_match(request_.device, key);
  return is_wanted && !run.dirty && (run.same_program || run.selection.is_all() || run.selection == wanted_);
}

void Backfilling::read_stored() {
  for (auto& key : measure::own_devices(workspace_.config().binaries, environment_))
    own_devices_.insert(std::move(key));
  measured_.assign(line_.size(), false);
  tried_.assign(line_.size(), false);
  for (std::size_t i = 0; i < line_.size(); ++i)
    for (const auto& run :
         history::read_all_runs(workspace_.store(), workspace_.store().keys_of(line_[i].id))) {
      if (!counts(run)) continue;
      if (!run.same_program) lengths_s_.push_back(run.length_s);
      measured_[i] = true;
      note_names(run);
    }
  stored_ = static_cast<std::size_t>(std::count(measured_.begin(), measured_.end(), true));
  if (request_.again) measured_.assign(line_.size(), false);
  if (request_.narrow) return;
  order_ = history::spread_order(measured_, request_.every);
  if (request_.count > 0) order_.resize(std::min(order_.size(), request_.count));
}

void Backfilling::note_names(const Run& run) {
  if (run.selection != wanted_ || run.benchmarks.empty()) return;
  NamesOfCommit noted{run.commit, {}};
  for (const auto& benchmark : run.benchmarks) noted.names.insert(benchmark.name);
  names_[device_key(run.device)] = std::move(noted);
}

std::optional<double> Backfilling::median_length_s() const {
  if (lengths_s_.empty()) return {};
  std::vector<double> lengths = lengths_s_;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

report::BackfillPlan Backfilling::plan() const {
  report::BackfillPlan plan;
  plan.commits = line_.size();
  plan.before = workspace_.repository().resolve(range_.first);
  plan.last = line_.back();
  plan.recorded = stored_;
  plan.narrow = request_.narrow;
  if (request_.narrow) {
    if (const auto next = next_place()) plan.order.push_back(line_[*next]);
    return plan;
  }
  for (const std::size_t place : order_) plan.order.push_back(line_[place]);
  if (const auto one_s = median_length_s()) plan.measuring_s = *one_s * static_cast<double>(order_.size());
  return plan;
}

std::optional<std::size_t> Backfilling::next_place() const {
  if (!request_.narrow) return done_ < order_.size() ? std::optional(order_[done_]) : std::nullopt;
  if (request_.count > 0 && done_ >= request_.count) return {};
  return history::next_to_narrow(changes(), measured_, tried_);
}

// What the runs that are stored by now say of the line.
std::vector<history::SeenChange> Backfilling::changes() const {
  LineRequest line;
  line.from = range_.last;
  line.device = request_.device;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < line_.size(); ++i) places[line_[i].id] = i;
  std::vector<history::SeenChange> changes;
  for (const auto& event : load_line_events(workspace_, line).events)
    if (const auto place = places.find(event.first_seen.id);
        place != places.end() && event.shape == EventShape::kStep)
      changes.push_back({place->second, weight_of(event)});
  return changes;
}

double Backfilling::elapsed_s() const {
  return seconds_since(start_);
}

// The first commit always has room: nothing is known of its length.
bool Backfilling::is_out_of_time() {
  const double one_s = done_ > 0 ? elapsed_s() / static_cast<double>(done_) : 0;
  return request_.budget.seconds > 0 && elapsed_s() + one_s > request_.budget.seconds;
}

report::BackfillResult Backfilling::run(BuildPool& pool,
                                        const std::function<void(const report::BackfillStep&)>& tell) {
  start_ = std::chrono::steady_clock::now();
  result_ = {};
  while (const auto place = next_place()) {
    result_.out_of_time = is_out_of_time();
    if (result_.out_of_time) break;
    tried_[*place] = true;
    ++done_;
    tell(take(*place, pool));
  }
  result_.commits = line_.size();
  result_.have_run = static_cast<std::size_t>(std::count(measured_.begin(), measured_.end(), true));
  result_.again = request_.again;
  result_.narrow = request_.narrow;
  return result_;
}

report::BackfillStep Backfilling::take(std::size_t place, BuildPool& pool) {
  const BuiltCommit* built = pool.get(line_[place]);
  report::BackfillStep step;
  if (built == nullptr) {
    step.what = report::BackfillStep::What::kFailed;
    step.why = pool.why_not();
  } else if (auto same = take_same_program(place, *built, pool)) {
    step = std::move(*same);
  } else {
    step = measure(place, *built);
  }
  step.commit = line_[place];
  if (step.what == report::BackfillStep::What::kFailed)
    ++result_.failed;
  else
    measured_[place] = true;
  if (step.what == report::BackfillStep::What::kSameProgram) ++result_.same;
  if (step.what == report::BackfillStep::What::kMeasured) ++result_.measured;
  return step;
}

std::optional<report::BackfillStep> Backfilling::take_same_program(std::size_t place,
                                                                   const BuiltCommit& built,
                                                                   const BuildPool& pool) {
  const auto& rules = workspace_.config().policy.rules;
  const bool measures_all = std::any_of(rules.begin(), rules.end(), [](const PolicyRule& rule) {
    return rule.identical_code == IdenticalCode::kMeasure;
  });
  if (measures_all || request_.again) return {};
  const std::string same =
      pool.same_program_as(built, [&](const std::string& commit) { return runs_made_.contains(commit); });
  if (same.empty()) return {};
  const std::string job = new_job_id();
  std::vector<Run> noted;
  for (const auto& [device, names] : runs_made_.at(same)) {
    Run empty;
    empty.id = job;
    empty.job = job;
    empty.commit = line_[place].id;
    empty.started_at = format_utc(std::chrono::system_clock::now());
    empty.host = measure::this_host();
    judge::record_same_programs({{device_key(device), {device, names, {}}}}, same, empty, noted);
  }
  store_runs(workspace_, noted, nullptr);
  report::BackfillStep step;
  step.what = report::BackfillStep::What::kSameProgram;
  step.same_as = same;
  return step;
}

report::BackfillStep Backfilling::measure(std::size_t place, const BuiltCommit& built) {
  const std::string job = new_job_id();
  const bool was_told = result_.measured > 0;
  Spool spool(workspace_, job, was_told);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<measure::Target> targets{built.target};
  report::BackfillStep step;
  measure::Measured measured;
  MeasureRequest measuring = request_.measuring;
  measuring.was_told = was_told;
  try {
    measured = measure_targets(workspace_, targets, measuring, environment_, spool);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kUsage) throw;  // an older commit may lack what is asked for
    step.why = error.what();
    return step;
  }
  std::vector<Run> runs;
  try {
    runs = runs_of(measured, targets, 0,
                   {.id = job,
                    .job = job,
                    .commit = line_[place].id,
                    .selection = wanted_,
                    .isolated = request_.measuring.isolate});
    ProgramHashes(workspace_, targets.front(), line_[place].id, environment_).add_to(runs);
  } catch (const Error& error) {
    if (measured.interrupted || error.code() != ExitCode::kEnvironment) throw;
    step.why = error.what();
    return step;
  }
  store_runs(workspace_, runs, &spool);
  step.what = report::BackfillStep::What::kMeasured;
  step.length_s = seconds_since(start);
  for (const auto& run : runs) step.measured.push_back(measured_of(run));
  const bool is_counted = std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return counts(run); });
  if (!is_counted) step.other_device = device_key(runs.front().device);
  throw_if_interrupted(measured);
  return step;
}

report::BackfillMeasured Backfilling::measured_of(const Run& run) {
  std::set<std::string> names;
  for (const auto& benchmark : run.benchmarks) names.insert(benchmark.name);
  runs_made_[run.commit].emplace_back(run.device, names);
  if (names_.count(device_key(run.device)) == 0) note_names(run);
  const auto& [commit, all] = names_[device_key(run.device)];
  report::BackfillMeasured measured{names.size(), {}, commit};
  std::set_difference(all.begin(), all.end(), names.begin(), names.end(),
                      std::back_inserter(measured.missing));
  return measured;
}

}  // namespace tracker::app
