#include "tracker/plot/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "tracker/base/text.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {
namespace {

std::string share(double part, int whole) {
  return plain_number(part / whole, 6);
}

// Advance widths of U+0020 … U+007E in thousandths of the font size: Liberation Sans' hmtx table, which
// is metrically that of Arial and Helvetica.
using Widths = std::array<short, 95>;
constexpr Widths kRegular{278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                          556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                          1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                          667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                          333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                          556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
constexpr Widths kBold{278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
                       556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
                       975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
                       667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
                       333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
                       611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};
constexpr double kOther = 620;  // letters with accents, arrows, bullets
constexpr double kWide = 1000;  // from Hangul and CJK on, emoji among them

double character_width(std::string_view character, bool bold) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 0x20 || first == 0x7F) return kOther;
  if (first < 0x80) return (bold ? kBold : kRegular)[first - 0x20U];
  return first >= 0xE3 || character == "…" ? kWide : kOther;
}

constexpr std::string_view kUnknownGlyph = "\u25A1";  // a white square: Liberation Sans has it

constexpr Theme kLight{"", &ColourRole::light, &ChartFiles::png, &ChartFiles::svg};
constexpr Theme kDark{"-dark", &ColourRole::dark, &ChartFiles::dark_png, &ChartFiles::dark_svg};

// Equal steps of lightness in OKLCH, 0.28 to 0.93, while the hue goes from 272 to 100 degrees; the chroma is
// what sRGB holds there.
struct Rgb {
  double red = 0;
  double green = 0;
  double blue = 0;
};
constexpr std::array<Rgb, 9> kHeat{{{0x18, 0x1F, 0x60},
                                    {0x01, 0x3B, 0x7C},
                                    {0x03, 0x5A, 0x81},
                                    {0x05, 0x77, 0x8C},
                                    {0x0C, 0x94, 0x94},
                                    {0x11, 0xB4, 0x91},
                                    {0x5C, 0xD0, 0x75},
                                    {0xB8, 0xDE, 0x68},
                                    {0xFD, 0xEA, 0x79}}};

Rgb heat(double share) {
  const double at = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0) * (kHeat.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(at), kHeat.size() - 2);
  const double part = at - static_cast<double>(below);
  const auto mix = [&](double Rgb::*channel) {
    return std::round(kHeat[below].*channel * (1 - part) + kHeat[below + 1].*channel * part);
  };
  return {mix(&Rgb::red), mix(&Rgb::green), mix(&Rgb::blue)};
}

// Relative luminance as WCAG 2 defines it.
double luminance(const Rgb& colour) {
  const auto linear = [](double channel) {
    const double part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

struct VerdictStyle {
  Verdict verdict;
  MarkStyle mark;
};

constexpr int kFirstFilled = 5;  // from here on odd types are filled, and hollow in the type before

// Discs, squares, crosses, diamonds, circles and triangles, as gnuplot numbers them.
const VerdictStyle kStyles[] = {{Verdict::kRegressed, {11, 1.7, colour::kVermilion}},
                                {Verdict::kBelowFloor, {5, 1.3, colour::kVermilion}},
                                {Verdict::kFailed, {2, 1.2, colour::kVermilion}},
                                {Verdict::kMissing, {2, 1.2, colour::kVermilion}},
                                {Verdict::kSameCode, {13, 1.7, colour::kInk}},
                                {Verdict::kNotComparable, {6, 1.2, colour::kInk}},
                                {Verdict::kInconclusive, {6, 1.2, colour::kGrey}},
                                {Verdict::kImproved, {9, 1.7, colour::kGreen}},
                                {Verdict::kNew, {1, 1.2, colour::kBlue}},
                                {Verdict::kUnchanged, {7, 0.9, colour::kMidGrey}}};

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

void Canvas::begin(std::initializer_list<std::string_view> lines) {
  for (const std::string_view line : {"reset", "unset key"}) command(line);
  for (const std::string_view line : lines) command(line);
}

void Canvas::text_within(double x, double y, std::string_view words, double width_px,
                         const TextStyle& style) {
  text(x, y, fit_text(words, width_px, style.size_px, style.bold), style);
}

void Canvas::line(double x1, double y1, double x2, double y2, const LineStyle& style) {
  command("set arrow from " + at(x1, y1) + " to " + at(x2, y2) + " nohead back lc " + rgb(style.colour) +
          " lw " + plain_number(style.width_px) + " dt " + style.dash);
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

void Canvas::range(char axis, double low, double high) {
  command(std::string("set ") + axis + "range [" + plain_number(low) + ":" + plain_number(high) + "]");
}

void Canvas::row_range(std::size_t rows) {
  range('y', static_cast<double>(rows) - 0.5, -0.5);
}

void Canvas::tics(char axis, const std::vector<Tic>& tics) {
  std::vector<std::string> places;
  for (const auto& tic : tics) places.push_back("'" + tic.label + "' " + plain_number(tic.value));
  command(std::string("set ") + axis + "tics scale 0 nomirror (" + join(places, ", ") + ") tc " +
          rgb(colour::kGrey));
}

void Canvas::data(const std::string& name, const std::string& rows) {
  data_ += "$" + name + " << EOD\n" + rows + "EOD\n";
}

void Canvas::part(const std::string& name, const std::string& how) {
  parts_.push_back("$" + name + " " + how);
}

void Canvas::part_of(const std::string& name, const std::string& rows, const std::string& how) {
  if (rows.empty()) return;
  data(name, rows);
  part(name, how);
}

void Canvas::plot() {
  if (!parts_.empty()) command("plot " + join(parts_, ", \\\n     "));
  parts_.clear();
}

void Canvas::plot_nothing() {
  command("plot [0:1][0:1] 2");
}

void Canvas::forget() {
  for (const std::string_view line : {"unset label", "unset arrow", "unset object"}) command(line);
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
    const bool free =
        within && std::ranges::none_of(taken, [&](const Box& other) { return box.meets(other); });
    if (free) return box;
  }
  return std::nullopt;
}

Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken, const Box& area) {
  return find_free(candidates, taken, area).value_or(candidates.front());
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80)
      ++length;
    result.push_back(text.substr(at, length));
    at += length;
  }
  return result;
}

