#include "tracker/formats/first_config.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// A TOML basic string.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

std::string command_text(const std::vector<std::string>& command) {
  std::vector<std::string> words;
  for (const auto& word : command) words.push_back(quoted(word));
  return "[" + join(words, ", ") + "]";
}

std::string build_text(const FirstConfig& config) {
  if (config.build.empty())
    return "# How a commit is built: programs and their arguments, run in order at the root of a fresh "
           "checkout.\n"
           "# Comparing two commits needs it.\n"
           "# build = [[\"cmake\", \"-B\", \"build\"], [\"cmake\", \"--build\", \"build\"]]\n";
  std::string text =
      "# How a commit is built: programs and their arguments, run in order at the root of a fresh checkout.\n"
      "# Read from " +
      printable(config.build_from) + ": see that nothing is missing.\nbuild = [\n";
  for (const auto& command : config.build) text += "  " + command_text(command) + ",\n";
  return text + "]\n";
}

// Processes differ by themselves, which repetitions in one of them do not show: docs/measuring.md, "Any
// binary". What repeats as it likes takes as long in each of its executions.
std::string counts_text(const FirstConfig& config) {
  const bool repeats_as_told = std::all_of(config.binaries.begin(), config.binaries.end(),
                                           [](const auto& binary) { return binary.is_google_bench; });
  if (!repeats_as_told)
    return "invocations = 5  # executions of each binary; ten of each side find changes of half the size\n"
           "repetitions = 3  # of each benchmark in an execution\n";
  return "invocations = 12  # executions of each binary: a verdict rests on how much they differ\n"
         "repetitions = 1   # in each of them; where a binary takes long to start, 3 in 5 invocations\n";
}

// While the CPU sleeps until the GPU is done, CPU time passes over what a kernel takes.
std::string metric_text(const FirstConfig& config) {
  const auto needs_gpu = [](const auto& binary) { return binary.needs_gpu; };
  const auto has_cpu_time = [](const auto& binary) { return binary.needs_gpu && binary.has_cpu_time; };
  const auto& binaries = config.binaries;
  if (std::none_of(binaries.begin(), binaries.end(), has_cpu_time)) return "";
  const bool all = std::all_of(binaries.begin(), binaries.end(), needs_gpu);
  return std::string(all ? "" : "# ") +
         "metric = \"real_time\"  # they state CPU time, which need not show what the GPU does\n";
}

// The folder of a binary whose file name another one has as well.
std::string prefix_of(const std::string& path, const std::map<std::string, int>& names) {
  const std::filesystem::path file(path);
  if (names.at(file.filename().string()) < 2) return "";
  const std::string folder = file.parent_path().filename().string();
  return folder.empty() ? "" : folder + "/";
}

}  // namespace

std::string first_config_text(const FirstConfig& config) {
  std::string text =
      "# What tracker measures here, and what it says of a change. Every key: docs/formats.md of tracker.\n\n"
      "[measure]\n" +
      build_text(config) + counts_text(config);
  std::map<std::string, int> names;
  for (const auto& binary : config.binaries) ++names[std::filesystem::path(binary.path).filename().string()];
  for (const auto& binary : config.binaries) {
    text += "\n[[binary]]\npath = " + quoted(binary.path) +
            (binary.remark.empty() ? "" : "  # " + printable(binary.remark)) + "\n";
    if (binary.needs_gpu) text += "when = \"gpu\"  # it holds CUDA code: measured where there is a GPU\n";
    if (const auto prefix = prefix_of(binary.path, names); !prefix.empty())
      text += "prefix = " + quoted(prefix) + "  # goes before the names of its benchmarks\n";
  }
  return text +
         "\n# What fails the build. The first policies are the general ones, later ones override them.\n"
         "[[policy]]\nmatch = \"*\"\nthreshold = " +
         quoted(config.threshold) +
         "  # a benchmark that is slower by more than this, and by more than noise, is regressed\n" +
         metric_text(config) +
         "\n# A slow drift, which no single commit made, fails `tracker check` as well. As it is without "
         "this table:\n"
         "# [drift]\n"
         "# action = \"fail\"  # or warn, or ignore\n"
         "# since = [\"release\", \"baseline\", \"30d\", \"90d\"]\n"
         "# threshold = \"5%\"  # not stated: each benchmark's own\n";
}

std::string first_workflow_text() {
  return R"(# Compares each pull request with its base on your own runner. Before it takes its first job, read
# docs/security.md of tracker. OWNER is the owner of the tracker repository, COMMIT one of its commits.
name: perf
on:
  push: {branches: [main]}
  pull_request:
permissions: {contents: write, pull-requests: write}
jobs:
  perf:
    if: github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository
    runs-on: [self-hosted, gpu]
    timeout-minutes: 90
    concurrency: {group: gpu, cancel-in-progress: false}
    steps:
      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5  # v4.3.1
        with: {fetch-depth: 0, persist-credentials: false}
      - uses: OWNER/tracker/.github/actions/tracker@COMMIT
        with:
          store: ${{ github.event_name == 'push' && 'push' || 'local' }}
          charts-branch: tracker-charts
)";
}

}  // namespace tracker
