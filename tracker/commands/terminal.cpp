#include "tracker/commands/terminal.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tracker {
namespace {

int columns_of(int stream) {
  winsize size{};
  return ::isatty(stream) != 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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

std::unique_ptr<Progress> progress_for_terminal() {
  if (::isatty(STDERR_FILENO) != 0 && !is_dumb())
    return make_bar_progress(std::cerr, columns_of(STDERR_FILENO));
  return make_line_progress(std::cerr);
}

void print_error(const Error& error) {
  std::cerr << "tracker: error: " << error.what() << "\n";
  if (!error.hint().empty()) std::cerr << "  next: " << error.hint() << "\n";
}

void print_note(const std::string& text) {
  std::cerr << "tracker: " << text << "\n";
}

}  // namespace tracker
