#include "tracker/report/counter_report.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/json_report.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kHeadWidth = 13;  // "transactions_"
constexpr std::size_t kLabelWidthMax = 48;
constexpr std::size_t kLabelWidthMin = 16;

// "shared_load_", "transactions_", "per_request": broken behind underscores.
std::vector<std::string> head_lines(const std::string& name) {
  std::vector<std::string> lines{""};
  for (std::size_t from = 0; from < name.size();) {
    const std::size_t underscore = name.find('_', from);
    const std::size_t end = underscore == std::string::npos ? name.size() : underscore + 1;
    const std::string part = name.substr(from, end - from);
    if (!lines.back().empty() && lines.back().size() + part.size() > kHeadWidth) lines.emplace_back();
    lines.back() += part;
    from = end;
  }
  return lines;
}

struct CounterColumn {
  std::vector<std::string> head;
  std::size_t width = 0;
};

std::vector<CounterColumn> counter_columns(const CounterTable& table) {
  std::vector<CounterColumn> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    CounterColumn column{head_lines(table.columns[c]->name)};
    for (const auto& line : column.head) column.width = std::max(column.width, display_width(line));
    for (const auto& row : table.rows) column.width = std::max(column.width, display_width(row.cells[c]));
    columns.push_back(std::move(column));
  }
  return columns;
}

std::size_t label_width(const CounterTable& table, std::size_t terminal) {
  std::size_t width = 0;
  for (const auto& row : table.rows) width = std::max(width, display_width(row.label));
  const std::size_t most = terminal == 0 ? width : std::clamp(terminal / 3, kLabelWidthMin, kLabelWidthMax);
  return std::min(width, most);
}

// One block of columns, from `first` on; gives the place behind its last one.
std::size_t write_block(const CounterTable& table, const std::vector<CounterColumn>& columns,
                        std::size_t first, std::size_t terminal, std::string& out) {
  const std::size_t labels = label_width(table, terminal);
  std::size_t last = first;
  std::size_t lines = 0;
  for (std::size_t used = labels; last < columns.size(); ++last) {
    used += kGap + columns[last].width;
    if (terminal > 0 && used > terminal && last > first) break;
    lines = std::max(lines, columns[last].head.size());
  }
  std::vector<TextColumn> shown{{.width_min = labels, .width_max = labels}};
  shown.resize(1 + last - first, {.right = true});
  std::vector<std::vector<std::string>> rows(lines, {""});  // of heads, which end on the same line
  for (const auto& row : table.rows) rows.push_back({row.label});
  for (std::size_t c = first; c < last; ++c) {
    const std::size_t missing = lines - columns[c].head.size();
    for (std::size_t l = 0; l < lines; ++l)
      rows[l].push_back(l < missing ? "" : columns[c].head[l - missing]);
    for (std::size_t r = 0; r < table.rows.size(); ++r) rows[lines + r].push_back(table.rows[r].cells[c]);
  }
  out += text_table(shown, rows);
  return last;
}

// One benchmark: a line a counter.
void write_list(const CounterTable& table, std::size_t terminal, std::string& out) {
  const auto& row = table.rows.front();
  std::size_t names = 0;
  std::size_t cells = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    names = std::max(names, display_width(table.columns[c]->name));
    cells = std::max(cells, display_width(row.cells[c]));
  }
  if (terminal > 0) names = std::min(names, std::max(terminal, cells + kGap) - cells - kGap);
  std::vector<std::vector<std::string>> lines;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const profile::Counter& counter = *table.columns[c];
    const bool fits = terminal == 0 || names + cells + 2 * kGap + display_width(counter.summary) <= terminal;
    lines.push_back({counter.name, row.cells[c], fits ? counter.summary : ""});
  }
  out += text_table({{.width_min = names, .width_max = names}, {.right = true}, {}}, lines);
}

