// Events → text for people and programs. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {

// Events that are listed apart from the others.
struct EventSection {
  std::string key;      // of the list in JSON
  std::string heading;  // text and Markdown, which leave out a section without events
  std::vector<ChangeEvent> events;
};

struct EventReport {
  std::string since;                 // the first day that counts: "2026-08-24"; empty: all
  std::vector<std::string> devices;  // the keys that were looked at
  std::vector<ChangeEvent> events;   // in the order to show them
  std::vector<Series> series;        // what they are of; for sparklines
  std::string heading;               // what they are; empty: how many, and since when. Text and Markdown
  bool names_wandering = false;      // of the series, those that wander by themselves. All formats
  // What was not seen, in words, each with the next step: the first thing that is said. All formats
  std::vector<std::string> gaps = {};
  std::vector<EventSection> sections = {};  // below the events
};

struct EventOptions {
  bool color = false;        // text only
  int columns = 0;           // of the terminal; 0: as wide as it gets. Text only
  std::size_t rows_max = 0;  // 0: all. The rest is counted. Text and Markdown
  // Where people see a commit, with "{commit}" for its id; empty: nowhere. Text (where there is colour) and
  // Markdown
  std::string commit_url;
};

// What `top --format` accepts.
using EventFormat = FormatOf<EventReport, EventOptions>;
const std::vector<EventFormat>& event_formats();

// By the row of that name, which has to be there.
std::string write_events(const std::string& format, const EventReport& report, const EventOptions& options);

// The pages of a repository's commits on GitHub, GitLab and their like, by the address of its remote:
// "https://github.com/a/b/commit/{commit}". Empty for an address that is none of a web server; without any
// password in it.
std::string commit_url_of(const std::string& remote_address);

// An event as an issue: what it says to whoever has to mend it.

// "17.2 % slower since 1a2b3c4: copy/* (2)": plain text on one line.
std::string event_issue_title(const ChangeEvent& event);

// Markdown: size, commit, cause, the benchmarks with their levels, what became of it, and the commands that
// go on. `commit_url` as EventOptions has it.
std::string event_issue_body(const ChangeEvent& event, const std::string& commit_url);

// What changed in series over the commits, and their values, as text.

struct SeriesOptions {
  bool color = false;
  int columns = 0;      // of the terminal; 0: as wide as it gets
  bool values = false;  // every value, also of many series
};

// The series of one device: of one all values, of several a line each. What changed stands first, by its
// commit, the newest on top; then drifts; then what `together`, events of these series, shows of several only
// together; then what wanders; then what did not change.
std::string write_series(const std::vector<Series>& all, const SeriesOptions& options,
                         const std::vector<ChangeEvent>& together = {});

}  // namespace tracker::report
