#include "tracker/plot/plot.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include <gnuplot-iostream.h>

#include "tracker/base/error.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"

namespace tracker::plot {
namespace {

constexpr std::size_t kSlugMax = 140;

struct Named {
  std::string device;
  std::string name;
};

// FNV-1a: the same on every machine, unlike std::hash.
std::string short_hash(const Named& named) {
  std::string text = named.device;
  text.append("\n").append(named.name);
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  std::string digits;
  for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15u];
  return digits;
}

// `kind` ends the names of charts that share a folder with others of the same benchmarks: no slug has two
// hyphens in a row, so that none of these is the name of another chart.
std::vector<ChartFiles> draw(const std::vector<std::optional<Chart>>& charts, const std::vector<Named>& names,
                             const std::filesystem::path& directory, const Drawing& drawing,
                             const std::string& kind = "") {
  std::map<std::string, int> uses;
  for (const auto& [device, name] : names) ++uses[chart_slug(device, name)];
  std::vector<Chart> drawn;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    if (!charts[i]) continue;
    const auto& [device, name] = names[i];
    drawn.push_back(*charts[i]);
    drawn.back().slug = chart_slug(device, name);
    // "a" beside "a-dark" would give two files one name: the dark picture of the one, the light of the other.
    const bool taken = uses[drawn.back().slug] > 1 || uses.count(drawn.back().slug + "-dark") > 0;
    if (taken) drawn.back().slug.append("-").append(short_hash({device, name}));
    drawn.back().slug += kind;
  }
  const auto files = write_charts(drawn, directory, drawing);
  std::vector<ChartFiles> result(charts.size());
  auto next = files.begin();
  for (std::size_t i = 0; i < charts.size(); ++i)
    if (charts[i]) result[i] = *next++;
  return result;
}

// A picture of each, with its words, under the name that `named` gives it.
template <typename What, typename NameOf>
std::vector<ChartFiles> draw_each(const std::vector<What>& all, std::optional<Chart> (*chart_of)(const What&),
                                  NameOf named, const std::filesystem::path& directory,
                                  const Drawing& drawing, const char* kind = "") {
  std::vector<std::optional<Chart>> charts;
  std::vector<Named> names;
  for (const auto& one : all) {
    charts.push_back(chart_of(one));
    names.push_back(named(one));
    if (charts.back()) charts.back()->words = words_of(one);
  }
  return draw(charts, names, directory, drawing, kind);
}

namespace fs = std::filesystem;

constexpr std::size_t kChartsAProcess = 12;  // so that processes end together, and starts cost little
constexpr auto kTimeout = std::chrono::seconds(30);
constexpr auto kTimeoutPerChart = std::chrono::seconds(2);

[[noreturn]] void fail_writing(const fs::path& path, const std::string& reason) {
  throw Error(ExitCode::kEnvironment, "charts cannot be written into '" + path.string() + "': " + reason,
              "choose another folder, or make room and allow writing there");
}

