// Profiles → text for people and programs. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/profile.hpp"
#include "tracker/profile/search.hpp"

namespace tracker {

struct CounterReportOptions {
  int columns = 0;   // of the terminal; 0: as wide as it gets. Text only
  bool all = false;  // every counter, and the kernels' names. Text and Markdown
  TimesS times_s;    // of a search: the fastest comes first, and why is said
};

// One row a format: what `profile --format` accepts.
struct CounterFormat {
  std::string name;
  std::string summary;
  std::string (*write)(const std::vector<Profile>& profiles, const CounterReportOptions& options);
};
const std::vector<CounterFormat>& counter_formats();

}  // namespace tracker
