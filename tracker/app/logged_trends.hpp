// What `tracker log` lists: the devices with runs on a line of commits, and the trends of benchmarks over it.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

struct LogRequest {
  std::vector<std::string> globs;  // benchmarks; none: the runs themselves
  std::string device;              // a pattern; empty: all
  std::string from = "HEAD";       // the newest commit
  int commits = 100;               // how far back
  std::string threshold;           // "1%"; empty: the policy's
};

// kCannotJudge where no run is stored for these commits, kUsage where no device matches.
std::vector<std::string> logged_devices(const Workspace& workspace, const LogRequest& request);

struct LoggedTrends {
  std::vector<Series> series;
  std::vector<ChangeEvent> together;  // losses that related series show only together
};

// Steps are found over the whole line, and accepted ones marked; the series begin where the commits asked for
// do.
LoggedTrends trends_on(const Workspace& workspace, const std::string& device, const LogRequest& request);

}  // namespace tracker
