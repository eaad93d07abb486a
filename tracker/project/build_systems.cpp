// How build folders of CMake, Meson, Bazel and make were configured, read from what these left there.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

#include "tracker/base/text.hpp"
#include "tracker/project/project.hpp"

namespace tracker::project {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
using Commands = std::vector<Words>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string jobs() {
  return std::to_string(std::max(1u, std::thread::hardware_concurrency()));
}

// The arguments of one command of CMake's language, whose opening parenthesis is before the text; quotes and
// brackets are taken off.
Words cmake_arguments(std::string_view text) {
  Words found;
  const auto take = [&](std::size_t length) {
    const auto taken = text.substr(0, length);
    text.remove_prefix(taken.size());
    return taken;
  };
  while (!text.empty() && text.front() != ')' && text.front() != '(') {
    if (text.front() == '#') {
      take(text.find('\n'));
    } else if (std::isspace(static_cast<unsigned char>(text.front())) != 0) {
      take(1);
    } else if (text.starts_with("[[")) {
      take(2);
      found.emplace_back(take(text.find("]]")));
      take(2);
    } else if (text.front() == '"') {
      take(1);
      std::string& value = found.emplace_back();
      while (!text.empty() && text.front() != '"') {
        if (text.front() == '\\' && text.size() > 1) take(1);
        value += take(1);
      }
      take(1);
    } else {
      found.emplace_back(take(text.find_first_of(" \t\r\n()#\"")));
    }
  }
  return found;
}

// What the project's files say of variables, by their names.
struct Declarations {
  std::map<std::string, Words> defaults;  // more than one where they depend on something
  std::map<std::string, Words> values;    // of variables that are in no cache
};

void add_declaration(const std::string& command, const Words& arguments, Declarations& declared) {
  if (arguments.size() < 2) return;
  const std::string& name = arguments[0];
  if (command != "set") {
    if (command == "option" || arguments.size() > 2)
      declared.defaults[name].push_back(arguments.size() > 2 ? arguments[2] : "OFF");
  } else if (arguments.size() > 3 && arguments[2] == "CACHE" && arguments[3] != "INTERNAL" &&
             arguments.back() != "FORCE") {
    declared.defaults[name].push_back(arguments[1]);
  } else if (arguments.size() == 2) {
    declared.values[name].push_back(arguments[1]);
  }
}

// option(…), cmake_dependent_option(…) and set(… CACHE …) in one file.
void add_declarations(std::string_view text, Declarations& declared) {
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t open = text.find('('); open != std::string_view::npos; open = text.find('(', open + 1)) {
    const std::size_t end = text.substr(0, open).find_last_not_of(" \t") + 1;
    std::size_t begin = end;
    while (begin > 0 && is_of_name(text[begin - 1])) --begin;
    const std::string command = lower_case(text.substr(begin, end - begin));
    if (command == "option" || command == "cmake_dependent_option" || command == "set")
      add_declaration(command, cmake_arguments(text.substr(open + 1)), declared);
  }
}

struct CacheEntry {
  std::string type;
  std::string value;
  std::string help;
};

// How CMake configured a build folder: what CMakeCache.txt says, and how that differs from what the project's
// files and CMake's manual say the defaults are.
class CmakeCache {
 public:
  CmakeCache(const fs::path& root, const fs::path& path) : root_(root) {
    read(path);
    for_each_file_below(root, [&](const fs::path& file) {
      if (file.filename() == "CMakeLists.txt" || file.extension() == ".cmake")
        add_declarations(text_of_file(file), declared_);
      return true;
    });
  }

  std::string value_of(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? "" : found->second.value;
  }

