#include "tracker/app/store_documents.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/tombstone.hpp"
#include "tracker/history/history_file.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/store/store.hpp"

namespace tracker {
namespace {

CheckedDocument check_document(const Store& store, const StoredFile& file) {
  using State = DocumentState;
  try {
    if (file.what == StoredFile::What::kTombstone)
      return {file.path, State::kDropped, reason_of_tombstone(store.read_file(file.path))};
    if (file.what == StoredFile::What::kOther) return {file.path, State::kOther, "ignored"};
    if (file.is_dropped) return {file.path, State::kDropped, "see the reason beside it"};
    if (!file.is_file) return {file.path, State::kBroken, "no regular file"};
    const std::string text = store.read(file.key);
    const auto unusable = why_unusable(file.key, text);
    if (!unusable) return {file.path, State::kGood, ""};
    if (unusable->is_newer) return {file.path, State::kNewer, "update tracker to read it"};
    return {file.path, State::kBroken, unusable->why};
  } catch (const StoreUnreachable&) {
    throw;
  } catch (const Error& error) {
    return {file.path, State::kBroken, error.what()};
  }
}

StoredKey find_document(const Store& store, const std::string& path_or_id) {
  if (const auto key = key_at(path_or_id)) return *key;
  std::vector<StoredKey> found;
  for (const auto& file : store.files())
    if (file.what == StoredFile::What::kDocument && file.key.id == path_or_id) found.push_back(file.key);
  const std::string quoted = "'" + printable(path_or_id) + "'";
  if (found.empty())
    throw Error(ExitCode::kUsage, "no document " + quoted + " in " + store.describe(),
                "tracker store verify lists their paths");
  if (found.size() > 1)
    throw Error(ExitCode::kUsage, std::to_string(found.size()) + " documents have the id " + quoted,
                "name one by its path: " + path_of(found.front()));
  return found.front();
}

}  // namespace

std::map<DocumentState, std::size_t> check_documents(
    const Store& store, const std::function<void(const CheckedDocument&)>& tell) {
  const HashedReads hashed;
  std::map<DocumentState, std::size_t> counts;
  for (const auto& file : store.files()) {
    const CheckedDocument checked = check_document(store, file);
    if (file.what != StoredFile::What::kTombstone) ++counts[checked.state];
    tell(checked);
  }
  return counts;
}

DroppedDocument drop_document(Store& store, const std::string& path_or_id, const std::string& reason) {
  const StoredKey key = find_document(store, path_or_id);
  const std::string now = format_utc(std::chrono::system_clock::now());
  std::vector<StoredKey> keys{key};
  if (key.kind == DocumentKind::kRun)
    for (const auto& id : document_ids_beside(key.id))
      if (id != key.id) keys.push_back({key.device, key.commit, id, key.kind});
  return {key, store.drop_all(keys, write_tombstone(reason, now))};
}

bool is_dropped_run(const Store& store, const StoredKey& key) {
  const auto there = store.keys_of(key.commit);
  const auto beside = document_ids_beside(key.id);
  return std::none_of(there.begin(), there.end(), [&](const StoredKey& one) {
    return one.device == key.device && std::find(beside.begin(), beside.end(), one.id) != beside.end();
  });
}

CopiedStore export_documents(const Store& store, const std::string& file, std::ostream& out) {
  if (file == "-") return write_history(store, out);
  const std::filesystem::path part = file + ".part";
  std::ofstream written(part, std::ios::binary);
  if (!written)
    throw Error(ExitCode::kEnvironment, "cannot write '" + printable(part.string()) + "'",
                "name a file in a folder that is there");
  const CopiedStore copied = write_history(store, written);
  written.close();
  std::error_code failure;
  std::filesystem::rename(part, file, failure);
  if (failure)
    throw Error(ExitCode::kEnvironment, "cannot write '" + printable(file) + "': " + failure.message());
  return copied;
}

CopiedStore import_documents(Store& store, const std::string& file, std::istream& in) {
  if (file == "-") return read_history(in, file, store);
  std::ifstream read(file, std::ios::binary);
  if (!read || std::filesystem::is_directory(file))
    throw Error(ExitCode::kUsage, "cannot read '" + printable(file) + "'",
                "name a file that tracker store export wrote, or - for standard input");
  return read_history(read, file, store);
}

}  // namespace tracker
