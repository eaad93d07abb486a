#include "tracker/commands/terminal.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

int columns_of(int stream) {
  winsize size{};
  return ::isatty(stream) != 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Messages have lines of their own; whatever else they hold is somebody's text.
std::string printable_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto& line : split(text, '\n')) lines.push_back(printable(line));
  return join(lines, "\n");
}

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

}  // namespace

bool wants_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && !is_dumb() && (no_color == nullptr || *no_color == '\0');
}

int terminal_columns() {
  return columns_of(STDOUT_FILENO);
}

bool is_terminal_for_messages() {
  return ::isatty(STDERR_FILENO) != 0 && !is_dumb();
}

std::unique_ptr<Progress> progress_for_terminal() {
  if (is_terminal_for_messages()) return make_bar_progress(std::cerr, columns_of(STDERR_FILENO));
  return make_line_progress(std::cerr);
}

void print_error(const Error& error) {
  std::cerr << "tracker: error: " << printable_lines(error.what()) << "\n";
  if (!error.hint().empty()) std::cerr << "  next: " << printable_lines(error.hint()) << "\n";
}

void print_note(const std::string& text) {
  std::cerr << "tracker: " << printable_lines(text) << "\n";
}

}  // namespace tracker
