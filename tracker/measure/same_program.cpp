#include "tracker/measure/same_program.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/machine_code/elf.hpp"
#include "tracker/machine_code/program_image.hpp"
#include "tracker/measure/invoke.hpp"

namespace tracker::measure {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kImageBytesMax = std::uintmax_t{2} << 30;
constexpr std::string_view kInterpreter = ".interp";
constexpr std::size_t kPathBytesMax = 4096;
// Times of files come from a clock that is behind by up to a tick.
constexpr std::chrono::milliseconds kFileClockLag{10};

// The program that starts this one: the dynamic loader; empty where the file is static, or a library.
std::string interpreter_of(const machine_code::ElfFile& elf) {
  for (const auto& section : elf.sections)
    if (section.name == kInterpreter) return std::string(section.content.text(0).value_or(""));
  return {};
}

// What the dynamic loader finds for a binary.
struct LoadedLibraries {
  std::vector<fs::path> paths;  // in the order of loading
  std::string why_not;          // they are not known
};

// "libm.so.6 => /lib/libm.so.6 (0x…)", "/lib64/ld-linux-x86-64.so.2 (0x…)", "linux-vdso.so.1 (0x…)".
LoadedLibraries parse_libraries(const std::string& listing, const fs::path& folder) {
  LoadedLibraries libraries;
  constexpr std::string_view kArrow = " => ";
  for (std::string line : split(listing, '\n')) {
    line.erase(0, line.find_first_not_of("\t "));
    if (line.find("not found") != std::string::npos) return {{}, "a library is not found: " + line};
    if (const auto arrow = line.find(kArrow); arrow != std::string::npos)
      line.erase(0, arrow + kArrow.size());
    if (const auto address = line.rfind(" (0x"); address != std::string::npos) line.erase(address);
    if (line.find('/') != std::string::npos) libraries.paths.push_back(folder / line);
  }
  return libraries;
}

// Calls `use` with each text that ends with a zero byte in the data that the file is loaded with; with each
// word of a file that is no ELF file, such as a script.
template <class Use>
void for_each_text(const std::string& file, const Use& use) {
  const auto for_each = [&](std::string_view all, std::string_view ends) {
    for (std::size_t from = 0; from < all.size();) {
      const auto end = std::min(all.find_first_of(ends, from), all.size());
      if (end > from && end - from <= kPathBytesMax) use(all.substr(from, end - from));
      from = end + 1;
    }
  };
  const auto elf = machine_code::read_elf(machine_code::ByteView(file));
  if (!elf) return for_each(file, std::string_view("\0 \t\n\"'`$;&|<>(){}:", 18));
  constexpr std::uint32_t kProgramData = 1;
  constexpr std::uint64_t kLoaded = 2;
  constexpr std::uint64_t kInstructions = 4;
  for (const auto& section : elf->sections)
    if (section.type == kProgramData && (section.flags & kLoaded) != 0 &&
        (section.flags & kInstructions) == 0 && section.name != ".nv_fatbin" &&
        !section.name.starts_with(".eh_frame"))
      for_each(section.content.bytes(), std::string_view("\0", 1));
}

// "libwork.so", "plugins/fast.so.2"
bool is_library_name(std::string_view text) {
  const auto suffix = text.rfind(".so");
  return suffix != std::string_view::npos && suffix > 0 &&
         text.find_first_not_of(".0123456789", suffix + 3) == std::string_view::npos &&
         text.find_first_of(std::string_view(" :%\t\n", 5)) == std::string_view::npos;
}

fs::path folder_of(const BuiltBinary& built) {
  return built.root / built.binary.directory;
}

std::string program_of(const BuiltBinary& built) {
  return read_file(binary_path(built.root, built.binary), kImageBytesMax);
}

// What the loader says instead of starting the program, with these libraries loaded before the others.
LoadedLibraries traced(const BuiltBinary& built, const std::set<std::string>& preloaded) {
  InvocationSpec spec;
  spec.root = built.root;
  spec.binary = built.binary;
  ProcessSpec process = process_for(spec, {"--benchmark_list_tests=true"});
  process.environment["LD_TRACE_LOADED_OBJECTS"] = "1";
  if (!preloaded.empty()) {
    const char* own = std::getenv("LD_PRELOAD");
    process.environment["LD_PRELOAD"] =
        (own == nullptr ? "" : own + std::string(":")) + join({preloaded.begin(), preloaded.end()}, ":");
  }
  process.timeout = std::chrono::minutes(1);
  const auto result = run_process(process);
  if (!result.ok()) return {{}, "the loader does not tell which libraries it loads"};
  return parse_libraries(result.output, folder_of(built));
}

bool is_below(const fs::path& folder, const fs::path& path) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const auto found = fs::weakly_canonical(path, failed);
  return failed ? path : found;
}

