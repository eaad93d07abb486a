#include "tracker/plot/charts.hpp"
#include "tracker/plot/font.hpp"

namespace tracker {

namespace {

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

std::string chart_script(const std::vector<Chart>& charts, Themes themes) {
  return chart_script(charts, 0, charts.size(), Drawing(themes));
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

}  // namespace tracker
