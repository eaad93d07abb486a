// For a pull request, a job summary or a wiki: what failed and why in sight, all else folded.

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/report/markdown_rows.hpp"
#include "tracker/report/report.hpp"
#include "tracker/report/sentence.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kDevicesMax = 6;
constexpr std::size_t kWordsColumnsMax = 100;
constexpr std::size_t kTrendsMax = 5;  // of what fails
constexpr std::size_t kTrendsInSightMax = 2;
constexpr std::size_t kShortColumnsMax = 300;

std::string short_text(const std::string& text) {
  return markdown_text(visible_text(text, kWordsColumnsMax));
}

std::string short_heading(const std::string& text) {
  return markdown_text(visible_text(text, kShortColumnsMax));
}

// Below every Markdown report: what was measured, where and how.

// "1980 MHz", "1755–1980 MHz"
std::string range_in_words(const Interval& mhz) {
  const std::string low = format_plain(mhz.low);
  const std::string high = format_plain(mhz.high);
  return (low == high ? high : low + "–" + high) + " MHz";
}

// "SM clock 1980 MHz"; "SM clock 1755 MHz → 1980 MHz" where the sides differ.
void add_clock(const std::string& name, const std::optional<Interval>& base,
               const std::optional<Interval>& candidate, std::vector<std::string>& facts) {
  if (!base && !candidate) return;
  const std::string of_base = base ? range_in_words(*base) : "unknown";
  const std::string of_candidate = candidate ? range_in_words(*candidate) : "unknown";
  facts.push_back(name + " " + (of_base == of_candidate ? of_candidate : of_base + " → " + of_candidate));
}

std::string machine_line(const ComparisonReport& report) {
  std::vector<std::string> facts{"**" + short_text(device_in_words(report)) + "**"};
  const Software& software = report.software;
  if (software.driver) facts.push_back("driver " + short_text(*software.driver));
  if (software.cuda_runtime) facts.push_back("CUDA " + short_text(*software.cuda_runtime));
  const bool is_gpu = report.details.kind == DeviceKind::kGpu;
  add_clock(is_gpu ? "SM clock" : "clock", report.base.clocks.core_mhz, report.candidate.clocks.core_mhz,
            facts);
  add_clock("memory clock", report.base.clocks.memory_mhz, report.candidate.clocks.memory_mhz, facts);
  if (report.details.power_limit_w)
    facts.push_back("power limit " + format_plain(*report.details.power_limit_w) + " W");
  return join(facts, ", ");
}

// "3f9a0c1e Pad the tile (HEAD~1)"; GitHub makes a link of the id by itself.
std::string side_in_markdown(const Side& side) {
  std::vector<std::string> words = side_in_words(side);
  if (!side.commit.empty() && words.size() > 1 && words.front() == printable(side.label)) {
    words.push_back("(" + words.front() + ")");
    words.erase(words.begin());
  }
  for (auto& word : words) word = short_text(word);
  return words.empty() ? "unnamed" : join(words, " ");
}

std::string report_lines(const ComparisonReport& report) {
  std::string lines = machine_line(report) + "<br>";
  lines += "base " + side_in_markdown(report.base) + " → head " + side_in_markdown(report.candidate) + "<br>";
  lines += markdown_text(measuring_in_words(report)) + confidence_in_words(report);
  for (const auto& words : {effort_in_words(report), not_measured_in_words(report)})
    if (!words.empty()) lines += "<br>" + words;
  return lines;
}

std::string footer_of(const Reports& reports, const Options& options) {
  std::vector<std::string> blocks;
  for (const auto& report : reports) {
    if (blocks.size() == kDevicesMax) {
      blocks.push_back("and " + count_of(reports.size() - kDevicesMax, "more device"));
      break;
    }
    blocks.push_back(report_lines(report));
  }
  if (!options.explain.empty()) blocks.push_back("Explain: " + markdown_code(options.explain));
  if (!options.reproduce.empty()) blocks.push_back("Reproduce: " + markdown_code(options.reproduce));
  if (blocks.empty()) return "";
  return "---\n\n<sub>" + join(blocks, "<br>") + "</sub>\n";
}