std::set<std::string> named_libraries(const BuiltBinary& built, const std::vector<fs::path>& loaded) {
  std::set<std::string> names;
  const auto root = resolved(built.root);
  std::vector<fs::path> files{binary_path(built.root, built.binary)};
  for (const auto& path : loaded)
    if (is_below(root, resolved(path))) files.push_back(path);
  for (const auto& path : files)
    for_each_text(read_file(path, kImageBytesMax), [&](std::string_view text) {
      if (is_library_name(text)) names.emplace(text);
    });
  return names;
}

// As glibc's loader resolves them: DT_NEEDED with RPATH, RUNPATH, LD_LIBRARY_PATH, LD_PRELOAD, its cache and
// its default folders, transitively. So are the libraries that the binary, or one of its own libraries, names
// as a text of its data, as dlopen() wants them. The program is not started.
LoadedLibraries libraries_of(const BuiltBinary& built) {
  const std::string file = program_of(built);
  const auto elf = machine_code::read_elf(machine_code::ByteView(file));
  const std::string interpreter = elf ? interpreter_of(*elf) : "";
  if (interpreter.empty()) return {};
  const std::string loader = fs::path(interpreter).filename().string();
  if (!loader.starts_with("ld-linux") && !loader.starts_with("ld64"))
    return {{}, in_quotes(loader) + " does not tell which libraries it loads"};
  auto libraries = traced(built, {});
  if (!libraries.why_not.empty()) return libraries;
  const auto named = named_libraries(built, libraries.paths);
  if (named.empty()) return libraries;
  const auto all = traced(built, named);
  return all.why_not.empty() ? all : libraries;
}

// Which files are a side's own, and which are shared.
class Places {
 public:
  Places(const fs::path& root, SharedPlaces places) : root_(resolved(root)), shared_(std::move(places)) {
    shared_.git_folder = resolved(shared_.git_folder);
    shared_.worktrees = resolved(shared_.worktrees);
    for (auto& checkout : shared_.checkouts) checkout = resolved(checkout);
  }
  bool is_own(const fs::path& path) const {
    const bool is_of_another = is_below(shared_.worktrees, path) && !is_below(shared_.worktrees, root_);
    return is_below(root_, path) && !is_of_another;
  }
  bool is_in_checkout(const fs::path& path) const {
    if (is_own(path)) return false;
    if (is_below(shared_.git_folder, path)) return is_below(shared_.worktrees, path);
    return std::ranges::any_of(shared_.checkouts, [&](const fs::path& one) { return is_below(one, path); });
  }
  bool is_built_elsewhere(const fs::path& path) const {
    if (is_own(path)) return false;
    struct stat known {};
    if (::stat(path.c_str(), &known) != 0) return false;
    const auto changed = std::chrono::system_clock::time_point(
        std::chrono::seconds(known.st_ctim.tv_sec) + std::chrono::microseconds(known.st_ctim.tv_nsec / 1000));
    return changed >= shared_.began - kFileClockLag && changed <= shared_.ended;
  }

 private:
  fs::path root_;
  SharedPlaces shared_;
};

// Goes through all that a binary may load or read, and keeps the first file, or else the first folder.
class Search {
 public:
  Search(const BuiltBinary& built, const SharedPlaces& places) : built_(built), places_(built.root, places) {}

  std::optional<SharedFile> run() {
    const auto program = binary_path(built_.root, built_.binary);
    look_at(program, "is");
    std::vector<fs::path> own{program};
    for (const auto& path : libraries_of(built_).paths) {
      const auto place = resolved(path);
      if (places_.is_in_checkout(place) || places_.is_built_elsewhere(place)) keep({place, "loads"});
      if (places_.is_own(place)) own.push_back(path);
    }
    for (const auto& argument : built_.binary.arguments) look_at_text(argument, "gets");
    for (const auto& path : own) look_into(read_file(path, kImageBytesMax));
    return file_ ? file_ : folder_;
  }

