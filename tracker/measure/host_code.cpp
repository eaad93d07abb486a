#include "tracker/measure/host_code.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/machine_code/digest.hpp"
#include "tracker/machine_code/reachable_code.hpp"
#include "tracker/measure/invoke.hpp"

namespace tracker {
namespace {

constexpr std::uintmax_t kProgramBytesMax = std::uintmax_t{512} << 20;

std::string hash_of(const std::vector<std::string>& parts) {
  Digest digest;
  for (const auto& part : parts) digest.add_counted(part);
  return digest.text();
}

// Nothing of what is too large to be looked into.
ReachableCode reachable_code_of(const BuiltBinary& built, const std::vector<std::string>& names) {
  try {
    const std::string file = read_file(binary_path(built.root, built.binary), kProgramBytesMax);
    return reachable_code({file, built.root.string()}, names);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

HostCode host_code_of(const BuiltBinary& built, std::optional<int> architecture,
                      const std::vector<std::string>& benchmarks, const std::string& inputs) {
  HostCode code;
  const std::string libraries = hash_of_libraries(built, architecture);
  const std::string program = hash_of_program(built, architecture);
  if (libraries.empty() || program.empty()) return code;
  code.program.whole = hash_of({program, inputs});
  const std::string& prefix = built.binary.prefix;
  std::vector<std::string> names;
  for (const auto& benchmark : benchmarks)
    if (benchmark.starts_with(prefix)) names.push_back(benchmark.substr(prefix.size()));
  const auto reachable = reachable_code_of(built, names);
  if (reachable.benchmarks.empty()) return code;
  code.program.around = hash_of({reachable.around, libraries, inputs});
  for (const auto& [name, hash] : reachable.benchmarks) code.benchmarks[prefix + name] = hash;
  return code;
}

}  // namespace tracker
