// Runs a real benchmark binary and reads the JSON it prints.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tracker/base/process.hpp"

namespace bench {

inline tracker::ProcessResult run_binary(const char* path, const std::vector<std::string>& arguments,
                                         const std::map<std::string, std::string>& environment = {}) {
  tracker::ProcessSpec spec;
  spec.argv = {path};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = environment;
  spec.timeout = std::chrono::minutes(2);
  return tracker::run_process(spec);
}

// The rows that are samples, not aggregates.
inline std::vector<nlohmann::json> samples(const nlohmann::json& document) {
  std::vector<nlohmann::json> rows;
  for (const auto& row : document.at("benchmarks"))
    if (row.at("run_type") == "iteration") rows.push_back(row);
  return rows;
}

}  // namespace bench
