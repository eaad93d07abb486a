#include "tracker/base/file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <stdlib.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace fs = std::filesystem;

namespace {

std::string size_text(std::uintmax_t bytes) {
  constexpr std::uintmax_t kMib = 1 << 20;
  if (bytes < kMib) return std::to_string(bytes) + " bytes";
  return std::to_string((bytes - 1) / kMib + 1) + " MiB";  // rounded up: never what the limit is
}

std::string too_large(const std::string& name, std::uintmax_t bytes_max) {
  return name + " is larger than " + size_text(bytes_max) + ", and refused";
}

constexpr const char* kTooLargeHint =
    "is it the right file? record fewer benchmarks or repetitions in one file";

}  // namespace

std::string read_file(const fs::path& path, std::uintmax_t bytes_max) {
  const std::string name = in_quotes(path.string());
  std::string text;
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) throw Error(ExitCode::kUsage, "no file " + name);
  if (fs::is_directory(status)) throw Error(ExitCode::kUsage, name + " is a folder, not a file");
  if (fs::is_regular_file(status)) {
    const auto size = fs::file_size(path, failure);
    if (!failure && size > bytes_max)
      throw Error(ExitCode::kUsage, too_large(name, bytes_max) + ": it has " + size_text(size),
                  kTooLargeHint);
    if (!failure) text.reserve(static_cast<std::size_t>(size) + kParserPadding);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string block(1 << 16, '\0');
  while (file && text.size() <= bytes_max) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && text.size() <= bytes_max)
    throw Error(ExitCode::kUsage, "cannot read " + name + ": " + std::strerror(errno));
  if (text.size() > bytes_max) throw Error(ExitCode::kUsage, too_large(name, bytes_max), kTooLargeHint);
  if (text.empty())
    throw Error(ExitCode::kUsage, name + " is empty",
                "was the program that writes it stopped before it ended?");
  text.reserve(text.size() + kParserPadding);
  return text;
}

void write_file(const fs::path& path, const std::string& text) {
  const std::string name = in_quotes(path.string());
  std::error_code failure;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
  if (failure)
    throw Error(ExitCode::kEnvironment, "cannot make the folder of " + name + ": " + failure.message());
  fs::path draft = path;
  draft += "." + std::to_string(::getpid()) + ".tmp";
  errno = 0;
  std::ofstream file(draft, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) failure = std::error_code(errno != 0 ? errno : EIO, std::generic_category());
  if (!failure) fs::rename(draft, path, failure);
  if (!failure) return;
  std::error_code ignored;
  fs::remove(draft, ignored);
  throw Error(ExitCode::kEnvironment, "cannot write " + name + ": " + failure.message(),
              "check the folder's permissions and the free space");
}

TemporaryDirectory::TemporaryDirectory() {
  std::error_code failure;
  std::string pattern = (fs::temp_directory_path(failure) / "tracker-XXXXXX").string();
  if (failure || ::mkdtemp(pattern.data()) == nullptr)
    throw Error(ExitCode::kEnvironment,
                "cannot make a temporary folder: " + std::string(std::strerror(errno)),
                "set TMPDIR to a folder that can be written to");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_, ignored);
}

}  // namespace tracker
