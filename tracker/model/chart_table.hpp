// The numbers behind a chart. Plain data.
#pragma once

#include <string>
#include <vector>

namespace tracker {

struct ChartTable {
  std::string title;  // what the chart shows
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // as many cells each as the header
  std::string note;                            // what is left out; may be empty
};

}  // namespace tracker
