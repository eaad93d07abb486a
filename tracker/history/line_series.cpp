#include "tracker/history/line_series.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/series.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

constexpr std::size_t kTogether = 16;  // benchmarks

// The line's benchmarks in the order of the newest run that has them. Nothing without summaries.
std::optional<std::vector<std::string>> names_on_line(const Repository& repository, const RunSource& source,
                                                      const std::string& device, const std::string& from) {
  if (source.summaries() == nullptr) return {};
  const auto no_benchmark = [](const std::string&) { return false; };
  const auto line = load_history(repository, source, device, from, kWholeLine, no_benchmark);
  std::vector<std::string> newest_first;
  for (auto commit = line.rbegin(); commit != line.rend(); ++commit)
    for (auto run = commit->runs.rbegin(); run != commit->runs.rend(); ++run) newest_first.push_back(run->id);
  return source.summaries()->names_in(device, newest_first);
}

}  // namespace

std::vector<Series> load_series(const Repository& repository, const RunSource& source,
                                const std::string& device, const std::string& from,
                                const std::vector<std::string>& globs, const Policy& policy,
                                const std::string& base) {
  auto names = policy.renames.empty() ? names_on_line(repository, source, device, from) : std::nullopt;
  if (names) std::erase_if(*names, [&](const std::string& name) { return !matches_any(globs, name); });
  if (!names || names->size() <= kTogether) {
    const auto history =
        load_history(repository, source, device, from, kWholeLine, wanted_names(globs, policy));
    return history.empty() ? std::vector<Series>() : make_series(history, device, globs, policy, base);
  }
  const auto bounds = wanted_bounds(policy);
  std::vector<Series> all;
  for (std::size_t first = 0; first < names->size(); first += kTogether) {
    const auto begin = names->begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = names->begin() + static_cast<std::ptrdiff_t>(std::min(first + kTogether, names->size()));
    const std::set<std::string> some(begin, end);
    const auto history =
        load_history(repository, source, device, from, kWholeLine,
                     [&](const std::string& name) { return some.contains(name) || bounds(name); });
    if (history.empty()) return {};
    auto series = make_series_of(
        history, device, [&](const std::string& name) { return some.contains(name); }, policy, base);
    // Those of one load come in the order of their newest runs: put them where they belong among all.
    std::sort(series.begin(), series.end(), [&](const Series& a, const Series& b) {
      return std::find(begin, end, a.benchmark) < std::find(begin, end, b.benchmark);
    });
    std::move(series.begin(), series.end(), std::back_inserter(all));
  }
  return all;
}

void for_some_benchmarks(const Repository& repository, const RunSource& source, const std::string& device,
                         const std::string& from, const std::vector<std::string>& names, const Policy& policy,
                         const std::function<void(const std::set<std::string>& names,
                                                  const std::vector<CommitRuns>& commits)>& act) {
  const std::size_t together = source.summaries() == nullptr ? names.size() : kTogether;
  for (std::size_t first = 0; first < names.size(); first += together) {
    const std::vector<std::string> some(
        names.begin() + static_cast<std::ptrdiff_t>(first),
        names.begin() + static_cast<std::ptrdiff_t>(std::min(first + together, names.size())));
    auto commits = load_history(repository, source, device, from, kWholeLine, wanted_names(some, policy));
    for (auto& commit : commits)
      for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
    act({some.begin(), some.end()}, commits);
  }
}

}  // namespace tracker