// A folder inside the one the charts go to, so that renaming into place stays on one file system.
class Workshop {
 public:
  explicit Workshop(const fs::path& directory) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) fail_writing(directory, error.message());
    std::string pattern = (directory / ".plot-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) fail_writing(directory, std::strerror(errno));
    path_ = pattern;
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_script(const std::string& script, const fs::path& path) {
  bool written = false;
  try {
    Gnuplot gnuplot(">" + path.string());
    gnuplot << script << std::flush;
    written = gnuplot.good();
  } catch (const std::ios_base::failure&) {
    written = false;
  }
  std::error_code error;
  if (!written || fs::file_size(path, error) != script.size() || error)
    fail_writing(path.parent_path().parent_path(), "the script could not be written in full");
}

void run_gnuplot(const fs::path& directory, const std::string& script, std::size_t charts) {
  ProcessSpec spec;
  spec.argv = {"gnuplot", "-d", script};  // -d: without anybody's ~/.gnuplot
  spec.directory = directory;
  // The locale decides how text is read, GNUTERM what is loaded first: neither may come from outside.
  spec.environment = {{"GNUTERM", "dumb"}, {"LC_ALL", "C.UTF-8"}};
  spec.timeout = kTimeout + kTimeoutPerChart * charts;
  const ProcessResult result = run_process(spec);
  if (result.start_error == std::strerror(ENOENT))
    throw Error(ExitCode::kEnvironment, "gnuplot was not found",
                "install it: apt-get install gnuplot-nox fonts-liberation");
  if (!result.ok())
    throw Error(ExitCode::kEnvironment, "gnuplot " + describe_end(result) + ": " + last_lines(result, 4),
                "see that `gnuplot -d` works, with the terminals pngcairo and svg");
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

[[noreturn]] void fail_incomplete(const fs::path& path) {
  throw Error(ExitCode::kEnvironment,
              "gnuplot left no complete picture in '" + path.filename().string() + "'",
              "see that the disk is not full and that gnuplot has the terminals pngcairo and svg");
}

void check_png(const fs::path& path) {
  const std::string text = read_file(path);
  const std::string_view end("IEND\xAE\x42\x60\x82");
  const bool whole = text.starts_with("\x89PNG\r\n\x1A\n") && text.ends_with(end);
  if (!whole) fail_incomplete(path);
}

// What stands between these two, and they themselves, at `from` or later, becomes `words`.
std::size_t replace_between(std::string& text, std::size_t from, const std::string& begin,
                            const std::string& end, const std::string& words) {
  const std::size_t at = text.find(begin, from);
  if (at == std::string::npos) return at;
  const std::size_t to = text.find(end, at);
  if (to == std::string::npos) return to;
  text.replace(at, to + end.size() - at, words);
  return at + words.size();
}

// Says what is shown where gnuplot says its own name, and what it plotted with which columns. Repairs what it
// writes for "]]>" in a name, which XML forbids in text; and names fonts to fall back on, as the SVG is
// looked at where Liberation Sans may be missing.
void finish_svg(const fs::path& path, const Chart& chart) {
  std::string text = read_file(path);
  if (text.find("</svg>") == std::string::npos) fail_incomplete(path);
  const std::size_t head = text.find("<title>Gnuplot</title>");
  if (head != std::string::npos) {
    const std::string title =
        chart.words.title.empty() ? "" : "<title>" + xml_escaped(clean_text(chart.words.title)) + "</title>";
    std::size_t at = replace_between(text, head, "<title>", "</title>", title);
    at = replace_between(text, at, "<desc>", "</desc>",
                         "<desc>" + xml_escaped(clean_text(chart.words.description)) + "</desc>");
    replace_every(text, "<svg \n", "<svg role=\"img\"\n");
    while (at != std::string::npos) at = replace_between(text, at, "<title>", "</title>", "");
  }
  replace_every(text, "]]>", "]]&gt;");
  const std::string family = std::string("font-family=\"") + kFontFamily;
  replace_every(text, family, family + ", Arial, Helvetica, sans-serif");
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (!file) fail_incomplete(path);
}

void move_into_place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail_writing(to.parent_path(), error.message());
}

// The charts [from, to) by a gnuplot of their own.
void draw_some(const std::vector<Chart>& charts, std::size_t from, std::size_t to, const Drawing& drawing,
               const fs::path& workshop) {
  const std::string name = std::to_string(from) + ".gp";
  write_script(chart_script(charts, from, to, drawing), workshop / name);
  const std::vector<Theme> chosen = chosen_themes(drawing.themes);
  run_gnuplot(workshop, name, (to - from) * chosen.size());
  for (std::size_t i = from; i < to; ++i)
    for (const auto& theme : chosen) {
      if (drawing.png) check_png(workshop / (std::to_string(i) + theme.ending + ".png"));
      if (drawing.svg) finish_svg(workshop / (std::to_string(i) + theme.ending + ".svg"), charts[i]);
    }
}

// Draws all of them, a few at a time. The first error ends it.
void draw_all(const std::vector<Chart>& charts, const Drawing& drawing, const fs::path& workshop) {
  const std::size_t share = std::min(kChartsAProcess, (charts.size() + cores() - 1) / cores());
  std::atomic<bool> has_failed = false;
  std::mutex guard;
  std::size_t drawn = 0;
  for_each_in_parallel((charts.size() + share - 1) / share, [&](std::size_t part) {
    if (has_failed) return;
    const std::size_t from = part * share;
    const std::size_t to = std::min(from + share, charts.size());
    try {
      draw_some(charts, from, to, drawing, workshop);
    } catch (...) {
      has_failed = true;
      throw;
    }
    const std::scoped_lock lock(guard);
    drawn += to - from;
    if (drawing.progress) drawing.progress(drawn);
  });
}

void draw(const Chart& chart, const std::string& name, const Drawing& drawing, std::string& script) {
  const std::string size = std::to_string(chart.width_px) + "," + std::to_string(chart.height_px);
  const std::string font =
      std::string(" font '") + kFontFamily + ",15' noenhanced background " + rgb(colour::kGround);
  // SVG draws points almost twice as large as cairo.
  const auto onto = [&](const std::string& terminal, const std::string& dot, const std::string& ending) {
    script.append("dot = ").append(dot).append("\n");
    script.append("set terminal ").append(terminal).append("\n");
    script.append("set output '").append(name).append(ending).append("'\n");
    script.append(chart.commands).append("unset output\n");
  };
  if (drawing.svg) onto("svg size " + size + font, "0.6", ".svg");
  // cairo takes font sizes as points of 1/72 inch at 96 pixels an inch; SVG takes them as pixels.
  if (drawing.png) onto("pngcairo size " + size + " fontscale 0.75" + font, "1", ".png");
}

}  // namespace

