#include "tests/changepoints/report.hpp"

#include <cstdio>

#include "tests/changepoints/made_up.hpp"
#include "tests/quality/table.hpp"

namespace tracker::changepoints {
namespace {

using quality::Table;

std::string decimals(double value, int count) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", count, value);
  return text;
}

std::string percent(const Rate& rate) {
  return rate.of == 0 ? "–" : decimals(100 * rate.share(), 1);
}

template <typename Key>
std::string percents(const std::map<Key, Rate>& rates) {
  std::string text;
  for (const auto& [key, rate] : rates) text += (text.empty() ? "" : " / ") + decimals(100 * rate.share(), 0);
  return text.empty() ? "–" : text;
}

// Windows into which steps were put, so that every other point is a false one.
const Agreement* injected(const Findings& findings) {
  for (const auto& group : findings.groups)
    if (!group.recall.empty()) return &group;
  return nullptr;
}

Table agreement_table(const Report& report) {
  Table table{{"detector"}, {}};
  for (const auto& group : report.groups) table.header.push_back(group + ": F1 / covering");
  for (const char* column : {"steps put in: F1", "alarmed without, %", "found at 1 / 2 / 4 / 8 σ, %"})
    table.header.emplace_back(column);
  for (const auto& one : report.findings) {
    table.rows.push_back({one.detector.name});
    auto& row = table.rows.back();
    for (const auto& group : one.groups)
      row.push_back(group.series == 0 ? "–" : decimals(group.f1, 3) + " / " + decimals(group.covering, 3));
    const Agreement* steps = injected(one);
    row.push_back(steps == nullptr ? "–" : decimals(steps->pooled_f1, 3));
    row.push_back(steps == nullptr ? "–" : percent(steps->alarmed));
    row.push_back(steps == nullptr ? "–" : percents(steps->recall));
  }
  return table;
}

Table newest_table(const Report& report) {
  Table table{{"a step of 5 σ after 1 / 2 / 3 / 5 / 8 values", "recorded: found, %", "false, %",
               "normal noise: found, %", "false, % "},
              {}};
  for (const auto& one : report.findings)
    table.rows.push_back({one.detector.name, one.newest ? percents(one.newest->found) : "–",
                          one.newest ? percent(one.newest->alarmed) : "–",
                          percents(one.newest_of_noise.found), percent(one.newest_of_noise.alarmed)});
  return table;
}

std::string milliseconds(double seconds) {
  return seconds == 0 ? "–" : decimals(1e3 * seconds, seconds < 0.1 ? 2 : 0);
}

Table other_table(const Report& report) {
  Table table{{"drift, pooling, time", "drift told, recorded, %", "drift told, normal noise, %",
               "step told from drift, %", "20 series lose 0.5 σ: found, %", "false, %", "10,000 values, ms",
               "500 × 1,000, ms", "one more of 1,000, ms"},
              {}};
  for (const auto& one : report.findings)
    table.rows.push_back({one.detector.name, one.creep ? percent(one.creep->drift_without_steps) : "–",
                          percent(one.creep_of_noise.drift_without_steps),
                          one.creep ? percent(one.creep->step_without_drift) : "–",
                          one.pooled ? percent(one.pooled->found) : "–",
                          one.pooled ? percent(one.pooled->alarmed) : "–",
                          milliseconds(one.seconds.long_series), milliseconds(one.seconds.many_series),
                          milliseconds(one.seconds.newest_value)});
  return table;
}

Table goals_table(const Report& report) {
  Table table{{"goal", "limit", "reached", ""}, {}};
  for (const auto& goal : check_goals(report))
    table.rows.push_back({goal.name, goal.limit, decimals(goal.reached, 3), goal.met ? "met" : "missed"});
  return table;
}

class Goals {
 public:
  void least(const std::string& name, double limit, double reached) {
    all_.push_back({name, "≥ " + decimals(limit, 2), reached, reached >= limit});
  }
  void most(const std::string& name, double limit, double reached) {
    all_.push_back({name, "≤ " + decimals(limit, 2), reached, reached <= limit});
  }
  std::vector<Goal> all_;
};

}  // namespace

