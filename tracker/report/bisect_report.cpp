#include "tracker/report/bisect_report.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/report/json_report.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kBisectColumnsDefault = 100;
constexpr std::size_t kBisectColumnsMin = 60;
constexpr std::size_t kBisectColumnsMax = 140;
constexpr std::size_t kOthersShown = 8;
constexpr std::size_t kSubjectWidthMin = 10;
constexpr double kSamePlace = 0.5;  // the probability from which another benchmark changed at the same place

// "97 %"; what is nearly certain is not called certain.
std::string chance_in_words(double probability) {
  if (probability > 0.999) return "more than 99.9 %";
  const double percent = probability * 100;
  return (percent > 99 ? format_plain(std::floor(percent * 10) / 10) : format_plain(std::floor(percent))) +
         " %";
}

std::string bounds_of(const std::optional<Interval>& interval) {
  if (!interval) return "";
  return "[" + format_percent(interval->low) + ", " + format_percent(interval->high) + "]";
}

// "slower" or "faster": what was looked for.
std::string worse(const BisectResult& result) {
  return result.faster ? "faster" : "slower";
}

// "\n  the good end itself now takes 14.4 ns where 12.5 ns were recorded: the machine changed, not the code"
std::string machine_in_words(const BisectResult& result) {
  if (!result.machine) return "";
  const auto& machine = *result.machine;
  const std::string which =
      machine.same_program ? "the bad end is the same program, and has " : "the good end itself now has ";
  return "\n  " + which + format_quantity(machine.now, machine.unit) + " in " + in_quotes(machine.benchmark) +
         " where " + format_quantity(machine.recorded, machine.unit) + " were recorded" +
         (machine.others > 0 ? " (and " + std::to_string(machine.others) + " more alike)" : "") +
         ": the machine changed, not the code";
}

std::string headline(const BisectResult& result) {
  const std::string change = result.change
                                 ? format_percent(*result.change) + " " + bounds_of(result.interval) +
                                       " in " + printable(result.metric)
                                 : "";
  switch (result.outcome) {
    case BisectOutcome::kFound:
      if (result.guilty.size() == 1)
        return "found: " + describe(result.guilty.front()) + "\n  " +
               printable(result.guilty.front().author) + ", " + result.guilty.front().date.substr(0, 10) +
               "\n  " + in_quotes(result.benchmark) + " is " + worse(result) + " from there on: " + change +
               "; " + chance_in_words(result.probability) + " certain";
      return "found: one of " + count_of(result.guilty.size(), "commit") + ", " +
             describe(result.guilty.front()) + " to " + describe(result.guilty.back()) + "\n  " +
             in_quotes(result.benchmark) + " is " + worse(result) + " after them: " + change + "; " +
             chance_in_words(result.probability) +
             " certain; those between cannot be measured, and so cannot be told apart";
    case BisectOutcome::kNothing: {
      if (result.benchmarks == 0 && !result.notes.empty())
        return "nothing to find: " + printable(result.notes.front()) + machine_in_words(result);
      if (result.benchmark.empty())
        return "nothing to find: none of " + count_of(result.benchmarks, "benchmark") + " is " +
               worse(result) + " at " + describe(result.bad) + " by its threshold or more" +
               machine_in_words(result);
      return "nothing to find: no commit makes " + in_quotes(result.benchmark) + " " + worse(result) +
             " by " + format_share(result.threshold) + " or more; " + chance_in_words(result.probability) +
             " certain" + machine_in_words(result);
    }
    case BisectOutcome::kUnclear:
    case BisectOutcome::kOutOfTime:
      break;
  }
  std::string text = "not found yet: " + result.why;
  if (!result.guilty.empty())
    text += "\n  likeliest: " + describe(result.guilty.front()) +
            (result.guilty.size() > 1 ? " to " + describe(result.guilty.back()) + " (" +
                                            count_of(result.guilty.size(), "commit") + ")"
                                      : "") +
            ", " + chance_in_words(result.probability);
  return text + machine_in_words(result);
}

