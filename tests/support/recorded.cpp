#include "tests/support/recorded.hpp"

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "tests/source_tree.hpp"

namespace tracker::test {
namespace {

const nlohmann::json& medians() {
  static const nlohmann::json document = [] {
    std::ifstream file(std::string(TRACKER_SOURCE_DIR) + "/tests/data/h200_medians/medians.json");
    return nlohmann::json::parse(file);
  }();
  return document;
}

}  // namespace

Times recorded_times(const std::string& job, const std::string& code) {
  for (const auto& run : medians().at("runs"))
    if (run.at("job") == job && run.at("code") == code) return run.at("times_ns").get<Times>();
  throw std::runtime_error("no recorded " + job + " " + code);
}

Run recorded_run(const RunNumbers& numbers, const Times& times) {
  const auto& bytes = medians().at("bytes_per_iteration");
  std::vector<Timed> benchmarks;
  for (const auto& [name, values] : times) {
    Timed timed{name, values, {}, {}};
    if (bytes.contains(name)) timed.bytes_per_iteration = bytes.at(name).get<double>();
    benchmarks.push_back(timed);
  }
  return make_run(numbers, benchmarks);
}

}  // namespace tracker::test
