// One page without anything from elsewhere: to send, to attach, to keep as an artifact of any CI.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/reason_words.hpp"
#include "tracker/report/report.hpp"
#include "tracker/report/text_rows.hpp"

namespace tracker {
namespace {

// The colours are those of the site.
constexpr const char* kStyle =
    ":root{color-scheme:light "
    "dark;--ground:#fff;--ink:#24292f;--muted:#57606a;--grid:#e4e7eb;--worse:#b84a00;"
    "--better:#287a46;--band:#f3f1e7;--edge:#808994}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--muted:#9da7b3;--grid:#262c34;"
    "--worse:#f0803c;--better:#1fb976;--band:#232117;--edge:#747d88}}\n"
    "body{margin:0 auto;max-width:100rem;padding:1rem;background:var(--ground);color:var(--ink);"
    "font:16px/1.5 system-ui,\"Liberation Sans\",sans-serif}\n"
    "h1{font-size:1.5rem;margin:.5rem 0 1rem;border-left:6px solid var(--edge);padding-left:.75rem}\n"
    "h1.worse{border-color:var(--worse)}h1.better{border-color:var(--better)}\n"
    "h2{font-size:1.15rem;margin:1.75rem 0 .25rem}p{margin:.25rem "
    "0}.note{color:var(--muted);font-size:.9rem}\n"
    ".worse{color:var(--worse);font-weight:600}.better{color:var(--better);font-weight:600}h1.worse,h1."
    "better{color:"
    "inherit}\n"
    ".scroll{overflow-x:auto;margin:.75rem 0}table{border-collapse:collapse;font-size:.95rem;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.3rem .8rem .3rem 0;border-bottom:1px solid "
    "var(--grid);text-align:left;vertical-align:top;"
    "white-space:nowrap}\n"
    "thead th{border-bottom:2px solid var(--edge)}tbody th{font-weight:normal}td.n{text-align:right}\n"
    "td.why{white-space:normal;color:var(--muted);font-size:.9rem;border-bottom-width:2px}td.sum{white-space:"
    "normal;"
    "min-width:12rem;color:var(--muted)}\n"
    "svg{display:block}.band{fill:var(--band)}.axis{stroke:var(--edge)}.range{stroke:currentColor;stroke-"
    "width:2}"
    ".dot{fill:currentColor}\n"
    "pre,code{font-family:\"Liberation Mono\",ui-monospace,monospace;font-size:.9em;overflow-x:auto}"
    "summary{cursor:pointer}li{overflow-wrap:anywhere}\n";

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

const char* look_of(const TextRow& row) {
  if (row.cells.is_excused) return "";
  switch (row.verdict) {
    case Verdict::kRegressed:
    case Verdict::kBelowFloor:
    case Verdict::kFailed:
    case Verdict::kMissing:
    case Verdict::kSameCode:
      return "worse";
    case Verdict::kImproved:
      return "better";
    default:
      return "";
  }
}

// The interval of the change and its middle, between the thresholds; worse to the right.
std::string bar_svg(const TextRow& row, double span) {
  if (!row.loss || !(span > 0)) return "";
  constexpr double kWidth = 180;
  const auto place = [&](double loss) { return kWidth * (std::clamp(loss / span, -1.0, 1.0) + 1) / 2; };
  const std::string low = number_text(place(row.loss->low));
  const std::string high = number_text(place(row.loss->high));
  const std::string middle = number_text(place((row.loss->low + row.loss->high) / 2));
  const double edge = place(-row.threshold);
  return "<svg class=\"" + std::string(look_of(row)) +
         "\" width=\"190\" height=\"18\" viewBox=\"-5 0 190 18\" aria-hidden=\"true\"><rect class=\"band\" "
         "x=\"" +
         number_text(edge) + "\" y=\"0\" height=\"18\" width=\"" + number_text(kWidth - 2 * edge) +
         "\"/><line class=\"axis\" x1=\"90\" x2=\"90\" y1=\"0\" y2=\"18\"/><line class=\"range\" x1=\"" +
         low + "\" x2=\"" + high + "\" y1=\"9\" y2=\"9\"/><circle class=\"dot\" r=\"4\" cy=\"9\" cx=\"" +
         middle + "\"/></svg>";
}

std::string row_html(const TextRow& row, double span) {
  const Cells& cells = row.cells;
  const std::string look = look_of(row);
  const auto cell = [](const std::string& html) { return "<td class=\"n\">" + html + "</td>"; };
  std::string html = "<tr><td class=\"" + look + "\">" + xml_text(cells.mark + " " + cells.verdict) +
                     "</td><th scope=\"row\">" + xml_text(cells.benchmark) + "</th><td>" +
                     bar_svg(row, span) + "</td>";
  html += "<td class=\"n " + look + "\">" + xml_text(cells.change) + "</td>" +
          cell(xml_text(cells.interval)) + cell(xml_text(cells.base)) + cell(xml_text(cells.candidate)) +
          "<td class=\"sum\">";
  if (!row.shares_why) html += xml_text(row.why);
  if (!cells.cause.empty())
    html += (row.why.empty() ? "" : "<br>") + xml_text("likely cause: " + cells.cause);
  html += "</td></tr>\n";
  if (row.shares_why && !row.why.empty())
    html += "<tr><td></td><td class=\"why\" colspan=\"7\">" + xml_text(row.why) + "</td></tr>\n";
  return html;
}

std::string table_html(const std::vector<TextRow>& rows, double span, const std::string& caption) {
  if (rows.empty()) return "";
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption +
                     "\"><table><thead><tr>";
  for (const char* name :
       {"Verdict", "Benchmark", "Better ← → worse", "Change", "Interval", "Base", "Candidate", "Why"})
    html += "<th scope=\"col\">" + std::string(name) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const auto& row : share_reasons(rows)) html += row_html(row, span);
  return html + "</tbody></table></div>\n";
}

std::string side_html(const char* name, const Side& side) {
  return "<p><b>" + std::string(name) + "</b> " + xml_text(join(side_in_words(side), " ")) + "</p>\n";
}

std::string section_html(ComparisonReport report) {
  const std::string obstacle = take_shared_obstacle(report);
  std::string html = "<h2>" + xml_text(device_in_words(report)) + "</h2>\n" + side_html("base", report.base) +
                     side_html("candidate", report.candidate) + "<p class=\"note\">" +
                     xml_text(measuring_in_words(report)) + "</p>\n";
  for (const auto& words : {effort_in_words(report), not_measured_in_words(report), obstacle})
    if (!words.empty()) html += "<p>" + xml_text(words) + "</p>\n";
  std::vector<TextRow> rows = rows_of(report, true);
  const double span = bar_span(rows);
  const auto unchanged = std::stable_partition(
      rows.begin(), rows.end(), [](const TextRow& row) { return row.verdict != Verdict::kUnchanged; });
  html += table_html({rows.begin(), unchanged}, span, "What is not unchanged");
  const std::vector<TextRow> rest(unchanged, rows.end());
  if (!rest.empty())
    html += "<details><summary>" + count_of(rest.size(), "benchmark") + " unchanged</summary>\n" +
            table_html(rest, span, "Unchanged") + "</details>\n";
  if (const auto lines = rename_lines(report); !lines.empty())
    html += "<p>" + std::string(kRenamedQuestion) + "</p>\n<pre>" + xml_text(join(lines, "\n")) + "</pre>\n";
  html += "<p>" + xml_text(counts_in_words(report) + confidence_in_words(report)) + "</p>\n";
  if (report.notes.empty()) return html;
  html += "<details><summary>" + count_of(report.notes.size(), "note") + "</summary><ul>\n";
  for (const auto& note : report.notes) html += "<li>" + xml_text(printable(note)) + "</li>\n";
  return html + "</ul></details>\n";
}

}  // namespace

std::string write_html(const std::vector<ComparisonReport>& reports, const ReportOptions& options) {
  const std::string answer = answer_in_words(reports, options);
  const Answer kind = answer_of(reports, options);
  const char* look = kind == Answer::kFailed ? "worse" : kind == Answer::kPassed ? "better" : "";
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      xml_text(answer) + "</title>\n<style>\n" + kStyle + "</style>\n</head>\n<body>\n<main>\n<h1 class=\"" +
      look + "\">" + xml_text(answer) + "</h1>\n";
  for (const auto& report : reports) html += section_html(report);
  for (const auto& unjudged : options.unjudged) {
    if (!unjudged.device.empty()) html += "<h2>" + xml_text(printable(unjudged.device)) + "</h2>\n";
    html += "<p>" + xml_text(printable("could not judge: " + unjudged.reason)) + "</p>\n";
    if (!unjudged.hint.empty()) html += "<p>" + xml_text(printable("next step: " + unjudged.hint)) + "</p>\n";
  }
  if (!options.reproduce.empty())
    html += "<p class=\"note\">again: <code>" + xml_text(printable(options.reproduce)) + "</code></p>\n";
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace tracker
