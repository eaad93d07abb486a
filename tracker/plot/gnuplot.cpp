#include "tracker/plot/gnuplot.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <gnuplot-iostream.h>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/plot/charts.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScript = "chart.gp";
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

void run_gnuplot(const fs::path& directory, std::size_t charts) {
  ProcessSpec spec;
  spec.argv = {"gnuplot", "-d", kScript};  // -d: without anybody's ~/.gnuplot
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

void replace_every(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Repairs what gnuplot writes for "]]>" in a name, which XML forbids in text; and names fonts to fall
// back on, as the SVG is looked at where Liberation Sans may be missing.
void finish_svg(const fs::path& path) {
  std::string text = read_file(path);
  if (text.find("</svg>") == std::string::npos) fail_incomplete(path);
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

}  // namespace

std::vector<ChartFiles> write_charts(const std::vector<Chart>& charts, const fs::path& directory,
                                     Themes themes) {
  if (charts.empty()) return {};
  const std::vector<Theme> chosen = chosen_themes(themes);
  const Workshop workshop(directory);
  write_script(chart_script(charts, themes), workshop.path() / kScript);
  run_gnuplot(workshop.path(), charts.size() * chosen.size());
  const auto drawn = [&](std::size_t i, const Theme& theme, const char* ending) {
    return workshop.path() / (std::to_string(i) + theme.ending + ending);
  };
  for (std::size_t i = 0; i < charts.size(); ++i)
    for (const auto& theme : chosen) {
      check_png(drawn(i, theme, ".png"));
      finish_svg(drawn(i, theme, ".svg"));
    }
  std::vector<ChartFiles> files(charts.size());
  for (std::size_t i = 0; i < charts.size(); ++i)
    for (const auto& theme : chosen) {
      const std::string name = charts[i].slug + theme.ending;
      files[i].*theme.png = directory / (name + ".png");
      files[i].*theme.svg = directory / (name + ".svg");
      move_into_place(drawn(i, theme, ".png"), files[i].*theme.png);
      move_into_place(drawn(i, theme, ".svg"), files[i].*theme.svg);
    }
  return files;
}

}  // namespace tracker
