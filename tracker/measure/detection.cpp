#include "tracker/measure/detection.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/cmake_options.hpp"
#include "tracker/measure/listing.hpp"

namespace tracker::measure {
namespace {

namespace fs = std::filesystem;

constexpr double kListSecondsMax = 60;                  // some prepare all their data first
constexpr auto kFailedSoon = std::chrono::seconds(10);  // what takes longer found its data

std::string path_below(const fs::path& root, const fs::path& path) {
  return path.lexically_relative(root).generic_string();
}

bool holds(std::string_view bytes, const std::vector<std::string_view>& marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return bytes.find(mark) != std::string_view::npos; });
}

// Whether one of the marks is in the file, read piece by piece: some executables have gigabytes.
bool file_holds(const fs::path& path, const std::vector<std::string_view>& marks) {
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
  return file.read(magic.data(), 4) && magic ==
                                           "\x7f"
                                           "ELF";
}

// The library linked in, or the names of a shared one.
const std::vector<std::string_view>& marks_of_benchmarks() {
  static const std::vector<std::string_view> marks{"benchmark_list_tests", "_ZN9benchmark10Initialize",
                                                   "_ZN9benchmark8internal", "--jsonlist-benches",
                                                   "N7nvbench13option_parser"};
  return marks;
}

// The section by which nvcc registers kernels; the runtime, where they are in a library of the project.
const std::vector<std::string_view>& marks_of_cuda() {
  static const std::vector<std::string_view> marks{".nvFatBinSegment", "libcudart.so."};
  return marks;
}

// Bazel's link to what it built last.
constexpr std::string_view kBazelFolder = "bazel-bin/";
constexpr std::string_view kBazelExternal = "bazel-bin/external/";  // what others wrote

bool is_bazels(const std::string& path) {
  return path.starts_with(kBazelFolder);
}

// The file that makes the root a workspace of Bazel's.
std::string bazel_workspace(const fs::path& root) {
  for (const char* name : {"MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"}) {
    std::error_code ignored;
    if (fs::is_regular_file(root / name, ignored)) return name;
  }
  return "";
}

// The file of the build system in the nearest folder above, that folder with it.
std::string build_file_of(const fs::path& root, const std::string& binary) {
  if (is_bazels(binary)) return bazel_workspace(root);
  for (fs::path folder = fs::path(binary).parent_path();; folder = folder.parent_path()) {
    for (const char* name : {"CMakeCache.txt", "meson-info/meson-info.json"}) {
      std::error_code ignored;
      if (fs::exists(root / folder / name, ignored)) return (folder / name).generic_string();
    }
    if (folder.empty()) return "";
  }
}

// Google Benchmark says in a name where a benchmark asked for another time.
bool states_cpu_time(const std::string& name) {
  return name.find("/real_time") == std::string::npos && name.find("/manual_time") == std::string::npos;
}

std::optional<DetectedBinary> ask(const fs::path& root, const std::string& path) {
  InvocationSpec spec;
  spec.root = root;
  spec.binary.path = path;
  spec.timeout_s = kListSecondsMax;
  const auto start = std::chrono::steady_clock::now();
  auto outcome = list_benchmarks(spec);
  const bool failed_soon = std::chrono::steady_clock::now() - start < kFailedSoon;
  const bool is_nvbench = outcome.flags.harness == Harness::kNvbench;
  // Some read their data before they look at their arguments, relative to the folder that they are built in.
  if (!is_nvbench && !outcome.names && !outcome.stopped && failed_soon) {
    spec.binary.directory = fs::path(path).parent_path().generic_string();
    if (auto there = list_benchmarks(spec); there.names && !there.names->empty()) outcome = std::move(there);
  }
  if (!is_nvbench && outcome.names && outcome.names->empty()) return {};
  return DetectedBinary{
      .path = path,
      .names = outcome.names.value_or(std::vector<std::string>{}),
      .directory = outcome.names ? spec.binary.directory : "",
      .is_silent = !is_nvbench && !outcome.names,
      .is_cuda = is_nvbench || file_holds(root / path, marks_of_cuda()),
      .has_cpu_time = std::any_of(outcome.lines.begin(), outcome.lines.end(), states_cpu_time),
      .build_file = build_file_of(root, path)};
}