std::string write_text(const std::vector<Profile>& profiles, const CounterOptions& options) {
  const auto terminal = static_cast<std::size_t>(std::max(options.columns, 0));
  std::string out;
  for (const auto& profile : profiles) {
    const CounterTable table = report::table_of(profile, options.all, options.times_s);
    if (!out.empty()) out += "\n";
    out += wrapped(table.heading, terminal);
    if (table.rows.size() == 1) {
      out += wrapped(table.rows.front().label + ", kernel " + table.rows.front().kernel, terminal) + "\n";
      write_list(table, terminal, out);
    } else {
      out += wrapped(table.common, terminal);
      const auto columns = counter_columns(table);
      for (std::size_t at = 0; at < columns.size();) {
        out += "\n";
        at = write_block(table, columns, at, terminal, out);
      }
    }
    if (!table.notes.empty()) out += "\n";
    for (const auto& note : table.notes) out += wrapped(note, terminal);
  }
  return out;
}

void write_markdown_table(const CounterTable& table, bool kernels, std::string& out) {
  std::vector<std::string> head{table.common.empty() ? "benchmark" : markdown_text(table.common)};
  std::vector<std::string> rule{"---"};
  if (kernels) {
    head.emplace_back("kernel");
    rule.emplace_back("---");
  }
  for (const auto* counter : table.columns) {
    head.push_back(counter->name);
    rule.emplace_back("---:");
  }
  out += markdown_row(head) + markdown_row(rule);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells{markdown_text(row.label)};
    if (kernels) cells.push_back(markdown_text(row.kernel));
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    out += markdown_row(cells);
  }
}

std::string write_markdown(const std::vector<Profile>& profiles, const CounterOptions& options) {
  std::string out;
  for (const auto& profile : profiles) {
    const CounterTable table = report::table_of(profile, options.all, options.times_s);
    if (!out.empty()) out += "\n";
    out += markdown_text(table.heading) + "\n\n";
    if (table.rows.size() == 1) {
      const auto& row = table.rows.front();
      out += markdown_row({markdown_text(row.label + ", kernel " + row.kernel), "", ""}) +
             markdown_row({"---", "---:", "---"});
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        out += markdown_row(
            {markdown_text(table.columns[c]->name), row.cells[c], markdown_text(table.columns[c]->summary)});
    } else {
      write_markdown_table(table, options.all, out);
    }
    for (const auto& note : table.notes) out += "\n" + note + "\n";
  }
  return out;
}

Json benchmark_json(const ProfiledBenchmark& benchmark, const profile::TimesS& times_s) {
  Json named = Json::object();
  for (const auto& counter : profile::counters()) {
    const auto value = profile::counter_value(counter, benchmark);
    if (!value) continue;
    named[counter.name] = {{"value", *value},
                           {"unit", counter.unit},
                           {"better", counter.better == Better::kHigher ? "higher" : "lower"},
                           {"metrics", counter.metrics}};
  }
  Json json = {{"benchmark", benchmark.name},
               {"kernel", benchmark.kernel},
               {"launches", benchmark.launches},
               {"counters", named},
               {"metrics", benchmark.counters}};
  if (const auto found = times_s.find(benchmark.name); found != times_s.end()) json["time_s"] = found->second;
  return json;
}

std::string write_json(const std::vector<Profile>& profiles, const CounterOptions& options) {
  Json all = Json::array();
  for (const auto& profile : profiles) {
    const auto one_json = [&](const ProfiledBenchmark& one) { return benchmark_json(one, options.times_s); };
    all.push_back({{"device", device_key(profile.device)},
                   {"model", profile.device.model},
                   {"commit", profile.commit},
                   {"dirty", profile.dirty},
                   {"id", profile.id},
                   {"started_at", profile.started_at},
                   {"profiler", profile.profiler},
                   {"benchmarks", list_json(profile.benchmarks, one_json)}});
  }
  return json_text({{"schema", "tracker.counters/1"}, {"profiles", all}});
}

}  // namespace

const std::vector<CounterFormat>& counter_formats() {
  static const std::vector<CounterFormat> formats{
      {"text", "a table for the terminal", write_text},
      {"markdown", "GitHub-flavoured Markdown", write_markdown},
      {"json", "tracker.counters/1, for programs", write_json},
  };
  return formats;
}

