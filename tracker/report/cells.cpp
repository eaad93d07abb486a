#include "tracker/report/cells.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/model/run.hpp"
#include "tracker/report/escape.hpp"

namespace tracker::report {
namespace {
// Every row is as wide as the widest; a whole name is in the JSON.
constexpr std::size_t kNameColumnsMax = 160;
constexpr std::size_t kProseColumnsMax = 2000;

// How a verdict looks in a terminal: its mark, and its colour where it has one. In the order of Verdict.
struct VerdictLook {
  const char* mark;
  const char* color;
};
constexpr VerdictLook kLooks[] = {
    {"✗", "\x1b[1;31m"}, {"✗", "\x1b[1;31m"}, {"✗", "\x1b[1;31m"}, {"−", "\x1b[1;31m"}, {"!", "\x1b[1;33m"},
    {"≠", "\x1b[33m"},   {"?", "\x1b[33m"},   {"✓", "\x1b[1;32m"}, {"+", "\x1b[36m"},   {"=", ""}};

std::string mark_of(Verdict verdict) {
  return kLooks[static_cast<std::size_t>(verdict)].mark;
}

std::string interval_of(const Comparison& comparison) {
  if (!comparison.change || !comparison.interval) return "";
  const auto& [low, high] = *comparison.interval;
  if (!std::isfinite(low) || !std::isfinite(high) || noise_hides_everything(comparison)) return "[unknown]";
  return format_percent_range(low, high);
}

// Of what was compared: "5", "3–5"; "0" where that is nothing.
std::string range_of(const ComparisonReport& report, int Comparison::*invocations) {
  int low = 0;
  int high = 0;
  for (const auto& comparison : report.comparisons) {
    if (!is_compared(comparison) || comparison.not_measured) continue;
    const int count = comparison.*invocations;
    low = high == 0 ? count : std::min(low, count);
    high = std::max(high, count);
  }
  return low == high ? std::to_string(high) : std::to_string(low) + "–" + std::to_string(high);
}

}  // namespace

Cells cells_of(const Comparison& comparison) {
  Cells cells;
  cells.mark = mark_of(comparison.verdict);
  cells.verdict = verdict_name(comparison.verdict);
  cells.benchmark = visible_text(comparison.benchmark, kNameColumnsMax);
  const auto [base, candidate] =
      format_quantities(comparison.base, comparison.candidate, comparison.metric.unit);
  cells.base = printable(base);
  cells.candidate = printable(candidate);
  if (comparison.change) cells.change = format_percent(*comparison.change);
  cells.interval = interval_of(comparison);
  cells.reason = visible_text(reason_in_words(comparison), kProseColumnsMax);
  cells.cause = visible_text(comparison.cause, kProseColumnsMax);
  if (comparison.verdict == Verdict::kSameCode && fails_gate(comparison))
    cells.mark = mark_of(Verdict::kRegressed);
  Comparison strict = comparison;
  strict.report_only = false;
  if (comparison.report_only && fails_gate(strict)) cells.reason += " (only reported)";
  // What stayed open was measured again too, but nothing is confirmed by that.
  if (comparison.confirmed)
    cells.reason += comparison.verdict == Verdict::kInconclusive ? " (measured again)" : " (confirmed)";
  strict.waiver = {};
  strict.failed_before = false;
  cells.is_excused = fails_gate(strict) && !fails_gate(comparison);
  if (cells.is_excused) cells.mark = "~";
  return cells;
}

std::vector<std::string> side_in_words(const Side& side) {
  std::vector<std::string> words;
  const std::string id = printable(short_id(side.commit));
  if (!side.label.empty() && (id.empty() || side.commit.rfind(side.label, 0) != 0))
    words.push_back(printable(side.label));
  if (!id.empty()) words.push_back(id + (side.dirty ? "+dirty" : ""));
  if (!side.subject.empty()) words.push_back(printable(side.subject));
  return words;
}

std::string device_in_words(const ComparisonReport& report) {
  if (report.details.model.empty()) return printable(report.device);
  return printable(report.details.model) + " (" + printable(report.device) + ")";
}

bool has_measured(const ComparisonReport& report) {
  return !report.not_measured || std::ranges::any_of(report.comparisons, [](const Comparison& comparison) {
    return !comparison.not_measured;
  });
}

std::string measuring_in_words(const ComparisonReport& report) {
  if (!has_measured(report)) return "nothing was measured: both sides are the same program";
  const std::string base = range_of(report, &Comparison::base_invocations);
  const std::string candidate = range_of(report, &Comparison::candidate_invocations);
  const bool by_builds = std::ranges::any_of(
      report.comparisons, [](const Comparison& comparison) { return comparison.by_builds; });
  const std::string unit = by_builds ? " build" : " invocation";
  const auto invocations = [&](const std::string& count) { return count + unit + (count == "1" ? "" : "s"); };
  if (report.interleaved && base == candidate)
    return (base == "0" ? "" : invocations(base) + " a side, ") + "measured side by side in one job";
  if (report.interleaved)
    return "base " + invocations(base) + ", candidate " + invocations(candidate) +
           ", measured side by side in one job";
  const auto of_side = [&](const std::string& count, int jobs) {
    return (count == "0" ? "" : invocations(count) + " in ") + count_of(jobs, "job");
  };
  return "base " + of_side(base, report.base.jobs) + ", candidate " +
         of_side(candidate, report.candidate.jobs) +
         (report.effort ? "; what was confirmed side by side" : ", not side by side");
}

std::string counts_in_words(const ComparisonReport& report) {
  const auto counts = count_verdicts(report);
  std::vector<std::string> parts;
  for (const Verdict verdict : all_verdicts())
    if (const auto found = counts.find(verdict); found != counts.end())
      parts.push_back(std::to_string(found->second) + " " + verdict_name(verdict));
  return parts.empty() ? "no benchmarks" : join(parts, ", ");
}

// A time that is saved; less than that is none.
constexpr double kWorthSayingS = 1;

std::string effort_in_words(const ComparisonReport& report) {
  if (!report.effort) return "";
  const Effort& effort = *report.effort;
  std::string words = "confirmed " + count_of(effort.benchmarks, "benchmark") + " in " +
                      count_of(effort.rounds, "round") + ": " + format_duration(effort.measured_s) +
                      " of measuring";
  if (effort.saved_s >= kWorthSayingS) words += ", " + format_duration(effort.saved_s) + " saved";
  if (effort.out_of_budget) words += "; the time ran out with some undecided";
  return words;
}

std::string not_measured_in_words(const ComparisonReport& report) {
  if (!report.not_measured) return "";
  std::string words =
      std::to_string(report.not_measured->benchmarks) + " unchanged without measuring: same code";
  if (report.not_measured->saved_s && *report.not_measured->saved_s >= kWorthSayingS)
    words += "; about " + format_duration(*report.not_measured->saved_s) + " saved";
  return words;
}

std::string confidence_in_words(const ComparisonReport& report) {
  if (!has_measured(report)) return "";
  return "; all intervals together hold with " + format_share(report.confidence) + " confidence";
}

const Comparison& BenchmarkRow::worst() const {
  const Comparison* worst = nullptr;
  for (const auto* cell : cells)
    if (cell != nullptr && row_kind(*cell) == kind && (worst == nullptr || matters_more(*cell, *worst)))
      worst = cell;
  return *worst;
}

RowKind row_kind(const Comparison& comparison) {
  if (fails_gate(comparison)) return RowKind::kFails;
  switch (comparison.verdict) {
    case Verdict::kImproved:
      return RowKind::kImproved;
    case Verdict::kInconclusive:
      return RowKind::kInconclusive;
    case Verdict::kNew:
      return RowKind::kNew;
    case Verdict::kUnchanged:
      return RowKind::kUnchanged;
    default:
      return RowKind::kSetAside;
  }
}

std::vector<BenchmarkRow> rows_across(const std::vector<ComparisonReport>& reports) {
  std::vector<BenchmarkRow> rows;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < reports.size(); ++i)
    for (const auto& comparison : reports[i].comparisons) {
      const auto [place, is_new] = places.try_emplace(comparison.benchmark, rows.size());
      const RowKind kind = row_kind(comparison);
      if (is_new) rows.push_back({comparison.benchmark, {}, kind});
      BenchmarkRow& row = rows[place->second];
      row.cells.resize(reports.size());
      row.cells[i] = &comparison;
      row.kind = std::min(row.kind, kind);
    }
  for (auto& row : rows) row.cells.resize(reports.size());
  std::ranges::stable_sort(rows, [](const BenchmarkRow& a, const BenchmarkRow& b) {
    return a.kind != b.kind ? a.kind < b.kind : matters_more(a.worst(), b.worst());
  });
  return rows;
}

