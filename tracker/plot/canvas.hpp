// A picture laid out in pixels, from the top left corner, written as gnuplot commands.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/plot/axis.hpp"

namespace tracker::plot {

// What a chart shows, in words: for who cannot see it, and for the page that lists it.
struct Words {
  std::string title;        // "Trend of gemm/naive/f32/1024 on nvidia-h200"
  std::string description;  // sentences: what there is to see
};

// One picture: `data` defines gnuplot data blocks, `commands` draws them on whatever terminal is set.
struct Chart {
  std::string slug;  // the file name without its ending; not part of the script
  int width_px = 0;
  int height_px = 0;
  std::string data;
  std::string commands;
  Words words = {};
};

enum class Align { kLeft, kCenter, kRight };

// What colours are for. Each names a variable of the script, which a theme fills (canvas.hpp); where a colour
// is asked for, a literal "#RRGGBB" does as well, for what is the same on any ground.
namespace colour {
inline constexpr const char* kGround = "ground";
inline constexpr const char* kInk = "ink";
inline constexpr const char* kGrey = "grey";
inline constexpr const char* kBlue = "blue";
inline constexpr const char* kVermilion = "vermilion";
inline constexpr const char* kGreen = "green";
inline constexpr const char* kPurple = "purple";
inline constexpr const char* kPaleBlue = "pale_blue";
inline constexpr const char* kMidGrey = "mid_grey";
inline constexpr const char* kHazeBlue = "haze_blue";
inline constexpr const char* kPaleGrey = "pale_grey";
inline constexpr const char* kBand = "band";
inline constexpr const char* kGrid = "grid_line";
inline constexpr const char* kNothing = "nothing";  // where a value would be, had it been measured
}  // namespace colour

struct TextStyle {
  double size_px = 15;
  const char* colour = colour::kInk;
  Align align = Align::kLeft;
  bool bold = false;
  int turned_degrees = 0;  // counter-clockwise, about its place
};

// Of what is said beside the data.
inline constexpr TextStyle kNote{15, colour::kGrey};
inline constexpr TextStyle kNoteCenter{15, colour::kGrey, Align::kCenter};
inline constexpr TextStyle kNoteRight{15, colour::kGrey, Align::kRight};

struct LineStyle {
  const char* colour = colour::kMidGrey;
  double width_px = 1;
  const char* dash = "solid";  // or a gnuplot pattern: "(6,4)"
};

struct MarkStyle {
  int type = 7;  // gnuplot's: 7 a disc, 6 a circle, 11 and 9 triangles, …
  double size = 1;
  const char* colour = colour::kInk;
};

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  double middle_y() const { return (top + bottom) / 2; }
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class Canvas {
 public:
  Canvas(int width_px, int height_px) : width_px_(width_px), height_px_(height_px) {}

  // The first commands: without what gnuplot has by itself, and then these.
  void begin(std::initializer_list<std::string_view> lines);
  // `y` is the middle of the text.
  void text(double x, double y, std::string_view words, const TextStyle& style);
  // The same, cut in the middle where it is wider.
  void text_within(double x, double y, std::string_view words, double width_px, const TextStyle& style);
  void line(double x1, double y1, double x2, double y2, const LineStyle& style);
  // A point, in front of everything.
  void mark(double x, double y, const MarkStyle& style);
  // Filled, behind grid and data.
  void rectangle(const Box& box, const char* colour);
  // Points up or down, its middle at the place; an outline where it is not filled. In front of all.
  void triangle(double x, double y, double size, bool up, bool filled, const char* colour);
  // Where the axes of the next plot are.
  void plot_area(const Box& box);
  // The ends of the next plot's axis, 'x' or 'y'.
  void range(char axis, double low, double high);
  // Of such an axis: a row each, the first on top.
  void row_range(std::size_t rows);
  void tics(char axis, const std::vector<Tic>& tics);
  // Defines a data block of rows: "name << EOD".
  void data(const std::string& name, const std::string& rows);
  // Adds to the next plot what is drawn of a block.
  void part(const std::string& name, const std::string& how);
  // Defines the block as well; nothing without rows.
  void part_of(const std::string& name, const std::string& rows, const std::string& how);
  // Plots the parts; without any nothing.
  void plot();
  // A picture needs a plot: this one is out of sight.
  void plot_nothing();
  // What was written and drawn is of this plot, and not of the next.
  void forget();
  // A line of the script as it is: never strangers' text.
  void command(std::string_view line);
  // The picture, but for its slug and what it shows.
  Chart chart() const { return {{}, width_px_, height_px_, data_, commands_}; }

  int width_px() const { return width_px_; }
  int height_px() const { return height_px_; }
  const std::string& commands() const { return commands_; }

 private:
  std::string at(double x, double y) const;

  int width_px_;
  int height_px_;
  std::string data_;
  std::string commands_;
  std::vector<std::string> parts_;
};

// A colour as the script's commands take it: "rgb ink" for a role, "rgb '#0072B2'" for a literal.
std::string rgb(const char* colour);

// The size of points, as the script's commands take it, the same in PNG and SVG: "ps 1.1*dot".
std::string point_size(double size);

// For "rgb variable": the colour that a column of a data block names, a role or a literal as 0xRRGGBB.
std::string colour_in_column(int column);

// The space that text takes, for finding a free place.
Box text_box(double x, double y, std::string_view words, const TextStyle& style);

// Where text covers nothing that is there: the first place of `candidates` that is free in
// `taken` and lies within `area`, or the first of all.
Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken, const Box& area);
// Nothing where no place is free: for text that may be left out.
std::optional<Box> find_free(const std::vector<Box>& candidates, const std::vector<Box>& taken,
                             const Box& area);