Report measure(const std::vector<Group>& groups, const std::vector<stats::Detector>& detectors) {
  Report report;
  std::vector<LabelledSeries> quiet;
  for (const auto& group : groups)
    for (const auto& series : group.series)
      if (series.injected() && series.labels.front().empty()) quiet.push_back(series);
  for (const auto& group : groups)
    if (!group.series.front().labels.empty()) report.groups.push_back(group.name);
  const auto noise = made_up_noise();
  for (const auto& detector : detectors) {
    Findings findings;
    findings.detector = detector;
    for (const auto& group : groups)
      if (!group.series.front().labels.empty()) findings.groups.push_back(agreement(detector, group.series));
    findings.newest_of_noise = newest(detector, noise);
    findings.creep_of_noise = creep(detector, noise);
    if (!quiet.empty()) {
      findings.newest = newest(detector, quiet);
      findings.creep = creep(detector, quiet);
      findings.pooled = pooled_loss(detector, quiet);
    }
    findings.seconds = time_taken(detector);
    report.findings.push_back(findings);
  }
  return report;
}

std::vector<Goal> check_goals(const Report& report) {
  const Findings* found = nullptr;
  for (const auto& one : report.findings)
    if (one.detector.find == stats::detectors().front().find) found = &one;
  if (found == nullptr) return {};
  const Findings& ours = *found;
  Goals goals;
  if (const Agreement* steps = injected(ours)) {
    goals.least("steps put in: F1 of all points", 0.82, steps->pooled_f1);
    goals.most("windows without a step that are alarmed", 0.05, steps->alarmed.share());
    if (steps->recall.contains(4)) goals.least("steps of 4 σ found", 0.95, steps->recall.at(4).share());
  }
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    if (report.groups[g] != "latency") continue;
    goals.least("latency: F1", 0.68, ours.groups[g].f1);
    goals.least("latency: covering", 0.77, ours.groups[g].covering);
  }
  constexpr std::size_t kWithin = 2;
  if (ours.newest) {
    goals.least("recorded: a step of 5 σ found after two values", 0.95,
                ours.newest->found.at(kWithin).share());
    goals.most("recorded: false ones among the newest values", 0.01, ours.newest->alarmed.share());
    goals.least("recorded: a drift of 0.05 σ a value told from steps", 0.9,
                ours.creep->drift_without_steps.share());
    goals.least("20 series lose 0.5 σ: found within 20 values", 0.9, ours.pooled->found.share());
    goals.most("20 series lose nothing: alarmed", 0.01, ours.pooled->alarmed.share());
  }
  goals.least("normal noise: a step of 5 σ found after two values", 0.95,
              ours.newest_of_noise.found.at(kWithin).share());
  goals.most("normal noise: false ones among the newest values", 0.01, ours.newest_of_noise.alarmed.share());
  goals.least("normal noise: a drift of 0.05 σ a value told from steps", 0.9,
              ours.creep_of_noise.drift_without_steps.share());
  goals.most("10,000 values, seconds", 0.01, ours.seconds.long_series);
  goals.most("500 series of 1,000 values, seconds", 1, ours.seconds.many_series);
  return goals.all_;
}

std::string report_text(const Report& report, bool markdown) {
  std::string text;
  for (const Table& table :
       {agreement_table(report), newest_table(report), other_table(report), goals_table(report)})
    text += (text.empty() ? "" : "\n") + (markdown ? quality::markdown(table) : quality::aligned_text(table));
  if (markdown) return text;
  text += "\nDetectors\n";
  for (const auto& one : report.findings)
    text += "  " + one.detector.name + ": " + one.detector.description + "\n";
  return text;
}

}  // namespace tracker::changepoints
