#include "tracker/plot/canvas.hpp"

#include <algorithm>

#include "tracker/plot/axis.hpp"
#include "tracker/plot/escape.hpp"
#include "tracker/plot/font.hpp"

namespace tracker {
namespace {

std::string share(double part, int whole) {
  return plain_number(part / whole, 6);
}

}  // namespace

std::string Canvas::at(double x, double y) const {
  return "screen " + share(x, width_px_) + ", screen " + share(height_px_ - y, height_px_);
}

void Canvas::text(double x, double y, std::string_view words, const TextStyle& style) {
  const char* align = style.align == Align::kLeft    ? "left"
                      : style.align == Align::kRight ? "right"
                                                     : "center";
  command("set label " + gnuplot_string(words) + " at " + at(x, y) + " " + align +
          (style.turned_degrees == 0 ? "" : " rotate by " + std::to_string(style.turned_degrees)) +
          " front font '" + kFontFamily + (style.bold ? " Bold," : ",") + plain_number(style.size_px) +
          "' tc " + rgb(style.colour));
}

void Canvas::line(double x1, double y1, double x2, double y2, const LineStyle& style) {
  std::string dash = std::string(" dt ") + style.dash;
  command("set arrow from " + at(x1, y1) + " to " + at(x2, y2) + " nohead back lc " + rgb(style.colour) +
          " lw " + plain_number(style.width_px) + dash);
}

void Canvas::mark(double x, double y, const MarkStyle& style) {
  command("set label '' at " + at(x, y) + " front point pt " + std::to_string(style.type) + " " +
          point_size(style.size) + " lw 1.6 lc " + rgb(style.colour));
}

void Canvas::rectangle(const Box& box, const char* colour) {
  command("set object rectangle from " + at(box.left, box.bottom) + " to " + at(box.right, box.top) +
          " behind fc " + rgb(colour) + " fs solid noborder");
}

void Canvas::triangle(double x, double y, double size, bool up, bool filled, const char* colour) {
  const double tip = up ? y - size / 2 : y + size / 2;
  const double side = up ? y + size / 2 : y - size / 2;
  const std::string start = at(x, tip);
  command("set object polygon from " + start + " to " + at(x - size * 0.58, side) + " to " +
          at(x + size * 0.58, side) + " to " + start + " front lw 1.6 fc " +
          rgb(filled ? colour : colour::kGround) + " fs solid border lc " + rgb(colour));
}

void Canvas::plot_area(const Box& box) {
  command("set lmargin at screen " + share(box.left, width_px_));
  command("set rmargin at screen " + share(box.right, width_px_));
  command("set tmargin at screen " + share(height_px_ - box.top, height_px_));
  command("set bmargin at screen " + share(height_px_ - box.bottom, height_px_));
}

void Canvas::command(std::string_view line) {
  commands_ += line;
  commands_ += '\n';
}

std::string rgb(const char* colour) {
  return colour[0] == '#' ? std::string("rgb '") + colour + "'" : std::string("rgb ") + colour;
}

std::string point_size(double size) {
  return "ps " + plain_number(size, 4) + "*dot";
}

std::string colour_in_column(int column) {
  return "colour_of(strcol(" + std::to_string(column) + "))";
}

Box text_box(double x, double y, std::string_view words, const TextStyle& style) {
  const double width = text_width_px(words, style.size_px, style.bold);
  const double left = style.align == Align::kLeft    ? x
                      : style.align == Align::kRight ? x - width
                                                     : x - width / 2;
  return {left, y - style.size_px * 0.6, left + width, y + style.size_px * 0.6};
}

std::optional<Box> find_free(const std::vector<Box>& candidates, const std::vector<Box>& taken,
                             const Box& area) {
  for (const auto& box : candidates) {
    const bool within =
        box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom;
    const bool free = within && std::none_of(taken.begin(), taken.end(),
                                             [&](const Box& other) { return box.meets(other); });
    if (free) return box;
  }
  return std::nullopt;
}

Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken, const Box& area) {
  return find_free(candidates, taken, area).value_or(candidates.front());
}

}  // namespace tracker
