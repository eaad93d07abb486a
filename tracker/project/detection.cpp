#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/project/project.hpp"

namespace tracker::project {
namespace {

namespace fs = std::filesystem;

constexpr double kListSecondsMax = 60;                  // some prepare all their data first
constexpr auto kFailedSoon = std::chrono::seconds(10);  // what takes longer found its data

// The library linked in, or the names of a shared one.
constexpr std::string_view kBenchmarkMarks[] = {"benchmark_list_tests", "_ZN9benchmark10Initialize",
                                                "_ZN9benchmark8internal", "--jsonlist-benches",
                                                "N7nvbench13option_parser"};
// The section by which nvcc registers kernels; the runtime, where they are in a library of the project.
constexpr std::string_view kCudaMarks[] = {".nvFatBinSegment", "libcudart.so."};
constexpr std::string_view kIncludes[] = {"<benchmark/benchmark.h>", "\"benchmark/benchmark.h\"",
                                          "<nvbench/nvbench.cuh>"};

bool holds(std::string_view bytes, std::span<const std::string_view> marks) {
  return std::ranges::any_of(
      marks, [&](std::string_view mark) { return bytes.find(mark) != std::string_view::npos; });
}

// Whether one of the marks is in the file, read piece by piece: some executables have gigabytes.
bool file_holds(const fs::path& path, std::span<const std::string_view> marks) {
  constexpr std::size_t kPiece = 1u << 20;
  constexpr std::size_t kOverlap = 64;  // longer than any mark
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  while (file) {
    bytes.erase(0, bytes.size() - std::min(bytes.size(), kOverlap));
    const std::size_t kept = bytes.size();
    bytes.resize(kept + kPiece);
    file.read(bytes.data() + kept, kPiece);
    bytes.resize(kept + static_cast<std::size_t>(file.gcount()));
    if (holds(bytes, marks)) return true;
  }
  return false;
}

// An executable for this system, and no library: a shared library is one by its name alone.
bool is_program(const fs::path& path) {
  std::error_code ignored;
  const auto permissions = fs::status(path, ignored).permissions();
  if ((permissions & fs::perms::owner_exec) == fs::perms::none) return false;
  const std::string name = path.filename().string();
  if (name.ends_with(".so") || name.find(".so.") != std::string::npos || name.ends_with(".o")) return false;
  std::ifstream file(path, std::ios::binary);
  std::string magic(4, '\0');
  return file.read(magic.data(), 4) && magic == "\177ELF";
}

// The file of the build system in the nearest folder above, that folder with it; of what Bazel built, the one
// that makes the root its workspace.
std::string build_file_of(const fs::path& root, const std::string& binary) {
  std::error_code ignored;
  if (binary.starts_with("bazel-bin/")) {
    for (const char* name : {"MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"})
      if (fs::is_regular_file(root / name, ignored)) return name;
    return "";
  }
  for (fs::path folder = fs::path(binary).parent_path();; folder = folder.parent_path()) {
    for (const char* name : {"CMakeCache.txt", "meson-info/meson-info.json"})
      if (fs::exists(root / folder / name, ignored)) return (folder / name).generic_string();
    if (folder.empty()) return "";
  }
}

// Google Benchmark says in a name where a benchmark asked for another time.
bool states_cpu_time(const std::string& name) {
  return name.find("/real_time") == std::string::npos && name.find("/manual_time") == std::string::npos;
}

std::optional<DetectedBinary> ask(const fs::path& root, const std::string& path) {
  measure::InvocationSpec spec;
  spec.root = root;
  spec.binary.path = path;
  spec.timeout_s = kListSecondsMax;
  const auto start = std::chrono::steady_clock::now();
  auto outcome = measure::list_benchmarks(spec);
  const bool failed_soon = std::chrono::steady_clock::now() - start < kFailedSoon;
  const bool is_nvbench = outcome.flags.harness == measure::Harness::kNvbench;
  // Some read their data before they look at their arguments, relative to the folder that they are built in.
  if (!is_nvbench && !outcome.names && !outcome.stopped && failed_soon) {
    spec.binary.directory = fs::path(path).parent_path().generic_string();
    if (auto there = measure::list_benchmarks(spec); there.names && !there.names->empty())
      outcome = std::move(there);
  }
  if (!is_nvbench && outcome.names && outcome.names->empty()) return {};
  return DetectedBinary{.path = path,
                        .names = outcome.names.value_or(std::vector<std::string>{}),
                        .directory = outcome.names ? spec.binary.directory : "",
                        .is_silent = !is_nvbench && !outcome.names,
                        .is_cuda = is_nvbench || file_holds(root / path, kCudaMarks),
                        .has_cpu_time = std::ranges::any_of(outcome.lines, states_cpu_time),
                        .build_file = build_file_of(root, path)};
}

}  // namespace

std::vector<DetectedBinary> detect_binaries(const fs::path& root) {
  std::vector<std::string> paths;
  const auto look_at = [&](const fs::path& path) {
    const std::string name = path_below(root, path);
    const bool is_others =
        name.find("/benchmark/test/") != std::string::npos || name.starts_with("bazel-bin/external/");
    if (!is_others && is_program(path) && file_holds(path, kBenchmarkMarks)) paths.push_back(name);
    return true;
  };
  for_each_file_below(root, look_at);
  std::error_code ignored;
  if (fs::is_symlink(root / "bazel-bin", ignored)) for_each_file_below(root / "bazel-bin", look_at);
  std::ranges::sort(paths, natural_less);
  std::vector<DetectedBinary> found;
  for (const auto& path : paths)
    if (auto binary = ask(root, path)) found.push_back(std::move(*binary));
  return found;
}

std::vector<DetectedBinary> detect_named_binaries(const fs::path& root,
                                                  const std::vector<std::string>& paths) {
  std::vector<DetectedBinary> found;
  std::error_code ignored;
  for (const auto& path : paths) {
    if (!fs::is_regular_file(root / path, ignored))
      throw Error(ExitCode::kUsage, "no file " + in_quotes(path), "build it first, or name another one");
    if ((fs::status(root / path, ignored).permissions() & fs::perms::owner_exec) == fs::perms::none)
      throw Error(ExitCode::kUsage, in_quotes(path) + " is no program",
                  "name the benchmark binary that the build makes");
    auto binary = ask(root, path);
    found.push_back(binary ? *binary
                           : DetectedBinary{.path = path,
                                            .is_cuda = file_holds(root / path, kCudaMarks),
                                            .build_file = build_file_of(root, path)});
  }
  return found;
}

std::vector<std::string> benchmark_sources(const fs::path& root) {
  constexpr std::size_t kSourcesMax = 4;
  static const std::set<std::string> endings{".cc", ".cpp", ".cxx", ".cu", ".c++", ".C"};
  std::vector<std::string> sources;
  for_each_file_below(root, [&](const fs::path& path) {
    if (endings.contains(path.extension().string()) && holds(text_of_file(path), kIncludes))
      sources.push_back(path_below(root, path));
    return sources.size() < kSourcesMax;
  });
  std::ranges::sort(sources, natural_less);
  return sources;
}

void for_each_file_below(const fs::path& root, const std::function<bool(const fs::path&)>& act) {
  constexpr std::size_t kEntriesMax = 300'000;
  // They hold what others wrote, or what build systems try out.
  static const std::set<std::string> left_out{
      ".git",  ".hg",    "node_modules", "_deps",           "CMakeFiles", "venv",
      ".venv", ".cache", ".tox",         "vcpkg_installed", ".terraform", "__pycache__"};
  std::error_code failure;
  fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, failure);
  for (std::size_t count = 0; !failure && entry != fs::recursive_directory_iterator() && count < kEntriesMax;
       ++count, entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      if (left_out.contains(entry->path().filename().string())) entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored) && !act(entry->path())) {
      return;
    }
  }
}

std::string path_below(const fs::path& root, const fs::path& path) {
  return path.lexically_relative(root).generic_string();
}

std::string text_of_file(const fs::path& path) {
  constexpr std::uintmax_t kTextBytesMax = 4u << 20;
  std::error_code failure;
  const auto size = fs::file_size(path, failure);
  if (failure || size > kTextBytesMax) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tracker::project