namespace {
// A transpose, which has no product, shows up to 0.14 % of tensor use on an H200.
constexpr double kPercentMin = 0.5;

using Names = std::vector<std::vector<std::string>>;  // by benchmark, by segment

bool is_same_everywhere(const Names& names, std::size_t segment) {
  return std::ranges::all_of(names,
                             [&](const auto& name) { return name[segment] == names.front()[segment]; });
}

// Names of as many segments share some; the others stay whole.
void name_rows(const Profile& profile, CounterTable& table) {
  Names names;
  for (const auto& benchmark : profile.benchmarks) names.push_back(split(benchmark.name, '/'));
  const bool alike = names.size() > 1 && std::ranges::all_of(names, [&](const auto& name) {
                       return name.size() == names.front().size();
                     });
  std::vector<std::string> common;
  for (std::size_t s = 0; alike && s < names.front().size(); ++s)
    common.push_back(is_same_everywhere(names, s) ? names.front()[s] : "*");
  const bool any_common = std::ranges::any_of(common, [](const std::string& s) { return s != "*"; });
  if (any_common) table.common = join(common, "/");
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> own;
    for (std::size_t s = 0; s < names[i].size(); ++s)
      if (!any_common || common[s] == "*") own.push_back(names[i][s]);
    table.rows.push_back({join(own, "/"), profile.benchmarks[i].kernel, {}});
  }
}

std::string heading_of(const Profile& profile) {
  std::set<int> launches;
  for (const auto& benchmark : profile.benchmarks) launches.insert(benchmark.launches);
  std::string counted;
  if (!launches.empty()) {
    counted = *launches.rbegin() == 1 ? ", one launch"
                                      : ", medians of " + std::to_string(*launches.rbegin()) + " launches";
    if (launches.size() > 1)
      counted = ", medians of " + std::to_string(*launches.begin()) + " to " +
                std::to_string(*launches.rbegin()) + " launches";
  }
  return profile.device.model + " (" + device_key(profile.device) + "), commit " + short_id(profile.commit) +
         (profile.dirty ? " with uncommitted changes" : "") + ", " + profile.profiler + counted +
         ", caches cold";
}

bool counted_anywhere(const profile::Counter& counter, const Profile& profile) {
  return std::ranges::any_of(profile.benchmarks,
                             [&](const auto& benchmark) { return profile::is_counted(counter, benchmark); });
}

bool has_figures(const profile::Counter& counter, const Profile& profile) {
  const double least = counter.unit == "%" ? kPercentMin : std::numeric_limits<double>::min();
  return std::ranges::any_of(profile.benchmarks, [&](const auto& benchmark) {
    return profile::counter_value(counter, benchmark).value_or(0) >= least;
  });
}

// "dram_read_bytes (dram__bytes_read.sum)": the metrics that no benchmark has.
std::string missing_in_words(const profile::Counter& counter, const Profile& profile) {
  std::vector<std::string> metrics;
  for (const auto& metric : counter.metrics)
    if (std::ranges::none_of(profile.benchmarks,
                             [&](const auto& benchmark) { return benchmark.counters.count(metric) > 0; }))
      metrics.push_back(metric);
  return counter.name + (metrics.empty() ? "" : " (" + join(metrics, ", ") + ")");
}

void choose_columns(const Profile& profile, bool all, CounterTable& table) {
  std::vector<std::string> missing;
  std::vector<std::string> zero;
  for (const auto& counter : profile::counters()) {
    if (!all && !counter.in_table) continue;
    if (!counted_anywhere(counter, profile))
      missing.push_back(missing_in_words(counter, profile));
    else if (!all && !has_figures(counter, profile))
      zero.push_back(counter.name);
    else
      table.columns.push_back(&counter);
  }
  if (!missing.empty()) table.notes.push_back("not counted here: " + join(missing, ", "));
  if (!zero.empty()) table.notes.push_back("about zero everywhere: " + join(zero, ", "));
}

constexpr std::size_t kFollowingMax = 4;
constexpr std::size_t kSlowerMax = 8;

const profile::Counter& time_column() {
  static const profile::Counter column{"time",
                                       {},
                                       profile::Combine::kFirst,
                                       "s",
                                       Better::kLower,
                                       true,
                                       "of a launch without ncu, median of five repetitions of one process"};
  return column;
}