// Whether the build folder knows a target of this name.
bool has_target(const fs::path& folder, const std::string& name) {
  if (text_of_file(folder / "build.ninja").find("\nbuild " + name + ": phony") != std::string::npos)
    return true;
  return text_of_file(folder / "Makefile").find("\n" + name + ": ") != std::string::npos;
}

std::string jobs() {
  return std::to_string(std::max(1u, std::thread::hardware_concurrency()));
}

// Of a generator that makes several build types, the one that made the binary: a folder of its path.
std::string type_in_path(const fs::path& binary) {
  static const std::set<std::string> types{"Debug", "Release", "RelWithDebInfo", "MinSizeRel"};
  for (const auto& folder : binary.parent_path())
    if (types.count(folder.string()) != 0) return folder.string();
  return "Release";
}

std::vector<std::vector<std::string>> cmake_commands(const fs::path& root, const std::string& build_file,
                                                     const std::vector<std::string>& binaries) {
  const fs::path folder = fs::path(build_file).parent_path();
  const std::string folder_name = folder.empty() ? "." : folder.generic_string();
  const auto configuration = read_cmake_configuration(root, root / build_file);
  std::vector<std::string> configure{"cmake"};
  if (configuration.source != ".") configure.insert(configure.end(), {"-S", configuration.source});
  configure.insert(configure.end(), {"-B", folder_name});
  configure.insert(configure.end(), configuration.arguments.begin(), configuration.arguments.end());
  std::vector<std::string> build{"cmake", "--build", folder_name, "--parallel", jobs()};
  if (configuration.has_many_types) build.insert(build.end(), {"--config", type_in_path(binaries.front())});
  std::vector<std::string> targets;
  for (const auto& binary : binaries) targets.push_back(fs::path(binary).filename().string());
  if (std::all_of(targets.begin(), targets.end(),
                  [&](const std::string& target) { return has_target(root / folder, target); })) {
    build.emplace_back("--target");
    build.insert(build.end(), targets.begin(), targets.end());
  }
  return {configure, build};
}

using Commands = std::vector<std::vector<std::string>>;

// A build system, by the file that says that it made a binary.
struct BuildSystem {
  std::string_view file;
  Commands (*commands)(const fs::path& root, const std::string& build_file,
                       const std::vector<std::string>& binaries);
};

// The folder that Meson configured, as meson-info.json has it.
std::string meson_source(const fs::path& root, const std::string& build_file) {
  constexpr std::string_view kKey = "\"source\"";
  const std::string text = text_of_file(root / build_file);
  const std::size_t key = text.find(kKey);
  if (key == std::string::npos) return "";
  const std::size_t colon = text.find_first_not_of(" \t\n", key + kKey.size());
  const std::size_t quote = colon == std::string::npos ? colon : text.find_first_not_of(" \t\n", colon + 1);
  if (quote == std::string::npos || text[colon] != ':' || text[quote] != '"') return "";
  const std::string below = path_below(root, text.substr(quote + 1, text.find('"', quote + 1) - quote - 1));
  return below == "." ? "" : below;
}

// meson-private/cmd_line.txt: the options that were given by hand, "NAME = VALUE" below "[options]".
std::vector<std::string> meson_options(const fs::path& folder) {
  std::string build_type = "release";
  std::vector<std::string> options;
  std::string section;
  for (const auto& line : split(text_of_file(folder / "meson-private" / "cmd_line.txt"), '\n')) {
    if (line.starts_with("[")) section = line;
    const std::size_t equals = line.find(" = ");
    if (section != "[options]" || equals == std::string::npos) continue;
    const std::string name = line.substr(0, equals);
    const std::string value = line.substr(equals + 3);
    if (name != "buildtype")
      options.push_back("-D" + name + "=" + value);
    else if (value != "debug")
      build_type = value;
  }
  options.insert(options.begin(), "--buildtype=" + build_type);
  return options;
}