std::string mark_of(Answer answer) {
  if (answer == Answer::kFailed) return "❌";
  return answer == Answer::kPassed ? "✅" : "❓";
}

// Names as code, which a phone's page may break.
std::string sentence_in_markdown(const std::vector<Words>& sentence) {
  std::string out;
  for (const auto& words : sentence) {
    if (words.is_name) {
      out += name_in_markdown(words.text, kShortColumnsMax);
      continue;
    }
    const std::string text = visible_text(words.text, kShortColumnsMax);
    // markdown_text() is for a whole line, and drops the space at its start.
    out += (text.starts_with(' ') && !out.empty() ? " " : "") + markdown_text(text);
  }
  return out;
}

// "Likely cause: **registers 32 → 64** · [commit](…) · [history](…)"; empty where nothing got worse.
std::string cause_line(const Reports& reports, const Options& options) {
  std::vector<std::string> parts;
  if (const LeadingCause leading = leading_cause(reports); leading.is_wanted)
    parts.push_back((leading.of_worst ? "Likely cause of the worst: " : "Likely cause: ") +
                    (leading.cause.empty() ? "not known" : cause_in_markdown(leading.cause)));
  if (answer_of(reports, options) == Answer::kFailed)
    for (const auto& link : options.links)
      parts.push_back("[" + markdown_text(link.words) + "](" + markdown_link(link.url) + ")");
  return parts.empty() ? "" : join(parts, " · ") + "\n\n";
}

// What the sentence leaves out. Several devices have more results than benchmarks.
std::string counts_line(const Reports& reports, const Options& options) {
  if (says_all(reports, options)) return "";
  const std::string where =
      reports.size() > 1 ? "Results on " + count_of(reports.size(), "device") + ": " : "";
  return where + short_heading(all_counts_in_words(reports)) + "\n\n";
}

// " on NVIDIA H200", of a report's own, where there are several devices.
std::string on_device(const Reports& reports, const ComparisonReport& report) {
  return reports.size() == 1 ? "" : " on " + short_heading(device_name(reports, report));
}

// What no comparison of two commits shows: the level that both have is not what it was.
std::string drift_lines(const Reports& reports, const Options& options) {
  constexpr std::size_t kDriftsMax = 3;
  std::string lines;
  for (std::size_t i = 0; i < options.drifts.size() && i < kDriftsMax; ++i) {
    const DriftAlarm& alarm = options.drifts[i];
    std::string where;
    for (const auto& report : reports)
      if (reports.size() > 1 && report.device == alarm.event.changes[alarm.losses.front().change].device)
        where = on_device(reports, report);
    lines += "📉 The line before this change drifts" + where + ": " +
             short_heading(drift_alarm_in_words(alarm)) + "\n\n";
  }
  if (options.drifts.size() > kDriftsMax)
    lines += "📉 " + count_of(options.drifts.size() - kDriftsMax, "more drift") + ": tracker check\n\n";
  return lines;
}

Piece headline(const Reports& reports, const Options& options) {
  auto sentence = sentence_of(reports, options);
  if (auto& first = sentence.front(); !first.is_name && first.text[0] >= 'a' && first.text[0] <= 'z')
    first.text[0] = static_cast<char>(first.text[0] - 'a' + 'A');
  const std::string marker = options.marker.empty() ? "" : options.marker + "\n";
  return {Part::kHeadline, marker + "### " + mark_of(answer_of(reports, options)) + " " +
                               sentence_in_markdown(sentence) + "\n\n" + cause_line(reports, options) +
                               counts_line(reports, options) + drift_lines(reports, options)};
}

Piece unjudged(const Reports& reports, const Options& options) {
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
  // A job that died leaves nothing behind but what the base has.
  for (const auto& device : options.absent)
    piece.rows.push_back("- Not measured on **" + short_heading(device) +
                         "**: the base has runs there, and the head has none\n");
  return piece;
}

