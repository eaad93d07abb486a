// What the terminal can show, and messages to it.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "tracker/app/line_events.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/error.hpp"
#include "tracker/measure/progress.hpp"

namespace tracker::commands {

// Colour only where a person sees it: standard output is a terminal, and NO_COLOR is not set.
bool wants_color();
// Columns of standard output; 0 where it is no terminal.
int terminal_columns();
// The text, cut at its end where it would break a row of that terminal on which so many columns are taken.
std::string fit_row(const std::string& text, std::size_t taken = 0);
// A bar where standard error is a terminal, plain lines elsewhere.
std::unique_ptr<measure::Progress> progress_for_terminal();

// Whether a person sees messages as they come.
bool is_terminal_for_messages();

// What a person is waiting for, on a line that is gone before the answer is printed. Nothing is shown where
// messages are no terminal's.
class WaitingLine {
 public:
  explicit WaitingLine(const std::string& words) { say(words); }
  ~WaitingLine() { clear(); }
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;
  void say(const std::string& words);  // instead of what it said
  void clear();

 private:
  bool is_shown_ = false;
};

// The text in lines that fit the terminal, or that many columns: the first behind `head`, the others indented
// as far. One line where standard output is no terminal.
void print_wrapped(const std::string& text, const std::string& head = "", std::size_t columns_least = 1);

// "range     6 commits after …", to standard output: a word of at most nine letters, and what is to be said
// of it, in lines that fit the terminal. Without a word it goes on.
void print_fact(const std::string& word, const std::string& text);

// "incomplete: …" for each, as the first lines of an answer.
void print_gaps(std::ostream& out, const std::vector<app::LineGap>& gaps);
// The same of a list of so many commits of a line.
void print_gaps(std::ostream& out, const app::Workspace& workspace, const std::string& from, int commits);

// One line on standard output, whatever the names in it hold.
void print_line(const std::string& text);

// "tracker: error: …" and, where there is one, the next step on a line of its own.
void print_error(const Error& error);
// "tracker: …", to standard error: one line, whatever the names in it hold, and `lines` below it.
void print_note(const std::string& text, const std::vector<std::string>& lines = {});

// Breaks what would begin a line with "::" while it lives: GitHub Actions obeys such lines, and names, paths
// and revisions may hold line ends.
class OutputGuard : private std::streambuf {
 public:
  explicit OutputGuard(std::ostream& out) : out_(out), plain_(out.rdbuf()) { out_.rdbuf(this); }
  ~OutputGuard() override { out_.rdbuf(plain_); }
  OutputGuard(const OutputGuard&) = delete;
  OutputGuard& operator=(const OutputGuard&) = delete;

 private:
  // In a line, of which blanks and what is not ASCII (there are other blanks) do not begin the text.
  enum class Place { kStart, kAfterColon, kWithin };

  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override { return plain_->pubsync(); }
  Place place_after(char byte) const;

  std::ostream& out_;
  std::streambuf* plain_;
  Place place_ = Place::kStart;
};

// Commands of our own, to standard output: its guards let them pass.
void print_workflow_commands(const std::string& text);

// Prints it all, to standard error.
app::Observer& terminal_observer();

// Whether a CI service runs this, as all of them say it.
bool in_ci();

// Commits in what a command prints become links to their pages, where the terminal knows links.

// As long as it lives, each line of standard output passes through it. It does nothing where standard output
// is no terminal, the terminal is not known to show links (terminal_links.hpp; TRACKER_LINKS=always or never
// decides instead), or the address of 'origin' does not tell where people see commits.
class CommitLinks : private std::streambuf {
 public:
  // `is_text`: false for what programs read. The workspace must outlive this; it may have no repository.
  explicit CommitLinks(const app::Workspace& workspace, bool is_text = true);
  ~CommitLinks() override;
  CommitLinks(const CommitLinks&) = delete;
  CommitLinks& operator=(const CommitLinks&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  void pass_line();
  std::string url_of(const std::string& word);

  const repo::Repository* repository_ = nullptr;
  std::string url_;
  std::string line_;
  std::map<std::string, std::string> known_;  // addresses, by words of lines
  std::streambuf* plain_ = nullptr;           // null: it does nothing
};

// Where people see a commit of this repository, with {commit} for its id; empty where 'origin' does not tell.
std::string commit_url(const repo::Repository& repository);

}  // namespace tracker::commands