// How wide text is, so that labels can be placed without asking the terminal that draws them.

inline constexpr const char* kFontFamily = "Liberation Sans";

// The characters of UTF-8 text.
std::vector<std::string_view> characters(std::string_view text);

// An estimate in pixels at a font size in pixels: exact for ASCII, generous for the rest.
double text_width_px(std::string_view text, double size_px, bool bold = false);

// Cut in the middle with "…" where it is wider: a benchmark's name says most at its two ends.
// The text is made printable first.
std::string fit_text(std::string_view text, double width_px, double size_px, bool bold = false);
// How wide it then is.
double fitted_width_px(std::string_view text, double width_px, double size_px, bool bold = false);

// Lines of whole words, at most so many; what does not fit is cut at the end with "…".
std::vector<std::string> wrap_text(std::string_view text, double width_px, double size_px,
                                   std::size_t lines_max);

// The title of a picture, and below it, at `y`, the device and what else is said of all of it.
void draw_heading(std::string_view title, std::string_view device, const std::vector<std::string>& facts,
                  double edge, double y, Canvas& canvas);

// Strangers' text on its way into a gnuplot script: the one place that makes it safe.

// Text without control characters, and with U+25A1 for what XML cannot hold.
std::string clean_text(std::string_view text);

// In XML and HTML, outside of quotes.
std::string xml_escaped(std::string text);

// A gnuplot string literal that shows `text` and does nothing else. Single quotes, because in double ones
// gnuplot runs backticks; U+2019 for a quote inside, because 5.4 misreads a doubled one; control
// characters become spaces (a line end would end the string); what UTF-8, XML or common fonts cannot hold
// (emoji among them) becomes U+25A1; marks that turn the writing direction or have no width are left out.
// Backslash, `@`, `{` and `%` stay: they mean nothing in a single-quoted label with `noenhanced`. Never use
// it for explicit tic labels, which take `%` as a format.
std::string gnuplot_string(std::string_view text);

// The colours of a picture on a white and on a dark ground.

struct ChartFiles;

// Which pictures are drawn: on white, on GitHub's dark ground, or on each.
enum class Themes { kBoth, kLight, kDark };

// What a colour is used for, and so how far it must stand out from the ground: WCAG asks for a contrast of
// 4.5 for text and of 3 for marks. Soft ones lie behind the data and mean nothing alone.
enum class ColourUse { kGround, kText, kMark, kSoft };

// A role that charts draw with (colour::k… in canvas.hpp), and "#RRGGBB" for each ground. Blue, vermilion,
// green and purple start from Okabe and Ito's set, made darker or lighter so that they carry text on their
// ground; tests hold them to be told apart with any kind of colour vision.
struct ColourRole {
  const char* name;
  ColourUse use;
  const char* light;
  const char* dark;
};

const std::vector<ColourRole>& colour_roles();

struct Theme {
  const char* ending;                // of the files: "" or "-dark"
  const char* ColourRole::*colours;  // its column of the roles
  std::filesystem::path ChartFiles::*png;
  std::filesystem::path ChartFiles::*svg;
};

std::vector<Theme> chosen_themes(Themes themes);

// Commands that give every role its colour, and define what colour_in_column() calls.
std::string colour_commands(const Theme& theme);

// The colours of a heat map: from dark to light, so that the order holds for any colour vision and in grey.

// "#RRGGBB" for a share from 0 (the darkest) to 1.
std::string heat_colour(double share);

// Black or white: the one that stands out from it, at a contrast of 4.5 or more.
const char* ink_on_heat(double share);

// How pictures show a verdict: by a shape and by a colour, either of which alone tells it apart from its
// opposite.

// Hollow where the policy or a waiver excuses it.
MarkStyle verdict_mark(Verdict verdict, bool excused = false);

// Whether it says something: neither unchanged nor inconclusive.
bool is_decided(Verdict verdict);

}  // namespace tracker::plot