// Rows of one kind, that fold together.
struct Fold {
  RowKind kind;
  const char* name;  // after their number
  Part part;
};
constexpr Fold kFolds[] = {{RowKind::kSetAside, "set aside", Part::kExcused},
                           {RowKind::kNew, "new", Part::kNew},
                           {RowKind::kUnchanged, "unchanged", Part::kUnchanged}};

constexpr std::size_t kWorstInSightMax = 15;
constexpr std::size_t kImprovedInSightMax = 5;

std::string fold_open(const std::string& summary) {
  return "<details><summary>" + summary + "</summary>\n\n";
}
constexpr const char* kFoldClose = "\n</details>\n\n";

using Rows = std::vector<const BenchmarkRow*>;

Rows rows_of_kind(const std::vector<BenchmarkRow>& all, RowKind kind) {
  Rows rows;
  for (const auto& row : all)
    if (row.kind == kind) rows.push_back(&row);
  return rows;
}

Piece table_piece(Part part, MarkdownTable table) {
  const std::string below = table.below.empty() ? "" : "\n" + table.below;
  return {part, table.head, std::move(table.rows), below + "\n"};
}

Piece folded_table(Part part, const std::string& summary, MarkdownTable table) {
  Piece piece = table_piece(part, std::move(table));
  piece.open = fold_open(summary) + piece.open;
  piece.close += "</details>\n\n";
  return piece;
}

// What matters most in sight, the others folded: below `summary`, given how many there are.
template <typename Summary>
void add_first_rows(const Reports& reports, const Rows& rows, std::size_t in_sight_max,
                    const TableStyle& style, Part first, Part rest, Summary summary,
                    std::vector<Piece>& pieces) {
  const auto in_sight = rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), in_sight_max));
  pieces.push_back(table_piece(first, markdown_table(reports, {rows.begin(), in_sight}, style)));
  pieces.push_back(folded_table(rest, summary(rows.end() - in_sight),
                                markdown_table(reports, {in_sight, rows.end()}, style)));
}

void add_worst(const Reports& reports, const std::vector<BenchmarkRow>& all, std::vector<Piece>& pieces) {
  TableStyle style;
  if (const LeadingCause leading = leading_cause(reports); leading.is_wanted)
    style.cause_in_sight = leading.cause;
  add_first_rows(
      reports, rows_of_kind(all, RowKind::kFails), kWorstInSightMax, style, Part::kWorst, Part::kWorst,
      [](auto more) { return count_of(more, "more benchmark") + (more == 1 ? " fails" : " fail"); }, pieces);
}

void add_improved(const Reports& reports, const std::vector<BenchmarkRow>& all, std::vector<Piece>& pieces) {
  add_first_rows(
      reports, rows_of_kind(all, RowKind::kImproved), kImprovedInSightMax, {.first_column = "improved"},
      Part::kImproved, Part::kMoreImproved, [](auto more) { return std::to_string(more) + " more improved"; },
      pieces);
}

// A line of a fenced block. Nothing in it ends the block.
std::string fenced_line(const std::string& text) {
  std::string line = visible_text(text, kShortColumnsMax);
  std::ranges::replace(line, '`', '\'');
  return line + "\n";
}

// The instructions that changed, as a diff: evidence that registers and counts only hint at.
void add_code(const Options& options, std::vector<Piece>& pieces) {
  for (const auto& one : options.code) {
    Piece piece{Part::kCode};
    const std::string left_out =
        one.left_out > 0 ? ", of which " + std::to_string(one.left_out) + " are not shown" : "";
    piece.open = fold_open("machine code of " + name_in_markdown(one.kernel, kShortColumnsMax) + " (" +
                           short_heading(one.architecture) + "): " + count_of(one.removed, "instruction") +
                           " removed, " + std::to_string(one.added) + " added" + left_out) +
                 "Launched by " + name_in_markdown(one.benchmark, kShortColumnsMax) +
                 ". Registers and constants alone are no difference.\n\n```diff\n";
    for (const auto& line : one.lines) piece.rows.push_back(fenced_line(line));
    piece.close = "```\n" + std::string(kFoldClose);
    pieces.push_back(std::move(piece));
  }
}

