#include "tracker/measure/disassemble.hpp"

#include <cstdlib>
#include <set>

#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/machine_code/machine_code.hpp"

namespace tracker::measure {
namespace {

bool is_executable_file(const std::filesystem::path& path) {
  using std::filesystem::perms;
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  return !failed && std::filesystem::is_regular_file(status) &&
         (status.permissions() & perms::owner_exec) != perms::none;
}

// Separated by commas.
std::string mangled_names(const std::filesystem::path& binary, const std::string& kernel, int architecture) {
  constexpr std::size_t kBinaryBytesMax = std::size_t{2} << 30;
  std::set<std::string> names;
  for (const auto& function : machine_code::MachineCode(read_file(binary, kBinaryBytesMax)).functions())
    if (function.architecture == architecture && machine_code::kernel_name(function.name) == kernel)
      names.insert(function.name);
  return join({names.begin(), names.end()}, ",");
}

}  // namespace

std::optional<std::filesystem::path> find_cuobjdump() {
  std::vector<std::filesystem::path> folders;
  if (const char* path = std::getenv("PATH"))
    for (const auto& folder : split(path, ':'))
      if (folder.starts_with("/")) folders.emplace_back(folder);
  if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(std::filesystem::path(home) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const auto& folder : folders)
    if (is_executable_file(folder / "cuobjdump")) return folder / "cuobjdump";
  return {};
}

std::string disassemble(const std::filesystem::path& cuobjdump, const std::filesystem::path& binary,
                        const std::string& kernel, int architecture) {
  const std::string functions = mangled_names(binary, kernel, architecture);
  std::string listing;
  for (const char* specific : {"", "a"}) {
    ProcessSpec spec;
    spec.argv = {cuobjdump.string(), "--dump-sass", "--gpu-architecture",
                 "sm_" + std::to_string(architecture) + specific};
    if (!functions.empty()) spec.argv.insert(spec.argv.end(), {"--function", functions});
    spec.argv.push_back(binary.string());
    // It starts nvdisasm, which lies beside it.
    const char* path = std::getenv("PATH");
    spec.environment["PATH"] =
        cuobjdump.parent_path().string() + (path == nullptr ? "" : ":" + std::string(path));
    spec.timeout = std::chrono::minutes(1);
    const auto result = run_process(spec);
    if (result.ok()) listing += result.output;
  }
  return listing;
}

}  // namespace tracker::measure
