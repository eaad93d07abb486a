#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/app/build_pool.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/app/measuring_plan.hpp"
#include "tracker/app/recording.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/backfill_order.hpp"
#include "tracker/history/history.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/repo/commit_range.hpp"

namespace tracker {
namespace {

constexpr int kBuildsToMatch = 4;  // that a later commit may be the same program as
constexpr std::size_t kPlannedShown = 8;

struct BackfillOptions {
  std::string range;
  MeasureWishes wishes;
  std::size_t every = 1;
  std::size_t count = 0;
  std::string time_budget;
  std::string device;
  bool narrow = false;
  bool again = false;
  bool dry_run = false;
};

struct LineRange {
  std::string first;
  std::string last;
};

LineRange range_of(const std::string& text) {
  const auto dots = text.find("..");
  if (dots == std::string::npos || dots == 0 || text.find("...") != std::string::npos)
    throw Error(ExitCode::kUsage, "'" + printable(text) + "' is no range of commits",
                "write it as git does: v1.0..HEAD, or v1.0.. up to HEAD");
  const std::string last = text.substr(dots + 2);
  return {text.substr(0, dots), last.empty() ? "HEAD" : last};
}

// The benchmarks that others are held against.
struct NamesOfCommit {
  std::string commit;
  std::set<std::string> names;
};

// The line of a compiler's or a build system's that says what is wrong, as far as it can be told.
std::string last_error(const std::vector<std::string>& lines) {
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (line->find("error") != std::string::npos || line->find("Error") != std::string::npos) return *line;
  return lines.back();
}

class Backfilling {
 public:
  Backfilling(const Workspace& workspace, const BackfillOptions& options)
      : workspace_(workspace), options_(options), range_(range_of(options.range)) {
    for (auto& one : commit_range(workspace.repository(), range_.first, range_.last))
      line_.push_back(std::move(one.commit));
    if (line_.empty())
      throw Error(ExitCode::kUsage, "there is no commit in '" + printable(options.range) + "'",
                  "the older commit comes first, and is not part of the range: OLD..NEW");
    if (!options.time_budget.empty()) {
      const auto seconds = parse_duration(options.time_budget);
      if (!seconds)
        throw Error(ExitCode::kUsage, "'" + printable(options.time_budget) + "' is no length of time",
                    "write --time-budget like 90s, 10m or 1h");
      budget_s_ = *seconds;
    }
    read_stored();
  }

  ExitCode print_plan() {
    print_fact("range", count_of(line_.size(), "commit") + " after " + short_of(range_.first) + " up to " +
                            describe(line_.back()) + ", on the first-parent line");
    print_fact("recorded", std::to_string(stored_) + " of them, " + where());
    if (options_.narrow) {
      print_fact("planned", "what narrows the changes best, one after the other");
      if (const auto next = next_place()) print_fact("next", describe(line_[*next]));
    } else {
      const std::size_t planned = limited(order_.size());
      print_fact("planned", count_of(planned, "commit"));
      for (std::size_t i = 0; i < planned && i < kPlannedShown; ++i)
        print_fact(i == 0 ? "order" : "", describe(line_[order_[i]]));
      if (planned > kPlannedShown)
        print_fact("", "… and " + std::to_string(planned - kPlannedShown) + " more");
      print_fact("time", lengths_s_.empty()
                             ? "not known: no run of these commits is stored"
                             : "about " + format_duration(median_length_s() * static_cast<double>(planned)) +
                                   " of measuring, by stored runs, and the builds");
    }
    return ExitCode::kOk;
  }

  ExitCode run() {
    BuildPool pool(workspace_, environment_, kBuildsToMatch, "backfill");
    start_ = std::chrono::steady_clock::now();
    while (const auto place = next_place()) {
      if (is_out_of_time()) break;
      tried_[*place] = true;
      ++done_;
      take(*place, pool);
    }
    tell_end();
    return measured_here_ + same_ == 0 && failed_ > 0 ? ExitCode::kEnvironment : ExitCode::kOk;
  }

 private:
  std::string where() const {
    return options_.device.empty() ? "by this machine"
                                   : "on devices like '" + printable(options_.device) + "'";
  }

  std::string short_of(const std::string& revision) const {
    return short_id(workspace_.repository().resolve(revision).id);
  }

  // Of this machine or, where devices are named, of those. Runs of part of the benchmarks, as a bisection
  // makes them, say nothing of the others.
  bool counts(const Run& run) const {
    const std::string key = device_key(run.device);
    const bool is_wanted = options_.device.empty() ? run.host.name == host_ || own_devices_.count(key) > 0
                                                   : glob_match(options_.device, key);
    return is_wanted && !run.dirty &&
           (run.same_program || run.filter.empty() || run.filter == options_.wishes.filter);
  }

