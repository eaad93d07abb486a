#include "tracker/commands/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/report/event_report.hpp"

namespace tracker::commands {
namespace {

constexpr const char* kStartOfLine = "\r\x1b[K";  // and nothing on it

int columns_of(int stream) {
  winsize size{};
  return ::isatty(stream) != 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// As lines that fit the terminal, broken between words.
std::string fit_message(const std::string& message) {
  constexpr std::size_t kColumnsLeast = 40;
  constexpr std::size_t kIndent = 2;  // of what goes on
  const auto columns = static_cast<std::size_t>(columns_of(STDERR_FILENO));
  if (columns < kColumnsLeast) return message;
  std::vector<std::string> lines;
  for (const auto& line : split(message, '\n')) {
    if (display_width(line) <= columns) {
      lines.push_back(line);
      continue;
    }
    const auto parts = wrap(line, columns - kIndent);
    for (std::size_t i = 0; i < parts.size(); ++i)
      lines.push_back(std::string(i == 0 ? 0 : kIndent, ' ') + parts[i]);
  }
  return join(lines, "\n");
}

class TerminalObserver final : public app::Observer {
 public:
  void note(const std::string& text, const std::vector<std::string>& lines) override {
    print_note(text, lines);
  }
  void error(const Error& error) override { print_error(error); }
  // Once for many runs: later questions read what is new. One line that counts up in a terminal, else the
  // last one alone.
  void summing_up(std::size_t done, std::size_t all) override {
    const bool is_terminal = is_terminal_for_messages();
    if (!is_terminal && done < all) return;
    std::cerr << (is_terminal ? kStartOfLine : "") << "tracker: summed up " << done << " of " << all
              << " stored runs, once for all questions" << (done == all ? "\n" : "") << std::flush;
  }
  std::unique_ptr<measure::Progress> progress() override { return progress_for_terminal(); }
};

bool lets_commands_pass = false;

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

}  // namespace

class OutputGuard::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::streambuf* plain) : plain_(plain) {}

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char byte = traits_type::to_char_type(c);
    if (place_ == Place::kAfterColon && byte == ':' && !lets_commands_pass)
      if (traits_type::eq_int_type(plain_->sputc(' '), traits_type::eof())) return traits_type::eof();
    place_ = place_after(byte);
    return plain_->sputc(byte);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    for (std::streamsize i = 0; i < size; ++i) {
      if (place_ == Place::kWithin) {  // nothing is looked for until the line ends
        const std::string_view rest(text + i, static_cast<std::size_t>(size - i));
        const auto length = static_cast<std::streamsize>(std::min(rest.find_first_of("\r\n"), rest.size()));
        if (plain_->sputn(text + i, length) != length) return i;
        if ((i += length) == size) break;
      }
      if (traits_type::eq_int_type(overflow(traits_type::to_int_type(text[i])), traits_type::eof())) return i;
    }
    return size;
  }
  int sync() override { return plain_->pubsync(); }

 private:
  // In a line, of which blanks and what is not ASCII (there are other blanks) do not begin the text.
  enum class Place { kStart, kAfterColon, kWithin };

  Place place_after(char byte) const {
    if (byte == '\n' || byte == '\r') return Place::kStart;
    if (place_ == Place::kStart && byte == ':') return Place::kAfterColon;
    const bool is_blank = static_cast<unsigned char>(byte) <= ' ' || static_cast<unsigned char>(byte) >= 0x80;
    return place_ == Place::kStart && is_blank ? Place::kStart : Place::kWithin;
  }

  std::streambuf* plain_;
  Place place_ = Place::kStart;
};

OutputGuard::OutputGuard(std::ostream& out)
    : out_(out), plain_(out.rdbuf()), buffer_(std::make_unique<Buffer>(plain_)) {
  out_.rdbuf(buffer_.get());
}

OutputGuard::~OutputGuard() {
  out_.rdbuf(plain_);
}

void print_workflow_commands(const std::string& text) {
  lets_commands_pass = true;
  std::cout << text << std::flush;
  lets_commands_pass = false;
}

bool wants_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && !is_dumb() && (no_color == nullptr || *no_color == '\0');
}

int terminal_columns() {
  return columns_of(STDOUT_FILENO);
}

std::string fit_row(const std::string& text, std::size_t taken) {
  constexpr std::size_t kLeast = 20;
  const auto columns = static_cast<std::size_t>(terminal_columns());
  return shorten_end(text, columns == 0 ? kTableUnlimited : std::max(columns, taken + kLeast) - taken);
}

bool is_terminal_for_messages() {
  return ::isatty(STDERR_FILENO) != 0 && !is_dumb();
}

std::unique_ptr<measure::Progress> progress_for_terminal() {
  if (is_terminal_for_messages()) return measure::make_bar_progress(std::cerr, columns_of(STDERR_FILENO));
  return measure::make_line_progress(std::cerr);
}

