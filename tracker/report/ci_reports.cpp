// One page without anything from elsewhere: to send, to attach, to keep as an artifact of any CI.

#include <algorithm>
#include <array>
#include <cstdio>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {
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
  if (row.verdict <= Verdict::kSameCode) return "worse";
  return row.verdict == Verdict::kImproved ? "better" : "";
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
  for (const auto& note : report.notes) html += "<li>" + xml_text(note) + "</li>\n";
  return html + "</ul></details>\n";
}

}  // namespace

std::string write_html(const Reports& reports, const Options& options) {
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
    if (!unjudged.device.empty()) html += "<h2>" + xml_text(unjudged.device) + "</h2>\n";
    html += "<p>" + xml_text("could not judge: " + unjudged.reason) + "</p>\n";
    if (!unjudged.hint.empty()) html += "<p>" + xml_text("next step: " + unjudged.hint) + "</p>\n";
  }
  if (!options.reproduce.empty())
    html += "<p class=\"note\">again: <code>" + xml_text(options.reproduce) + "</code></p>\n";
  return html + "</main>\n</body>\n</html>\n";
}

// JUnit's XML, which every CI shows: one test suite a device, one test case a benchmark.

namespace {

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skipped = 0;
};

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

// The verdict's sentence, and below it the figures.
std::string details_of(const Comparison& comparison, const Cells& cells) {
  std::string text = cells.reason + "\n";
  if (!comparison.not_measured) text += "base " + cells.base + ", head " + cells.candidate;
  if (!cells.change.empty()) text += ", change " + cells.change + " " + cells.interval;
  if (!cells.cause.empty()) text += "\nlikely cause: " + cells.cause;
  return text;
}

std::string xml_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto& line : split(text, '\n')) lines.push_back(xml_text(line));
  return join(lines, "\n");
}

// What is not judged is skipped, and so is what fails nothing though it is bad: neither is a pass.
std::string test_case(const ComparisonReport& report, const Comparison& comparison, Counts& counts) {
  const Cells cells = cells_of(comparison);
  std::string out =
      "    <testcase" + attribute("name", cells.benchmark) + attribute("classname", report.device);
  if (!comparison.source.empty()) out += attribute("file", comparison.source);
  out += ">\n";
  const std::string message = cells.verdict + ": " + cells.reason;
  ++counts.tests;
  if (fails_gate(comparison)) {
    ++counts.failures;
    out += "      <failure" + attribute("type", cells.verdict) + attribute("message", message) + ">" +
           xml_lines(details_of(comparison, cells)) + "</failure>\n";
  } else if (comparison.verdict == Verdict::kImproved || comparison.verdict == Verdict::kUnchanged) {
    out += "      <system-out>" + xml_lines(cells.verdict + ": " + details_of(comparison, cells)) +
           "</system-out>\n";
  } else {
    ++counts.skipped;
    out += "      <skipped" + attribute("message", message) + "/>\n";
  }
  return out + "    </testcase>\n";
}

std::string property(const std::string& name, const std::string& value) {
  return value.empty() ? ""
                       : "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string counts_in_xml(const Counts& counts) {
  return attribute("tests", std::to_string(counts.tests)) +
         attribute("failures", std::to_string(counts.failures)) + attribute("errors", "0") +
         attribute("skipped", std::to_string(counts.skipped));
}

std::string properties_of(const ComparisonReport& report) {
  const std::string lines =
      property("device", report.device) + property("model", report.details.model) +
      property("driver", report.software.driver.value_or("")) + property("base", report.base.label) +
      property("base.commit", report.base.commit) + property("candidate", report.candidate.label) +
      property("candidate.commit", report.candidate.commit) +
      property("measuring", measuring_in_words(report)) +
      property("not_measured", not_measured_in_words(report)) +
      property("confidence", format_share(report.confidence));
  std::string notes;
  for (const auto& note : report.notes) notes += property("note", note);
  return "    <properties>\n" + lines + notes + "    </properties>\n";
}

std::string suite_of(const std::string& name, const Counts& counts, const std::string& inside, Counts& all) {
  all.tests += counts.tests;
  all.failures += counts.failures;
  all.skipped += counts.skipped;
  return "  <testsuite" + attribute("name", name) + counts_in_xml(counts) + ">\n" + inside +
         "  </testsuite>\n";
}

std::string suite_of(const ComparisonReport& report, Counts& all) {
  Counts counts;
  std::string cases;
  for (const auto& comparison : report.comparisons) cases += test_case(report, comparison, counts);
  return suite_of(report.device, counts, properties_of(report) + cases, all);
}

std::string suite_of(const Unjudged& unjudged, Counts& all) {
  const std::string device = unjudged.device.empty() ? "tracker" : unjudged.device;
  const std::string hint = unjudged.hint.empty() ? "" : "; next step: " + unjudged.hint;
  return suite_of(device, {1, 0, 1},
                  "    <testcase" + attribute("name", "could not judge") + attribute("classname", device) +
                      ">\n      <skipped" +
                      attribute("message", "could not judge: " + unjudged.reason + hint) +
                      "/>\n    </testcase>\n",
                  all);
}

}  // namespace

