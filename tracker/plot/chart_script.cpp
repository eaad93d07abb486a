#include "tracker/plot/charts.hpp"
#include "tracker/plot/font.hpp"

namespace tracker {

std::string chart_script(const std::vector<Chart>& charts) {
  std::string script = "set encoding utf8\n";
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const Chart& chart = charts[i];
    const std::string size = std::to_string(chart.width_px) + "," + std::to_string(chart.height_px);
    const std::string font = std::string(" font '") + kFontFamily + ",15' noenhanced background ";
    const std::string name = std::to_string(i);
    const auto draw = [&](const std::string& terminal, const std::string& ending) {
      script.append("set terminal ").append(terminal).append("\n");
      script.append("set output '").append(name).append(ending).append("'\n");
      script.append(chart.commands).append("unset output\n");
    };
    script.append("\n").append(chart.data);
    std::string svg = "svg size ";
    svg.append(size).append(font).append("'#FFFFFF'");
    draw(svg, ".svg");
    // cairo takes font sizes as points of 1/72 inch at 96 pixels an inch; SVG takes them as pixels.
    std::string png = "pngcairo size ";
    png.append(size).append(" fontscale 0.75").append(font).append("rgb '#FFFFFF'");
    draw(png, ".png");
  }
  return script;
}

}  // namespace tracker
