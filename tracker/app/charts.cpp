#include "tracker/app/charts.hpp"

#include <algorithm>
#include <string_view>

#include "tracker/app/line_events.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/chart_data.hpp"
#include "tracker/history/series.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::app {
namespace {

// The commit to mark. HEAD~1 is only a default: a first commit has none.
std::string base_commit(const Workspace& workspace, const ChartRequest& request) {
  if (!request.base.empty()) return workspace.repository().resolve(request.base).id;
  return find_commit(workspace.repository(), "HEAD~1").value_or(Commit{}).id;
}

std::vector<std::string> chart_devices(const Workspace& workspace, const ChartRequest& request) {
  auto devices = chosen_devices(
      history::devices_on_line(workspace.repository(), workspace.history(), "HEAD", request.commits),
      request.device);
  if (devices.empty()) throw no_run_on_line(workspace, "HEAD", request.commits);
  return devices;
}

std::vector<history::CommitRuns> history_of(const Workspace& workspace, const std::string& device,
                                            int commits_max) {
  return history::load(workspace.repository(), workspace.history(), device, "HEAD", commits_max);
}

[[noreturn]] void refuse_empty(const ChartRequest& request, const std::string& what,
                               const std::string& hint) {
  if (request.globs.empty()) throw Error(ExitCode::kUsage, "nothing to draw is recorded", hint);
  throw Error(ExitCode::kUsage, what + " " + in_quotes(join(request.globs, "' or '")), hint);
}

// The sweeps of tracker.toml; names that none of them matches count where they are asked for, or where
// there is no sweep at all.
std::vector<Sweep> chosen_sweeps(const Workspace& workspace, const ChartRequest& request) {
  std::vector<Sweep> sweeps;
  if (!request.globs.empty() || workspace.config().sweeps.empty()) sweeps.push_back({.match = "*"});
  sweeps.insert(sweeps.end(), workspace.config().sweeps.begin(), workspace.config().sweeps.end());
  const auto choose = [&](const char* option, const std::string& pattern, std::string Sweep::*axis) {
    if (pattern.empty()) return;
    if (segments_in(pattern).empty())
      throw Error(ExitCode::kUsage, std::string(option) + " " + in_quotes(pattern) + " names no segment",
                  std::string("write segments of the benchmarks' names, such as ") + option + " '{2}'");
    for (auto& sweep : sweeps) sweep.*axis = pattern;
  };
  choose("--rows", request.rows, &Sweep::rows);
  choose("--columns", request.columns, &Sweep::columns);
  return sweeps;
}

}  // namespace

TrendCharts gather_trends(const Workspace& workspace, const ChartRequest& request) {
  const std::string base = base_commit(workspace, request);
  const Config& config = workspace.config();
  const int oldest = history::position_of_oldest(workspace.repository(), "HEAD", request.commits);
  const auto acceptances = acceptances_on(workspace, "HEAD");
  TrendCharts charts;
  for (const auto& device : chart_devices(workspace, request)) {
    history::LineQuestion question{.globs = request.globs, .base = base, .finish = [&](Series& series) {
                                     events::accept_steps(series, acceptances);
                                     series = history::points_from(std::move(series), oldest);
                                   }};
    // A trend of each of a thousand cells is nothing to look at, unless someone asks for it.
    if (request.globs.empty() && !config.sweeps.empty())
      question.passed_over = [&](const std::string& name) {
        return history::is_in_sweep(name, config.sweeps);
      };
    auto line = history::load_line(workspace.repository(), workspace.history(), device, "HEAD", question,
                                   config.policy);
    if (!line) continue;
    for (auto& series : line->series)
      if (!series.points.empty()) charts.series.push_back(std::move(series));
    const int newest = line->commits.rbegin()->first;
    auto history =
        history::load_commits(workspace.repository().first_parents("HEAD", history::kWholeLine),
                              workspace.history(), device, [&](int position) { return position == newest; });
    if (request.globs.empty()) history::leave_out_sweeps(history, config.sweeps, config.policy.renames);
    for (auto& overview : history::make_overviews(history.back(), device, request.globs, config.policy))
      charts.overviews.push_back(std::move(overview));
  }
  if (charts.series.empty()) {
    if (!request.globs.empty())
      throw no_benchmark_matches(workspace, request.globs, chart_devices(workspace, request), "HEAD");
    refuse_empty(request, "", "draw what was swept over: tracker plot --sweep");
  }
  return charts;
}

