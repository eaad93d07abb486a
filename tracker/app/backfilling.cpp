#include <algorithm>
#include <iterator>
#include <set>

#include "tracker/app/bisecting.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/backfill_order.hpp"
#include "tracker/judge/confirm.hpp"

namespace tracker::app {
namespace {

using Ended = report::BackfillStep::What;

struct LineRange {
  std::string first;
  std::string last;  // "HEAD" where the text names none
};

LineRange line_range_of(const std::string& text) {
  const auto dots = text.find("..");
  if (dots == std::string::npos || dots == 0 || text.find("...") != std::string::npos)
    throw Error(ExitCode::kUsage, in_quotes(text) + " is no range of commits",
                "write it as git does: v1.0..HEAD, or v1.0.. up to HEAD");
  const std::string last = text.substr(dots + 2);
  return {text.substr(0, dots), last.empty() ? "HEAD" : last};
}

std::set<std::string> benchmarks_of(const Run& run) {
  std::set<std::string> names;
  for (const auto& benchmark : run.benchmarks) names.insert(benchmark.name);
  return names;
}

class Backfilling {
 public:
  // Reads what is stored of the range.
  Backfilling(const Workspace& workspace, const BackfillRequest& request)
      : workspace_(workspace),
        request_(request),
        range_(line_range_of(request.range)),
        wanted_{request.measuring.filter},
        host_(measure::this_host().name) {
    if (!request.measuring.filter.empty())
      BenchmarkFilter{request.measuring.filter};  // a mistake in it is said first
    for (auto& one : repo::commit_range(workspace.repository(), range_.first, range_.last))
      line_.push_back(std::move(one.commit));
    if (line_.empty())
      throw Error(ExitCode::kUsage, "there is no commit in " + in_quotes(request.range),
                  "the older commit comes first, and is not part of the range: OLD..NEW");
    read_stored();
  }