std::string table_of(const BisectResult& result, std::size_t columns) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : result.rows) {
    const std::string subject = row.commit.subject;
    rows.push_back({row.is_guilty ? "▶" : " ", short_id(row.commit.id),
                    row.pairs > 0 ? std::to_string(row.pairs) : "–",
                    row.change ? format_percent(*row.change) : "–", bounds_of(row.interval),
                    row.note.empty() ? subject : row.note + " · " + subject});
  }
  return text_table({{.width_min = 1},
                     {.head = "commit", .width_min = 7, .gap = 1},
                     {.head = "pairs", .right = true},
                     {.head = "change", .right = true},
                     {.head = "[low, high]"},
                     {.width_min = kSubjectWidthMin, .takes_rest = true}},
                    rows, columns);
}

std::string others_of(const BisectResult& result) {
  std::vector<std::string> here;
  std::vector<std::string> elsewhere;
  for (const auto& one : result.others)
    (one.probability >= kSamePlace ? here : elsewhere)
        .push_back(printable(one.benchmark) + " " + format_percent(one.change));
  std::string text;
  const auto add = [&](const std::string& what, std::vector<std::string> names) {
    if (names.empty()) return;
    text += what + join_some(std::move(names), kOthersShown) + "\n";
  };
  add("changed there too: ", here);
  add("changed elsewhere, or that is not clear yet (bisect again with its name): ", elsewhere);
  return text;
}

std::string effort_of(const BisectResult& result) {
  return count_of(result.measurements, "measurement") + " with " + count_of(result.pairs, "pair") +
         (result.reused > 0 ? " and " + std::to_string(result.reused) + " recorded before" : "") + ", " +
         count_of(result.builds, "build") + ", " + format_duration(result.seconds) +
         "; all runs are recorded\n";
}

std::string next_step(const BisectResult& result) {
  if (result.machine && result.machine->first)
    return "next: tracker accept " + in_quotes(result.machine->benchmark) + " " +
           short_id(result.machine->first->id) +
           " --machine --reason TEXT; then log, top, check, site and plot blame no commit for it";
  if (result.outcome != BisectOutcome::kFound || result.guilty.size() != 1) return "";
  const std::string& id = result.guilty.front().id;
  std::string measured = id;
  for (const auto& row : result.rows)
    if (row.commit.id == id && !row.same_program_as.empty()) measured = row.same_program_as;
  return "next: git show " + short_id(id) + "; tracker explain " + in_quotes(result.benchmark) + " " +
         short_id(result.good.id) + " " + short_id(measured);
}

std::string text_of(const BisectResult& result, std::size_t columns) {
  std::string text;
  if (!result.inside.empty())
    text += "\nThat is a merge. Its side, from " + describe(result.good) + " to " + describe(result.bad) +
            ":\n\n";
  for (const auto& line : split(headline(result), '\n')) {
    const std::size_t indent = line.starts_with("  ") ? 2 : 0;
    text += wrapped(line.substr(indent), columns, std::string(indent, ' '));
  }
  text += "\n";
  if (!result.device.empty())
    text += wrapped(result.device + ", each commit side by side with the good end", columns);
  text += table_of(result, columns) + "\n";
  const std::string ending = others_of(result) + effort_of(result);
  for (const auto& line : split(ending, '\n')) text += wrapped(line, columns);
  for (const auto& note : result.notes) text += wrapped("note: " + note, columns);
  return text + wrapped(next_step(result), columns);
}

Json bisected_json(const Commit& commit) {
  return {
      {"commit", commit.id}, {"subject", commit.subject}, {"author", commit.author}, {"date", commit.date}};
}

void put_change(Json& json, const std::optional<double>& change, const std::optional<Interval>& interval) {
  json["change"] = number_json(change);
  json["low"] = interval ? Json(interval->low) : Json(nullptr);
  json["high"] = interval ? Json(interval->high) : Json(nullptr);
}

