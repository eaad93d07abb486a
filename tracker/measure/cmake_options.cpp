#include "tracker/measure/cmake_options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include "tracker/base/text.hpp"
#include "tracker/measure/detection.hpp"

namespace tracker::measure {
namespace {

namespace fs = std::filesystem;

struct CacheEntry {
  std::string type;
  std::string value;
  std::string help;
};

using Cache = std::map<std::string, CacheEntry>;

constexpr std::string_view kByHand = "No help, variable specified on the command line.";

// CMakeCache.txt: "//help", "NAME:TYPE=VALUE"; a value with spaces at its ends is in quotes.
Cache read_cache(const fs::path& path) {
  Cache entries;
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
      entries[line.substr(0, colon)] = {line.substr(colon + 1, equals - colon - 1), value, help};
    }
    help.clear();
  }
  return entries;
}

std::string value_of(const Cache& cache, const std::string& name) {
  const auto found = cache.find(name);
  return found == cache.end() ? "" : found->second.value;
}

std::string changed_case(std::string text, int (*change)(int)) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [&](unsigned char c) { return static_cast<char>(change(c)); });
  return text;
}

bool is_on(const std::string& value) {
  const std::string upper = changed_case(value, std::toupper);
  return upper == "ON" || upper == "1" || upper == "TRUE" || upper == "YES" || upper == "Y";
}

// Reads the arguments of one command of CMake's language; quotes and brackets are taken off.
class ArgumentReader {
 public:
  ArgumentReader(std::string_view text, std::size_t after_parenthesis)
      : text_(text), at_(after_parenthesis) {}

  std::vector<std::string> arguments() {
    std::vector<std::string> found;
    while (skip_space() && text_[at_] != ')' && text_[at_] != '(') found.push_back(next());
    return found;
  }

 private:
  // False at the end of the text.
  bool skip_space() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
        ++at_;
      else
        return true;
    }
    return false;
  }

  std::string next() {
    if (text_[at_] == '"') return quoted();
    if (text_.substr(at_).starts_with("[[")) {
      const std::size_t begin = at_ + 2;
      const std::size_t end = std::min(text_.find("]]", begin), text_.size());
      at_ = std::min(end + 2, text_.size());
      return std::string(text_.substr(begin, end - begin));
    }
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(" \t\r\n()#\"", at_), text_.size());
    if (at_ == begin) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted() {
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_];
    }
    if (at_ < text_.size()) ++at_;
    return value;
  }

  std::string_view text_;
  std::size_t at_;
};

// What the project's files say of variables, by their names.
struct Declarations {
  std::map<std::string, std::vector<std::string>> defaults;  // more than one where they depend on something
  std::map<std::string, std::vector<std::string>> values;    // of variables that are in no cache
};

void add_declaration(const std::string& command, const std::vector<std::string>& arguments,
                     Declarations& declared) {
  if (arguments.size() < 2) return;
  const std::string& name = arguments[0];
  auto& defaults = declared.defaults;
  if (command == "option") {
    defaults[name].push_back(arguments.size() > 2 ? arguments[2] : "OFF");
  } else if (command == "cmake_dependent_option") {
    if (arguments.size() > 2) defaults[name].push_back(arguments[2]);
  } else if (arguments.size() > 3 && arguments[2] == "CACHE" && arguments[3] != "INTERNAL" &&
             arguments.back() != "FORCE") {
    defaults[name].push_back(arguments[1]);
  } else if (arguments.size() == 2) {
    declared.values[name].push_back(arguments[1]);
  }
}

// option(…), cmake_dependent_option(…) and set(… CACHE …) in one file.
void add_declarations(std::string_view text, Declarations& declared) {
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t open = text.find('('); open != std::string_view::npos; open = text.find('(', open + 1)) {
    std::size_t end = open;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
    std::size_t begin = end;
    while (begin > 0 && is_of_name(text[begin - 1])) --begin;
    const std::string command = changed_case(std::string(text.substr(begin, end - begin)), std::tolower);
    if (command == "option" || command == "cmake_dependent_option" || command == "set")
      add_declaration(command, ArgumentReader(text, open + 1).arguments(), declared);
  }
}

Declarations declared_below(const fs::path& root) {
  Declarations declared;
  for_each_file_below(root, [&](const fs::path& path) {
    if (path.filename() == "CMakeLists.txt" || path.extension() == ".cmake")
      add_declarations(text_of_file(path), declared);
    return true;
  });
  return declared;
}

// "${NAME}" → the value of NAME, where the cache has it, or the project sets it once; "$ENV{NAME}" → empty,
// as it usually is. Nothing where what the text becomes is not known.
std::optional<std::string> literal(const std::string& text, const Cache& cache,
                                   const Declarations& declared) {
  if (text.starts_with("$ENV{")) return "";
  if (text.find('$') == std::string::npos) return text;
  if (!text.starts_with("${") || text.find('}') != text.size() - 1) return {};
  const std::string name = text.substr(2, text.size() - 3);
  if (const auto found = cache.find(name); found != cache.end()) return found->second.value;
  const auto set = declared.values.find(name);
  if (set == declared.values.end() || set->second.size() != 1) return {};
  const std::string& value = set->second.front();
  if (value.find('$') != std::string::npos) return {};
  return value;
}