  report::BackfillPlan plan() const {
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

  report::BackfillResult run(BuildPool& pool, const std::function<void(const report::BackfillStep&)>& tell) {
    const auto start = std::chrono::steady_clock::now();
    while (const auto place = next_place()) {
      // The first commit always has room: nothing is known of its length.
      const double elapsed_s = seconds_since(start);
      const double one_s = done_ > 0 ? elapsed_s / static_cast<double>(done_) : 0;
      result_.out_of_time = request_.budget.seconds > 0 && elapsed_s + one_s > request_.budget.seconds;
      if (result_.out_of_time) break;
      tried_[*place] = true;
      ++done_;
      tell(take(*place, pool));
    }
    result_.commits = line_.size();
    result_.have_run = static_cast<std::size_t>(std::ranges::count(measured_, true));
    result_.again = request_.again;
    result_.narrow = request_.narrow;
    return result_;
  }

 private:
  // The benchmarks that those of other commits are compared with.
  struct NamesOfCommit {
    std::string commit;
    std::set<std::string> names;
  };

  // Of this machine or, where devices are named, of those. Runs of part of the benchmarks, as a bisection
  // makes them, say nothing of the others.
  bool counts(const Run& run) const {
    const std::string key = device_key(run.device);
    const bool is_wanted = request_.device.empty() ? run.host.name == host_ || own_devices_.contains(key)
                                                   : glob_match(request_.device, key);
    return is_wanted && !run.dirty &&
           (run.same_program || run.selection.is_all() || run.selection == wanted_);
  }

  void read_stored() {
    for (auto& key : measure::own_devices(workspace_.config().binaries, workspace_.machine()))
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
    stored_ = static_cast<std::size_t>(std::ranges::count(measured_, true));
    if (request_.again) measured_.assign(line_.size(), false);
    if (request_.narrow) return;
    order_ = history::spread_order(measured_, request_.every);
    if (request_.count > 0) order_.resize(std::min(order_.size(), request_.count));
  }

  void note_names(const Run& run) {
    if (run.selection == wanted_ && !run.benchmarks.empty())
      names_[device_key(run.device)] = {run.commit, benchmarks_of(run)};
  }

  std::optional<double> median_length_s() const {
    if (lengths_s_.empty()) return {};
    std::vector<double> lengths = lengths_s_;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    return *middle;
  }

  std::optional<std::size_t> next_place() const {
    if (!request_.narrow) return done_ < order_.size() ? std::optional(order_[done_]) : std::nullopt;
    if (request_.count > 0 && done_ >= request_.count) return {};
    return history::next_to_narrow(changes(), measured_, tried_);
  }

  // What the runs that are stored by now say of the line.
  std::vector<history::SeenChange> changes() const {
    std::vector<history::SeenChange> changes;
    for (const auto& event :
         load_line_events(workspace_, {.device = request_.device, .from = range_.last}).events) {
      const auto place = std::ranges::find(line_, event.first_seen.id, &Commit::id);
      if (place != line_.end() && event.shape == EventShape::kStep)
        changes.push_back({static_cast<std::size_t>(place - line_.begin()), weight_of(event)});
    }
    return changes;
  }

  report::BackfillStep take(std::size_t place, BuildPool& pool) {
    const BuiltCommit* built = pool.get(line_[place]);
    report::BackfillStep step;
    if (built == nullptr)
      step.why = pool.why_not();
    else if (const std::string same = same_program_as(*built, pool); !same.empty())
      step = note_same_program(place, same);
    else
      step = measure(*built);
    step.commit = line_[place];
    if (step.what == Ended::kFailed) {
      ++result_.failed;
      return step;
    }
    measured_[place] = true;
    ++(step.what == Ended::kMeasured ? result_.measured : result_.same);
    return step;
  }

  // The commit that was measured by now and has the same program; empty where there is none.
  std::string same_program_as(const BuiltCommit& built, const BuildPool& pool) const {
    const bool measures_all = std::ranges::any_of(workspace_.config().policy.rules, [](const auto& rule) {
      return rule.identical_code == IdenticalCode::kMeasure;
    });
    if (measures_all || request_.again) return "";
    return pool.same_program_as(built, [&](const auto& commit) { return runs_made_.contains(commit); });
  }

  report::BackfillStep note_same_program(std::size_t place, const std::string& same) {
    Run empty;
    empty.id = new_job_id();
    empty.job = empty.id;
    empty.commit = line_[place].id;
    empty.started_at = format_utc(std::chrono::system_clock::now());
    empty.host = measure::this_host();
    std::vector<Run> noted;
    for (const auto& [device, names] : runs_made_.at(same))
      judge::record_same_programs({{device_key(device), {device, names, {}}}}, same, empty, noted);
    store_runs(workspace_, noted, nullptr);
    return {.what = Ended::kSameProgram, .same_as = same};
  }

  report::BackfillStep measure(const BuiltCommit& built) {
    MeasureRequest measuring = request_.measuring;
    measuring.was_told = result_.measured > 0;
    Spool spool(workspace_, measuring.was_told);
    const auto start = std::chrono::steady_clock::now();
    report::BackfillStep step;
    measure::Measured measured;
    std::vector<Run> runs;
    ExitCode excused = ExitCode::kUsage;  // an older commit may lack what is asked for
    try {
      measured = measure_targets(workspace_, {built.target}, measuring, spool);
      excused = ExitCode::kEnvironment;  // and its binaries may fail
      runs = RunMaker(workspace_, built.target, built.commit).runs_of(measured, 0, spool.job(), measuring);
    } catch (const Error& error) {
      if (measured.interrupted || error.code() != excused) throw;
      step.why = error.what();
      return step;
    }
    store_runs(workspace_, runs, &spool);
    step.what = Ended::kMeasured;
    step.length_s = seconds_since(start);
    for (const auto& run : runs) step.measured.push_back(measured_of(run));
    if (std::ranges::none_of(runs, [&](const Run& run) { return counts(run); }))
      step.other_device = device_key(runs.front().device);
    throw_if_interrupted(measured);
    return step;
  }

  report::BackfillMeasured measured_of(const Run& run) {
    const std::set<std::string> names = benchmarks_of(run);
    runs_made_[run.commit].emplace_back(run.device, names);
    if (!names_.contains(device_key(run.device))) note_names(run);
    const auto& [commit, all] = names_[device_key(run.device)];
    report::BackfillMeasured measured{names.size(), {}, commit};
    std::ranges::set_difference(all, names, std::back_inserter(measured.missing));
    return measured;
  }

  const Workspace& workspace_;
  const BackfillRequest& request_;
  const LineRange range_;
  const RunSelection wanted_;
  const std::string host_;
  std::set<std::string> own_devices_;
  std::vector<Commit> line_;        // oldest first
  std::vector<bool> measured_;      // has a run
  std::vector<bool> tried_;         // by this request
  std::vector<std::size_t> order_;  // of places
  std::vector<double> lengths_s_;   // of stored runs
  // By device: of the newest commit that had a run, or the first.
  std::map<std::string, NamesOfCommit> names_;
  std::map<std::string, std::vector<std::pair<Device, std::set<std::string>>>> runs_made_;  // by commit
  std::size_t stored_ = 0;  // commits of the line that had a run before
  std::size_t done_ = 0;
  report::BackfillResult result_;
};

}  // namespace

report::BackfillPlan plan_backfill(const Workspace& workspace, const BackfillRequest& request) {
  return Backfilling(workspace, request).plan();
}

report::BackfillResult backfill(const Workspace& workspace, const BackfillRequest& request,
                                const std::function<void(const report::BackfillStep&)>& tell) {
  constexpr int kBuildsToMatch = 4;  // that a later commit may be the same program as
  Backfilling backfilling(workspace, request);
  BuildPool pool(workspace, kBuildsToMatch, "backfill");
  return backfilling.run(pool, tell);
}

}  // namespace tracker::app