std::string write_junit(const Reports& reports, const Options& options) {
  Counts counts;
  std::string suites;
  for (const auto& report : reports) suites += suite_of(report, counts);
  for (const auto& unjudged : options.unjudged) suites += suite_of(unjudged, counts);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", answer_in_words(reports, options)) + counts_in_xml(counts) + ">\n" + suites +
         "</testsuites>\n";
}

namespace {

// A comparison that fails the build, and the device it was made on.
struct Failing {
  const ComparisonReport* report;
  const Comparison* comparison;
};

std::vector<Failing> failing_in(const Reports& reports) {
  std::vector<Failing> failing;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons)
      if (fails_gate(comparison)) failing.push_back({&report, &comparison});
  std::ranges::stable_sort(
      failing, [](const Failing& a, const Failing& b) { return matters_more(*a.comparison, *b.comparison); });
  return failing;
}

std::string command(const std::string& name, const std::string& properties, const std::string& message) {
  return "::" + name + " " + properties + "::" + workflow_data(message) + "\n";
}

std::string error_for(const Failing& failing) {
  const Comparison& comparison = *failing.comparison;
  const Cells cells = cells_of(comparison);
  std::string title = cells.benchmark + ": " + cells.verdict;
  if (!cells.change.empty()) title += " " + cells.change;
  std::vector<std::string> lines{cells.reason};
  if (!cells.change.empty())
    lines.push_back(cells.base + " → " + cells.candidate + ", " + cells.change +
                    (cells.interval.empty() ? "" : " " + cells.interval));
  if (!cells.cause.empty()) lines.push_back("likely cause: " + cells.cause);
  lines.push_back("on " + device_in_words(*failing.report));
  std::string properties = "title=" + workflow_property(title);
  if (!comparison.source.empty())
    properties = "file=" + workflow_property(comparison.source) + "," + properties;
  return command("error", properties, join(lines, "\n"));
}

std::string more_in_words(const std::vector<Failing>& failing) {
  constexpr std::size_t kNamesMax = 20;
  std::vector<std::string> names;
  const std::size_t more = failing.size() - kAnnotationsMax;
  for (std::size_t i = kAnnotationsMax; i < failing.size() && names.size() < kNamesMax; ++i)
    names.push_back(failing[i].comparison->benchmark);
  if (names.size() < more) names.push_back("…");
  return count_of(more, "more benchmark") + (more == 1 ? " fails: " : " fail: ") + join(names, ", ");
}

}  // namespace

std::string write_annotations(const Reports& reports, const Options& options) {
  const auto failing = failing_in(reports);
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(failing.size(), kAnnotationsMax); ++i)
    out += error_for(failing[i]);
  if (failing.size() > kAnnotationsMax) out += command("warning", "title=tracker", more_in_words(failing));
  const std::string could_not = "title=tracker could not judge";
  int notices = 0;
  for (const auto& one : options.unjudged)
    if (++notices <= kAnnotationsMax)
      out += command("notice", could_not, one.reason + (one.hint.empty() ? "" : "\nnext step: " + one.hint));
  if (notices == 0 && answer_of(reports, options) == Answer::kCannotJudge)
    out += command("notice", could_not, answer_in_words(reports, options));
  if (notices == 0 && answer_of(reports, options) == Answer::kUndecided)
    out += command("notice", "title=tracker: undecided", answer_in_words(reports, options));
  return out;
}

std::string workflow_outputs(const Reports& reports, const Options& options, ExitCode exit_code,
                             const std::map<std::string, std::string>& files, const std::string& delimiter) {
  std::string out;
  const auto add = [&](const std::string& name, const std::string& value) {
    out += workflow_output(name, value, delimiter);
  };
  add("verdict", answer_name(answer_of(reports, options), '-'));
  add("exit-code", std::to_string(static_cast<int>(exit_code)));
  add("headline", headline_in_words(reports, options));
  std::vector<std::string> names;
  for (const auto& one : failing_in(reports)) names.push_back(printable(one.comparison->benchmark));
  constexpr std::size_t kNamesMax = 1000;  // GitHub takes a megabyte of outputs
  if (names.size() > kNamesMax) names.resize(kNamesMax);
  add("failing", join(names, "\n"));
  std::map<Verdict, int> counts;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) ++counts[comparison.verdict];
  for (const Verdict verdict : all_verdicts()) {
    std::string name = verdict_name(verdict);
    std::ranges::replace(name, ' ', '-');
    add(name, std::to_string(counts[verdict]));
  }
  for (const auto& [name, path] : files) add(name, path);
  return out;
}

}  // namespace tracker::report
