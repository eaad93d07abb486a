#include "tracker/history/line_series.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/history/column_series.hpp"
#include "tracker/history/point_conditions.hpp"
#include "tracker/history/series.hpp"
#include "tracker/history/series_changes.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

void pass_over(std::vector<CommitRuns>& history, const LineQuestion& question, const Policy& policy) {
  if (!question.passed_over) return;
  const auto is_passed_over = [&](const Benchmark& benchmark) {
    return question.passed_over(renamed(benchmark.name, policy.renames));
  };
  for (auto& commit : history) {
    for (auto& run : commit.runs)
      if (std::erase_if(run.benchmarks, is_passed_over) > 0) index_benchmarks(run);
    std::erase_if(commit.runs, [](const Run& run) { return run.benchmarks.empty(); });
  }
  std::erase_if(history, [](const CommitRuns& commit) { return commit.runs.empty(); });
}

void add_origin(const CommitRuns& commit, const std::string& benchmark, const LineQuestion& question,
                LineSeries& line, SeriesOrigins& origins) {
  PointOrigin& origin = origins.points.emplace_back();
  const auto runs = calmest_runs(commit.runs, benchmark);
  for (const Run* run : runs)
    for (const auto& invocation : run->invocations) {
      const auto samples = invocation.samples.find(benchmark);
      if (!invocation.excluded && samples != invocation.samples.end())
        origin.repetitions += static_cast<int>(repetition_count(samples->second));
    }
  const auto& counters = find_benchmark(*runs.back(), benchmark)->counters;
  for (const auto& name : question.counters) {
    const auto found = counters.find(name);
    origins.counters.push_back(found == counters.end() ? kNotANumber : found->second);
  }
  const std::string words = question.describe(*runs.back());
  const auto known = std::find(line.descriptions.begin(), line.descriptions.end(), words);
  origin.description = static_cast<std::uint32_t>(known - line.descriptions.begin());
  if (known == line.descriptions.end()) line.descriptions.push_back(words);
}

}  // namespace

std::optional<LineSeries> make_line(std::vector<CommitRuns> history, const std::string& device,
                                    const LineQuestion& question, const Policy& policy) {
  pass_over(history, question, policy);
  if (history.empty()) return {};
  for (auto& commit : history)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  LineSeries line;
  line.newest_device = history.back().runs.back().device;
  std::unordered_map<int, const CommitRuns*> by_position;
  for (const auto& commit : history) {
    line.commits.emplace(commit.position, commit.commit);
    by_position[commit.position] = &commit;
  }
  line.series =
      make_series(history, device, question.globs, without_renames(policy), question.base, question.sentinel);
  for (auto& series : line.series) {
    if (question.describe) {
      auto& origins = line.origins.emplace_back();
      for (const auto& point : series.points)
        add_origin(*by_position.at(point.position), series.benchmark, question, line, origins);
    }
    if (question.finish) question.finish(series);
  }
  return line;
}

std::optional<LineSeries> load_line(const Repository& repository, const RunSource& source,
                                    const std::string& device, const std::string& from,
                                    const LineQuestion& asked, const Policy& policy) {
  const auto commits = repository.first_parents(from, kWholeLine);
  LineQuestion question = asked;
  question.sentinel = load_sentinel(repository, source, device, policy);
  if (auto line = column_line(commits, source, device, question, policy)) {
    if (line->commits.empty()) return {};
    mark_ended(line->series);
    line->sentinel = std::move(question.sentinel);
    return line;
  }
  auto made =
      make_line(load_commits(
                    commits, source, device, [](int) { return true; }, wanted_names(question.globs, policy)),
                device, question, policy);
  if (made) {
    mark_ended(made->series);
    made->sentinel = std::move(question.sentinel);
  }
  return made;
}

Sentinel load_sentinel(const Repository& repository, const RunSource& source, const std::string& device,
                       const Policy& policy) {
  if (policy.sentinel.commit.empty()) return {};
  std::string commit;
  try {
    commit = repository.resolve(policy.sentinel.commit).id;
  } catch (const Error& error) {
    throw Error(
        ExitCode::kUsage,
        "[sentinel] names '" + printable(policy.sentinel.commit) + "', which is no commit of this clone",
        "fetch its tags and commits: git fetch --tags --unshallow; or name another one in tracker.toml");
  }
  auto runs = source.summaries() == nullptr
                  ? std::nullopt
                  : source.summaries()->runs_on(
                        device, [&](const std::string& one) { return one == commit; }, source.wanted());
  if (!runs) {
    auto keys = source.store().keys_of(commit);
    std::erase_if(keys, [&](const StoredKey& key) { return key.device != device; });
    runs = read_all_runs(source.store(), std::move(keys));
  }
  std::erase_if(*runs, [](const Run& run) { return !run.sentinel; });
  for (auto& run : *runs) rename_benchmarks(run, policy.renames);
  return Sentinel(*runs);
}

std::vector<Series> load_series(const Repository& repository, const RunSource& source,
                                const std::string& device, const std::string& from,
                                const LineQuestion& question, const Policy& policy) {
  auto line = load_line(repository, source, device, from, question, policy);
  return line ? std::move(line->series) : std::vector<Series>();
}

}  // namespace tracker