std::string chart_slug(const std::string& device, const std::string& name) {
  std::string text = slug(device) + "-" + slug(name);
  if (text.size() <= kSlugMax) return text;
  return text.substr(0, kSlugMax - 9) + "-" + short_hash({device, name});
}

std::vector<ChartFiles> draw_trends(const std::vector<Series>& series, const std::filesystem::path& directory,
                                    const Drawing& drawing) {
  std::vector<std::vector<Series>> groups;  // a benchmark's series on each device
  std::vector<std::size_t> group_of;        // each series
  std::map<std::string, std::size_t> known;
  const auto name_of = [](const Series& one) { return one.benchmark + " " + one.metric.name; };
  for (const auto& one : series) {
    const auto [at, is_new] = known.emplace(name_of(one), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(one);
    group_of.push_back(at->second);
  }
  const auto named = [&](const std::vector<Series>& group) {
    return Named{group.size() > 1 ? "all-devices" : group[0].device, name_of(group[0])};
  };
  const std::vector<ChartFiles> drawn = draw_each(groups, trend_chart, named, directory, drawing);
  std::vector<ChartFiles> files;
  for (const std::size_t group : group_of) files.push_back(drawn[group]);
  return files;
}

std::vector<ChartFiles> draw_overviews(const std::vector<FamilyOverview>& overviews,
                                       const std::filesystem::path& directory, const Drawing& drawing) {
  const auto named = [](const FamilyOverview& one) {
    return Named{one.device, one.family + " overview " + one.metric.name};
  };
  return draw_each(overviews, overview_chart, named, directory, drawing);
}

std::vector<ChartFiles> draw_sweeps(const std::vector<SweepGrid>& grids,
                                    const std::filesystem::path& directory, const Drawing& drawing) {
  const auto named = [](const SweepGrid& one) {
    return Named{one.device, one.title + " sweep " + one.metric.name};
  };
  return draw_each(grids, sweep_chart, named, directory, drawing);
}

std::vector<ChartFiles> draw_rooflines(const std::vector<Roofline>& rooflines,
                                       const std::filesystem::path& directory, const Drawing& drawing) {
  const auto named = [](const Roofline& one) { return Named{one.device, "roofline"}; };
  return draw_each(rooflines, roofline_chart, named, directory, drawing);
}

std::vector<ChartFiles> draw_comparisons(const std::vector<ComparisonReport>& reports,
                                         const std::filesystem::path& directory, const Drawing& drawing) {
  const auto named = [](const ComparisonReport& one) { return Named{one.device, "all"}; };
  return draw_each(reports, comparison_chart, named, directory, drawing, "--comparison");
}

std::vector<ChartFiles> draw_samples(const std::vector<BenchmarkSamples>& samples,
                                     const std::filesystem::path& directory, const Drawing& drawing) {
  const auto named = [](const BenchmarkSamples& one) {
    return Named{one.device, one.comparison.benchmark + " " + one.comparison.metric.name};
  };
  return draw_each(samples, samples_chart, named, directory, drawing, "--samples");
}

std::vector<ChartFiles> write_charts(const std::vector<Chart>& charts, const fs::path& directory,
                                     const Drawing& drawing) {
  if (charts.empty()) return {};
  const std::vector<Theme> chosen = chosen_themes(drawing.themes);
  const Workshop workshop(directory);
  draw_all(charts, drawing, workshop.path());
  const auto drawn = [&](std::size_t i, const Theme& theme, const char* ending) {
    return workshop.path() / (std::to_string(i) + theme.ending + ending);
  };
  std::vector<ChartFiles> files(charts.size());
  for (std::size_t i = 0; i < charts.size(); ++i)
    for (const auto& theme : chosen) {
      const std::string name = charts[i].slug + theme.ending;
      const auto place = [&](const char* ending, fs::path ChartFiles::*file) {
        files[i].*file = directory / (name + ending);
        move_into_place(drawn(i, theme, ending), files[i].*file);
      };
      if (drawing.png) place(".png", theme.png);
      if (drawing.svg) place(".svg", theme.svg);
    }
  return files;
}

std::string chart_script(const std::vector<Chart>& charts, std::size_t from, std::size_t to,
                         const Drawing& drawing) {
  std::string script = "set encoding utf8\n";
  const std::vector<Theme> chosen = chosen_themes(drawing.themes);
  for (std::size_t i = from; i < to; ++i) {
    script.append("\n").append(charts[i].data);
    for (const auto& theme : chosen) {
      script.append(colour_commands(theme));
      draw(charts[i], std::to_string(i) + theme.ending, drawing, script);
    }
  }
  return script;
}

}  // namespace tracker::plot