double text_width_px(std::string_view text, double size_px, bool bold) {
  double width = 0;
  for (const auto part : characters(text)) width += character_width(part, bold);
  return width * size_px / 1000;
}

std::string fit_text(std::string_view raw, double width_px, double size_px, bool bold) {
  std::string text = printable(raw);
  const auto measure = [&](std::string_view part) { return character_width(part, bold) * size_px / 1000; };
  const auto parts = characters(text);
  double width = 0;
  for (const auto part : parts) width += measure(part);
  if (width <= width_px) return text;
  std::string head;
  std::string tail;
  double left = width_px - measure("…");
  for (std::size_t i = 0, j = parts.size(); i < j;) {
    const bool from_head = head.size() <= tail.size();
    const auto part = from_head ? parts[i] : parts[j - 1];
    left -= measure(part);
    if (left < 0) break;
    if (from_head) {
      head += part;
      ++i;
    } else {
      tail.insert(0, part);
      --j;
    }
  }
  return head + "…" + tail;
}

double fitted_width_px(std::string_view text, double width_px, double size_px, bool bold) {
  return text_width_px(fit_text(text, width_px, size_px, bold), size_px, bold);
}

std::vector<std::string> wrap_text(std::string_view text, double width_px, double size_px,
                                   std::size_t lines_max) {
  std::vector<std::string> lines;
  const auto fits = [&](const std::string& line) { return text_width_px(line, size_px) <= width_px; };
  for (const auto& word : split(printable(text), ' ')) {
    if (word.empty()) continue;
    const std::string longer = lines.empty() ? word : lines.back() + " " + word;
    if (!lines.empty() && (fits(longer) || lines.size() == lines_max))
      lines.back() = longer;
    else
      lines.push_back(word);
  }
  for (auto& line : lines) {
    if (fits(line)) continue;
    std::string head;
    for (const auto part : characters(line)) {
      if (!fits(head + std::string(part) + "…")) break;
      head += part;
    }
    line = head + "…";
  }
  return lines;
}

void draw_heading(std::string_view title, std::string_view device, const std::vector<std::string>& facts,
                  double edge, double y, Canvas& canvas) {
  constexpr double kTitlePx = 26;
  constexpr double kFactsPx = 17;
  constexpr double kDeviceMin = 150;
  const double room = canvas.width_px() - 2 * edge;
  canvas.text_within(edge, 36, title, room, {kTitlePx, colour::kInk, Align::kLeft, true});
  const std::string tail = fit_text("  ·  " + join(facts, "  ·  "), room - kDeviceMin, kFactsPx);
  canvas.text(edge, y, fit_text(device, room - text_width_px(tail, kFactsPx), kFactsPx) + tail,
              {kFactsPx, colour::kGrey});
}

