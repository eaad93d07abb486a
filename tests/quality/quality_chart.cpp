#include "tests/quality/quality_chart.hpp"

#include <algorithm>
#include <string>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/plot/axis.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::quality {
namespace {

constexpr std::size_t kInvocations = 10;
constexpr double kEdge = 28;
constexpr double kHeading = 150;
constexpr double kRow = 29;
constexpr double kBars = 190;
constexpr double kNumbers = 62;  // beside the bars
constexpr double kGap = 26;
constexpr double kFoot = 44;
constexpr double kHalfBar = 0.36;          // of a row
constexpr std::size_t kDrawnSlowdown = 1;  // of kSlowdowns: 1 %
constexpr const char* kOurs = plot::colour::kBlue;
constexpr const char* kOthers = plot::colour::kPaleGrey;
const plot::TextStyle kName{17, plot::colour::kInk, plot::Align::kRight};

struct Panel {
  const char* title;
  const char* unit;
  const Setting* setting;
  Share (*share)(const Tally&);
};

const Setting* setting_of(const std::vector<Setting>& settings, Scope scope) {
  for (const auto& setting : settings)
    if (setting.scope == scope && setting.invocations == kInvocations && !setting.tallies.empty())
      return &setting;
  return nullptr;
}

std::vector<Panel> panels_of(const std::vector<Setting>& settings) {
  const auto reports = [](const Tally& tally) { return tally.reports; };
  const auto found_long = [](const Tally& tally) { return tally.found_long[kDrawnSlowdown]; };
  const auto found_short = [](const Tally& tally) { return tally.found_short[kDrawnSlowdown]; };
  std::vector<Panel> panels;
  const Setting* within = setting_of(settings, Scope::kWithinJob);
  const Setting* across = setting_of(settings, Scope::kAcrossJobs);
  if (within != nullptr)
    panels.push_back({"False alarms within a job", "reports on identical code", within, reports});
  if (across != nullptr)
    panels.push_back({"False alarms across jobs", "reports on identical code", across, reports});
  if (within != nullptr) {
    panels.push_back({"1 % slower found, within a job", "kernels of 100 µs and more", within, found_long});
    panels.push_back({"1 % slower found, within a job", "shorter kernels", within, found_short});
  }
  return panels;
}

// Places in rules(): a threshold of more than half the slow-down is not meant to find it.
const std::vector<std::size_t>& drawn_rules() {
  static const std::vector<std::size_t> places = [] {
    std::vector<std::size_t> found;
    for (std::size_t r = 0; r < rules().size(); ++r)
      if (rules()[r].threshold.value_or(0) <= kSlowdowns[kDrawnSlowdown] / 2) found.push_back(r);
    return found;
  }();
  return places;
}

double names_width() {
  double width = 0;
  for (const std::size_t r : drawn_rules())
    width = std::max(width, plot::text_width_px(rules()[r].name, kName.size_px));
  return width + 12;
}

double row_y(const plot::Box& area, std::size_t row) {
  return area.top + kRow * (static_cast<double>(row) + 0.5);
}

// The bars of one panel with Wilson's intervals, 0 to 100 %.
void draw_panel(const Panel& panel, const std::string& block, const plot::Box& area, plot::Canvas& canvas,
                std::string& data) {
  canvas.text(area.left, area.top - 40, panel.title, {17, plot::colour::kInk, plot::Align::kLeft, true});
  canvas.text(area.left, area.top - 16, panel.unit, {15, plot::colour::kGrey});
  data += "$" + block + " << EOD\n";
  for (std::size_t row = 0; row < drawn_rules().size(); ++row) {
    const std::size_t r = drawn_rules()[row];
    const Share share = panel.share(panel.setting->tallies[r]);
    const Interval interval = wilson(share);
    data += std::to_string(row) + " " + plot::plain_number(share.value() * 100, 6) + " " +
            plot::plain_number(interval.low * 100, 6) + " " + plot::plain_number(interval.high * 100, 6) +
            " " + (is_ours(rules()[r]) ? kOurs : kOthers) + "\n";
    canvas.text(area.right + kNumbers, row_y(area, row), percent_number(share) + " %", kName);
  }
  data += "EOD\n";
  canvas.plot_area(area);
  canvas.command("set xrange [0:100]");
  canvas.command("set yrange [" + plot::plain_number(static_cast<double>(drawn_rules().size()) - 0.5) +
                 ":-0.5]");
  std::string tics;
  for (const auto& tic : plot::make_tics(0, 100, 3))
    tics += (tics.empty() ? "'" : ", '") + tic.label + " %%' " +
            plot::plain_number(tic.value);  // gnuplot prints one %
  canvas.command("set xtics scale 0 nomirror (" + tics + ") tc " + plot::rgb(plot::colour::kGrey));
  const std::string half = plot::plain_number(kHalfBar);
  canvas.command("plot $" + block + " using (0):1:(0):2:($1-" + half + "):($1+" + half + "):(" +
                 plot::colour_in_column(5) +
                 ") with boxxyerror lc rgb variable fs solid noborder, \\\n     $" + block +
                 " using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc " + plot::rgb(plot::colour::kInk));
  canvas.command("unset label");
}

plot::Chart draw_chart(const std::vector<Panel>& panels) {
  const double names = names_width();
  const auto count = static_cast<double>(panels.size());
  const double width = 2 * kEdge + names + count * (kBars + kNumbers) + (count - 1) * kGap;
  const double height = kHeading + kRow * static_cast<double>(drawn_rules().size()) + kFoot;
  plot::Canvas canvas(static_cast<int>(width), static_cast<int>(height));
  std::string data;
  canvas.command("reset");
  canvas.command("unset key");
  canvas.command("set bars 0.5");
  canvas.command("set border 2 back lc " + plot::rgb(plot::colour::kMidGrey) + " lw 1");
  canvas.command("set tics font ',15'");
  canvas.command("unset ytics");
  canvas.command("set grid xtics back lt 1 lw 1 lc " + plot::rgb(plot::colour::kGrid));
  canvas.command("set multiplot");
  canvas.text(kEdge, 36, "How good verdicts are", {26, plot::colour::kInk, plot::Align::kLeft, true});
  canvas.text(kEdge, 70,
              "replayed recordings, 10 invocations a side; whiskers: 95 % intervals of the replays",
              {17, plot::colour::kGrey});
  plot::Box area{kEdge + names, kHeading, kEdge + names + kBars, height - kFoot};
  for (std::size_t row = 0; row < drawn_rules().size(); ++row)
    canvas.text(area.left - 10, row_y(area, row), rules()[drawn_rules()[row]].name, kName);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_panel(panels[i], "panel" + std::to_string(i), area, canvas, data);
    area.left += kBars + kNumbers + kGap;
    area.right += kBars + kNumbers + kGap;
  }
  canvas.command("unset multiplot");
  return {"chart", canvas.width_px(), canvas.height_px(), data, canvas.commands()};
}

}  // namespace

void write_quality_chart(const std::vector<Setting>& settings, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".png" && ending != ".svg")
    throw Error(ExitCode::kUsage, "'" + file.string() + "' is neither a .png nor an .svg file",
                "name one: --chart quality.png");
  const auto panels = panels_of(settings);
  if (panels.empty())
    throw Error(ExitCode::kUsage, "there is nothing to draw: no job has enough invocations for 10 a side",
                "leave --chart out, or name a longer recording");
  const TemporaryDirectory folder;
  const auto files = plot::write_charts({draw_chart(panels)}, folder.path());
  constexpr std::uintmax_t kChartBytesMax = 16u << 20;
  write_file(file, read_file(ending == ".png" ? files.front().png : files.front().svg, kChartBytesMax));
}

}  // namespace tracker::quality
