// For a pull request, a job summary or a wiki: what failed and why in sight, all else folded.
#include <algorithm>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/report/answer.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/formats.hpp"
#include "tracker/report/markdown_footer.hpp"
#include "tracker/report/markdown_rows.hpp"
#include "tracker/report/markdown_text.hpp"
#include "tracker/report/pieces.hpp"
#include "tracker/report/visible_text.hpp"

namespace tracker {
namespace {

using Reports = std::vector<ComparisonReport>;

constexpr std::size_t kTrendsMax = 5;
constexpr std::size_t kShortColumnsMax = 300;

std::string short_heading(const std::string& text) {
  return markdown_text(visible_text(text, kShortColumnsMax));
}

std::string mark_of(Answer answer) {
  if (answer == Answer::kFailed) return "❌";
  return answer == Answer::kPassed ? "✅" : "❓";
}

Piece headline(const Reports& reports, const ReportOptions& options) {
  std::string words = headline_in_words(reports, options);
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  const std::string marker = options.marker.empty() ? "" : options.marker + "\n";
  return {Part::kHeadline,
          marker + "### " + mark_of(answer_of(reports, options)) + " " + short_heading(words) + "\n\n"};
}

Piece unjudged(const Reports& reports, const ReportOptions& options) {
  Piece piece{Part::kUnjudged, "", {}, "\n"};
  bool is_said = answer_of(reports, options) == Answer::kCannotJudge;  // of the first, by the headline
  for (const auto& one : options.unjudged) {
    if (std::exchange(is_said, false)) {
      if (!one.hint.empty()) piece.rows.push_back("Next step: " + short_heading(one.hint) + "\n\n");
      continue;
    }
    std::string row = "- Not judged" +
                      (one.device.empty() ? "" : " on **" + short_heading(one.device) + "**") + ": " +
                      short_heading(one.reason);
    if (!one.hint.empty()) row += "<br>Next step: " + short_heading(one.hint);
    piece.rows.push_back(row + "\n");
  }
  return piece;
}

// The rows that fold together.
struct Fold {
  const char* name;  // after their number; null: by what set them aside
  bool (*holds)(const Comparison& comparison);
  Part part;
  bool has_verdicts;
};

template <Verdict verdict>
bool is(const Comparison& comparison) {
  return comparison.verdict == verdict;
}

bool is_set_aside(const Comparison& comparison) {
  const bool bad = comparison.verdict < Verdict::kInconclusive;
  return bad && !fails_gate(comparison);
}

constexpr Fold kFolds[] = {{nullptr, is_set_aside, Part::kExcused, true},
                           {"inconclusive", is<Verdict::kInconclusive>, Part::kInconclusive, false},
                           {"improved", is<Verdict::kImproved>, Part::kImproved, false},
                           {"new", is<Verdict::kNew>, Part::kNew, false},
                           {"unchanged", is<Verdict::kUnchanged>, Part::kUnchanged, false}};

// " on NVIDIA H200", where there are several devices; with its key where the model does not tell which.
std::string on_device(const Reports& reports, const ComparisonReport& report) {
  if (reports.size() == 1) return "";
  const auto alike = std::count_if(reports.begin(), reports.end(), [&](const ComparisonReport& other) {
    return other.details.model == report.details.model;
  });
  return " on " + short_heading(alike > 1 || report.details.model.empty() ? device_in_words(report)
                                                                          : report.details.model);
}

std::string fold_open(const std::string& summary) {
  return "<details><summary>" + summary + "</summary>\n\n";
}
constexpr const char* kFoldClose = "\n</details>\n\n";

void add_worst(const Reports& reports, std::vector<Piece>& pieces) {
  for (const auto& report : reports) {
    Piece piece{Part::kWorst, table_head(true), {}, "\n"};
    if (reports.size() > 1)
      piece.open = "**" + short_heading(device_in_words(report)) + "**\n\n" + piece.open;
    for (const auto& comparison : report.comparisons)
      if (fails_gate(comparison)) piece.rows.push_back(table_row(comparison, true));
    pieces.push_back(std::move(piece));
  }
}

void add_folds(const Reports& reports, std::vector<Piece>& pieces) {
  for (const auto& fold : kFolds)
    for (const auto& report : reports) {
      Piece piece{fold.part, "", {}, kFoldClose};
      for (const auto& comparison : report.comparisons)
        if (fold.holds(comparison)) piece.rows.push_back(table_row(comparison, fold.has_verdicts));
      const std::string name = fold.name == nullptr ? set_aside_in_words(report)
                                                    : std::to_string(piece.rows.size()) + " " + fold.name;
      piece.open = fold_open(name + on_device(reports, report)) + table_head(fold.has_verdicts);
      pieces.push_back(std::move(piece));
    }
}

void add_notes(const Reports& reports, std::vector<Piece>& pieces) {
  for (const auto& report : reports) {
    Piece piece{Part::kNotes, "", {}, kFoldClose};
    for (const auto& note : report.notes) piece.rows.push_back("- " + short_heading(note) + "\n");
    piece.open = fold_open(count_of(piece.rows.size(), "note") + on_device(reports, report));
    pieces.push_back(std::move(piece));
  }
}

// Pictures are drawn for the width of a comment; the dark one where the reader's page is.
std::string picture_row(const ReportPicture& picture) {
  const std::string words = short_heading(picture.words);
  std::string row = "<picture>";
  if (!picture.dark.empty())
    row +=
        R"x(<source media="(prefers-color-scheme: dark)" srcset=")x" + markdown_link(picture.dark) + R"(">)";
  row += R"(<img width="880" alt=")" + words + R"(" src=")" + markdown_link(picture.light) + R"(">)";
  return row + "</picture>\n\n";
}

const Comparison* find_comparison(const Reports& reports, const ReportPicture& picture) {
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons)
      if (picture.device == report.device && picture.benchmark == comparison.benchmark) return &comparison;
  return nullptr;
}

// Of the rows that fail, the very worst first.
bool is_in_sight(const Reports& reports, const ReportPicture& picture) {
  const Comparison* comparison = find_comparison(reports, picture);
  return picture.kind == ReportPicture::Kind::kTrend && comparison != nullptr && fails_gate(*comparison);
}

Piece trends(const Reports& reports, const ReportOptions& options) {
  std::vector<const ReportPicture*> failing;
  for (const auto& picture : options.pictures)
    if (is_in_sight(reports, picture)) failing.push_back(&picture);
  std::stable_sort(failing.begin(), failing.end(), [&](const ReportPicture* a, const ReportPicture* b) {
    return matters_more(*find_comparison(reports, *a), *find_comparison(reports, *b));
  });
  if (failing.size() > kTrendsMax) failing.resize(kTrendsMax);
  Piece piece{Part::kTrends};
  for (const auto* picture : failing) piece.rows.push_back(picture_row(*picture));
  return piece;
}

// What shows one verdict: samples, and trends of what does not fail.
bool shows_verdict(const Reports& reports, const ReportPicture& picture) {
  return picture.kind != ReportPicture::Kind::kComparison && !is_in_sight(reports, picture);
}

bool shows_all(const Reports&, const ReportPicture& picture) {
  return picture.kind == ReportPicture::Kind::kComparison;
}

Piece folded_pictures(Part part, const std::string& summary, const Reports& reports,
                      const ReportOptions& options,
                      bool (*holds)(const Reports& reports, const ReportPicture& picture)) {
  Piece piece{part, fold_open(summary), {}, "</details>\n\n"};
  for (const auto& picture : options.pictures)
    if (holds(reports, picture)) piece.rows.push_back(picture_row(picture));
  return piece;
}

}  // namespace

std::string write_markdown(const Reports& reports, const ReportOptions& options) {
  std::vector<Piece> pieces{headline(reports, options), unjudged(reports, options)};
  add_worst(reports, pieces);
  pieces.push_back(trends(reports, options));
  add_folds(reports, pieces);
  pieces.push_back(folded_pictures(Part::kComparisons, "chart of all changes", reports, options, shows_all));
  pieces.push_back(folded_pictures(Part::kSamples, "samples and trends of single benchmarks", reports,
                                   options, shows_verdict));
  add_notes(reports, pieces);
  pieces.push_back({Part::kFooter, footer_of(reports, options)});
  return fit_pieces(pieces, options.bytes_max);
}

}  // namespace tracker
