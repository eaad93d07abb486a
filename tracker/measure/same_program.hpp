// Whether both sides of a comparison would run the same program: the binary, and the libraries that it loads.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/policy.hpp"

namespace tracker::measure {

// One side's build.
struct BuiltBinary {
  std::filesystem::path root;  // its checkout, where it runs
  Binary binary;
};

// Where files lie that belong to no side of a comparison, or to the other one.
struct SharedPlaces {
  std::vector<std::filesystem::path> checkouts;  // the user's; empty: nothing is looked for
  std::filesystem::path git_folder;              // what tracker keeps there is not the user's
  std::filesystem::path worktrees;  // the folder of the worktrees, one of which may be the side's
  // When the first build began and the last one ended: what changed between is made by a build. Later files
  // are made by the benchmarks themselves, as compilers that run in them do.
  std::chrono::system_clock::time_point began = std::chrono::system_clock::time_point::max();
  std::chrono::system_clock::time_point ended = std::chrono::system_clock::time_point::max();
};

struct SharedFile {
  std::filesystem::path path;
  std::string how;         // "loads", "names", "gets by PLUGIN_PATH", "is"
  bool is_folder = false;  // what is read there is not known
};

// The first file of a checkout, or made by a build, that lies outside of the binary's own worktree, and that
// it is, loads, or names in its data, its arguments or a variable that it knows; or else a folder of a
// checkout. Files that a program finds in another way are seen once it runs: shared_mapping().
std::optional<SharedFile> shared_file_of(const BuiltBinary& built, const SharedPlaces& places);

// A file of this kind that the running process has mapped.
std::optional<SharedFile> shared_mapping(int process, const std::filesystem::path& root,
                                         const SharedPlaces& places);

// "loads '…/build/libwork.so', outside of its worktree"
std::string describe(const SharedFile& file);

// Why they are not known to be the same ("'.text' differs"); empty where they are. `architecture` is that of
// the GPU (90 for a compute capability of 9.0); without one, all device code has to be the same. Libraries
// outside of the checkouts are the machine's, and the same for both: shared_file_of() finds those that are
// not. What a program starts or reads once it runs is not seen.
std::string why_not_same_program(const BuiltBinary& base, const BuiltBinary& candidate,
                                 std::optional<int> architecture);

// Whether both are known to load the same libraries: those of the machine, and below their roots those of the
// same paths, whatever these contain.
bool load_alike(const BuiltBinary& base, const BuiltBinary& candidate);

// What compiled it: by its section .comment, or else by what CMake keeps beside it, up to its root. Empty
// where neither tells.
std::string compiler_of(const BuiltBinary& built);

// A hash of what is compared, to be compared with a build that is no longer there: equal ones are the same
// program where both were built in folders of names of one length. Empty where that cannot be told.
std::string hash_of_program(const BuiltBinary& built, std::optional<int> architecture);

// The same of its arguments and what it loads alone, without the program itself.
std::string hash_of_libraries(const BuiltBinary& built, std::optional<int> architecture);

// 90 for "9.0"; empty for what is no compute capability.
std::optional<int> architecture_of(const std::string& compute_capability);

// Of the changed files (paths from the root), those that may be an input of the binary. With `reads`, the
// files that match it. Without, all but what is compiled, builds or documents: sources, build files, texts
// for people, docs/, paths that begin with a dot (.github/), tracker.toml, and the baselines.
std::vector<std::string> possible_inputs(const std::vector<std::string>& changed, const Binary& binary,
                                         const std::string& baselines_directory);

}  // namespace tracker::measure
