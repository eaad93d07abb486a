// A history → the files of a static site: docs/site.md. Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/base/shared.hpp"
#include "tracker/history/series.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::site {

// What is shown of a point beside its value; what is not known is absent.
struct PointFacts {
  int samples = 0;  // repetitions, of all invocations that count
  std::optional<std::int64_t> registers;
  std::optional<std::int64_t> spill_bytes;  // of a thread
  std::string environment;                  // "driver 580.159.04, CUDA runtime 13.0, GCC 12.2"

  friend auto operator<=>(const PointFacts&, const PointFacts&) = default;
};

struct SiteSeries {
  Series series;                          // the whole of it
  std::vector<Shared<PointFacts>> facts;  // one a point
};

// Nights in a row in which the sentinel kept its level.
struct SentinelStretch {
  std::string first;  // days
  std::string last;
  std::size_t nights = 0;
  double moved = 0;  // against the newest level, a share of its time
  std::string why;   // what changed to the stretch before it; empty for the first
};

struct SiteDevice {
  std::string key;
  std::string name;  // "NVIDIA H200"
  std::vector<SiteSeries> series;
  std::vector<ChangeEvent> events;             // of these series, oldest first, with their causes
  std::vector<SentinelStretch> sentinel = {};  // oldest first
};

struct History {
  std::string title;              // of the repository
  std::string commit_url;         // a commit's page is this and its id; empty: no links
  std::string tracker;            // what wrote the site: "tracker 0.1.0"
  std::map<int, Commit> commits;  // all that a point is of, by position on the first-parent line
  std::vector<SiteDevice> devices;
};

struct File {
  std::string path;  // below the site's folder, with '/'
  std::string text;
};

// index.html, a plain page a device, badge.svg, scripts and styles, and data that the scripts load when they
// are needed. The same history gives the same bytes. Names may be anyone's text: they are never markup.
std::vector<File> make(const History& history);

// The series of a device → what a site shows of it. Pure.

// What a site asks of a device's line (history/series.hpp).
history::LineQuestion site_question(const std::vector<std::string>& globs);

// Adds the device with all series of the line, and the commits that have a point. Nothing where there is
// none. `causes` fills in those of the events.
using AddCauses = std::function<void(const std::vector<Series>& series, std::vector<ChangeEvent>& events)>;
void add_device(History& site, const std::string& device, history::LineSeries line, const AddCauses& causes);

}  // namespace tracker::site