std::vector<SweepGrid> gather_sweeps(const Workspace& workspace, const ChartRequest& request) {
  const auto sweeps = chosen_sweeps(workspace, request);
  std::vector<SweepGrid> grids;
  for (const auto& device : chart_devices(workspace, request))
    for (auto& grid : history::make_sweeps(history_of(workspace, device, request.commits), device,
                                           request.globs, workspace.config().policy, sweeps))
      grids.push_back(std::move(grid));
  if (grids.empty())
    refuse_empty(request, "there is no grid of benchmarks that match",
                 "a sweep needs names that differ in a segment: blocks/naive/8x32, blocks/naive/32x8");
  return grids;
}

std::vector<Roofline> gather_rooflines(const Workspace& workspace, const ChartRequest& request) {
  const Config& config = workspace.config();
  std::vector<Roofline> rooflines;
  std::string unplaced;
  for (const auto& device : chart_devices(workspace, request)) {
    auto history = history_of(workspace, device, request.commits);
    if (request.globs.empty()) history::leave_out_sweeps(history, config.sweeps, config.policy.renames);
    auto roofline = history::make_roofline(history, device, request.globs, config.policy, config.work);
    if (!roofline) continue;
    if (!roofline->unplaced.empty()) unplaced = roofline->unplaced.front();
    if (!roofline->points.empty()) rooflines.push_back(std::move(*roofline));
  }
  if (rooflines.empty())
    refuse_empty(request, "no benchmark with known bytes matches",
                 unplaced.empty()
                     ? "state bytes and FLOPs in the benchmark, or in [[roofline]] of tracker.toml"
                     : "the bytes of " + in_quotes(unplaced) +
                           " are not known: a [[roofline]] table of tracker.toml can tell them");
  return rooflines;
}

namespace {

constexpr char kFilePlaceholder[] = "{file}";  // the place of the file's name in --charts-url
constexpr std::size_t kWorstMax = 5;
constexpr std::size_t kTrendCommitsMin = 3;  // with fewer it is sentences
constexpr std::size_t kTrendRowsMax = 12;    // of the tables below the pictures
constexpr std::size_t kSampleRowsMax = 40;

struct Worst {
  std::size_t report = 0;
  const Comparison* comparison = nullptr;
  std::size_t turn = 0;  // of its device
};

bool is_worse(const Comparison& comparison) {
  return comparison.candidate &&
         (comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kBelowFloor ||
          comparison.verdict == Verdict::kSameCode);
}

// Those that fail the gate first; the devices take turns, so that none is left out for another's many.
std::vector<Worst> worst_of(const std::vector<ComparisonReport>& reports) {
  std::vector<Worst> worst;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    std::vector<Worst> worse;
    for (const auto& comparison : reports[i].comparisons)
      if (is_worse(comparison)) worse.push_back({i, &comparison});
    std::stable_partition(worse.begin(), worse.end(),
                          [](const Worst& one) { return fails_gate(*one.comparison); });
    for (std::size_t turn = 0; turn < worse.size(); ++turn) worse[turn].turn = turn;
    worst.insert(worst.end(), worse.begin(), worse.end());
  }
  std::ranges::stable_sort(
      worst, {}, [](const Worst& one) { return std::pair(!fails_gate(*one.comparison), one.turn); });
  if (worst.size() > kWorstMax) worst.resize(kWorstMax);
  return worst;
}

std::string id_or(const Side& side, const std::string& otherwise) {
  return side.commit.empty() ? otherwise : short_id(side.commit);
}

// The newest commits, and the base where it is older.
Series newest_points(Series series) {
  constexpr int kCommitsShown = 300;
  int oldest = series.points.back().position - kCommitsShown + 1;
  for (const auto& point : series.points)
    if (point.commit == series.base) oldest = std::min(oldest, point.position);
  return history::points_from(std::move(series), oldest);
}

