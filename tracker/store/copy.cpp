#include "tracker/store/copy.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker::store {
namespace {

namespace fs = std::filesystem;

constexpr int kFolders = 3;  // device, fan-out, commit

std::string quoted(const fs::path& path) {
  constexpr std::size_t kShownBytesMax = 300;
  const std::string text = path.string();
  return "'" + printable(text.substr(0, kShownBytesMax)) + (text.size() > kShownBytesMax ? "…'" : "'");
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw Error(ExitCode::kUsage, quoted(path) + " " + why,
              "nothing was imported; name a folder as tracker export writes it: "
              "<device>/<commit[0:2]>/<commit>/<id>.json");
}

void require_folder(const fs::path& folder) {
  std::error_code failure;
  const auto status = fs::status(folder, failure);
  if (status.type() == fs::file_type::not_found)
    throw Error(ExitCode::kUsage, "no folder " + quoted(folder), "name one that tracker export wrote");
  if (!fs::is_directory(status)) refuse(folder, "is no folder");
}

void require_same(const Store& from, const Store& to, const std::string& path, std::uint64_t& bytes) {
  const std::string text = from.read_file(path);
  if (to.read_file(path) != text)
    throw Error(ExitCode::kEnvironment,
                in_quotes(path) + " is another document in " + to.describe() + " than in " + from.describe(),
                "what is recorded is never changed, so someone rewrote one of them: tracker store verify");
  bytes += text.size();
}

}  // namespace

Steps::Steps(Store& to) : to_(to) {
  for (const auto& file : to.files()) there_.insert(file.path);
}

void Steps::add(const Key& key, std::string text) {
  constexpr std::size_t kStepBytes = 32u << 20;
  constexpr std::size_t kStepDocuments = 500;
  (has(path_of(key)) ? already_there_ : added_).add(key.kind);
  bytes_ += text.size();
  waiting_.emplace_back(key, std::move(text));
  if (bytes_ >= kStepBytes || waiting_.size() >= kStepDocuments) flush();
}

void Steps::flush() {
  if (!waiting_.empty()) to_.add(waiting_);
  waiting_.clear();
  bytes_ = 0;
}

CopiedStore copy_store(const Store& from, Store& to, CopiedPart part, const CopyProgress& progress) {
  CopiedStore result;
  auto files = from.files();
  if (part == CopiedPart::kNotDropped)
    std::erase_if(files, [](const StoredFile& file) {
      return file.is_dropped || file.what == StoredFile::What::kTombstone;
    });
  std::size_t done = 0;
  const auto step = [&] { progress(++done, 2 * files.size()); };

  Steps steps(to);
  for (const auto& file : files) {
    step();
    if (!file.is_file || file.what == StoredFile::What::kOther) {
      ++result.not_ours;
    } else if (file.what == StoredFile::What::kTombstone) {
      if (!steps.has(file.path) && to.drop(file.key, from.read_file(file.path))) ++result.tombstones;
    } else if (steps.has(file.path)) {
      result.already_there.add(file.key.kind);
    } else {
      steps.add(file.key, from.read(file.key));
    }
  }
  steps.flush();
  result.copied = steps.added();
  for (const auto& file : files) {
    step();
    if (file.is_file && file.what == StoredFile::What::kDocument)
      require_same(from, to, file.path, result.bytes);
    else if (file.is_file && file.what == StoredFile::What::kTombstone)
      to.read_file(file.path);
  }
  return result;
}

std::vector<ExportedFile> find_exported(const fs::path& folder, std::size_t files_max) {
  require_folder(folder);
  std::vector<ExportedFile> files;
  std::error_code failure;
  std::size_t entries = 0;
  fs::recursive_directory_iterator at(folder, failure);  // enters no links
  for (; !failure && at != fs::recursive_directory_iterator(); at.increment(failure)) {
    const fs::path& path = at->path();
    if (++entries > files_max * (kFolders + 1) || files.size() > files_max)
      refuse(folder, "holds more than " + std::to_string(files_max) + " files");
    const auto type = at->symlink_status(failure).type();
    if (failure) break;
    if (type == fs::file_type::directory) {
      if (at.depth() >= kFolders) refuse(path, "is a folder where files are expected");
      continue;
    }
    if (type == fs::file_type::symlink) refuse(path, "is a symbolic link");
    if (type != fs::file_type::regular) refuse(path, "is no regular file");
    auto key = key_at(path.lexically_relative(folder).string());
    if (!key) refuse(path, "is no name of a run or profile");
    files.push_back({path, std::move(*key)});
  }
  if (failure) refuse(folder, "cannot be read: " + failure.message());
  if (files.size() > files_max) refuse(folder, "holds more than " + std::to_string(files_max) + " files");
  if (files.empty()) refuse(folder, "holds no run and no profile");
  std::ranges::sort(files, {}, &ExportedFile::path);
  return files;
}

}  // namespace tracker::store