// Meson's name of the target that makes this binary: its path below the build folder. Empty where it has no
// such one.
std::string meson_target(const fs::path& root, const fs::path& folder, const std::string& binary) {
  const std::string target = fs::path(binary).lexically_relative(folder).generic_string();
  const bool is_made =
      text_of_file(root / folder / "build.ninja").find("\nbuild " + target + ": ") != std::string::npos;
  return is_made ? target : "";
}

Commands meson_commands(const fs::path& root, const std::string& build_file,
                        const std::vector<std::string>& binaries) {
  const fs::path folder = fs::path(build_file).parent_path().parent_path();
  std::vector<std::string> configure{"meson", "setup", folder.generic_string()};
  if (const auto source = meson_source(root, build_file); !source.empty()) configure.push_back(source);
  const auto options = meson_options(root / folder);
  configure.insert(configure.end(), options.begin(), options.end());
  std::vector<std::string> build{"meson", "compile", "-C", folder.generic_string()};
  std::vector<std::string> targets;
  for (const auto& binary : binaries) targets.push_back(meson_target(root, folder, binary));
  if (std::none_of(targets.begin(), targets.end(), [](const std::string& target) { return target.empty(); }))
    build.insert(build.end(), targets.begin(), targets.end());
  return {configure, build};
}

// "bazel-bin/perf/sets/bench" is "//perf:sets/bench" where perf/ has a BUILD file and perf/sets/ has none.
std::string bazel_label(const fs::path& root, const std::string& binary) {
  const fs::path target = binary.substr(kBazelFolder.size());
  fs::path package = target.parent_path();
  std::error_code ignored;
  while (!package.empty() && !fs::is_regular_file(root / package / "BUILD.bazel", ignored) &&
         !fs::is_regular_file(root / package / "BUILD", ignored))
    package = package.parent_path();
  return "//" + package.generic_string() + ":" +
         target.lexically_relative(package.empty() ? "." : package).generic_string();
}

Commands bazel_commands(const fs::path& root, const std::string&, const std::vector<std::string>& binaries) {
  std::vector<std::string> build{"bazel", "build", "--compilation_mode=opt"};
  for (const auto& binary : binaries) build.push_back(bazel_label(root, binary));
  return {build, {"bazel", "shutdown"}};  // it keeps a server for each checkout otherwise
}

// Whether a Makefile says by this very name how a file is made.
bool has_rule(const std::string& makefile, const std::string& name) {
  for (const auto& line : split(makefile, '\n')) {
    if (!line.starts_with(name)) continue;
    const std::size_t behind = line.find_first_not_of(' ', name.size());
    if (behind != std::string::npos && line[behind] == ':' && line.compare(behind, 2, ":=") != 0) return true;
  }
  return false;
}

// The default target of a Makefile need not make benchmarks: those that have a rule of their own are named.
std::vector<std::string> make_command(const std::string& makefile, const std::vector<std::string>& binaries) {
  std::vector<std::string> command{"make", "-j" + jobs()};
  if (std::all_of(binaries.begin(), binaries.end(),
                  [&](const std::string& binary) { return has_rule(makefile, binary); }))
    command.insert(command.end(), binaries.begin(), binaries.end());
  return command;
}

constexpr BuildSystem kBuildSystems[] = {{"CMakeCache.txt", cmake_commands},
                                         {"meson-info.json", meson_commands},
                                         {"MODULE.bazel", bazel_commands},
                                         {"WORKSPACE.bazel", bazel_commands},
                                         {"WORKSPACE", bazel_commands}};

}  // namespace

std::vector<DetectedBinary> detect_binaries(const fs::path& root) {
  std::vector<std::string> paths;
  const auto look_at = [&](const fs::path& path) {
    const std::string name = path_below(root, path);
    const bool is_others =
        name.find("/benchmark/test/") != std::string::npos || name.starts_with(kBazelExternal);
    if (!is_others && is_program(path) && file_holds(path, marks_of_benchmarks())) paths.push_back(name);
    return true;
  };
  for_each_file_below(root, look_at);
  std::error_code ignored;
  if (fs::is_symlink(root / "bazel-bin", ignored)) for_each_file_below(root / "bazel-bin", look_at);
  std::sort(paths.begin(), paths.end(), natural_less);
  std::vector<DetectedBinary> found;
  for (const auto& path : paths)
    if (auto binary = ask(root, path)) found.push_back(std::move(*binary));
  return found;
}

