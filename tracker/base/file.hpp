// Whole files, with the limits and the messages that strangers' files need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tracker {

// Fast parsers look at some bytes beyond the end of what they read.
inline constexpr std::size_t kParserPadding = 64;

// The whole of a file of at most `bytes_max`, with capacity for kParserPadding more bytes. kUsage, naming the
// file, for what is missing, a folder, unreadable, empty or larger.
std::string read_file(const std::filesystem::path& path, std::uintmax_t bytes_max);

// Replaces the file in one step: a reader, or a crash, sees the old text or the new. Folders on the way
// are made. kEnvironment, naming the file and the reason, where that fails; nothing is left behind then.
void write_file(const std::filesystem::path& path, const std::string& text);

// A folder of its own, removed with all in it at the end of its life.
class TemporaryDirectory {
 public:
  TemporaryDirectory();  // kEnvironment where none can be made
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void keep() { kept_ = true; }  // for what must outlive a failure

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

}  // namespace tracker