 private:
  void keep(SharedFile file) {
    auto& place = file.is_folder ? folder_ : file_;
    if (!place) place = std::move(file);
  }
  void look_at(const fs::path& named, const std::string& how) {
    const auto path = resolved(folder_of(built_) / named);
    if (!places_.is_in_checkout(path)) return;
    std::error_code missing;
    const auto status = fs::status(path, missing);
    if (fs::is_regular_file(status)) keep({path, how});
    if (fs::is_directory(status)) keep({path, how, true});
  }
  // an absolute path, "--plugin=PATH", "../PATH"
  void look_at_text(std::string_view text, const std::string& how) {
    if (const auto sign = text.find('='); sign != std::string_view::npos) text.remove_prefix(sign + 1);
    if (text.starts_with('/') || text.starts_with("../")) look_at(std::string(text), how);
  }
  void look_into(const std::string& file) {
    static const std::set<std::string, std::less<>> of_the_shell{"PWD", "OLDPWD", "PATH"};
    for_each_text(file, [&](std::string_view text) {
      look_at_text(text, "names");
      if (of_the_shell.count(text) > 0 || text.starts_with("LD_")) return;
      const bool may_be_variable =
          text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789") ==
          std::string_view::npos;
      const char* value = may_be_variable ? std::getenv(std::string(text).c_str()) : nullptr;
      if (value == nullptr) return;
      for (const auto& word : split(value, ':')) look_at_text(word, "gets by " + std::string(text));
    });
  }

  const BuiltBinary& built_;
  Places places_;
  std::optional<SharedFile> file_;
  std::optional<SharedFile> folder_;
};

}  // namespace

std::optional<SharedFile> shared_file_of(const BuiltBinary& built, const SharedPlaces& places) {
  if (places.checkouts.empty()) return {};
  return Search(built, places).run();
}

std::optional<SharedFile> shared_mapping(int process, const fs::path& root, const SharedPlaces& places) {
  if (places.checkouts.empty()) return {};
  const Places where(root, places);
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.find('/');
    if (slash == std::string::npos) continue;
    const fs::path path = line.substr(slash);
    const auto permissions = line.find(' ');
    const bool is_code = line.compare(permissions, 5, " r-xp") == 0;
    if (where.is_in_checkout(path) || (is_code && where.is_built_elsewhere(path)))
      return SharedFile{path, "loads"};
  }
  return {};
}

std::string describe(const SharedFile& file) {
  return file.how + " " + in_quotes(file.path.string()) + ", outside of its worktree";
}