// Where the series ends at the candidate, and is of the same metric.
std::optional<JudgedChange> judged_change(const Comparison& comparison, const ComparisonReport& report,
                                          const Series& series) {
  const bool is_of_it = series.metric.name == comparison.metric.name && !report.candidate.commit.empty() &&
                        series.points.back().commit == report.candidate.commit &&
                        series.base == report.base.commit;
  if (!is_of_it || !comparison.base || !comparison.candidate || !comparison.change) return {};
  return JudgedChange{*comparison.base, *comparison.candidate, *comparison.change};
}

std::string trend_words(const Series& series) {
  const auto value = [&](const SeriesPoint& point) {
    double shown = point.median;
    if (series.judged && point.commit == series.points.back().commit) shown = series.judged->candidate;
    if (series.judged && point.commit == series.base) shown = series.judged->base;
    return format_quantity(shown, series.metric.unit) + " at " + short_id(point.commit);
  };
  const auto marked = std::ranges::find_if(
      series.points, [&](const SeriesPoint& point) { return point.commit == series.base; });
  const SeriesPoint& from = marked == series.points.end() ? series.points.front() : *marked;
  return "Trend of " + series.benchmark + " on " + series.device + " over " +
         count_of(series.points.size(), "commit") + ": " + value(from) + ", " + value(series.points.back());
}

std::string samples_words(const BenchmarkSamples& samples) {
  const Comparison& comparison = samples.comparison;
  const auto side = [&](const std::vector<InvocationSamples>& invocations, const std::string& name,
                        const std::optional<double>& value) {
    return count_of(invocations.size(), "invocation") + " of " + name +
           (value ? " around " + format_quantity(*value, comparison.metric.unit) : "");
  };
  std::string words =
      "Samples of " + comparison.benchmark + " on " + samples.device + ": " +
      side(samples.base, id_or(samples.base_side, "the base"), comparison.base) + ", " +
      side(samples.candidate, id_or(samples.candidate_side, "the candidate"), comparison.candidate);
  if (comparison.change) words += "; " + format_percent(*comparison.change);
  return words + ", " + verdict_name(comparison.verdict);
}

std::string comparison_words(const ComparisonReport& report) {
  std::string words = "Changes of " + count_of(report.comparisons.size(), "benchmark") + " on " +
                      report.device + " from " + id_or(report.base, "the base") + " to " +
                      id_or(report.candidate, "the candidate") + ": " + report::counts_in_words(report);
  const auto& first = report.comparisons.front();
  if (is_worse(first) && first.change)
    words += "; the worst is " + first.benchmark + " with " + format_percent(*first.change);
  return words;
}

// Oldest first; nothing for a commit that this clone does not have.
std::vector<Commit> walk_to(const Workspace& workspace, const std::string& commit) {
  try {
    const auto line = workspace.repository().first_parents(commit, history::kWholeLine);
    return {std::reverse_iterator(line.end()), std::reverse_iterator(line.begin())};
  } catch (const Error&) {
    return {};
  }
}

// Its place on the walk.
std::optional<int> position_on(const std::vector<Commit>& walk, const std::string& commit) {
  const auto found = std::ranges::find(walk, commit, &Commit::id);
  if (found == walk.end()) return {};
  return static_cast<int>(found - walk.begin());
}

// Puts a side into the line where the store has no runs of it.
void ensure(const Workspace& workspace, const judge::SideRuns& side, int position,
            std::vector<history::CommitRuns>& line) {
  const auto at =
      std::ranges::find_if(line, [&](const history::CommitRuns& one) { return one.position >= position; });
  if (at != line.end() && at->commit.id == side.side.commit) return;
  const Commit otherwise{side.side.commit, side.side.subject, {}, side.runs.back().started_at};
  line.insert(
      at, {find_commit(workspace.repository(), side.side.commit).value_or(otherwise), position, side.runs});
}