void WaitingLine::say(const std::string& words) {
  if (!is_terminal_for_messages()) return;
  const auto columns = static_cast<std::size_t>(std::max(columns_of(STDERR_FILENO), 2));
  std::cerr << kStartOfLine << shorten_end("tracker: " + words + " …", columns - 1) << std::flush;
  is_shown_ = true;
}

void WaitingLine::clear() {
  if (is_shown_) std::cerr << kStartOfLine << std::flush;
  is_shown_ = false;
}

void print_fact(const std::string& word, const std::string& text) {
  constexpr std::size_t kIndent = 10;
  const auto columns = static_cast<std::size_t>(terminal_columns());
  std::cout << wrapped(text, columns > 2 * kIndent ? columns : 0, left_aligned(word, kIndent));
}

void print_gaps(std::ostream& out, const std::vector<app::LineGap>& gaps) {
  for (const auto& gap : gaps) out << "incomplete: " << app::in_words(gap) << "\n";
}

void print_line(const std::string& text) {
  std::cout << printable(text) << "\n";
}

void print_error(const Error& error) {
  std::cerr << fit_message("tracker: error: " + without_secrets(error.what())) << "\n";
  if (error.hint().empty()) return;
  const std::string head = "  next: ";
  const int columns = columns_of(STDERR_FILENO);
  const std::size_t room = columns > 0
                               ? std::max(static_cast<std::size_t>(columns), 2 * head.size()) - head.size()
                               : error.hint().size();
  std::string before = head;
  for (const auto& part : wrap_hint(without_secrets(error.hint()), std::max<std::size_t>(room, 1))) {
    std::cerr << before << part << "\n";
    before.assign(head.size(), ' ');
  }
}

void print_note(const std::string& text, const std::vector<std::string>& lines) {
  std::string message = "tracker: " + printable(without_secrets(text));
  for (const auto& line : lines) message += "\n" + printable(without_secrets(line));
  std::cerr << fit_message(message) << "\n";
}

app::Observer& terminal_observer() {
  static TerminalObserver observer;
  return observer;
}

bool in_ci() {
  const auto is_true = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && std::string_view(value) == "true";
  };
  return is_true("CI") || is_true("GITHUB_ACTIONS");
}

namespace {

bool wants_links() {
  const std::string asked = environment_value("TRACKER_LINKS");
  if (asked == "always") return true;
  return asked != "never" && ::isatty(STDOUT_FILENO) != 0 && knows_links(environment_value);
}

// Hands lines on with their links.
class LinkingBuffer : public std::streambuf {
 public:
  LinkingBuffer(std::streambuf* plain, const repo::Repository& repository, std::string url)
      : plain_(plain), repository_(repository), url_(std::move(url)) {}

  void finish() {
    pass_line();
    plain_->pubsync();
  }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    line_ += traits_type::to_char_type(c);
    if (line_.back() == '\n') pass_line();
    return c;
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    for (std::streamsize i = 0; i < size; ++i) overflow(traits_type::to_int_type(text[i]));
    return size;
  }
  // What is flushed in the middle of a line is somebody's progress: it is shown at once.
  int sync() override {
    pass_line();
    return plain_->pubsync();
  }

 private:
  void pass_line() {
    const std::string text = link_commit_ids(line_, [this](const std::string& word) { return url_of(word); });
    plain_->sputn(text.data(), static_cast<std::streamsize>(text.size()));
    line_.clear();
  }

  std::string url_of(const std::string& word) {
    const auto [known, is_new] = known_.try_emplace(word);
    if (!is_new) return known->second;
    try {
      const std::string id = repository_.resolve(word).id;
      if (id.starts_with(word)) {
        known->second = url_;
        const std::string place = "{commit}";
        known->second.replace(url_.find(place), place.size(), id);
      }
    } catch (const Error&) {
      known->second.clear();  // no commit of this repository
    }
    return known->second;
  }

  std::streambuf* plain_;
  const repo::Repository& repository_;
  std::string url_;
  std::string line_;
  std::map<std::string, std::string> known_;
};

}  // namespace

CommitLinks::CommitLinks(const app::Workspace& workspace, bool is_text) {
  if (!is_text || !workspace.has_repository() || !wants_links()) return;
  const repo::Repository& repository = workspace.repository();
  const std::string url = commit_url(repository);
  if (url.find("{commit}") == std::string::npos) return;
  linking_ = std::make_unique<LinkingBuffer>(std::cout.rdbuf(), repository, url);
  plain_ = std::cout.rdbuf(linking_.get());
}

CommitLinks::~CommitLinks() {
  if (!linking_) return;
  static_cast<LinkingBuffer&>(*linking_).finish();
  std::cout.rdbuf(plain_);
}

std::string commit_url(const repo::Repository& repository) {
  const auto remote = repo::run_git(repository.root(), {"config", "--get", "remote.origin.url"});
  return remote.ok() ? report::commit_url_of(remote.output.substr(0, remote.output.find('\n'))) : "";
}

}  // namespace tracker::commands