  // For `cmake -S … -B …`: the generator, the build type and the options. A debug build becomes a release
  // build; an option is stated where it may differ from its default.
  Words configure_arguments() const {
    Words arguments;
    if (const auto generator = value_of("CMAKE_GENERATOR"); generator.starts_with("Ninja"))
      append(arguments, {"-G", generator});
    std::string type = value_of("CMAKE_BUILD_TYPE");
    if (type.empty() || type == "Debug") type = "Release";
    if (!has_many_types()) arguments.push_back("-DCMAKE_BUILD_TYPE=" + type);
    for (const auto& [name, entry] : entries_)
      if (name != "CMAKE_BUILD_TYPE" && is_stated(name, entry, type))
        arguments.push_back("-D" + name + "=" + entry.value);
    return arguments;
  }

  // Of "Ninja Multi-Config": the build names its type.
  bool has_many_types() const { return !value_of("CMAKE_CONFIGURATION_TYPES").empty(); }

 private:
  // "//help", "NAME:TYPE=VALUE"; a value with spaces at its ends is in quotes.
  void read(const fs::path& path) {
    std::string help;
    for (const auto& line : split(text_of_file(path), '\n')) {
      if (line.starts_with("//")) {
        help += line.substr(2);
        continue;
      }
      const std::size_t colon = line.find(':');
      const std::size_t equals = line.find('=', colon == std::string::npos ? 0 : colon);
      if (!line.starts_with("#") && colon != std::string::npos && equals != std::string::npos) {
        std::string value = line.substr(equals + 1);
        if (value.size() > 1 && value.starts_with('\'') && value.ends_with('\''))
          value = value.substr(1, value.size() - 2);
        entries_[line.substr(0, colon)] = {line.substr(colon + 1, equals - colon - 1), value, help};
      }
      help.clear();
    }
  }

  bool is_stated(const std::string& name, const CacheEntry& entry, const std::string& build_type) const {
    if (entry.value.empty() || entry.type == "INTERNAL" || entry.type == "STATIC") return false;
    return entry.help == "No help, variable specified on the command line." || is_chosen_variable(name) ||
           is_chosen_compiler(name, entry) || are_chosen_flags(name, entry.value, build_type) ||
           is_chosen_package(name, entry) || differs_from_declared(name, entry);
  }

  // Variables of CMake itself, which no file of the project declares, and which are empty by default.
  static bool is_chosen_variable(const std::string& name) {
    static const std::set<std::string_view> empty_by_default{
        "CMAKE_PREFIX_PATH",         "CMAKE_TOOLCHAIN_FILE",      "CMAKE_EXE_LINKER_FLAGS",
        "CMAKE_SHARED_LINKER_FLAGS", "CMAKE_MODULE_LINKER_FLAGS", "CMAKE_STATIC_LINKER_FLAGS",
        "CMAKE_CUDA_HOST_COMPILER"};
    return empty_by_default.contains(name) || name.starts_with("FETCHCONTENT_SOURCE_DIR_");
  }

  // CMake looks for cc and c++ first, so that another name was chosen; a compiler given by -D is a STRING.
  static bool is_chosen_compiler(const std::string& name, const CacheEntry& entry) {
    const std::string file = fs::path(entry.value).filename().string();
    const bool is_given = entry.type == "STRING" || entry.type == "UNINITIALIZED";
    if (name == "CMAKE_C_COMPILER") return is_given || file != "cc";
    if (name == "CMAKE_CXX_COMPILER") return is_given || file != "c++";
    return name == "CMAKE_CUDA_COMPILER" && is_given;
  }

  // What CMake's manual says that the flags of a build type are, of GCC, Clang and nvcc.
  static bool are_chosen_flags(const std::string& name, const std::string& value,
                               const std::string& build_type) {
    static const std::set<std::string_view> usual{"-O3 -DNDEBUG", "-O2 -g -DNDEBUG", "-Os -DNDEBUG",
                                                  "-O1 -DNDEBUG", "-g"};
    for (const std::string language : {"C", "CXX", "CUDA"}) {
      const std::string flags = "CMAKE_" + language + "_FLAGS";
      if (name == flags) return true;
      if (lower_case(name) == lower_case(flags + "_" + build_type)) return !usual.contains(value);
    }
    return false;
  }

