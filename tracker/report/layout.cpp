#include "tracker/report/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::report {
namespace {

std::string_view first_columns(std::string_view text, std::size_t columns) {
  return text.substr(0, bytes_within(text, columns));
}

std::string_view last_columns(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return text.substr(bytes_past(text, width - std::min(columns, width)));
}

// Split at spaces, but for those before a per cent sign and around an arrow.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kArrow = "→";
  std::vector<std::string> words;
  bool after_arrow = false;
  for (auto& word : split(text, ' ')) {
    const bool is_arrow = word == kArrow;
    if (!words.empty() && !words.back().empty() && (word.starts_with("%") || is_arrow || after_arrow))
      words.back() += " " + word;
    else
      words.push_back(std::move(word));
    after_arrow = is_arrow;
  }
  return words;
}

bool is_prose(const std::string& line) {
  return !line.empty() && line.front() != ' ' && line.back() != ':' && !line.starts_with("Usage:");
}

// Sentences that go on in the next line are one line; each begins where its author began a line.
std::vector<std::string> with_whole_sentences(const std::vector<std::string>& lines) {
  std::vector<std::string> whole;
  for (const auto& line : lines) {
    const bool goes_on =
        !whole.empty() && is_prose(whole.back()) && whole.back().back() != '.' && is_prose(line);
    if (goes_on)
      whole.back() += " " + line;
    else
      whole.push_back(line);
  }
  return whole;
}

}  // namespace

std::string shorten_middle(std::string_view any, std::size_t width) {
  const std::string text = printable(any);
  if (display_width(text) <= width) return text;
  const std::size_t kept = std::max<std::size_t>(width, 3) - 1;
  const std::size_t tail = kept / 2;
  return std::string(first_columns(text, kept - tail)) + "…" + std::string(last_columns(text, tail));
}

std::string shorten_end(std::string_view any, std::size_t width) {
  const std::string text = printable(any);
  if (display_width(text) <= width) return text;
  return std::string(first_columns(text, std::max<std::size_t>(width, 1) - 1)) + "…";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::string word : words_of(printable(text))) {
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    while (display_width(word) > width) {
      // A character that is wider than the line has it alone.
      const std::size_t bytes = std::max(bytes_within(word, width), bytes_past(word, 1));
      lines.push_back(word.substr(0, bytes));
      word.erase(0, bytes);
    }
    if (word.empty()) continue;
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string wrapped(std::string_view text, std::size_t columns, std::string_view head,
                    std::string_view style) {
  const std::size_t indent = display_width(head);
  const std::size_t width = columns == 0 ? kTableUnlimited : columns - std::min(columns - 1, indent);
  std::string out;
  if (text.empty()) return out;
  for (const auto& line : wrap(text, width))
    out += (out.empty() ? std::string(head) : std::string(indent, ' ')) + std::string(style) + line +
           (style.empty() ? "" : kReset) + "\n";
  return out;
}

TextCell styled_cell(std::string text, const std::string& style) {
  return {std::move(text), style, style.empty() ? "" : kReset};
}

std::vector<std::size_t> table_widths(const std::vector<TextColumn>& columns, const TextRows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& column : columns) {
    std::size_t width = std::max(column.width_min, display_width(column.head));
    for (const auto& row : rows) width = std::max(width, display_width(printable(row[widths.size()].text)));
    widths.push_back(std::min(width, column.width_max));
  }
  return widths;
}

std::vector<std::string> table_lines(const std::vector<TextColumn>& columns, const TextRows& rows,
                                     std::size_t columns_max, const std::string& indent) {
  const auto widths = table_widths(columns, rows);
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<TextCell>& cells) {
    std::string line = indent;
    std::size_t used = display_width(indent);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& [text, begin, end] = cells[c];  // which shortening makes printable
      if (widths[c] == 0) continue;
      const std::size_t gap = c == 0 ? 0 : columns[c].gap;
      line += std::string(gap, ' ');
      used += gap;
      std::size_t width = widths[c];
      const bool takes_rest = columns[c].takes_rest && columns_max > 0;
      if (takes_rest) width = std::max(columns_max - std::min(columns_max, used), columns[c].width_min);
      const std::string cell =
          takes_rest || columns[c].cuts_end ? shorten_end(text, width) : shorten_middle(text, width);
      const std::string room(width - std::min(width, display_width(cell)), ' ');
      line += columns[c].right ? begin + room + cell + end : begin + cell + end + room;
      used += width;
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  };
  std::vector<TextCell> heads;
  for (const auto& column : columns) heads.push_back({column.head});
  if (std::any_of(heads.begin(), heads.end(), [](const auto& head) { return !head.text.empty(); }))
    add(heads);
  for (const auto& row : rows) add(row);
  return lines;
}

