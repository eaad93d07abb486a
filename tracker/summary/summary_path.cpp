#include "tracker/summary/summary_path.hpp"

#include <string>
#include <system_error>

#include "tracker/summary/packed.hpp"

namespace tracker {

std::filesystem::path summary_path(const Store& store, const std::filesystem::path& folder) {
  return folder / ("summary-" + std::to_string(checksum(store.describe(), 0)) + ".sqlite");
}

std::optional<std::uint64_t> summary_bytes(const std::filesystem::path& file) {
  std::error_code failure;
  std::uint64_t bytes = std::filesystem::file_size(file, failure);
  if (failure) return {};
  std::filesystem::path log = file;
  log += "-wal";
  const std::uint64_t more = std::filesystem::file_size(log, failure);
  return failure ? bytes : bytes + more;
}

}  // namespace tracker