std::string device_name(const std::vector<ComparisonReport>& reports, const ComparisonReport& report) {
  const auto alike = std::ranges::count_if(
      reports, [&](const ComparisonReport& other) { return other.details.model == report.details.model; });
  return alike > 1 || report.details.model.empty() ? device_in_words(report)
                                                   : printable(report.details.model);
}

namespace {

// In place of a figure; printable text has no control characters.
constexpr char kFigure[] = "\x01";

// A word that is a figure, and what punctuation follows it.
struct Figure {
  std::string text;
  std::string after;
  double value = 0;
};

std::optional<Figure> figure_of(const std::string& word) {
  Figure figure;
  const auto [end, failure] =
      std::from_chars(word.data(), word.data() + word.size(), figure.value, std::chars_format::fixed);
  if (failure != std::errc{} || word.find_first_of("0123456789") != 0) return {};
  figure.text = word.substr(0, static_cast<std::size_t>(end - word.data()));
  figure.after = word.substr(figure.text.size());
  if (figure.after.find_first_not_of(",;:") != std::string::npos) return {};
  return figure;
}

std::string range_of(const Figure& low, const Figure& high) {
  return (low.text == high.text ? low.text : low.text + "–" + high.text) + low.after;
}

}  // namespace

std::string shape_of(const std::string& sentence) {
  auto words = split(sentence, ' ');
  for (auto& word : words)
    if (const auto figure = figure_of(word)) word = kFigure + figure->after;
  return join(words, " ");
}