  void read_stored() {
    for (auto& key : own_devices(workspace_.config().binaries, environment_))
      own_devices_.insert(std::move(key));
    measured_.assign(line_.size(), false);
    tried_.assign(line_.size(), false);
    for (std::size_t i = 0; i < line_.size(); ++i)
      for (const auto& run : read_all_runs(workspace_.store(), workspace_.store().keys_of(line_[i].id))) {
        if (!counts(run)) continue;
        if (!run.same_program) lengths_s_.push_back(run.length_s);
        measured_[i] = true;
        note_names(run);
      }
    stored_ = static_cast<std::size_t>(std::count(measured_.begin(), measured_.end(), true));
    if (options_.again) measured_.assign(line_.size(), false);
    if (!options_.narrow) order_ = spread_order(measured_, options_.every);
  }

  void note_names(const Run& run) {
    if (run.filter != options_.wishes.filter || run.benchmarks.empty()) return;
    NamesOfCommit noted{run.commit, {}};
    for (const auto& benchmark : run.benchmarks) noted.names.insert(benchmark.name);
    names_[device_key(run.device)] = std::move(noted);
  }

  std::size_t limited(std::size_t count) const {
    return options_.count > 0 ? std::min(count, options_.count) : count;
  }

  double median_length_s() const {
    std::vector<double> lengths = lengths_s_;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
  }

  std::optional<std::size_t> next_place() const {
    if (options_.count > 0 && done_ >= options_.count) return {};
    if (options_.narrow) return next_to_narrow(changes(), measured_, tried_);
    return done_ < order_.size() ? std::optional(order_[done_]) : std::nullopt;
  }

  // What the runs that are stored by now say of the line.
  std::vector<SeenChange> changes() const {
    LineWishes wishes;
    wishes.from = range_.last;
    wishes.device = options_.device;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < line_.size(); ++i) places[line_[i].id] = i;
    std::vector<SeenChange> changes;
    for (const auto& event : load_line_events(workspace_, wishes).events)
      if (const auto place = places.find(event.first_seen.id);
          place != places.end() && event.shape == EventShape::kStep)
        changes.push_back({place->second, weight_of(event)});
    return changes;
  }

  double elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  bool is_out_of_time() {
    const double one_s = done_ > 0 ? elapsed_s() / static_cast<double>(done_) : 0;
    out_of_time_ = budget_s_ > 0 && elapsed_s() + one_s > budget_s_;
    return out_of_time_;
  }

  static void print_row(const char* what, const Commit& commit, const std::string& more) {
    std::cout << std::left << std::setw(10) << what << describe(commit) << (more.empty() ? "" : ": " + more)
              << std::endl;
  }

  void take(std::size_t place, BuildPool& pool) {
    const Commit& commit = line_[place];
    const BuiltCommit* built = pool.get(commit);
    if (built == nullptr) return tell_failure(commit, pool.why_not());
    if (take_same_program(place, *built, pool)) return;
    measure(place, *built);
  }

  void tell_failure(const Commit& commit, const std::string& why) {
    ++failed_;
    std::vector<std::string> lines = split(why, '\n');
    std::erase(lines, "");
    print_row("failed", commit, lines.size() > 1 ? "does not build: " + printable(last_error(lines)) : why);
  }

  bool take_same_program(std::size_t place, const BuiltCommit& built, const BuildPool& pool) {
    const auto& rules = workspace_.config().policy.rules;
    const bool measures_all = std::any_of(rules.begin(), rules.end(), [](const PolicyRule& rule) {
      return rule.identical_code == IdenticalCode::kMeasure;
    });
    if (measures_all || options_.again) return false;
    const std::string same =
        pool.same_program_as(built, [&](const std::string& commit) { return runs_made_.contains(commit); });
    if (same.empty()) return false;
    const std::string job = new_job_id();
    std::vector<Run> noted;
    for (const auto& [device, names] : runs_made_.at(same)) {
      Run empty;
      empty.id = job;
      empty.job = job;
      empty.commit = built.commit;
      empty.started_at = format_utc(std::chrono::system_clock::now());
      empty.host = this_host();
      record_same_programs({{device_key(device), {device, names, {}}}}, same, empty, noted);
    }
    store_runs(workspace_, noted, nullptr);
    ++same_;
    measured_[place] = true;
    print_row("same", line_[place], "the same program as " + short_id(same));
    return true;
  }

