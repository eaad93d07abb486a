#include "tracker/measure/same_program.hpp"

#include <charconv>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/machine_code/elf.hpp"
#include "tracker/machine_code/program_image.hpp"
#include "tracker/measure/invoke.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kImageBytesMax = std::uintmax_t{2} << 30;
constexpr std::string_view kRuntimeCompiler = "libnvrtc.so";

// Below the root, as seen from there; empty for what lies elsewhere.
std::string below(const fs::path& root, const fs::path& path) {
  std::error_code failed;
  const auto place = fs::weakly_canonical(root / path, failed);
  if (failed) return {};
  const std::string relative = place.lexically_relative(fs::weakly_canonical(root, failed)).string();
  return relative.starts_with("..") ? "" : relative;
}

// "python3 bench.py": a program that is not the repository's, and runs what its arguments name.
bool is_command(const BuiltBinary& built) {
  return below(built.root, binary_path(built.root, built.binary)).empty() && !built.binary.arguments.empty();
}

std::string file_difference(const std::string& base, const fs::path& base_root, const std::string& candidate,
                            const fs::path& candidate_root, std::optional<int> architecture) {
  return program_difference({base, base_root.string()}, {candidate, candidate_root.string()}, architecture);
}

std::string library_difference(const BuiltBinary& base, const fs::path& base_library,
                               const BuiltBinary& candidate, const fs::path& candidate_library,
                               std::optional<int> architecture) {
  const std::string before = below(base.root, base_library);
  const std::string now = below(candidate.root, candidate_library);
  if (before != now)
    return "it loads " + printable(candidate_library.string()) + " instead of " +
           printable(base_library.string());
  if (before.empty())
    return base_library == candidate_library ? ""
                                             : "it loads " + printable(candidate_library.string()) +
                                                   " instead of " + printable(base_library.string());
  const std::string why = file_difference(read_file(base.root / base_library, kImageBytesMax), base.root,
                                          read_file(candidate.root / candidate_library, kImageBytesMax),
                                          candidate.root, architecture);
  return why.empty() ? "" : "its library '" + printable(now) + "': " + why;
}

std::string difference(const BuiltBinary& base, const BuiltBinary& candidate,
                       std::optional<int> architecture) {
  if (is_command(base) || is_command(candidate))
    return "it is a command of the system, and what that runs is not known";
  const std::string base_file = read_file(binary_path(base.root, base.binary), kImageBytesMax);
  const std::string candidate_file = read_file(binary_path(candidate.root, candidate.binary), kImageBytesMax);
  if (!read_elf(ByteView(candidate_file))) return "it is no ELF executable, and what it starts is not known";
  const std::string compiled_by = compiler_of(base);
  if (const std::string now = compiler_of(candidate);
      now != compiled_by && !now.empty() && !compiled_by.empty())
    return "another compiler built it: " + compiled_by + " → " + now;
  const auto why = file_difference(base_file, base.root, candidate_file, candidate.root, architecture);
  if (!why.empty()) return why;
  const auto before = libraries_of(base);
  const auto now = libraries_of(candidate);
  for (const auto* side : {&before, &now})
    if (!side->why_not.empty()) return printable(side->why_not);
  if (before.paths.size() != now.paths.size()) return "it loads other libraries";
  for (std::size_t i = 0; i < now.paths.size(); ++i) {
    if (now.paths[i].filename().string().starts_with(kRuntimeCompiler))
      return "it loads NVRTC, and what that compiles is not known";
    const auto other = library_difference(base, before.paths[i], candidate, now.paths[i], architecture);
    if (!other.empty()) return other;
  }
  return "";
}

// The paths of what a program loads, with the hashes of what lies below its root; nothing where that cannot
// be told.
std::optional<std::string> libraries_in_words(const BuiltBinary& built, std::optional<int> architecture) {
  std::string all;
  const auto libraries = libraries_of(built);
  if (!libraries.why_not.empty()) return {};
  for (const auto& path : libraries.paths) {
    if (path.filename().string().starts_with(kRuntimeCompiler)) return {};
    const std::string inside = below(built.root, path);
    all += "\n" + (inside.empty() ? path.string() : inside);
    if (inside.empty()) continue;
    const std::string hash =
        program_hash({read_file(built.root / path, kImageBytesMax), built.root.string()}, architecture);
    if (hash.empty()) return {};
    all += " " + hash;
  }
  return all;
}

// The hash of the program, and what it loads.
std::string program_and_libraries(const BuiltBinary& built, std::optional<int> architecture) {
  if (is_command(built)) return "";
  const std::string file = read_file(binary_path(built.root, built.binary), kImageBytesMax);
  const std::string hash = program_hash({file, built.root.string()}, architecture);
  const auto libraries = libraries_in_words(built, architecture);
  if (hash.empty() || !libraries) return "";
  return join(built.binary.arguments, "\n") + "\n" + hash + *libraries;
}

bool is_compiled_when_loaded() {
  for (const char* name : {"CUDA_FORCE_PTX_JIT", "CUDA_FORCE_JIT"})
    if (const char* value = std::getenv(name); value != nullptr && std::string_view(value) == "1")
      return true;
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

std::string compiler_of(const BuiltBinary& built) try {
  if (is_command(built)) return "";
  const fs::path path = binary_path(built.root, built.binary);
  const std::string file = read_file(path, kImageBytesMax);
  if (const auto elf = read_elf(ByteView(file)))
    if (std::string words = compiler_of(*elf); !words.empty()) return printable(words);
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
                                 std::optional<int> architecture) {
  if (base.binary.arguments != candidate.binary.arguments) return "its arguments differ";
  if (is_compiled_when_loaded()) architecture.reset();
  try {
    return difference(base, candidate, architecture);
  } catch (const Error& error) {
    return error.what();
  }
}

std::string hash_of_program(const BuiltBinary& built, std::optional<int> architecture) {
  if (is_compiled_when_loaded()) architecture.reset();
  try {
    return program_and_libraries(built, architecture);
  } catch (const Error&) {
    return "";
  }
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

}  // namespace tracker