// Of everything the order is by time, where there is one.
Profile in_order(const Profile& profile, const profile::TimesS& times_s) {
  if (times_s.empty()) return profile;
  Profile sorted = profile;
  std::ranges::stable_sort(sorted.benchmarks, {}, [&](const ProfiledBenchmark& benchmark) {
    const auto found = times_s.find(benchmark.name);
    return found == times_s.end() ? std::numeric_limits<double>::infinity() : found->second;
  });
  return sorted;
}

// "8x32 is the fastest: 247 µs; 4x64 takes 1.10 times, 1x256 4.13 times as long".
std::string fastest_in_words(const CounterTable& table, const std::vector<const ProfiledBenchmark*>& timed,
                             const profile::TimesS& times_s) {
  const auto time = [&](std::size_t i) { return times_s.at(timed[i]->name); };
  const std::size_t last = timed.size() - 1;
  std::string text = table.rows[0].label + " is the fastest: " + format_quantity(time(0), "s");
  if (last > 0)
    text += "; " + table.rows[1].label + " takes " + profile::format_counter(time(1) / time(0), "");
  if (last > 1)
    text += ", " + table.rows[last].label + " " + profile::format_counter(time(last) / time(0), "");
  return last > 0 ? text + " times as long" : text;
}

// What the search found, and which counters go with the time.
std::vector<std::string> search_in_words(const CounterTable& table, const Profile& sorted,
                                         const profile::TimesS& times_s) {
  const auto timed = profile::by_time(sorted, times_s);
  if (timed.empty()) return {"none of them has a time: see above"};
  const auto following = profile::counters_that_follow(sorted, times_s);
  std::vector<std::string> parts;
  for (const auto& one : following)
    if (parts.size() < kFollowingMax)
      parts.push_back(one.counter->name + " (" + profile::format_counter(one.of_fastest, one.counter->unit) +
                      " at " + table.rows[0].label + ", " +
                      profile::format_counter(one.of_slowest, one.counter->unit) + " at " +
                      table.rows[timed.size() - 1].label + ")");
  std::vector<std::string> notes{
      fastest_in_words(table, timed, times_s),
      parts.empty() ? "no counter goes with the time" : "with the time go: " + join(parts, ", ")};
  const auto label_of = [&](const ProfiledBenchmark* benchmark) {
    const auto place = std::ranges::find(timed, benchmark) - timed.begin();
    return table.rows[static_cast<std::size_t>(place)].label;
  };
  for (const auto& one : profile::counters_that_slow(sorted, times_s)) {
    std::vector<std::string> variants;
    for (const auto* benchmark : one.variants)
      variants.push_back(label_of(benchmark) + " " +
                         profile::format_counter(profile::counter_value(*one.counter, *benchmark).value_or(0),
                                                 one.counter->unit));
    notes.push_back("slower, with a worse " + one.counter->name + " (" +
                    profile::format_counter(one.of_fastest, one.counter->unit) + " at " +
                    table.rows[0].label + "): " + join_some(variants, kSlowerMax));
  }
  return notes;
}

}  // namespace

CounterTable table_of(const Profile& profile, bool all, const profile::TimesS& times_s) {
  const Profile sorted = in_order(profile, times_s);
  CounterTable table;
  table.heading = heading_of(sorted);
  name_rows(sorted, table);
  if (!times_s.empty()) {
    table.notes = search_in_words(table, sorted, times_s);
    table.columns.push_back(&time_column());
  }
  choose_columns(sorted, all, table);
  for (std::size_t i = 0; i < sorted.benchmarks.size(); ++i)
    for (const auto* counter : table.columns) {
      if (counter == &time_column()) {
        const auto found = times_s.find(sorted.benchmarks[i].name);
        table.rows[i].cells.push_back(found == times_s.end() ? "–" : format_quantity(found->second, "s"));
        continue;
      }
      const auto value = profile::counter_value(*counter, sorted.benchmarks[i]);
      table.rows[i].cells.push_back(value ? profile::format_counter(*value, counter->unit) : "–");
    }
  return table;
}

}  // namespace tracker::report