  void measure(std::size_t place, const BuiltCommit& built) {
    const std::string job = new_job_id();
    Spool spool(workspace_, job);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Target> targets{built.target};
    const Measured measured = measure_targets(workspace_, targets, options_.wishes, environment_, spool);
    std::vector<Run> runs;
    try {
      runs = runs_of(measured, targets, 0,
                     {.id = job,
                      .job = job,
                      .commit = built.commit,
                      .filter = options_.wishes.filter,
                      .isolated = options_.wishes.isolate});
    } catch (const Error& error) {
      if (measured.interrupted || error.code() != ExitCode::kEnvironment) throw;
      return tell_failure(line_[place], error.what());
    }
    store_runs(workspace_, runs, &spool);
    ++measured_here_;
    measured_[place] = true;
    const double length_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const auto& run : runs) tell_run(line_[place], run, length_s);
    const bool is_known = std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return counts(run); });
    if (!is_known && measured_here_ == 1)
      print_note("the binaries state the device '" + printable(device_key(runs.front().device)) +
                 "': next time name it, so that these runs count: --device '" +
                 printable(device_key(runs.front().device)) + "'");
    throw_if_interrupted(measured);
  }

  void tell_run(const Commit& commit, const Run& run, double length_s) {
    std::set<std::string> names;
    for (const auto& benchmark : run.benchmarks) names.insert(benchmark.name);
    runs_made_[run.commit].emplace_back(run.device, names);
    if (names_.count(device_key(run.device)) == 0) note_names(run);
    std::vector<std::string> missing;
    const auto& [newest, all] = names_[device_key(run.device)];
    std::set_difference(all.begin(), all.end(), names.begin(), names.end(), std::back_inserter(missing));
    std::string text = count_of(names.size(), "benchmark") + ", " + format_duration(length_s);
    if (!missing.empty())
      text += "; " + count_of(missing.size(), "benchmark") + " of " + short_id(newest) + " not there: '" +
              printable(missing.front()) + "'" + (missing.size() > 1 ? ", …" : "");
    print_row("measured", commit, text);
  }

  void tell_end() const {
    const auto have = static_cast<std::size_t>(std::count(measured_.begin(), measured_.end(), true)) +
                      (options_.again ? stored_ : 0);
    std::cout << "\n"
              << measured_here_ << " measured, " << same_ << " the same program as another, " << failed_
              << " could not be measured";
    if (!options_.again)
      std::cout << "; " << have << " of " << count_of(line_.size(), "commit") << " have a run " << where();
    std::cout << "\n";
    if (out_of_time_)
      print_note("the time budget of " + options_.time_budget +
                 " has no room for the next commit; the same command goes on from here");
    else if (done_ == 0)
      print_note(options_.narrow
                     ? "there is nothing to narrow: no change was first seen after commits "
                       "without a run"
                     : "there is nothing to measure: every commit has a run (--again: all the same)");
    if (measured_here_ > 0) print_note("next: tracker log NAME, tracker top, tracker site DIR");
  }

  const Workspace& workspace_;
  const BackfillOptions& options_;
  const LineRange range_;
  const LocalEnvironment environment_;
  const std::string host_ = this_host().name;
  std::set<std::string> own_devices_;
  std::vector<Commit> line_;        // oldest first
  std::vector<bool> measured_;      // has a run
  std::vector<bool> tried_;         // by this command
  std::vector<std::size_t> order_;  // of places
  std::vector<double> lengths_s_;   // of stored runs
  std::map<std::string, NamesOfCommit>
      names_;  // by device: of the newest commit that had a run, or the first
  std::map<std::string, std::vector<std::pair<Device, std::set<std::string>>>> runs_made_;  // by commit
  std::size_t stored_ = 0;  // commits of the line that had a run before
  std::size_t done_ = 0;
  std::size_t measured_here_ = 0;
  std::size_t same_ = 0;
  std::size_t failed_ = 0;
  double budget_s_ = 0;
  bool out_of_time_ = false;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

std::function<ExitCode()> declare_backfill(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<BackfillOptions>();
  auto& wishes = options->wishes;
  app.add_option("range", options->range, "the commits: OLD..NEW on NEW's first-parent line, without OLD")
      ->required();
  app.add_option("--every", options->every, "only each so many commits, counted from the newest (1)")
      ->check(CLI::Range(1, 1000000));
  auto* narrow = app.add_flag("--narrow", options->narrow,
                              "only what tells which commit made the changes that are seen so far");
  narrow->excludes("--every");
  app.add_option("--count", options->count, "at most so many commits (default: all)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--time-budget", options->time_budget, "stop in time: 90s, 10m, 1h (no limit)");
  app.add_option("--device", options->device,
                 "runs on devices that match this pattern count (default: this machine's)");
  app.add_flag("--again", options->again, "also commits that have a run");
  app.add_flag("--dry-run", options->dry_run, "print the plan, and measure nothing");
  declare_measure_options(app, wishes);
  app.footer(
      "The newest commit and the oldest come first, then the middle of the widest gap.\n"
      "Each is recorded at once: after Ctrl-C or a time budget the same command goes on.\n"
      "What does not build is passed over, and said.\n"
      "Exit codes: 0 done, or the time is used; 2 usage; 4 nothing could be built or\n"
      "measured, or git or the store failed.");
  return [options, &globals] {
    const Workspace workspace(globals);
    if (!options->dry_run) require_build(workspace.config().measure, "backfill");
    Backfilling backfilling(workspace, *options);
    return options->dry_run ? backfilling.print_plan() : backfilling.run();
  };
}

}  // namespace tracker