constexpr const char* kOutcomeNames[] = {"found", "nothing", "unclear", "out_of_time"};

Json search_json(const BisectResult& result) {
  const auto row_json = [](const BisectRow& row) {
    Json one = bisected_json(row.commit);
    one["pairs"] = row.pairs;
    put_change(one, row.change, row.interval);
    one["note"] = row.note;
    one["guilty"] = row.is_guilty;
    return one;
  };
  const auto other_json = [](const BisectOther& one) -> Json {
    return {{"benchmark", one.benchmark}, {"change", one.change}, {"probability", one.probability}};
  };
  Json json{{"outcome", kOutcomeNames[static_cast<std::size_t>(result.outcome)]},
            {"good", bisected_json(result.good)},
            {"bad", bisected_json(result.bad)},
            {"merge", text_or_null(result.inside)},
            {"commits", result.commits},
            {"benchmark", text_or_null(result.benchmark)},
            {"metric", result.metric},
            {"device", result.device},
            {"looked_for", worse(result)},
            {"threshold", result.threshold},
            {"confidence", result.confidence},
            {"probability", result.probability},
            {"guilty", list_json(result.guilty, bisected_json)}};
  put_change(json, result.change, result.interval);
  json["measured"] = list_json(result.rows, row_json);
  json["companions"] = list_json(result.others, other_json);
  if (const auto& machine = result.machine)
    json["machine_changed"] = {{"benchmark", machine->benchmark},
                               {"unit", machine->unit},
                               {"recorded", machine->recorded},
                               {"now", machine->now},
                               {"same_program", machine->same_program},
                               {"others", machine->others},
                               {"first", machine->first ? bisected_json(*machine->first) : Json(nullptr)}};
  json["measurements"] = result.measurements;
  json["pairs"] = result.pairs;
  json["reused_pairs"] = result.reused;
  json["builds"] = result.builds;
  json["seconds"] = result.seconds;
  json["why"] = result.why;
  json["notes"] = result.notes;
  return json;
}

}  // namespace

FactLines bisect_plan_in_words(const BisectPlan& plan) {
  const auto number = [](int value) { return std::to_string(value); };
  return {{"good end", describe(plan.good)},
          {"bad end", describe(plan.bad)},
          {"between", count_of(plan.commits, "commit") + " on the first-parent line, " +
                          count_of(plan.merges, "merge") + " among them"},
          {"recorded", count_of(plan.stored_pairs, "pair") + " that can be used"},
          {"expected", number(plan.measurements) + " measurements with " + number(plan.pairs) +
                           " pairs (nine of ten: up to " + number(plan.measurements_high) + " with " +
                           number(plan.pairs_high) + "), " + number(plan.builds) + " builds"},
          {"", "for a change of " + format_share(plan.change) + " with " + format_share(plan.noise) +
                   " of noise in a pair (" +
                   (plan.noise_is_recorded ? "as recorded" : "assumed: nothing is recorded yet") + ")"},
          {"time", plan.measuring_s ? "about " + format_duration(*plan.measuring_s) +
                                          " of measuring, by stored runs, and the builds"
                                    : "not known: no run of these commits is stored"}};
}

std::string bisect_in_text(const std::vector<BisectResult>& results, int columns) {
  const std::size_t width =
      columns <= 0 ? kBisectColumnsDefault
                   : std::clamp(static_cast<std::size_t>(columns), kBisectColumnsMin, kBisectColumnsMax);
  std::string text;
  for (const auto& result : results) text += text_of(result, width);
  return text;
}

std::string bisect_in_json(const std::vector<BisectResult>& results) {
  return json_text({{"schema", "tracker.bisect/1"}, {"searches", list_json(results, search_json)}});
}