std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::size_t columns_max,
                       const std::string& indent) {
  TextRows plain;
  for (const auto& row : rows) {
    auto& cells = plain.emplace_back();
    for (const auto& text : row) cells.push_back({text});
  }
  std::string out;
  for (const auto& line : table_lines(columns, plain, columns_max, indent)) out += line + "\n";
  return out;
}

std::vector<std::string> wrap_hint(std::string_view hint, std::size_t width) {
  std::vector<std::string> lines{std::string(hint)};
  for (const std::string_view mark : {"; ", ": "}) {
    std::vector<std::string> broken;
    for (const auto& line : lines) {
      std::string rest = line;
      while (display_width(rest) > width) {
        // The last place that fits, or else the first there is.
        std::size_t at = rest.find(mark);
        for (std::size_t next = at;
             next != std::string::npos && display_width(rest.substr(0, next + 1)) <= width;
             next = rest.find(mark, next + 1))
          at = next;
        if (at == std::string::npos) break;
        broken.push_back(rest.substr(0, at + 1));
        rest.erase(0, at + mark.size());
      }
      broken.push_back(rest);
    }
    lines = std::move(broken);
  }
  return lines;
}

std::string wrap_help(std::string_view help, std::size_t width, std::size_t described_at) {
  constexpr std::size_t kWidthMin = 60;
  constexpr std::size_t kProseMax = 100;  // longer lines are hard to read
  width = std::max(width, kWidthMin);
  std::vector<std::string> out;
  for (const auto& line : with_whole_sentences(split(help, '\n'))) {
    const bool is_description = line.starts_with("  ") && line.size() > described_at &&
                                line[described_at - 1] == ' ' && line[described_at] != ' ';
    if (display_width(line) <= (is_prose(line) ? std::min(width, kProseMax) : width)) {
      out.push_back(line);
      continue;
    }
    const std::size_t indent = is_description ? described_at : line.find_first_not_of(' ');
    std::string head = line.substr(0, indent);
    const std::size_t room = is_prose(line) ? std::min(width, kProseMax) : width - indent;
    for (const auto& part : wrap(line.substr(indent), room)) {
      out.push_back(head + part);
      head = std::string(indent, ' ');
    }
  }
  return join(out, "\n");
}

namespace {

struct VerdictColor {
  Verdict verdict;
  const char* code;
};
constexpr VerdictColor kColors[] = {
    {Verdict::kRegressed, "\x1b[1;31m"},  {Verdict::kBelowFloor, "\x1b[1;31m"},
    {Verdict::kFailed, "\x1b[1;31m"},     {Verdict::kMissing, "\x1b[1;31m"},
    {Verdict::kSameCode, "\x1b[1;33m"},   {Verdict::kNotComparable, "\x1b[33m"},
    {Verdict::kInconclusive, "\x1b[33m"}, {Verdict::kImproved, "\x1b[1;32m"},
    {Verdict::kNew, "\x1b[36m"}};

}  // namespace

std::string verdict_style(Verdict verdict) {
  for (const auto& row : kColors)
    if (row.verdict == verdict) return row.code;
  return "";
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

std::string sparkline(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                      std::size_t width, double span_min) {
  static constexpr std::array kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> medians;
  for (std::size_t i = from; i < to; ++i) medians.push_back(points[i].median);
  const auto values = stats::shortened(medians, width);
  if (values.empty()) return "";
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double missing = std::max(0.0, span_min * std::abs(*most) - (*most - *least));
  const double low = *least - missing / 2;
  const double span = *most - *least + missing;
  std::string line;
  for (const double value : values) {
    const double share = span > 0 ? (value - low) / span : 0;
    line += kHeights.at(static_cast<std::size_t>(std::lround(share * (kHeights.size() - 1))));
  }
  return line;
}

}  // namespace tracker::report
