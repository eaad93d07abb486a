// What a user may say to `tracker compare`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracker/app/compare_sides.hpp"

namespace CLI {
class App;
}

namespace tracker {

// What is compared, and how it is shown.
struct CompareOptions : CompareRequest {
  std::string format = "text";
  std::filesystem::path out;
  std::filesystem::path charts;  // the folder for pictures; empty: none
  std::string charts_url;        // where they will be seen, with "{file}"; empty: from the report's folder
  bool strict = false;
  bool all = false;
};

// --gpus; `what` it is good for, where that is something else than measuring.
void declare_gpus(CLI::App& app, MeasureRequest& measuring, const std::string& what = "");
// --time-budget, for a command that measures one job.
void declare_budget(CLI::App& app, MeasureRequest& measuring);
// -n, -r, --filter, --isolate and --gpus, for a command that always measures.
void declare_measure_options(CLI::App& app, MeasureRequest& measuring);
// What the two sides are, and how they were measured where the runs do not say it.
void declare_sides(CLI::App& app, CompareOptions& options);
void declare_compare_options(CLI::App& app, CompareOptions& options);

}  // namespace tracker
