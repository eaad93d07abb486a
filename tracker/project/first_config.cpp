#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "tracker/base/text.hpp"
#include "tracker/project/project.hpp"

namespace tracker::project {
namespace {

using Binaries = std::vector<DetectedBinary>;

std::string command_text(const std::vector<std::string>& command) {
  std::vector<std::string> words;
  for (const auto& word : command) words.push_back(toml_text(word));
  return "[" + join(words, ", ") + "]";
}

std::string build_text(const DetectedBuild& build) {
  if (build.commands.empty())
    return "# How a commit is built: programs and their arguments, run in order at the root of a fresh "
           "checkout.\n"
           "# Comparing two commits needs it.\n"
           "# build = [[\"cmake\", \"-B\", \"build\"], [\"cmake\", \"--build\", \"build\"]]\n";
  std::string text =
      "# How a commit is built: programs and their arguments, run in order at the root of a fresh checkout.\n"
      "# Read from " +
      printable(build.from) + ": see that nothing is missing.\nbuild = [\n";
  for (const auto& command : build.commands) text += "  " + command_text(command) + ",\n";
  return text + "]\n";
}

// Processes differ by themselves, which repetitions in one of them do not show: docs/measuring.md, "Any
// binary". What repeats as it likes takes as long in each of its executions.
std::string counts_text(const Binaries& binaries) {
  const bool repeats_as_told =
      std::ranges::all_of(binaries, [](const auto& binary) { return !binary.names.empty(); });
  if (!repeats_as_told)
    return "invocations = 5  # executions of each binary; ten of each side find changes of half the size\n"
           "repetitions = 3  # of each benchmark in an execution\n";
  return "invocations = 12  # executions of each binary: a verdict rests on how much they differ\n"
         "repetitions = 1   # in each of them; where a binary takes long to start, 3 in 5 invocations\n";
}

// While the CPU sleeps until the GPU is done, CPU time passes over what a kernel takes.
std::string metric_text(const Binaries& binaries) {
  const auto has_cpu_time = [](const auto& binary) { return binary.is_cuda && binary.has_cpu_time; };
  if (std::ranges::none_of(binaries, has_cpu_time)) return "";
  const bool all = std::ranges::all_of(binaries, &DetectedBinary::is_cuda);
  return std::string(all ? "" : "# ") +
         "metric = \"real_time\"  # they state CPU time, which need not show what the GPU does\n";
}

std::string file_name_of(const DetectedBinary& binary) {
  return std::filesystem::path(binary.path).filename().string();
}

// The last `count` folders above a binary, or as many as there are: "old/sum".
std::string folders_above(const DetectedBinary& binary, std::size_t count) {
  const auto folder = std::filesystem::path(binary.path).parent_path();
  std::vector<std::string> names;
  for (const auto& name : folder) names.push_back(name.string());
  if (names.size() > count) names.erase(names.begin(), names.end() - static_cast<std::ptrdiff_t>(count));
  return join(names, "/");
}

// As many folders as tell it from `others`, which have its file name.
std::string folders_that_tell(const DetectedBinary& binary,
                              const std::vector<const DetectedBinary*>& others) {
  std::string folders;
  for (std::size_t count = 1;; ++count) {
    const std::string more = folders_above(binary, count);
    const bool is_known =
        std::ranges::any_of(others, [&](const auto* other) { return folders_above(*other, count) == more; });
    if (!is_known || more == folders) return more;
    folders = more;
  }
}

bool share_a_benchmark(const DetectedBinary& a, const DetectedBinary& b) {
  const std::set<std::string_view> names(a.names.begin(), a.names.end());
  return std::ranges::any_of(b.names, [&](const auto& name) { return names.count(name) != 0; });
}

// What goes before the names of a binary's benchmarks: nothing, where all its names are its own.
std::string prefix_of(const DetectedBinary& binary, const Binaries& binaries) {
  std::vector<const DetectedBinary*> namesakes;
  bool shares = false;
  for (const auto& other : binaries) {
    if (&other == &binary) continue;
    if (file_name_of(other) == file_name_of(binary)) namesakes.push_back(&other);
    shares = shares || share_a_benchmark(binary, other);
  }
  if (namesakes.empty()) return shares ? file_name_of(binary) + "/" : "";
  const std::string folders = folders_that_tell(binary, namesakes);
  return folders.empty() ? "" : folders + "/";
}

}  // namespace

std::string first_config_text(const std::vector<DetectedBinary>& binaries, const DetectedBuild& build,
                              const std::string& threshold) {
  std::string text =
      "# What tracker measures here, and what it says of a change. Every key: docs/tracker-toml.md of "
      "tracker.\n\n"
      "[measure]\n" +
      build_text(build) + counts_text(binaries);
  for (const auto& binary : binaries) {
    text += "\n[[binary]]\npath = " + toml_text(binary.path) +
            (binary.names.empty() ? "" : "  # " + count_of(binary.names.size(), "benchmark")) + "\n";
    if (!binary.directory.empty())
      text += "directory = " + toml_text(binary.directory) +
              "  # where it runs: it names no benchmarks elsewhere\n";
    if (binary.is_cuda) text += "when = \"gpu\"  # it holds CUDA code: measured where there is a GPU\n";
    if (const auto prefix = prefix_of(binary, binaries); !prefix.empty())
      text += "prefix = " + toml_text(prefix) +
              "  # goes before the names of its benchmarks, which another binary may have as well\n";
  }
  return text +
         "\n# What fails the build. The first policies are the general ones, later ones override them.\n"
         "[[policy]]\nmatch = \"*\"\nthreshold = " +
         toml_text(threshold) +
         "  # a benchmark that is slower by more than this, and by more than noise, is regressed\n" +
         metric_text(binaries) +
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

}  // namespace tracker::project