namespace {

constexpr std::string_view kRuntimeCompiler = "libnvrtc.so";

// Below the root, as seen from there; empty for what lies elsewhere.
std::string below(const fs::path& root, const fs::path& path) {
  const fs::path folder = resolved(root);
  const fs::path place = resolved(root / path);
  return is_below(folder, place) ? place.lexically_relative(folder).string() : "";
}

// What both sides call a library that they load: that of both builds has one name.
std::string name_from(const fs::path& root, const fs::path& library) {
  const std::string inside = below(root, library);
  return inside.empty() ? library.string() : inside;
}

// "python3 bench.py": a program that is not the repository's, and runs what its arguments name.
bool is_command(const BuiltBinary& built) {
  return below(built.root, binary_path(built.root, built.binary)).empty() && !built.binary.arguments.empty();
}

bool is_runtime_compiler(const fs::path& library) {
  return library.filename().string().starts_with(kRuntimeCompiler);
}

std::string library_difference(const BuiltBinary& base, const fs::path& base_library,
                               const BuiltBinary& candidate, const fs::path& candidate_library,
                               std::optional<int> architecture) {
  if (name_from(base.root, base_library) != name_from(candidate.root, candidate_library))
    return "it loads " + printable(candidate_library.string()) + " instead of " +
           printable(base_library.string());
  const std::string inside = below(candidate.root, candidate_library);
  if (inside.empty()) return "";
  const std::string before = read_file(base.root / base_library, kImageBytesMax);
  const std::string now = read_file(candidate.root / candidate_library, kImageBytesMax);
  const std::string why = machine_code::program_difference({before, base.root.string()},
                                                           {now, candidate.root.string()}, architecture);
  return why.empty() ? "" : "its library " + in_quotes(inside) + ": " + why;
}

std::string difference(const BuiltBinary& base, const BuiltBinary& candidate,
                       std::optional<int> architecture) {
  if (is_command(base) || is_command(candidate))
    return "it is a command of the system, and what that runs is not known";
  const std::string base_file = program_of(base);
  const std::string candidate_file = program_of(candidate);
  if (!machine_code::read_elf(machine_code::ByteView(candidate_file)))
    return "it is no ELF executable, and what it starts is not known";
  const std::string compiled_by = compiler_of(base);
  if (const std::string now = compiler_of(candidate);
      now != compiled_by && !now.empty() && !compiled_by.empty())
    return "another compiler built it: " + compiled_by + " → " + now;
  const auto why = machine_code::program_difference({base_file, base.root.string()},
                                                    {candidate_file, candidate.root.string()}, architecture);
  if (!why.empty()) return why;
  const auto before = libraries_of(base);
  const auto now = libraries_of(candidate);
  for (const auto* side : {&before, &now})
    if (!side->why_not.empty()) return printable(side->why_not);
  if (before.paths.size() != now.paths.size()) return "it loads other libraries";
  for (std::size_t i = 0; i < now.paths.size(); ++i) {
    if (is_runtime_compiler(now.paths[i])) return "it loads NVRTC, and what that compiles is not known";
    const auto other = library_difference(base, before.paths[i], candidate, now.paths[i], architecture);
    if (!other.empty()) return other;
  }
  return "";
}

// Its arguments, then the paths of what a program loads, with the hashes of what lies below its root; nothing
// where that cannot be told. `program`: the program's own hash.
std::string in_words(const BuiltBinary& built, const std::string& program, std::optional<int> architecture) {
  std::string all = join(built.binary.arguments, "\n") + "\n" + program;
  const auto libraries = libraries_of(built);
  if (!libraries.why_not.empty()) return "";
  for (const auto& path : libraries.paths) {
    if (is_runtime_compiler(path)) return "";
    all += "\n" + name_from(built.root, path);
    if (below(built.root, path).empty()) continue;
    const std::string hash = machine_code::program_hash(
        {read_file(built.root / path, kImageBytesMax), built.root.string()}, architecture);
    if (hash.empty()) return "";
    all += " " + hash;
  }
  return all;
}

// Then the driver compiles all device code anew, whatever there is for this GPU.
bool is_compiled_when_loaded() {
  for (const char* name : {"CUDA_FORCE_PTX_JIT", "CUDA_FORCE_JIT"})
    if (environment_value(name) == "1") return true;
  return false;
}

// "GNU 12.2.0", of CMakeFiles/3.25.1/CMakeCXXCompiler.cmake
std::string compiler_of_cmake(const fs::path& file) {
  constexpr std::uintmax_t kBytesMax = 1u << 20;
  std::string name;
  std::string version;
  for (const auto& line : split(read_file(file, kBytesMax), '\n'))
    for (const auto& [key, value] : {std::pair{"set(CMAKE_CXX_COMPILER_ID \"", &name},
                                     std::pair{"set(CMAKE_CXX_COMPILER_VERSION \"", &version}})
      if (line.starts_with(key)) {
        *value = line.substr(std::string_view(key).size());
        value->erase(std::min(value->find('"'), value->size()));
      }
  return printable(name + (name.empty() || version.empty() ? "" : " ") + version);
}

}  // namespace

bool load_alike(const BuiltBinary& base, const BuiltBinary& candidate) try {
  if (is_command(base) || is_command(candidate)) return false;
  const auto before = libraries_of(base);
  const auto now = libraries_of(candidate);
  return before.why_not.empty() && now.why_not.empty() &&
         std::equal(before.paths.begin(), before.paths.end(), now.paths.begin(), now.paths.end(),
                    [&](const fs::path& a, const fs::path& b) {
                      return name_from(base.root, a) == name_from(candidate.root, b);
                    });
} catch (const Error&) {
  return false;
}