std::vector<DetectedBinary> detect_named_binaries(const fs::path& root,
                                                  const std::vector<std::string>& paths) {
  std::vector<DetectedBinary> found;
  for (const auto& path : paths) {
    std::error_code ignored;
    if (!fs::is_regular_file(root / path, ignored))
      throw Error(ExitCode::kUsage, "no file " + in_quotes(path), "build it first, or name another one");
    if ((fs::status(root / path, ignored).permissions() & fs::perms::owner_exec) == fs::perms::none)
      throw Error(ExitCode::kUsage, in_quotes(path) + " is no program",
                  "name the benchmark binary that the build makes");
    auto binary = ask(root, path);
    found.push_back(binary ? *binary
                           : DetectedBinary{.path = path,
                                            .is_cuda = file_holds(root / path, marks_of_cuda()),
                                            .build_file = build_file_of(root, path)});
  }
  return found;
}

DetectedBuild detect_build(const fs::path& root, const std::vector<DetectedBinary>& binaries) {
  DetectedBuild build;
  std::map<std::string, std::vector<std::string>> by_file;
  for (const auto& binary : binaries) by_file[binary.build_file].push_back(binary.path);
  std::vector<std::string> from;
  for (const auto& [file, paths] : by_file)
    for (const auto& system : kBuildSystems) {
      if (fs::path(file).filename() != system.file) continue;
      const auto commands = system.commands(root, file, paths);
      build.commands.insert(build.commands.end(), commands.begin(), commands.end());
      from.push_back(file);
    }
  std::error_code ignored;
  for (const char* name : {"GNUmakefile", "makefile", "Makefile"})
    if (by_file.count("") != 0 && fs::exists(root / name, ignored)) {
      build.commands.push_back(make_command(text_of_file(root / name), by_file.at("")));
      from.emplace_back(name);
      break;
    }
  build.from = join(from, " and ");
  return build;
}

std::vector<std::string> benchmark_sources(const fs::path& root) {
  constexpr std::size_t kSourcesMax = 4;
  static const std::set<std::string> endings{".cc", ".cpp", ".cxx", ".cu", ".c++", ".C"};
  std::vector<std::string> sources;
  for_each_file_below(root, [&](const fs::path& path) {
    if (endings.count(path.extension().string()) != 0 &&
        holds(text_of_file(path),
              {"<benchmark/benchmark.h>", "\"benchmark/benchmark.h\"", "<nvbench/nvbench.cuh>"}))
      sources.push_back(path_below(root, path));
    return sources.size() < kSourcesMax;
  });
  std::sort(sources.begin(), sources.end(), natural_less);
  return sources;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntriesMax = 300'000;  // of a tree that is looked through
constexpr std::uintmax_t kTextBytesMax = 4u << 20;

// Folders that hold what others wrote, or what build systems try out.
const std::set<std::string>& folders_left_out() {
  static const std::set<std::string> names{
      ".git",  ".hg",    "node_modules", "_deps",           "CMakeFiles", "venv",
      ".venv", ".cache", ".tox",         "vcpkg_installed", ".terraform", "__pycache__"};
  return names;
}

}  // namespace

void for_each_file_below(const fs::path& root, const std::function<bool(const fs::path&)>& act) {
  std::error_code failure;
  fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, failure);
  for (std::size_t count = 0; !failure && entry != fs::recursive_directory_iterator() && count < kEntriesMax;
       ++count, entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      if (folders_left_out().count(entry->path().filename().string()) != 0) entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored) && !act(entry->path())) {
      return;
    }
  }
}

std::string text_of_file(const fs::path& path) {
  std::error_code failure;
  const auto size = fs::file_size(path, failure);
  if (failure || size > kTextBytesMax) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tracker::measure
