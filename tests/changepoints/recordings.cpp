#include "tests/changepoints/recordings.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace tracker::changepoints {
namespace {

using Json = nlohmann::json;
constexpr std::uintmax_t kBytesMax = 256u << 20;

std::vector<double> numbers(const Json& array) {
  std::vector<double> all;
  for (const auto& value : array)
    all.push_back(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
  return all;
}

Places places(const Json& array) {
  Places all = array.get<Places>();
  std::sort(all.begin(), all.end());
  return all;
}

// Windows of recordings that hold a change which nobody put in, and where its level begins. The histories
// that the first two were cut from go on at it: 12 to 14 deviations higher for all of the next 15 values. The
// last nine values of the third are 71 % lower, and lie within 1 % of one another.
const std::map<std::string, std::size_t> kRecordedSteps{
    {"cuda_jl_006", 112}, {"cuda_jl_030", 112}, {"cuda_jl_018", 111}};

// {"values": […], "steps_at" | "change_points": […]}, or a series of the Turing Change Point Dataset with
// "annotations": {"annotator": […]} put in.
std::optional<LabelledSeries> series_of(const std::string& name, const Json& object) {
  if (!object.is_object()) return {};
  LabelledSeries series;
  series.name = name;
  if (object.contains("values"))
    series.values = numbers(object.at("values"));
  else if (object.contains("series") && object.at("series").size() == 1)
    series.values = numbers(object.at("series")[0].at("raw"));
  if (series.values.empty()) return {};
  for (const char* key : {"steps_at", "change_points"})
    if (object.contains(key)) series.labels.push_back(places(object.at(key)));
  if (object.contains("annotations"))
    for (const auto& [annotator, labels] : object.at("annotations").items())
      series.labels.push_back(places(labels));
  if (object.contains("steps_sigma")) series.step_sigmas = numbers(object.at("steps_sigma"));
  if (object.contains("sigma_log")) series.sigma_log = object.at("sigma_log").get<double>();
  if (const auto step = kRecordedSteps.find(name);
      step != kRecordedSteps.end() && series.injected() && series.labels.front().empty())
    series.labels.front().push_back(step->second);
  return series;
}

void read_file_into(const std::filesystem::path& path, std::vector<LabelledSeries>& series) {
  const auto document = Json::parse(read_file(path, kBytesMax), nullptr, false);
  if (document.is_discarded()) return;
  if (const auto one = series_of(path.stem().string(), document)) {
    series.push_back(*one);
    return;
  }
  std::size_t i = 0;
  for (const auto& [key, value] : document.items())
    if (auto one = series_of(document.is_array() ? std::to_string(i++) : key, value)) series.push_back(*one);
}

}  // namespace

std::vector<Group> read_groups(const std::filesystem::path& directory) {
  std::map<std::string, std::vector<LabelledSeries>> groups;
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_regular_file(directory)) files.push_back(directory);
  if (std::filesystem::is_directory(directory))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
      if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const bool alone = file == directory;
    read_file_into(file, groups[alone ? file.stem().string() : file.parent_path().filename().string()]);
  }
  std::vector<Group> all;
  for (auto& [name, series] : groups)
    if (!series.empty()) all.push_back({name, std::move(series)});
  if (all.empty())
    throw Error(ExitCode::kUsage, "'" + directory.string() + "' has no series",
                "name a folder of JSON files: {\"NAME\": {\"values\": […], \"change_points\": […]}}");
  return all;
}

}  // namespace tracker::changepoints