// Whether the entry may be another than the project's own default. A switch may be stated also where it is
// the default; a path or a text whose default is computed may not, as it can name this checkout.
bool differs_from_declared(const CacheEntry& entry, const std::vector<std::string>& defaults,
                           const Cache& cache, const Declarations& declared) {
  const bool is_switch = entry.type == "BOOL";
  return std::any_of(defaults.begin(), defaults.end(), [&](const std::string& text) {
    // What sets the default of a switch often stands in an if().
    const auto value = literal(text, cache, is_switch ? Declarations{} : declared);
    if (!value) return is_switch;
    return is_switch ? is_on(*value) != is_on(entry.value) : *value != entry.value;
  });
}

constexpr std::array<std::string_view, 3> kLanguages{"C", "CXX", "CUDA"};

// CMake looks for cc and c++ first, so that another name was chosen; a compiler given by -D is a STRING.
bool is_chosen_compiler(const std::string& name, const CacheEntry& entry) {
  const std::string file = fs::path(entry.value).filename().string();
  const bool is_given = entry.type == "STRING" || entry.type == "UNINITIALIZED";
  if (name == "CMAKE_C_COMPILER") return is_given || file != "cc";
  if (name == "CMAKE_CXX_COMPILER") return is_given || file != "c++";
  return name == "CMAKE_CUDA_COMPILER" && is_given;
}

// What CMake's manual says that the flags of a build type are, of GCC, Clang and nvcc.
bool are_chosen_flags(const std::string& name, const std::string& value, const std::string& build_type) {
  const std::string type = changed_case(build_type, std::toupper);
  const bool is_usual = value == "-O3 -DNDEBUG" || value == "-O2 -g -DNDEBUG" || value == "-Os -DNDEBUG" ||
                        value == "-O1 -DNDEBUG" || value == "-g";
  return std::any_of(kLanguages.begin(), kLanguages.end(), [&](std::string_view language) {
    const std::string flags = "CMAKE_" + std::string(language) + "_FLAGS";
    return name == flags || (name == flags + "_" + type && !is_usual);
  });
}

bool is_below(const std::string& path, const std::string& folder) {
  const std::string relative = fs::path(path).lexically_relative(folder).generic_string();
  return !relative.empty() && relative != ".." && !relative.starts_with("../");
}

// A package's folder that find_package does not find by itself.
bool is_chosen_package(const std::string& name, const CacheEntry& entry, const fs::path& root,
                       const Cache& cache) {
  if (!name.ends_with("_DIR") ||
      entry.help.find("The directory containing a CMake configuration file") != 0 ||
      entry.value.ends_with("-NOTFOUND"))
    return false;
  std::vector<std::string> searched = split(value_of(cache, "CMAKE_PREFIX_PATH"), ';');
  searched.insert(searched.end(), {"/usr", "/opt", root.string()});
  return std::none_of(searched.begin(), searched.end(), [&](const std::string& folder) {
    return !folder.empty() && is_below(entry.value, folder);
  });
}

// Variables of CMake itself, which no file of the project declares.
bool is_chosen_of_cmake(const std::string& name, const CacheEntry& entry, const std::string& build_type,
                        const fs::path& root, const Cache& cache) {
  static const std::vector<std::string_view> empty_by_default{
      "CMAKE_PREFIX_PATH",         "CMAKE_TOOLCHAIN_FILE",      "CMAKE_EXE_LINKER_FLAGS",
      "CMAKE_SHARED_LINKER_FLAGS", "CMAKE_MODULE_LINKER_FLAGS", "CMAKE_STATIC_LINKER_FLAGS",
      "CMAKE_CUDA_HOST_COMPILER"};
  return std::find(empty_by_default.begin(), empty_by_default.end(), name) != empty_by_default.end() ||
         name.starts_with("FETCHCONTENT_SOURCE_DIR_") || is_chosen_compiler(name, entry) ||
         are_chosen_flags(name, entry.value, build_type) || is_chosen_package(name, entry, root, cache);
}

}  // namespace

CmakeConfiguration read_cmake_configuration(const fs::path& root, const fs::path& path) {
  CmakeConfiguration configuration;
  const Cache cache = read_cache(path);
  const std::string home = value_of(cache, "CMAKE_HOME_DIRECTORY");
  configuration.source = home.empty() ? "." : fs::path(home).lexically_relative(root).generic_string();
  configuration.has_many_types = !value_of(cache, "CMAKE_CONFIGURATION_TYPES").empty();
  auto& arguments = configuration.arguments;
  if (const auto generator = value_of(cache, "CMAKE_GENERATOR"); generator.starts_with("Ninja"))
    arguments.insert(arguments.end(), {"-G", generator});
  std::string type = value_of(cache, "CMAKE_BUILD_TYPE");
  if (type.empty() || type == "Debug") type = "Release";
  if (!configuration.has_many_types) arguments.push_back("-DCMAKE_BUILD_TYPE=" + type);
  const auto declared = declared_below(root);
  for (const auto& [name, entry] : cache) {
    if (name == "CMAKE_BUILD_TYPE" || entry.value.empty() || entry.type == "INTERNAL" ||
        entry.type == "STATIC")
      continue;
    const auto defaults = declared.defaults.find(name);
    if (entry.help == kByHand || is_chosen_of_cmake(name, entry, type, root, cache) ||
        (defaults != declared.defaults.end() &&
         differs_from_declared(entry, defaults->second, cache, declared)))
      arguments.push_back("-D" + name + "=" + entry.value);
  }
  return configuration;
}

}  // namespace tracker::measure