namespace {

constexpr std::size_t kPlannedShown = 8;

std::string counted_runs(const BackfillWords& words) {
  return words.device.empty() ? "by this machine" : "on devices like " + in_quotes(words.device);
}

// The line of a compiler's or a build system's that says what is wrong, as far as it can be told.
std::string last_error(const std::vector<std::string>& lines) {
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (line->find("error") != std::string::npos || line->find("Error") != std::string::npos) return *line;
  return lines.back();
}

std::string failure_in_words(const std::string& why) {
  std::vector<std::string> lines = split(why, '\n');
  std::erase(lines, "");
  return lines.size() > 1 ? "does not build: " + printable(last_error(lines)) : why;
}

std::string measured_in_words(const BackfillMeasured& one, double length_s) {
  std::string text = count_of(one.benchmarks, "benchmark") + ", " + format_duration(length_s);
  if (one.missing.empty()) return text;
  return text + "; " + count_of(one.missing.size(), "benchmark") + " of " + short_id(one.compared_with) +
         " not there: " + in_quotes(one.missing.front()) + (one.missing.size() > 1 ? ", …" : "");
}

std::pair<std::string, std::string> row(const std::string& what, const Commit& commit,
                                        const std::string& more) {
  return {what, describe(commit) + (more.empty() ? "" : ": " + more)};
}

}  // namespace

FactLines backfill_plan_in_words(const BackfillPlan& plan, const BackfillWords& words) {
  FactLines facts{{"range", count_of(plan.commits, "commit") + " after " + short_id(plan.before.id) +
                                " up to " + describe(plan.last) + ", on the first-parent line"},
                  {"recorded", std::to_string(plan.recorded) + " of them, " + counted_runs(words)}};
  if (plan.narrow) {
    facts.emplace_back("planned", "what narrows the changes best, one after the other");
    if (!plan.order.empty()) facts.emplace_back("next", describe(plan.order.front()));
    return facts;
  }
  facts.emplace_back("planned", count_of(plan.order.size(), "commit"));
  for (std::size_t i = 0; i < std::min(plan.order.size(), kPlannedShown); ++i)
    facts.emplace_back(i == 0 ? "order" : "", describe(plan.order[i]));
  if (plan.order.size() > kPlannedShown)
    facts.emplace_back("", "…" + and_more(plan.order.size() - kPlannedShown));
  facts.emplace_back("time", plan.measuring_s ? "about " + format_duration(*plan.measuring_s) +
                                                    " of measuring, by stored runs, and the builds"
                                              : "not known: no run of these commits is stored");
  return facts;
}

FactLines backfill_step_in_words(const BackfillStep& step) {
  switch (step.what) {
    case BackfillStep::What::kFailed:
      return {row("failed", step.commit, failure_in_words(step.why))};
    case BackfillStep::What::kSameProgram:
      return {row("same", step.commit, "the same program as " + short_id(step.same_as))};
    case BackfillStep::What::kMeasured:
      break;
  }
  FactLines facts;
  for (const auto& one : step.measured)
    facts.push_back(row("measured", step.commit, measured_in_words(one, step.length_s)));
  return facts;
}

std::string backfill_result_in_words(const BackfillResult& result, const BackfillWords& words) {
  std::string text = std::to_string(result.measured) + " measured, " + std::to_string(result.same) +
                     " the same program as another, " + std::to_string(result.failed) +
                     " could not be measured";
  if (!result.again)
    text += "; " + std::to_string(result.have_run) + " of " + count_of(result.commits, "commit") +
            " have a run " + counted_runs(words);
  return text;
}

std::vector<std::string> backfill_notes(const BackfillResult& result, const BackfillWords& words) {
  std::vector<std::string> notes;
  if (result.out_of_time)
    notes.push_back("the time budget of " + words.time_budget +
                    " has no room for the next commit; the same command goes on from here");
  else if (result.measured + result.same + result.failed == 0)
    notes.emplace_back(result.narrow
                           ? "there is nothing to narrow: no change was first seen after commits "
                             "without a run"
                           : "there is nothing to measure: every commit has a run (--again: all the same)");
  if (result.measured > 0) notes.emplace_back("next: tracker log NAME, tracker top, tracker site DIR");
  return notes;
}

}  // namespace tracker::report
