#include "tests/quality/output.hpp"

#include <algorithm>

#include "tests/quality/table.hpp"
#include "tracker/base/text.hpp"

namespace tracker::quality {
namespace {

std::string setting_title(const Setting& setting) {
  return (setting.scope == Scope::kWithinJob ? "Within a job, " : "Across jobs, ") +
         std::to_string(setting.invocations) +
         (setting.invocations == 1 ? " invocation a side" : " invocations a side");
}

std::string setting_origin(const Setting& setting) {
  const bool within = setting.scope == Scope::kWithinJob;
  std::string text = std::to_string(setting.tallies.front().reports.of) + " reports from " +
                     std::to_string(setting.sources) + (within ? " job" : " ordered pair");
  if (setting.sources != 1) text += "s";
  if (!within) text += " of jobs";
  if (setting.drawn_with_replacement > 0)
    text += "; " + std::to_string(setting.drawn_with_replacement) +
            " with fewer invocations, drawn with replacement";
  return text;
}

Table identical_table(const Setting& setting) {
  Table table{{"identical code, %", "regressed", "reports with any", "improved", "unchanged", "inconclusive"},
              {}};
  for (std::size_t r = 0; r < rules().size(); ++r) {
    const Tally& tally = setting.tallies[r];
    const bool ours = is_ours(rules()[r]);
    table.rows.push_back({rules()[r].name, with_interval(tally.regressed), with_interval(tally.reports),
                          percent_number(tally.improved), ours ? percent_number(tally.unchanged) : "",
                          ours ? percent_number(tally.open) : ""});
  }
  return table;
}

Table power_table(const Setting& setting, const std::string& title,
                  const Share (Tally::*found)[kSlowdownCount]) {
  Table table{{title}, {}};
  for (const double slowdown : kSlowdowns) table.header.push_back(format_share(slowdown) + " slower");
  for (std::size_t r = 0; r < rules().size(); ++r) {
    table.rows.push_back({rules()[r].name});
    for (std::size_t s = 0; s < kSlowdownCount; ++s)
      table.rows.back().push_back(with_interval((setting.tallies[r].*found)[s]));
  }
  return table;
}

// Null where it could not be replayed.
const Setting* find_setting(const std::vector<Setting>& settings, Scope scope, std::size_t invocations) {
  for (const auto& setting : settings)
    if (setting.scope == scope && setting.invocations == invocations && !setting.tallies.empty())
      return &setting;
  return nullptr;
}

std::string heading(const Setting& setting) {
  return (setting.scope == Scope::kWithinJob ? "within, " : "across, ") + std::to_string(setting.invocations);
}

Table alarms_table(const std::vector<Setting>& settings) {
  Table table{{"identical code"}, {}};
  for (const auto& setting : settings) table.header.push_back(heading(setting));
  for (std::size_t r = 0; r < rules().size(); ++r) {
    table.rows.push_back({rules()[r].name});
    for (const auto& setting : settings)
      table.rows.back().push_back(setting.tallies.empty()
                                      ? "–"
                                      : percent_number(setting.tallies[r].regressed) + " / " +
                                            percent_number(setting.tallies[r].reports));
  }
  return table;
}

// Kernels of 100 µs and more first, then the shorter ones.
Table power_by_slowdown(const Setting& setting) {
  Table table{{heading(setting) + ": found, %"}, {}};
  for (const char* length : {"long, ", "short, "})
    for (const double slowdown : kSlowdowns) table.header.push_back(length + format_share(slowdown));
  for (std::size_t r = 0; r < rules().size(); ++r) {
    const Tally& tally = setting.tallies[r];
    table.rows.push_back({rules()[r].name});
    for (const auto& share : tally.found_long) table.rows.back().push_back(percent_number(share));
    for (const auto& share : tally.found_short) table.rows.back().push_back(percent_number(share));
  }
  return table;
}

// 1 % slower, within a job.
Table power_by_invocations(const std::vector<Setting>& settings) {
  constexpr std::size_t kOnePercent = 1;
  Table table{{"within, 1 % slower: found, %"}, {}};
  for (const auto& rule : rules()) table.rows.push_back({rule.name});
  for (const bool longer : {true, false})
    for (const auto& setting : settings) {
      if (setting.scope != Scope::kWithinJob || setting.tallies.empty()) continue;
      table.header.push_back((longer ? "long, " : "short, ") + std::to_string(setting.invocations));
      for (std::size_t r = 0; r < rules().size(); ++r) {
        const Tally& tally = setting.tallies[r];
        table.rows[r].push_back(percent_number((longer ? tally.found_long : tally.found_short)[kOnePercent]));
      }
    }
  return table;
}

std::string figure(const Share& share) {
  if (share.of == 0) return "–";
  return percent_number(share) + " % (" + std::to_string(share.hits) + " of " + std::to_string(share.of) +
         ")";
}

Table goals_table(const std::vector<Findings>& findings) {
  Table table{{"goal", "limit"}, {}};
  const bool several = findings.size() > 1;
  for (const auto& one : findings) {
    table.header.push_back(several ? one.recording : "reached");
    table.header.push_back("");
    const auto checked = check_goals(one);
    for (std::size_t g = 0; g < checked.size(); ++g) {
      if (table.rows.size() <= g) table.rows.push_back({checked[g].goal, checked[g].limit});
      table.rows[g].push_back(figure(checked[g].reached));
      table.rows[g].push_back(outcome_name(checked[g].outcome));
    }
  }
  return table;
}

}  // namespace

std::string describe(const std::vector<Recording>& recordings, const ReplayOptions& options) {
  std::string text;
  for (const auto& recording : recordings) {
    text += recording.name + "\n";
    for (const auto& job : recording.jobs) {
      const auto longer = std::count_if(job.typical_ns.begin(), job.typical_ns.end(),
                                        [](const auto& one) { return one.second >= kLongNs; });
      text += "  " + left_aligned(job.job + (job.code.empty() ? "" : " " + job.code), 24) +
              right_aligned(std::to_string(job.rounds.size()), 4) + " invocations, " +
              std::to_string(job.typical_ns.size()) + " benchmarks, " + std::to_string(longer) +
              " of 100 µs and more\n";
    }
  }
  return text + "\n" + std::to_string(options.splits) + " reports a recording and setting, seed " +
         std::to_string(options.seed) +
         ". In brackets: Wilson's 95 % interval, as if all\n"
         "were independent. They are drawn from the same few invocations: another day can lie outside.\n";
}

std::string settings_text(const std::vector<Setting>& settings) {
  std::string text;
  for (const auto& setting : settings) {
    text += "\n" + setting_title(setting);
    if (setting.tallies.empty()) {
      text += ": not replayed, " + setting.why_none + "\n";
      continue;
    }
    text += ":\n" + setting_origin(setting) + "\n\n" + aligned_text(identical_table(setting)) + "\n" +
            aligned_text(power_table(setting, "found, %; ≥ 100 µs", &Tally::found_long)) + "\n" +
            aligned_text(power_table(setting, "found, %; shorter", &Tally::found_short));
  }
  return text;
}

std::string legend_text() {
  std::string text =
      "\nRules\n"
      "  tracker at …: the judge of this repository with that threshold, and no history.\n"
      "    docs/statistics.md\n";
  for (const auto& rule : rules())
    if (!is_ours(rule)) text += "  " + rule.name + ": " + rule.definition + ".\n    " + rule.source + "\n";
  return text;
}

std::string goals_text(const std::vector<Findings>& findings) {
  std::string text = "\nGoals\n";
  for (const auto& one : findings) {
    if (findings.size() > 1) text += one.recording + "\n";
    text += checked_text(check_goals(one));
  }
  return text;
}

std::string checked_text(const std::vector<Checked>& checked) {
  std::string text;
  for (const auto& one : checked)
    text += "  " + left_aligned(outcome_name(one.outcome), 11) + one.goal + "\n" + std::string(13, ' ') +
            one.limit + "; reached: " + figure(one.reached) + "\n";
  return text;
}

std::string markdown_report(const std::vector<Findings>& findings, const std::vector<Setting>& settings) {
  constexpr std::size_t kShown = 10;
  std::string text = markdown(alarms_table(settings));
  if (const Setting* within = find_setting(settings, Scope::kWithinJob, kShown))
    text += "\n" + markdown(power_by_slowdown(*within));
  text += "\n" + markdown(power_by_invocations(settings));
  if (const Setting* across = find_setting(settings, Scope::kAcrossJobs, kShown))
    text += "\n" + markdown(power_by_slowdown(*across));
  return text + "\n" + markdown(goals_table(findings));
}

}  // namespace tracker::quality