// The commits with runs on the device that led to the candidate, oldest first: its first-parent line where
// the base is on it, otherwise the base's with the candidate at its end. Both sides are there also where the
// store has no runs of them, as with a promoted baseline, but not a base that this clone does not have. Empty
// where a side is no commit, or there is no repository.
std::vector<history::CommitRuns> trend_line(const Workspace& workspace, const std::string& device,
                                            const judge::SideRuns& base, const judge::SideRuns& candidate) {
  const std::string& from = base.side.commit;
  const std::string& to = candidate.side.commit;
  if (!workspace.has_repository() || from.empty() || to.empty()) return {};
  // Which line it is must not depend on what a device has runs of: pictures show several devices.
  auto walk = walk_to(workspace, to);
  if (!position_on(walk, from)) {
    auto other = walk_to(workspace, from);
    if (!other.empty() && !position_on(other, to)) walk = std::move(other);
  }
  std::vector<history::CommitRuns> line;
  if (!walk.empty())
    line = history::load(workspace.repository(), workspace.history(), device, walk.back().id,
                         history::kWholeLine);
  if (const auto position = position_on(walk, from)) ensure(workspace, base, *position, line);
  ensure(workspace, candidate, position_on(walk, to).value_or(static_cast<int>(walk.size())), line);
  return line;
}

// Draws, and keeps the rows of what was drawn.
class ReportCharts {
 public:
  ReportCharts(const Workspace& workspace, const ReportChartsRequest& request, const CompareOutcome& outcome)
      : workspace_(workspace), request_(request), outcome_(outcome), reports_(outcome.reports) {}

  std::vector<report::Picture> draw() {
    const auto worst = worst_of(reports_);
    draw_trends_of(worst);
    draw_samples_of(worst);
    const auto files = plot::draw_comparisons(reports_, request_.folder);
    for (std::size_t i = 0; i < reports_.size(); ++i)
      if (!files[i].png.empty())
        add({.kind = report::Picture::Kind::kComparison,
             .device = reports_[i].device,
             .words = comparison_words(reports_[i]),
             .tables = {plot::table_of(reports_[i])}},
            files[i]);
    return std::move(pictures_);
  }

 private:
  struct SidesOfDevice {
    std::optional<judge::SideRuns> base;
    std::optional<judge::SideRuns> candidate;
    std::vector<history::CommitRuns> line;
  };

  const SidesOfDevice& sides_on(const std::string& device) {
    const auto [found, is_new] = runs_.try_emplace(device);
    if (!is_new) return found->second;
    auto& [base, candidate, line] = found->second;
    base = outcome_.sides.base.runs_on(workspace_, device);
    candidate = outcome_.sides.candidate.runs_on(workspace_, device);
    if (base && candidate) line = trend_line(workspace_, device, *base, *candidate);
    NoiseHistory none;
    if (base && candidate) join_attempts(*base, *candidate, none);
    return found->second;
  }

  // Of the line that ends there.
  const std::vector<events::Acceptance>& acceptances_up_to(const std::string& commit) {
    const auto [found, is_new] = acceptances_.try_emplace(commit);
    if (is_new && !commit.empty()) found->second = acceptances_on(workspace_, commit);
    return found->second;
  }

  std::optional<Series> series_of(const Worst& worst) {
    const std::string& device = reports_[worst.report].device;
    const std::string& name = worst.comparison->benchmark;
    const auto& line = sides_on(device).line;
    if (line.empty()) return {};
    for (auto& series :
         history::make_series(line, device, {name}, outcome_.policy, reports_[worst.report].base.commit))
      if (series.benchmark == name && series.points.size() > 1) {
        events::accept_steps(series, acceptances_up_to(reports_[worst.report].candidate.commit));
        series.judged = judged_change(*worst.comparison, reports_[worst.report], series);
        return newest_points(std::move(series));
      }
    return {};
  }

