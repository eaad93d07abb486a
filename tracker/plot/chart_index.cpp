#include "tracker/plot/chart_index.hpp"

#include <algorithm>
#include <map>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kRowsOfTrend = 20;

constexpr const char* kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:1200px;margin:0 auto;padding:16px;color:#24292f;"
    "background:#fff}img{max-width:100%;height:auto}figure{margin:24px 0 40px}nav li{margin:2px 0}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}"
    "td,th{padding:2px 12px 2px 0;text-align:left;border-bottom:1px solid #e4e7eb}summary{cursor:pointer}"
    "a{color:#0072b2}@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}a{color:#56b4e9}"
    "td,th{border-color:#262c34}}";

std::string escaped(const std::string& text) {
  std::string out = printable(text);
  replace_every(out, "&", "&amp;");
  replace_every(out, "<", "&lt;");
  replace_every(out, ">", "&gt;");
  replace_every(out, "\"", "&quot;");
  return out;
}

// A cell, or text between them: no sign of it means anything to Markdown.
std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (const char c : escaped(text)) {
    if (std::string("\\`*_{}[]#|~!").find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

// File names are slugs: nothing in them needs escaping.
std::string light_name(const ChartFiles& files) {
  for (const auto* file : {&files.svg, &files.dark_svg, &files.png, &files.dark_png})
    if (!file->empty()) return file->filename().string();
  return "";
}

std::string picture_html(const IndexedChart& chart) {
  const std::string alt = escaped(chart.words.title + ". " + chart.words.description);
  const std::string image =
      "<img loading=\"lazy\" src=\"" + light_name(chart.files) + "\" alt=\"" + alt + "\">";
  if (chart.files.svg.empty() || chart.files.dark_svg.empty()) return image;
  return "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"" +
         chart.files.dark_svg.filename().string() + "\">" + image + "</picture>";
}

std::string table_html(const ChartTable& table) {
  std::string html = "<div class=\"scroll\"><table><tr>";
  for (const auto& cell : table.header) html += "<th scope=\"col\">" + escaped(cell) + "</th>";
  html += "</tr>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (const auto& cell : row) html += "<td>" + escaped(cell) + "</td>";
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  if (!table.note.empty()) html += "<p>" + escaped(table.note) + "</p>\n";
  return html;
}

std::string row_markdown(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += " " + markdown_escaped(cell) + " |";
  return line + "\n";
}

std::string data_markdown(const IndexedChart& chart) {
  std::string text = "\n<details><summary>Data: " + escaped(chart.words.title) + "</summary>\n";
  for (const auto& table : chart.tables) {
    if (chart.tables.size() > 1) text += "\n" + markdown_escaped(table.title) + "\n";
    text += "\n" + row_markdown(table.header) + "|";
    for (std::size_t i = 0; i < table.header.size(); ++i) text += "---|";
    text += "\n";
    for (const auto& row : table.rows) text += row_markdown(row);
    if (!table.note.empty()) text += "\n" + markdown_escaped(table.note) + "\n";
  }
  return text + "\n</details>\n";
}

template <typename What>
std::vector<IndexedChart> index_of(const char* section, const std::vector<What>& all,
                                   const std::vector<ChartFiles>& files) {
  std::vector<IndexedChart> charts;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!light_name(files[i]).empty())
      charts.push_back({section, files[i], words_of(all[i]), {table_of(all[i])}});
  return charts;
}

std::string heading_words(const std::vector<IndexedChart>& charts) {
  return count_of(charts.size(), "chart");
}

}  // namespace

std::vector<IndexedChart> index_charts(const std::vector<FamilyOverview>& overviews,
                                       const std::vector<ChartFiles>& overview_files,
                                       const std::vector<Series>& series,
                                       const std::vector<ChartFiles>& trend_files) {
  std::vector<IndexedChart> charts = index_of("Families", overviews, overview_files);
  // Series that share a picture are one chart.
  std::vector<std::vector<Series>> groups;
  std::vector<ChartFiles> files;
  std::map<std::string, std::size_t> group_of;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::string name = light_name(trend_files[i]);
    if (name.empty()) continue;
    const auto [at, is_new] = group_of.emplace(name, groups.size());
    if (is_new) {
      groups.emplace_back();
      files.push_back(trend_files[i]);
    }
    groups[at->second].push_back(series[i]);
  }
  const auto changes = [](const std::vector<Series>& group) {
    for (const auto& one : group)
      if (!one.steps.empty() || !one.drifts.empty()) return true;
    return false;
  };
  for (const bool changed : {true, false})
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (changes(groups[i]) != changed) continue;
      IndexedChart chart{changed ? "Changed" : "Without a change", files[i], words_of(groups[i]), {}};
      for (const auto& one : groups[i]) chart.tables.push_back(table_of(one, kRowsOfTrend));
      charts.push_back(std::move(chart));
    }
  return charts;
}

std::vector<IndexedChart> index_charts(const std::vector<SweepGrid>& grids,
                                       const std::vector<ChartFiles>& files) {
  return index_of("Sweeps", grids, files);
}

std::vector<IndexedChart> index_charts(const std::vector<Roofline>& rooflines,
                                       const std::vector<ChartFiles>& files) {
  return index_of("Rooflines", rooflines, files);
}

std::string index_html(const std::vector<IndexedChart>& charts) {
  std::string nav;
  std::string body;
  std::string section;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const IndexedChart& chart = charts[i];
    if (chart.section != section) {
      if (!section.empty()) nav += "</ul></details>\n";
      section = chart.section;
      nav += "<details" + std::string(i == 0 || section == "Changed" ? " open" : "") + "><summary>" +
             escaped(section) + "</summary><ul>\n";
      body += "<h2>" + escaped(section) + "</h2>\n";
    }
    const std::string id = "c" + std::to_string(i);
    nav += "<li><a href=\"#" + id + "\">" + escaped(chart.words.title) + "</a></li>\n";
    body += "<figure id=\"" + id + "\">" + picture_html(chart) + "<figcaption>" +
            escaped(chart.words.description) + "</figcaption>\n<details><summary>Data</summary>\n";
    for (const auto& table : chart.tables)
      body += (chart.tables.size() > 1 ? "<p>" + escaped(table.title) + "</p>\n" : "") + table_html(table);
    body += "</details></figure>\n";
  }
  if (!section.empty()) nav += "</ul></details>\n";
  return "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
         heading_words(charts) + "</title><style>" + kStyle + "</style>\n<h1>" + heading_words(charts) +
         "</h1>\n<nav>" + nav + "</nav>\n" + body + "</html>\n";
}

std::string index_markdown(const std::vector<IndexedChart>& charts) {
  std::string text = "# " + heading_words(charts) + "\n";
  for (auto chart = charts.begin(); chart != charts.end();) {
    const auto end =
        std::find_if(chart, charts.end(), [&](const auto& one) { return one.section != chart->section; });
    text += "\n## " + chart->section + "\n| chart | what it shows |\n|---|---|\n";
    std::string data;
    for (; chart != end; ++chart) {
      text += "| [" + markdown_escaped(chart->words.title) + "](" + light_name(chart->files) + ") | " +
              markdown_escaped(chart->words.description) + " |\n";
      data += data_markdown(*chart);
    }
    text += data;
  }
  return text;
}

void write_index(const std::vector<IndexedChart>& charts, const std::filesystem::path& directory,
                 const std::string& name) {
  if (charts.empty()) return;
  write_file(directory / (name + ".html"), index_html(charts));
  write_file(directory / (name + ".md"), index_markdown(charts));
}

}  // namespace tracker