  // A package's folder that find_package does not find by itself.
  bool is_chosen_package(const std::string& name, const CacheEntry& entry) const {
    if (!name.ends_with("_DIR") || entry.value.ends_with("-NOTFOUND") ||
        !entry.help.starts_with("The directory containing a CMake configuration file"))
      return false;
    Words searched = split(value_of("CMAKE_PREFIX_PATH"), ';');
    append(searched, {"/usr", "/opt", root_.string()});
    return std::ranges::none_of(searched, [&](const std::string& folder) {
      const std::string relative = folder.empty() ? "" : path_below(folder, entry.value);
      return !relative.empty() && relative != ".." && !relative.starts_with("../");
    });
  }

  // Whether the entry may be another than the project's own default. A switch may be stated also where it is
  // the default; a path or a text whose default is computed may not, as it can name this checkout.
  bool differs_from_declared(const std::string& name, const CacheEntry& entry) const {
    const auto defaults = declared_.defaults.find(name);
    if (defaults == declared_.defaults.end()) return false;
    const bool is_switch = entry.type == "BOOL";
    return std::ranges::any_of(defaults->second, [&](const std::string& text) {
      // What sets the default of a switch often stands in an if().
      const auto value = literal(text, !is_switch);
      if (!value) return is_switch;
      return is_switch ? is_on(*value) != is_on(entry.value) : *value != entry.value;
    });
  }

  static bool is_on(const std::string& value) {
    static const std::set<std::string> on{"on", "1", "true", "yes", "y"};
    return on.contains(lower_case(value));
  }

  // "${NAME}" → the value of NAME, where the cache has it, or (`as_set`) the project sets it once;
  // "$ENV{NAME}" → empty, as it usually is. Nothing where what the text becomes is not known.
  std::optional<std::string> literal(const std::string& text, bool as_set) const {
    if (text.starts_with("$ENV{")) return "";
    if (text.find('$') == std::string::npos) return text;
    if (!text.starts_with("${") || text.find('}') != text.size() - 1) return {};
    const std::string name = text.substr(2, text.size() - 3);
    if (const auto found = entries_.find(name); found != entries_.end()) return found->second.value;
    const auto set = declared_.values.find(name);
    if (!as_set || set == declared_.values.end() || set->second.size() != 1 ||
        set->second.front().find('$') != std::string::npos)
      return {};
    return set->second.front();
  }

  const fs::path& root_;
  std::map<std::string, CacheEntry> entries_;
  Declarations declared_;
};

// Whether the build folder knows a target of this name.
bool has_target(const fs::path& folder, const std::string& name) {
  return text_of_file(folder / "build.ninja").find("\nbuild " + name + ": phony") != std::string::npos ||
         text_of_file(folder / "Makefile").find("\n" + name + ": ") != std::string::npos;
}

// Of a generator that makes several build types, the one that made the binary: a folder of its path.
std::string type_in_path(const fs::path& binary) {
  static const std::set<std::string> types{"Debug", "Release", "RelWithDebInfo", "MinSizeRel"};
  for (const auto& folder : binary.parent_path())
    if (types.contains(folder.string())) return folder.string();
  return "Release";
}

Commands cmake_commands(const fs::path& root, const std::string& build_file, const Words& binaries) {
  const fs::path folder = fs::path(build_file).parent_path();
  const std::string folder_name = folder.empty() ? "." : folder.generic_string();
  const CmakeCache cache(root, root / build_file);
  Words configure{"cmake"};
  const std::string home = cache.value_of("CMAKE_HOME_DIRECTORY");
  if (const auto source = home.empty() ? "." : path_below(root, home); source != ".")
    append(configure, {"-S", source});
  append(configure, {"-B", folder_name});
  append(configure, cache.configure_arguments());
  Words build{"cmake", "--build", folder_name, "--parallel", jobs()};
  if (cache.has_many_types()) append(build, {"--config", type_in_path(binaries.front())});
  Words targets;
  for (const auto& binary : binaries) targets.push_back(fs::path(binary).filename().string());
  if (std::ranges::all_of(targets,
                          [&](const std::string& target) { return has_target(root / folder, target); })) {
    build.emplace_back("--target");
    append(build, targets);
  }
  return {configure, build};
}

