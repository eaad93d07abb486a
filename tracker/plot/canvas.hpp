// A picture laid out in pixels, from the top left corner, written as gnuplot commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// One picture: `data` defines gnuplot data blocks, `commands` draws them on whatever terminal is set.
struct Chart {
  std::string slug;  // the file name without its ending; not part of the script
  int width_px = 0;
  int height_px = 0;
  std::string data;
  std::string commands;
};

enum class Align { kLeft, kCenter, kRight };

struct TextStyle {
  double size_px = 15;
  const char* colour = "#24292F";
  Align align = Align::kLeft;
  bool bold = false;
  int turned_degrees = 0;  // counter-clockwise, about its place
};

struct LineStyle {
  const char* colour = "#8C959F";
  double width_px = 1;
  const char* dash = "solid";  // or a gnuplot pattern: "(6,4)"
};

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Colours that people with any kind of colour vision tell apart (Okabe and Ito's set), and greys.
namespace colour {
inline constexpr const char* kBlue = "#0072B2";
inline constexpr const char* kPaleBlue = "#A6CDE6";
inline constexpr const char* kHazeBlue = "#CCE3F1";
inline constexpr const char* kVermilion = "#B84A00";  // Okabe and Ito's, darkened to carry text on white
inline constexpr const char* kBand = "#F3F1E7";
inline constexpr const char* kInk = "#24292F";
inline constexpr const char* kGrey = "#57606A";
inline constexpr const char* kMidGrey = "#8C959F";
inline constexpr const char* kPaleGrey = "#C4CAD1";
inline constexpr const char* kGrid = "#E4E7EB";
}  // namespace colour

class Canvas {
 public:
  Canvas(int width_px, int height_px) : width_px_(width_px), height_px_(height_px) {}

  // `y` is the middle of the text.
  void text(double x, double y, std::string_view words, const TextStyle& style);
  void line(double x1, double y1, double x2, double y2, const LineStyle& style);
  // Filled, behind grid and data.
  void rectangle(const Box& box, const char* colour);
  // Where the axes of the next plot are.
  void plot_area(const Box& box);
  // A line of the script as it is: never strangers' text.
  void command(std::string_view line);

  int width_px() const { return width_px_; }
  int height_px() const { return height_px_; }
  const std::string& commands() const { return commands_; }

 private:
  std::string at(double x, double y) const;

  int width_px_;
  int height_px_;
  std::string commands_;
};

// A colour as the script's commands take it: "rgb '#0072B2'".
std::string rgb(const char* colour);

// The space that text takes, for finding a free place.
Box text_box(double x, double y, std::string_view words, const TextStyle& style);

// Where text covers nothing that is there: the first place of `candidates` that is free in
// `taken` and lies within `area`, or the first of all.
Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken, const Box& area);

}  // namespace tracker