std::string mean_cell(const std::optional<FamilyMean>& mean) {
  if (!mean) return "–";
  const std::string range = mean->benchmarks == 1
                                ? "1 benchmark"
                                : format_percent(mean->range.low) + " … " + format_percent(mean->range.high) +
                                      ", " + count_of(mean->benchmarks, "benchmark");
  return "**" + unbroken(format_percent(mean->change)) + "**<br>" + small_text(unbroken(range));
}

std::string family_name(const FamilyMeans& row) {
  return short_heading(row.family) + (row.has_other_metrics ? " " + short_heading(row.metric.name) : "");
}

// With one device the summary says it, largest first, where any benchmark changed.
std::string families_summary(const Reports& reports, const std::vector<FamilyMeans>& means) {
  constexpr std::size_t kNamedMax = 3;
  std::string words = "Geometric mean of each family's changes";
  const auto& first = reports.front().comparisons;
  const bool any_changed = std::ranges::any_of(first, [](const Comparison& comparison) {
    return fails_gate(comparison) || comparison.verdict == Verdict::kImproved;
  });
  if (reports.size() > 1 || !any_changed) return words;
  for (std::size_t i = 0; i < std::min(means.size(), kNamedMax); ++i)
    words +=
        (i == 0 ? ": " : ", ") + family_name(means[i]) + " " + format_percent(means[i].means.front()->change);
  return words + (means.size() > kNamedMax ? ", …" : "");
}

// Of many devices the two whose means are farthest apart.
std::string extremes_row(const Reports& reports, const FamilyMeans& row) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto in_order = [](double unknown) {
    return [unknown](const std::optional<FamilyMean>& a, const std::optional<FamilyMean>& b) {
      return (a ? a->change : unknown) < (b ? b->change : unknown);
    };
  };
  const auto cell = [&](const auto& mean) {
    const auto device = static_cast<std::size_t>(mean - row.means.begin());
    return mean_cell(*mean) + "<br>" + small_text(short_heading(device_name(reports, reports[device])));
  };
  return markdown_row({family_name(row), cell(std::ranges::min_element(row.means, in_order(kInfinity))),
                       cell(std::ranges::max_element(row.means, in_order(-kInfinity)))});
}

// How each family changed as a whole: one benchmark says little of it.
Piece families(const Reports& reports) {
  constexpr std::size_t kFamiliesMax = 40;
  auto means = family_means(reports);
  const bool any_mean = std::ranges::any_of(means, [](const FamilyMeans& row) {
    return std::ranges::any_of(row.means, [](const auto& mean) { return mean && mean->benchmarks > 1; });
  });
  if (!any_mean) return {Part::kFamilies};
  if (means.size() > kFamiliesMax) means.resize(kFamiliesMax);
  Piece piece{Part::kFamilies, fold_open(families_summary(reports, means)) + "| family |", {}, kFoldClose};
  std::string rule = "|:--|";
  if (reports.size() > kDeviceColumnsOfTableMax) {
    piece.open += " least | most |\n|:--|--:|--:|\n";
    for (const auto& row : means) piece.rows.push_back(extremes_row(reports, row));
    return piece;
  }
  for (const auto& report : reports) {
    piece.open += " " + (reports.size() == 1 ? "change" : short_heading(device_name(reports, report))) + " |";
    rule += "--:|";
  }
  piece.open += "\n" + rule + "\n";
  for (const auto& row : means) {
    std::vector<std::string> cells{family_name(row)};
    std::transform(row.means.begin(), row.means.end(), std::back_inserter(cells), mean_cell);
    piece.rows.push_back(markdown_row(cells));
  }
  return piece;
}