std::string compiler_of(const BuiltBinary& built) try {
  if (is_command(built)) return "";
  const fs::path path = binary_path(built.root, built.binary);
  const std::string file = program_of(built);
  if (const auto elf = machine_code::read_elf(machine_code::ByteView(file)))
    if (std::string words = machine_code::compiler_of(*elf); !words.empty()) return printable(words);
  std::error_code none;
  for (fs::path folder = path.parent_path(); !below(built.root, folder).empty();
       folder = folder.parent_path())
    for (const auto& entry : fs::directory_iterator(folder / "CMakeFiles", none))
      if (const fs::path cmake = entry.path() / "CMakeCXXCompiler.cmake"; fs::exists(cmake, none))
        return compiler_of_cmake(cmake);
  return "";
} catch (const Error&) {
  return "";
}

std::string why_not_same_program(const BuiltBinary& base, const BuiltBinary& candidate,
                                 std::optional<int> architecture) try {
  if (base.binary.arguments != candidate.binary.arguments) return "its arguments differ";
  if (is_compiled_when_loaded()) architecture.reset();
  return difference(base, candidate, architecture);
} catch (const Error& error) {
  return error.what();
}

std::string hash_of_program(const BuiltBinary& built, std::optional<int> architecture) try {
  if (is_command(built)) return "";
  if (is_compiled_when_loaded()) architecture.reset();
  const std::string hash = machine_code::program_hash({program_of(built), built.root.string()}, architecture);
  return hash.empty() ? "" : in_words(built, hash, architecture);
} catch (const Error&) {
  return "";
}

std::string hash_of_libraries(const BuiltBinary& built, std::optional<int> architecture) try {
  if (is_compiled_when_loaded()) architecture.reset();
  return in_words(built, "", architecture);
} catch (const Error&) {
  return "";
}

std::optional<int> architecture_of(const std::string& compute_capability) {
  int major = 0;
  int minor = 0;
  const char* const end = compute_capability.data() + compute_capability.size();
  const auto first = std::from_chars(compute_capability.data(), end, major);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.') return {};
  const auto second = std::from_chars(first.ptr + 1, end, minor);
  if (second.ec != std::errc{} || second.ptr != end || major < 1 || minor < 0 || minor > 9) return {};
  return major * 10 + minor;
}

namespace {

// Patterns of paths that no benchmark is taken to read. '*' stands for any text, with '/' in it.
constexpr const char* kNoInputs[] = {
    // texts for people, and what describes the project
    "*.md", "*.rst", "*.adoc", "docs/*", "doc/*", "README*", "LICENSE*", "COPYING*", "CHANGELOG*", "AUTHORS*",
    "NEWS*", "CONTRIBUTORS*", "NOTICE*", "CODEOWNERS", ".*",
    // compiled: a change is seen in the program
    "*.c", "*.cc", "*.cpp", "*.cxx", "*.c++", "*.h", "*.hh", "*.hpp", "*.hxx", "*.inl", "*.inc", "*.ipp",
    "*.tcc", "*.cu", "*.cuh", "*.s", "*.S", "*.asm", "*.rs", "*.go", "*.f90", "*.zig",
    // builds
    "CMakeLists.txt", "*/CMakeLists.txt", "*.cmake", "CMakePresets.json", "Makefile", "*/Makefile", "*.mk",
    "meson.build", "*/meson.build", "BUILD", "*/BUILD", "*.bazel", "*.bzl", "WORKSPACE", "configure.ac",
    "Makefile.am", "*/Makefile.am", "*.ninja",
    // what people call
    "*.sh", "*.bash", "*.bat", "*.ps1",
    // ours
    "tracker.toml"};

template <typename Patterns>
bool is_like(const Patterns& patterns, const std::string& path) {
  return std::ranges::any_of(patterns, [&](const auto& pattern) { return glob_match(pattern, path); });
}

}  // namespace

std::vector<std::string> possible_inputs(const std::vector<std::string>& changed, const Binary& binary,
                                         const std::string& baselines_directory) {
  std::vector<std::string> inputs;
  for (const auto& path : changed) {
    const bool is_baseline = path.starts_with(baselines_directory + "/");
    const bool may_be_read =
        binary.reads ? is_like(*binary.reads, path) : !is_like(kNoInputs, path) && !is_baseline;
    if (may_be_read) inputs.push_back(path);
  }
  return inputs;
}

}  // namespace tracker::measure
