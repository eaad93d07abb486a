// How well detectors of change points agree with labels, and how often they are wrong:
// script/changepoint-quality.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/changepoints/made_up.hpp"
#include "tests/changepoints/peers.hpp"
#include "tests/changepoints/pictures.hpp"
#include "tests/changepoints/report.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker::changepoints {
namespace {

constexpr const char* kUsage =
    "usage: changepoint_quality [--markdown] [--half even|odd] [--detector NAME] [--pictures DIR] DIR...\n"
    "  Scores every detector on labelled series (folders of JSON files as tests/data/steps.json).\n"
    "  --markdown       tables for docs/lab/changepoints.md\n"
    "  --pictures DIR   writes changepoint-quality.png and changepoint-examples.png there, light and dark\n"
    "  --half WHICH     every other series only: constants are chosen on the even ones\n"
    "  --detector NAME  only detectors whose name matches this pattern\n"
    "exit codes: 0 every goal met, 1 one is missed, 2 usage\n";

struct Arguments {
  bool help = false;
  bool markdown = false;
  std::string half;
  std::string detector = "*";
  std::string pictures;
  std::vector<std::filesystem::path> directories;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) throw Error(ExitCode::kUsage, "'" + option + "' needs a value", "see --help");
      return argv[i];
    };
    if (option == "--help" || option == "-h")
      arguments.help = true;
    else if (option == "--markdown")
      arguments.markdown = true;
    else if (option == "--detector")
      arguments.detector = value();
    else if (option == "--pictures")
      arguments.pictures = value();
    else if (option == "--half") {
      arguments.half = value();
      if (arguments.half != "even" && arguments.half != "odd")
        throw Error(ExitCode::kUsage, "'" + arguments.half + "' is no half", "--half takes even or odd");
    } else if (option.starts_with("-"))
      throw Error(ExitCode::kUsage, "unknown option '" + option + "'", "see --help");
    else
      arguments.directories.emplace_back(option);
  }
  if (arguments.directories.empty() && !arguments.help)
    throw Error(ExitCode::kUsage, "no folder of recordings is named", "see --help");
  return arguments;
}

std::vector<LabelledSeries> half_of(const std::vector<LabelledSeries>& all, const std::string& half) {
  std::vector<LabelledSeries> some;
  for (std::size_t i = half == "odd" ? 1 : 0; i < all.size(); i += half.empty() ? 1 : 2)
    some.push_back(all[i]);
  return some;
}

int run(const Arguments& arguments) {
  if (arguments.help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  std::vector<Group> groups;
  for (const auto& directory : arguments.directories)
    for (auto& group : read_groups(directory)) {
      group.series = half_of(group.series, arguments.half);
      if (!group.series.empty()) groups.push_back(std::move(group));
    }
  groups.push_back(made_up_kinds());
  groups.push_back(made_up_public());
  std::vector<stats::Detector> detectors;
  for (const auto& detector : scored_detectors())
    if (glob_match(arguments.detector, detector.name)) detectors.push_back(detector);
  if (detectors.empty())
    throw Error(ExitCode::kUsage, "no detector matches '" + arguments.detector + "'", "'*' takes all");
  const Report report = measure(groups, detectors);
  std::fputs(report_text(report, arguments.markdown).c_str(), stdout);
  if (!arguments.pictures.empty()) write_pictures(report, groups, arguments.pictures);
  for (const auto& goal : check_goals(report))
    if (!goal.met) return static_cast<int>(ExitCode::kRegressed);
  return 0;
}

}  // namespace
}  // namespace tracker::changepoints

int main(int argc, char** argv) {
  try {
    return tracker::changepoints::run(tracker::changepoints::parse(argc, argv));
  } catch (const tracker::Error& error) {
    std::fprintf(stderr, "changepoint_quality: %s\n  %s\n", error.what(), error.hint().c_str());
    return static_cast<int>(error.code());
  }
}