Piece undecided(const Reports& reports, const std::vector<BenchmarkRow>& all) {
  const Undecided what = undecided_of(reports, rows_of_kind(all, RowKind::kInconclusive));
  Piece piece = folded_table(Part::kInconclusive, short_heading(what.summary),
                             markdown_table(reports, what.suspicious, {.has_reasons = false}));
  std::string below;
  if (what.other_benchmarks > 0)
    below += "\nThe likeliest to be slower; " + count_of(what.other_benchmarks, "other benchmark") +
             " not listed.\n";
  if (!what.reasons.empty()) below += "\n";
  for (const auto& reason : what.reasons) below += "- " + short_heading(reason) + "\n";
  piece.close = below + kFoldClose;
  return piece;
}

void add_folds(const Reports& reports, const std::vector<BenchmarkRow>& all, std::vector<Piece>& pieces) {
  for (const auto& fold : kFolds) {
    const Rows rows = rows_of_kind(all, fold.kind);
    std::string name = std::to_string(rows.size()) + " " + fold.name;
    if (fold.kind == RowKind::kSetAside) name = set_aside_in_words(reports);
    pieces.push_back(folded_table(fold.part, name, markdown_table(reports, rows, {})));
    if (fold.kind == RowKind::kSetAside) pieces.push_back(undecided(reports, all));
  }
}

void add_notes(const Reports& reports, std::vector<Piece>& pieces) {
  for (const auto& report : reports) {
    Piece piece{Part::kNotes, "", {}, kFoldClose};
    for (const auto& note : report.notes) piece.rows.push_back("- " + short_heading(note) + "\n");
    if (const auto lines = rename_lines(report); !lines.empty())
      piece.rows.push_back("\n" + std::string(kRenamedQuestion) + "\n\n```toml\n" + join(lines, "\n") +
                           "\n```\n");
    piece.open = fold_open(count_of(piece.rows.size(), "note") + on_device(reports, report));
    pieces.push_back(std::move(piece));
  }
}

// Pictures are drawn for the width of a comment; the dark one where the reader's page is.
std::string picture_row(const Picture& picture) {
  const std::string words = short_heading(picture.words);
  std::string row = "<picture>";
  if (!picture.dark.empty())
    row +=
        R"x(<source media="(prefers-color-scheme: dark)" srcset=")x" + markdown_link(picture.dark) + R"(">)";
  row += R"(<img width="880" alt=")" + words + R"(" src=")" + markdown_link(picture.light) + R"(">)";
  return row + "</picture>\n\n";
}

// Figures stay on one line; subjects and names may break.
std::string cells_in_markdown(const std::vector<std::string>& cells) {
  constexpr std::size_t kFiguresMax = 24;
  std::vector<std::string> texts;
  for (const auto& cell : cells) {
    const bool is_figure =
        display_width(cell) <= kFiguresMax && cell.find_first_of("0123456789") != std::string::npos;
    texts.push_back(is_figure ? unbroken(short_heading(cell)) : short_heading(cell));
  }
  return markdown_row(texts);
}

// The numbers of a picture, folded below it: for who cannot see it, and to copy.
std::string picture_data(const Picture& picture) {
  std::string text;
  for (const auto& table : picture.tables) {
    if (table.rows.empty()) continue;
    if (picture.tables.size() > 1) text += short_heading(table.title) + "\n\n";
    text += cells_in_markdown(table.header) + "|";
    for (std::size_t i = 0; i < table.header.size(); ++i) text += "---|";
    text += "\n";
    for (const auto& row : table.rows) text += cells_in_markdown(row);
    text += "\n";
    if (!table.note.empty()) text += short_heading(table.note) + "\n\n";
  }
  if (text.empty()) return "";
  std::string title = "data: " + short_heading(picture.tables.front().title);
  if (picture.tables.size() > 1) title += " and " + count_of(picture.tables.size() - 1, "more device");
  return fold_open(title) + text + "</details>\n\n";
}