std::string clean_text(std::string_view text) {
  std::string safe = printable(text);
  replace_every(safe, "\uFFFD", kUnknownGlyph);
  return safe;
}

std::string xml_escaped(std::string text) {
  replace_every(text, "&", "&amp;");
  replace_every(text, "<", "&lt;");
  replace_every(text, ">", "&gt;");
  return text;
}

std::string gnuplot_string(std::string_view text) {
  std::string safe = clean_text(text);
  replace_every(safe, "'", "\u2019");
  // Fonts lack what is outside the BMP more often than not, and cairo then draws a box that covers the
  // picture.
  std::string shown;
  for (const std::string_view character : characters(safe))
    shown += static_cast<unsigned char>(character[0]) >= 0xF0 ? kUnknownGlyph : character;
  return "'" + shown + "'";
}

const std::vector<ColourRole>& colour_roles() {
  static const std::vector<ColourRole> roles{
      {colour::kGround, ColourUse::kGround, "#FFFFFF", "#0D1117"},  // GitHub's own grounds
      {colour::kInk, ColourUse::kText, "#24292F", "#E6EDF3"},
      {colour::kGrey, ColourUse::kText, "#57606A", "#9DA7B3"},
      {colour::kBlue, ColourUse::kText, "#0072B2", "#56B4E9"},
      {colour::kVermilion, ColourUse::kText, "#B84A00", "#F0803C"},
      {colour::kGreen, ColourUse::kText, "#287A46", "#1FB976"},
      {colour::kPurple, ColourUse::kText, "#6B1F8A", "#A371F7"},
      {colour::kPaleBlue, ColourUse::kMark, "#4A90C2", "#2C78AC"},
      {colour::kMidGrey, ColourUse::kMark, "#7C8590", "#767F8A"},
      {colour::kHazeBlue, ColourUse::kSoft, "#CCE3F1", "#143652"},
      {colour::kPaleGrey, ColourUse::kSoft, "#C4CAD1", "#3D444D"},
      {colour::kBand, ColourUse::kSoft, "#F3F1E7", "#232117"},
      {colour::kGrid, ColourUse::kSoft, "#E4E7EB", "#262C34"},
      {colour::kNothing, ColourUse::kSoft, "#F0F2F4", "#1C2128"},
  };
  return roles;
}

std::vector<Theme> chosen_themes(Themes themes) {
  if (themes == Themes::kLight) return {kLight};
  if (themes == Themes::kDark) return {kDark};
  return {kLight, kDark};
}

std::string colour_commands(const Theme& theme) {
  std::string commands;
  for (const auto& role : colour_roles())
    commands.append(role.name).append(" = '").append(role.*theme.colours).append("'\n");
  return commands + "colour_of(name) = int(name[1:2] eq '0x' ? name : '0x'.substr(value(name), 2, 7))\n";
}

std::string heat_colour(double share) {
  const Rgb colour = heat(share);
  std::string text = "#";
  for (const double channel : {colour.red, colour.green, colour.blue}) {
    const auto byte = static_cast<unsigned>(channel);
    text += "0123456789ABCDEF"[byte >> 4U];
    text += "0123456789ABCDEF"[byte & 15U];
  }
  return text;
}

// WCAG's contrast is (lighter + 0.05) / (darker + 0.05): white and black have the same at 0.179.
const char* ink_on_heat(double share) {
  constexpr double kEvenLuminance = 0.179;
  return luminance(heat(share)) > kEvenLuminance ? "#000000" : "#FFFFFF";
}

MarkStyle verdict_mark(Verdict verdict, bool excused) {
  const auto found = std::ranges::find(kStyles, verdict, &VerdictStyle::verdict);
  MarkStyle mark = found == std::end(kStyles) ? MarkStyle{} : found->mark;
  const bool can_be_hollow = mark.type >= kFirstFilled && mark.type % 2 == 1;
  if (excused && can_be_hollow) --mark.type;
  return mark;
}

bool is_decided(Verdict verdict) {
  return verdict != Verdict::kUnchanged && verdict != Verdict::kInconclusive;
}

}  // namespace tracker::plot