  void draw_trends_of(const std::vector<Worst>& worst) {
    std::vector<Series> all;
    for (const auto& one : worst)
      if (auto series = series_of(one)) all.push_back(std::move(*series));
    const auto files = plot::draw_trends(all, request_.folder);
    for (std::size_t i = 0; i < all.size(); ++i) {
      // Series of one benchmark on several devices share a picture, which the first of them adds.
      const auto is_first = std::ranges::find(files, files[i].png, &plot::ChartFiles::png) ==
                            files.begin() + static_cast<std::ptrdiff_t>(i);
      if (files[i].png.empty() || !is_first) continue;
      report::Picture picture{
          .kind = report::Picture::Kind::kTrend, .device = all[i].device, .benchmark = all[i].benchmark};
      picture.is_short = true;
      for (std::size_t j = i; j < all.size(); ++j) {
        if (files[j].png != files[i].png) continue;
        picture.words += (j > i ? "; " : "") + trend_words(all[j]);
        picture.tables.push_back(plot::table_of(all[j], kTrendRowsMax));
        picture.is_short = picture.is_short && all[j].points.size() < kTrendCommitsMin;
      }
      add(std::move(picture), files[i]);
    }
  }

  void draw_samples_of(const std::vector<Worst>& worst) {
    std::vector<BenchmarkSamples> all;
    for (const auto& one : worst) {
      const auto& [base, candidate, line] = sides_on(reports_[one.report].device);
      if (!base || !candidate) continue;
      all.push_back(history::make_samples(reports_[one.report], *one.comparison, base->runs, candidate->runs,
                                          outcome_.policy));
    }
    const auto files = plot::draw_samples(all, request_.folder);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!files[i].png.empty())
        add({.kind = report::Picture::Kind::kSamples,
             .device = all[i].device,
             .benchmark = all[i].comparison.benchmark,
             .words = samples_words(all[i]),
             .tables = {plot::table_of(all[i], kSampleRowsMax)}},
            files[i]);
  }

  void add(report::Picture picture, const plot::ChartFiles& files) {
    picture.light = picture_link(files.png, request_.url, request_.report_folder);
    if (!files.dark_png.empty())
      picture.dark = picture_link(files.dark_png, request_.url, request_.report_folder);
    pictures_.push_back(std::move(picture));
  }

  const Workspace& workspace_;
  const ReportChartsRequest& request_;
  const CompareOutcome& outcome_;
  const std::vector<ComparisonReport>& reports_;
  std::map<std::string, SidesOfDevice> runs_;
  std::map<std::string, std::vector<events::Acceptance>> acceptances_;
  std::vector<report::Picture> pictures_;
};

}  // namespace

void prepare_charts(const ReportChartsRequest& request) {
  if (request.folder.empty()) return;
  if (!request.url.empty() && request.url.find(kFilePlaceholder) == std::string::npos)
    throw Error(ExitCode::kUsage,
                "--charts-url " + in_quotes(request.url) + " has no place for a file's name",
                "write {file} where it stands: --charts-url 'https://example.org/charts/{file}'");
  std::error_code error;
  std::filesystem::create_directories(request.folder, error);
  if (error || !std::filesystem::is_directory(request.folder, error))
    throw Error(ExitCode::kEnvironment,
                "the folder " + in_quotes(request.folder.string()) + " cannot be made" +
                    (error ? ": " + error.message() : ""),
                "name another with --charts");
}

std::vector<report::Picture> draw_report_charts(const Workspace& workspace,
                                                const ReportChartsRequest& request, CompareOutcome& outcome) {
  if (request.folder.empty()) return {};
  try {
    return ReportCharts(workspace, request, outcome).draw();
  } catch (const Error& error) {
    if (error.code() != ExitCode::kEnvironment) throw;
    workspace.note(std::string("warning: the report has no charts: ") + error.what() +
                   (error.hint().empty() ? "" : "; " + error.hint()));
    for (auto& report : outcome.reports)
      report.notes.push_back(std::string("the charts are missing: ") + error.what());
    return {};
  }
}

std::string picture_link(const std::filesystem::path& picture, const std::string& url_template,
                         const std::filesystem::path& report_folder) {
  constexpr std::string_view kPathCharacters = "-._~/";
  if (url_template.empty()) {
    const auto folder = report_folder.empty() ? std::filesystem::current_path() : report_folder;
    return percent_encoded(
        std::filesystem::proximate(std::filesystem::absolute(picture), std::filesystem::absolute(folder))
            .generic_string(),
        kPathCharacters);
  }
  std::string link = url_template;
  const std::string name = percent_encoded(picture.filename().string(), kPathCharacters);
  replace_every(link, kFilePlaceholder, name);
  return link;
}

}  // namespace tracker::app