// The folder that Meson configured, as meson-info.json has it; empty where that is the root.
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
Words meson_options(const fs::path& folder) {
  std::string build_type = "release";
  Words options;
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

// Meson calls a target by its path below the build folder.
Commands meson_commands(const fs::path& root, const std::string& build_file, const Words& binaries) {
  const fs::path folder = fs::path(build_file).parent_path().parent_path();
  Words configure{"meson", "setup", folder.generic_string()};
  if (const auto source = meson_source(root, build_file); !source.empty()) configure.push_back(source);
  append(configure, meson_options(root / folder));
  Words build{"meson", "compile", "-C", folder.generic_string()};
  const std::string rules = text_of_file(root / folder / "build.ninja");
  Words targets;
  for (const auto& binary : binaries) targets.push_back(path_below(folder, binary));
  if (std::ranges::all_of(targets, [&](const std::string& target) {
        return rules.find("\nbuild " + target + ": ") != std::string::npos;
      }))
    append(build, targets);
  return {configure, build};
}

// "bazel-bin/perf/sets/bench" is "//perf:sets/bench" where perf/ has a BUILD file and perf/sets/ has none.
std::string bazel_label(const fs::path& root, const fs::path& binary) {
  const fs::path target = binary.lexically_relative("bazel-bin");
  fs::path package = target.parent_path();
  std::error_code ignored;
  while (!package.empty() && !fs::is_regular_file(root / package / "BUILD.bazel", ignored) &&
         !fs::is_regular_file(root / package / "BUILD", ignored))
    package = package.parent_path();
  return "//" + package.generic_string() + ":" + path_below(package.empty() ? "." : package, target);
}

Commands bazel_commands(const fs::path& root, const std::string&, const Words& binaries) {
  Words build{"bazel", "build", "--compilation_mode=opt"};
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
Commands make_commands(const fs::path& root, const std::string& build_file, const Words& binaries) {
  const std::string makefile = text_of_file(root / build_file);
  Words command{"make", "-j" + jobs()};
  if (std::ranges::all_of(binaries, [&](const std::string& binary) { return has_rule(makefile, binary); }))
    append(command, binaries);
  return {command};
}

// A build system, by the file that says that it made a binary.
struct BuildSystem {
  std::string_view file;
  Commands (*commands)(const fs::path& root, const std::string& build_file, const Words& binaries);
};

constexpr BuildSystem kBuildSystems[] = {{"CMakeCache.txt", cmake_commands},
                                         {"meson-info.json", meson_commands},
                                         {"MODULE.bazel", bazel_commands},
                                         {"WORKSPACE.bazel", bazel_commands},
                                         {"WORKSPACE", bazel_commands}};

}  // namespace

DetectedBuild detect_build(const fs::path& root, const std::vector<DetectedBinary>& binaries) {
  std::map<std::string, Words> by_file;
  for (const auto& binary : binaries) by_file[binary.build_file].push_back(binary.path);
  DetectedBuild build;
  const auto add = [&](const std::string& file, const Commands& commands) {
    build.commands.insert(build.commands.end(), commands.begin(), commands.end());
    build.from += (build.from.empty() ? "" : " and ") + file;
  };
  for (const auto& [file, paths] : by_file)
    for (const auto& system : kBuildSystems)
      if (fs::path(file).filename() == system.file) add(file, system.commands(root, file, paths));
  // What no build system says that it made, a Makefile at the root may have.
  std::error_code ignored;
  for (const char* name : {"GNUmakefile", "makefile", "Makefile"})
    if (by_file.contains("") && fs::exists(root / name, ignored)) {
      add(name, make_commands(root, name, by_file.at("")));
      break;
    }
  return build;
}

}  // namespace tracker::project
