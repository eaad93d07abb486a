#include "tracker/app/line_events.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "tracker/app/compare.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/app/remap.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/chart_data.hpp"
#include "tracker/history/series.hpp"
#include "tracker/store/sync.hpp"

namespace tracker::app {
namespace {

constexpr const char* kRemap = "tracker remap --dry-run says what became of their commits";
constexpr const char* kDeepen = "git fetch --unshallow (fetch-depth: 0 in actions/checkout)";

// "3 runs of HEAD's line, such as 'PATH'"
template <class Keys, class KeyOf>
std::string runs_in_words(const Keys& found, const std::string& from, const KeyOf& key_of) {
  return count_of(found.size(), "run") + " of " + from + "'s line, such as " +
         in_quotes(store::path_of(key_of(found.front())));
}

std::unordered_set<std::string_view> ids_of(const repo::CommitLine& line) {
  std::unordered_set<std::string_view> ids;
  for (const auto& commit : line) ids.insert(commit.id);
  return ids;
}

// Where the newest runs of all are of commits that this history does not have, as after a rebase.
std::optional<LineGap> rewritten(const Workspace& workspace, const std::string& from,
                                 const repo::CommitLine& line) {
  if (line.goes_on()) return {};
  const auto ids = ids_of(line);
  std::string newest;
  std::string newest_here;
  for (const auto& key : history::recorded_keys(workspace.history()))
    for (auto* one : {&newest, ids.contains(key.commit) ? &newest_here : nullptr})
      if (one != nullptr) *one = std::max(*one, key.id);
  if (newest == newest_here) return {};
  const LostRuns lost = lost_runs(workspace);
  if (lost.newest <= newest_here) return {};
  return LineGap(
      ExitCode::kOk,
      in_words(lost) + ", and the newest of them is newer than all of " + from + "'s line: was it rewritten?",
      kRemap);
}

}  // namespace

std::vector<LineGap> line_gaps(const Workspace& workspace, const std::string& from) {
  std::vector<LineGap> gaps;
  const auto line = workspace.repository().first_parents(from, history::kWholeLine);
  if (line.goes_on())
    gaps.emplace_back(
        ExitCode::kEnvironment,
        "this clone is shallow: it has only the newest " + count_of(line.size(), "commit") + " of " + from,
        kDeepen);
  if (const auto why = history::why_no_sentinel(workspace.repository(), workspace.config().policy))
    gaps.emplace_back(ExitCode::kEnvironment,
                      why->what() + std::string(": a step of the machine looks like one of the code"),
                      why->hint());
  if (auto gap = rewritten(workspace, from, line)) gaps.push_back(std::move(*gap));
  if (const auto lost = workspace.shared_store().lost_step())
    gaps.emplace_back(ExitCode::kCannotJudge, lost->what, lost->remedy);
  if (!workspace.store_place().is_git()) return gaps;
  for (auto& [remote, keys] : store::not_taken_from(workspace.repository(), workspace.store_place().where)) {
    const auto ids = ids_of(line);
    std::erase_if(keys, [&](const store::Key& key) { return !ids.contains(key.commit); });
    if (keys.empty()) continue;
    gaps.emplace_back(ExitCode::kCannotJudge,
                      in_quotes(remote) + " has " +
                          runs_in_words(keys, from, [](const store::Key& key) { return key; }) +
                          ", that the store here does not have",
                      "tracker sync --fetch " + remote + " takes them, or says why it cannot");
  }
  return gaps;
}

std::vector<LineGap> older_commits(const Workspace& workspace, const std::string& from, int commits_max) {
  const auto line = workspace.repository().first_parents(from, commits_max + 1);
  if (std::cmp_less_equal(line.size(), commits_max)) return {};
  return {{ExitCode::kOk,
           "only the newest " + count_of(commits_max, "commit") + " of " + from + " are looked at",
           "--commits N for more"}};
}

std::string in_words(const LineGap& gap) {
  return printable(std::string(gap.what()) + "; next: " + gap.hint());
}

void require_whole(const std::vector<LineGap>& gaps) {
  for (const auto& gap : gaps)
    if (gap.code() != ExitCode::kOk) throw gap;
}

bool has_origin(const Workspace& workspace) {
  return repo::run_git(workspace.root(), {"config", "--get", "remote.origin.url"}).ok();
}

Error no_run_on_line(const Workspace& workspace, const std::string& from, int commits_max) {
  std::unordered_set<std::string> commits;
  for (const auto& key : history::recorded_keys(workspace.history())) commits.insert(key.commit);
  const auto line = workspace.repository().first_parents(from, commits_max);
  const bool is_all = std::cmp_less(line.size(), commits_max);  // that this clone has of it
  const std::string nothing =
      "no run is stored for any " +
      (is_all ? "commit" : "of the newest " + count_of(static_cast<std::size_t>(commits_max), "commit")) +
      " of " + from;
  if (commits.empty() || !is_all)
    return {ExitCode::kCannotJudge, nothing,
            commits.empty() && has_origin(workspace)
                ? "fetch what is recorded elsewhere: tracker sync --fetch; or measure this one: tracker run"
                : "measure this one: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch"};
  const std::string others =
      count_of(commits.size(), "commit") + (commits.size() == 1 ? " has" : " have") + " runs";
  if (line.goes_on())
    return {ExitCode::kEnvironment, nothing + ": " + others + ", and this clone is shallow", kDeepen};
  if (const LostRuns lost = lost_runs(workspace); lost.runs > 0)
    return {ExitCode::kCannotJudge,
            nothing + ": " + in_words(lost) + " (a rewritten history, or branches that are gone)", kRemap};
  return {ExitCode::kCannotJudge, nothing + ": " + others + ", none of them on its first-parent line",
          "name a commit of the line that was measured: --from REVISION; or measure this one: tracker run"};
}

namespace {

// Of what was read by now of that line on these devices: the runs that were left out, because they are broken
// or of a newer tracker.
std::vector<LineGap> unread_runs(const Workspace& workspace, const std::string& from,
                                 const std::vector<std::string>& devices) {
  auto left_out = workspace.store().left_out();
  const auto line = workspace.repository().first_parents(from, history::kWholeLine);
  const auto ids = ids_of(line);
  std::erase_if(left_out, [&](const store::LeftOut& one) {
    return one.key.kind != store::DocumentKind::kRun || !ids.contains(one.key.commit) ||
           std::ranges::find(devices, one.key.device) == devices.end();
  });
  if (left_out.empty()) return {};
  return {{ExitCode::kCannotJudge,
           runs_in_words(left_out, from, [](const store::LeftOut& one) { return one.key; }) +
               ", cannot be read: " + left_out.front().why,
           left_out.front().remedy}};
}

// Whether the clone does not have the whole line: then a failure may be wrong as well.
bool is_cut_off(const std::vector<LineGap>& gaps) {
  return std::ranges::any_of(gaps, [](const LineGap& gap) { return gap.code() == ExitCode::kEnvironment; });
}

// Of the newest commit in these series of one device, the benchmarks that the policy lets fail nothing.
void add_only_reported(const Workspace& workspace, const std::vector<Series>& series,
                       std::set<std::string>& names) {
  const SeriesPoint* newest = nullptr;
  for (const auto& one : series)
    if (!one.points.empty() && (newest == nullptr || one.points.back().position > newest->position))
      newest = &one.points.back();
  if (newest == nullptr) return;
  const Policy& policy = workspace.config().policy;
  for (auto& run : runs_at(workspace, newest->commit, series.front().device)) {
    rename_benchmarks(run, policy.renames);
    for (const auto& benchmark : run.benchmarks)
      if (gate_for(without_renames(policy), benchmark).report_only) names.insert(benchmark.name);
  }
}

}  // namespace

LineEvents load_line_events(const Workspace& workspace, const LineRequest& request) {
  const Config& config = workspace.config();
  const Policy policy = policy_at_threshold(config.policy, request.threshold);
  LineEvents line;
  line.gaps = line_gaps(workspace, request.from);
  const auto known = history::devices_on_line(workspace.repository(), workspace.history(), request.from,
                                              history::kWholeLine);
  line.devices = matching_devices(known, request.device);
  if (line.devices.empty() && !known.empty())
    throw Error(ExitCode::kUsage, "no device with runs matches " + in_quotes(request.device),
                "those with runs: " + join(known, ", "));
  if (line.devices.empty()) throw no_run_on_line(workspace, request.from, history::kWholeLine);
  std::set<std::string> reported_only;
  for (const auto& device : line.devices) {
    auto series = history::load_series(workspace.repository(), workspace.history(), device, request.from,
                                       {.globs = request.globs}, policy);
    if (request.globs.empty())
      std::erase_if(series,
                    [&](const Series& one) { return history::is_in_sweep(one.benchmark, config.sweeps); });
    add_only_reported(workspace, series, reported_only);
    std::ranges::move(series, std::back_inserter(line.series));
  }
  if (line.series.empty() && !request.globs.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches " + in_quotes(join(request.globs, "' or '")),
                "tracker log '*' lists what is recorded");
  line.events = events::all_events(line.series);
  events::add_causes(workspace.repository(), workspace.history(), request.from, policy, line.series,
                     line.events);
  events::accept_changes(line.events, acceptances_on(workspace, request.from, reported_only));
  for (auto& gap : unread_runs(workspace, request.from, line.devices)) line.gaps.push_back(std::move(gap));
  return line;
}

std::string since_day(const std::string& text, const std::string& today) {
  if (text == "all") return "";
  if (is_date(text)) return text;
  const auto days = parse_days(text);
  if (!days)
    throw Error(ExitCode::kUsage, in_quotes(text) + " is no length of time and no day",
                "write it as 90d, 12w, 2026-08-24 or all");
  return utc_date(parse_time(today + "T00:00:00Z").value() - std::chrono::days(*days));
}

CheckOutcome check_line(const Workspace& workspace, const CheckRequest& request) {
  CheckOutcome outcome;
  outcome.line = load_line_events(workspace, request.line);
  const LineEvents& line = outcome.line;
  if (is_cut_off(line.gaps)) require_whole(line.gaps);
  outcome.newest = events::check_newest(line.events, line.series, request.newest);
  if (outcome.newest.series == 0) require_whole(line.gaps);
  if (outcome.newest.series == 0 && !request.allow_short)
    throw Error(ExitCode::kCannotJudge,
                "no benchmark has " + std::to_string(events::kCheckedValuesMin) + " values yet on " +
                    join(line.devices, ", ") +
                    (line.gaps.empty() ? "" : std::string("; ") + line.gaps.front().what()),
                line.gaps.empty() ? "record more commits: tracker run" : line.gaps.front().hint());
  const DriftPolicy& policy = workspace.config().drift;
  const DriftAction action = request.drift.value_or(policy.action);
  outcome.drifts_fail = action == DriftAction::kFail;
  if (action != DriftAction::kIgnore)
    outcome.drifts =
        events::drift_alarms(line.events, line.series, request.newest,
                             line_references(workspace, request.line.from, line.series), policy.threshold);
  if (!outcome.failed()) require_whole(line.gaps);
  return outcome;
}

std::string newest_release(const repo::Repository& repository, const std::string& from) {
  const auto described = repo::run_git(
      repository.root(),
      {"describe", "--tags", "--abbrev=0", "--first-parent", repository.resolve(from).id + "^"});
  return described.ok() ? described.output.substr(0, described.output.find('\n')) : "";
}

std::vector<LineReference> line_references(const Workspace& workspace, const std::string& from,
                                           const std::vector<Series>& series) {
  const DriftPolicy& drift = workspace.config().drift;
  const auto line = workspace.repository().first_parents(from, history::kWholeLine);
  std::vector<LineReference> references;
  const auto add = [&](const std::string& name, const std::string& commit, const std::string& device) {
    if (const auto position = position_on_line(workspace.repository(), line, commit))
      references.push_back({name, *position, device});
  };
  if (drift.since_release)
    if (const std::string tag = newest_release(workspace.repository(), from); !tag.empty())
      add("release " + tag, tag, "");
  std::set<std::string> devices;
  if (drift.since_baseline)
    for (const auto& one : series) devices.insert(one.device);
  for (const auto& device : devices)
    if (const auto baseline = load_side(workspace, kBaselineWord, device))
      add("the last baseline", baseline->side.commit, device);
  const auto by_day = events::days_ago(series, drift.since_days);
  references.insert(references.end(), by_day.begin(), by_day.end());
  return references;
}

std::vector<DriftAlarm> line_drifts(const Workspace& workspace, const std::string& from,
                                    const std::vector<std::string>& devices) {
  const DriftPolicy& drift = workspace.config().drift;
  if (drift.action == DriftAction::kIgnore || devices.empty()) return {};
  LineRequest request;
  request.from = from;
  if (devices.size() == 1) request.device = devices.front();
  LineEvents line;
  try {
    line = load_line_events(workspace, request);
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    return {};  // such as a first commit: the report is about something else
  }
  auto alarms = events::drift_alarms(line.events, line.series, events::kNewestCommits,
                                     line_references(workspace, from, line.series), drift.threshold);
  std::erase_if(alarms, [&](const DriftAlarm& alarm) {
    return std::ranges::none_of(alarm.event.changes, [&](const EventChange& change) {
      return std::ranges::find(devices, change.device) != devices.end();
    });
  });
  return alarms;
}

std::vector<std::string> logged_devices(const Workspace& workspace, const LogRequest& request) {
  auto devices = chosen_devices(
      history::devices_on_line(workspace.repository(), workspace.history(), request.from, request.commits),
      request.device);
  if (devices.empty()) throw no_run_on_line(workspace, request.from, request.commits);
  return devices;
}

LoggedTrends trends_on(const Workspace& workspace, const std::string& device, const LogRequest& request) {
  const auto& repository = workspace.repository();
  const Policy policy = policy_at_threshold(workspace.config().policy, request.threshold);
  const auto acceptances = acceptances_on(workspace, request.from);
  const int oldest = history::position_of_oldest(repository, request.from, request.commits);
  // What families show together needs all of their values, also those of before.
  auto whole = history::load_series(repository, workspace.history(policy), device, request.from,
                                    {.globs = request.globs}, policy);
  LoggedTrends trends;
  if (whole.size() > 1) trends.together = events::shared_events_since(whole, oldest);
  for (auto& series : whole) {
    events::accept_steps(series, acceptances);
    series = history::points_from(std::move(series), oldest);
  }
  std::erase_if(whole, [](const Series& series) { return series.points.empty(); });
  trends.series = std::move(whole);
  return trends;
}

}  // namespace tracker::app