void add_picture(const Picture& picture, Piece& piece) {
  piece.rows.push_back(picture_row(picture));
  piece.below.push_back(picture_data(picture));
}

const Comparison* find_comparison(const Reports& reports, const Picture& picture) {
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons)
      if (picture.device == report.device && picture.benchmark == comparison.benchmark) return &comparison;
  return nullptr;
}

using Pictures = std::vector<const Picture*>;

// Trends of what fails, the worst first.
Pictures failing_trends(const Reports& reports, const Options& options) {
  Pictures failing;
  for (const auto& picture : options.pictures) {
    const Comparison* comparison = find_comparison(reports, picture);
    if (picture.kind == Picture::Kind::kTrend && comparison != nullptr && fails_gate(*comparison))
      failing.push_back(&picture);
  }
  std::ranges::stable_sort(failing, [&](const Picture* a, const Picture* b) {
    return matters_more(*find_comparison(reports, *a), *find_comparison(reports, *b));
  });
  return failing;
}

// One of each family: more of them tell the same again. One or two commits are no trend, and the table says
// as much.
Pictures trends_in_sight(const Pictures& failing) {
  Pictures shown;
  std::set<std::string> families;
  for (const auto* picture : failing)
    if (!picture->is_short && shown.size() < kTrendsInSightMax &&
        families.insert(family_of(picture->benchmark)).second)
      shown.push_back(picture);
  return shown;
}

void add_pictures(const Pictures& pictures, Piece piece, std::vector<Piece>& pieces) {
  for (const auto* picture : pictures) add_picture(*picture, piece);
  pieces.push_back(std::move(piece));
}

Pictures comparison_charts(const Options& options) {
  Pictures pictures;
  for (const auto& picture : options.pictures)
    if (picture.kind == Picture::Kind::kComparison) pictures.push_back(&picture);
  return pictures;
}

// Of single benchmarks, what is folded: samples, the worst trends that are not in sight, and trends of what
// does not fail.
Pictures folded_pictures(const Options& options, const Pictures& failing, const Pictures& in_sight) {
  const auto place_in = [](const Pictures& pictures, const Picture& one) {
    return static_cast<std::size_t>(std::ranges::find(pictures, &one) - pictures.begin());
  };
  Pictures pictures;
  for (const auto& picture : options.pictures) {
    if (picture.kind == Picture::Kind::kComparison) continue;
    const std::size_t place = place_in(failing, picture);
    const bool is_one_too_many = place < failing.size() && place >= kTrendsMax;
    if (!is_one_too_many && place_in(in_sight, picture) == in_sight.size()) pictures.push_back(&picture);
  }
  return pictures;
}

}  // namespace

std::string write_markdown(const Reports& as_judged, const Options& options) {
  Reports reports = as_judged;
  for (auto& report : reports)
    if (auto words = take_shared_obstacle(report); !words.empty())
      report.notes.insert(report.notes.begin(), std::move(words));
  const auto rows = rows_across(reports);
  std::vector<Piece> pieces{headline(reports, options), unjudged(reports, options)};
  add_worst(reports, rows, pieces);
  add_improved(reports, rows, pieces);
  const Pictures failing = failing_trends(reports, options);
  const Pictures in_sight = trends_in_sight(failing);
  add_pictures(in_sight, {Part::kTrends}, pieces);
  add_code(options, pieces);
  pieces.push_back(families(reports));
  add_folds(reports, rows, pieces);
  add_pictures(comparison_charts(options),
               {Part::kComparisons, fold_open("chart of all changes"), {}, "</details>\n\n"}, pieces);
  add_pictures(folded_pictures(options, failing, in_sight),
               {Part::kSamples, fold_open("samples and trends of single benchmarks"), {}, "</details>\n\n"},
               pieces);
  add_notes(reports, pieces);
  pieces.push_back({Part::kFooter, footer_of(reports, options)});
  return fit_pieces(pieces, options.bytes_max);
}

}  // namespace tracker::report