std::string merge_sentences(const std::vector<std::string>& sentences) {
  auto words = split(sentences.front(), ' ');
  for (std::size_t place = 0; place < words.size(); ++place) {
    const auto first = figure_of(words[place]);
    if (!first) continue;
    Figure low = *first;
    Figure high = *first;
    for (const auto& sentence : sentences) {
      const auto figure = figure_of(split(sentence, ' ')[place]);
      if (figure && figure->value < low.value) low = *figure;
      if (figure && figure->value > high.value) high = *figure;
    }
    words[place] = range_of(low, high);
  }
  return join(words, " ");
}

std::string verdict_style(Verdict verdict) {
  return kLooks[static_cast<std::size_t>(verdict)].color;
}

std::string colored(const std::string& text, Verdict verdict, bool color) {
  const auto cell = styled_cell(text, color ? verdict_style(verdict) : "");
  return cell.begin + cell.text + cell.end;
}

std::string head_of(const ComparisonReport& report, std::size_t columns) {
  auto base = side_in_words(report.base);
  auto candidate = side_in_words(report.candidate);
  for (std::size_t i = 0; i + 1 < std::min(base.size(), candidate.size()); ++i) {
    const std::size_t width = std::max(display_width(base[i]), display_width(candidate[i]));
    base[i] = left_aligned(base[i], width);
    candidate[i] = left_aligned(candidate[i], width);
  }
  std::string out = shorten_end(device_in_words(report), columns) + "\n";
  out += shorten_end("base       " + join(base, "  "), columns) + "\n";
  out += shorten_end("candidate  " + join(candidate, "  "), columns) + "\n";
  return out + wrapped(measuring_in_words(report), columns);
}

std::string note_of(const std::string& note, std::size_t columns) {
  return wrapped(note, columns, "note: ");
}

}  // namespace tracker::report
