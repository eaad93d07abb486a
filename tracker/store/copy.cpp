#include "tracker/store/copy.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

void require_same(const Store& from, const Store& to, const std::string& path, std::uint64_t& bytes) {
  const std::string text = from.read_file(path);
  if (to.read_file(path) != text)
    throw Error(
        ExitCode::kEnvironment,
        "'" + printable(path) + "' is another document in " + to.describe() + " than in " + from.describe(),
        "what is recorded is never changed, so someone rewrote one of them: tracker store verify");
  bytes += text.size();
}

}  // namespace

StoreSteps::StoreSteps(Store& to) : to_(to) {
  for (const auto& file : to.files()) there_.insert(file.path);
}

void StoreSteps::add(const StoredKey& key, std::string text) {
  constexpr std::size_t kStepBytes = 32u << 20;
  constexpr std::size_t kStepDocuments = 500;
  (has(path_of(key)) ? already_there_ : added_).add(key.kind);
  bytes_ += text.size();
  waiting_.emplace_back(key, std::move(text));
  if (bytes_ >= kStepBytes || waiting_.size() >= kStepDocuments) flush();
}

void StoreSteps::flush() {
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

  StoreSteps steps(to);
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

}  // namespace tracker
