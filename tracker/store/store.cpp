#include "tracker/store/store.hpp"

#include <algorithm>
#include <tuple>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker::store {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kNameBytesMax = 200;  // file systems allow 255
constexpr std::size_t kCommitDigits = 40;
constexpr std::size_t kFanOutDigits = 2;

// What a document's id is followed by. An id has no '.', so that no name fits two kinds.
std::string_view suffix_of(DocumentKind kind) {
  return kind == DocumentKind::kProfile ? ".profile.json" : ".json";
}

constexpr std::string_view kEnding = ".json";
constexpr std::string_view kTombstoneEnding = ".dropped.json";

bool is_made_of(std::string_view text, const std::string& allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

bool is_device(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax && text.front() != '.' && text.front() != '-' &&
         is_made_of(text, std::string(kLower).append(kDigits).append(".-"));
}

bool is_commit_id(std::string_view text) {
  return text.size() == kCommitDigits && is_made_of(text, std::string(kDigits) + "abcdef");
}

void require_valid(const Key& key) {
  const struct {
    const char* part;
    const std::string& value;
    bool valid;
    const char* hint;
  } parts[] = {
      {"device", key.device, is_device(key.device), "a device has lower-case letters, digits, '.' and '-'"},
      {"commit", key.commit, is_commit_id(key.commit), "a commit has 40 hexadecimal digits"},
      {"run id", key.id, is_run_id(key.id), "a run id has letters, digits and '-'"},
  };
  for (const auto& [part, value, valid, hint] : parts)
    if (!valid) throw Error(ExitCode::kUsage, std::string(part) + " '" + value + "' is not allowed", hint);
}

bool is_newer(const Key& a, const Key& b) {
  return std::tie(a.id, a.device, a.commit) > std::tie(b.id, b.device, b.commit);
}

std::string folder_of(const std::string& device, const std::string& commit) {
  return device + '/' + commit.substr(0, kFanOutDigits) + '/' + commit;
}

std::string path_of(const Key& key) {
  return folder_of(key.device, key.commit) + '/' + key.id + std::string(suffix_of(key.kind));
}

std::optional<Key> key_at(std::string_view path) {
  const auto parts = split(path, '/');
  if (parts.size() != 4 || !is_device(parts[0]) || !is_commit_id(parts[2]) ||
      parts[1] != parts[2].substr(0, kFanOutDigits))
    return {};
  for (const auto kind : {DocumentKind::kRun, DocumentKind::kProfile}) {
    std::string_view id = parts[3];
    if (!id.ends_with(suffix_of(kind))) continue;
    id.remove_suffix(suffix_of(kind).size());
    if (is_run_id(id)) return Key{parts[0], parts[2], std::string(id), kind};
  }
  return {};
}

std::string tombstone_path_of(const Key& key) {
  std::string path = path_of(key);
  path.resize(path.size() - kEnding.size());
  return path.append(kTombstoneEnding);
}

std::optional<Key> dropped_at(std::string_view path) {
  if (!path.ends_with(kTombstoneEnding)) return {};
  path.remove_suffix(kTombstoneEnding.size());
  return key_at(std::string(path).append(kEnding));
}

std::string word_for(DocumentKind kind) {
  return kind == DocumentKind::kProfile ? "profile" : "run";
}

KindCounts count_kinds(const std::vector<Key>& keys) {
  KindCounts counts;
  for (const auto& key : keys) counts.add(key.kind);
  return counts;
}

std::string in_words(const KindCounts& counts) {
  std::vector<std::string> parts;
  if (counts.runs > 0 || counts.profiles == 0) parts.push_back(count_of(counts.runs, "run"));
  if (counts.profiles > 0) parts.push_back(count_of(counts.profiles, "profile"));
  return join(parts, " and ");
}

std::vector<Key> Store::newest(const std::string& device, std::size_t count_max,
                               const std::string& except_commit) const {
  auto keys = keys_on(device);
  std::erase_if(keys, [&](const Key& key) { return key.commit == except_commit; });
  std::sort(keys.begin(), keys.end(), is_newer);
  keys.resize(std::min(keys.size(), count_max));
  return keys;
}

bool Store::drop_all(const std::vector<Key>& keys, const std::string& tombstone) {
  std::vector<Replacement> dropped;
  for (const auto& key : keys) dropped.push_back({key, tombstone, {}, {}});
  return replace(dropped);
}

void Store::leave_out(const Key& key, const std::string& why, const std::string& remedy) const {
  if (!left_out_paths_.insert(path_of(key)).second) return;
  const std::string drop = "to be rid of it: tracker store drop " + key.id + " --reason TEXT";
  left_out_.push_back({key, why, remedy.empty() ? drop : remedy});
  if (notice_) notice_(left_out_.back());
}

KeyChanges run_changes_from(const Store& store, const std::vector<Key>& known) {
  const auto without = [](std::vector<Key> keys, const std::vector<Key>& others) {
    std::set<std::string> paths;
    for (const auto& key : others) paths.insert(path_of(key));
    std::erase_if(keys, [&](const Key& key) { return paths.contains(path_of(key)); });
    return keys;
  };
  const auto all = store.keys();
  return {.added = without(all, known), .dropped = without(known, all), .version = {}};
}

std::string named(const Key& key) {
  return word_for(key.kind) + " '" + path_of(key) + "'";
}

NewDocuments check_new(const std::vector<std::pair<Key, std::string>>& documents) {
  NewDocuments result;
  for (const auto& [key, text] : documents) {
    require_valid(key);
    if (text.size() > kDocumentBytesMax)
      throw Error(ExitCode::kUsage,
                  "run '" + key.id + "' has " + std::to_string(text.size()) + " bytes, more than " +
                      std::to_string(kDocumentBytesMax),
                  "measure fewer benchmarks in one run");
    const auto [there, added] = result.try_emplace(path_of(key), key, text);
    if (!added && there->second.second != text)
      throw Error(ExitCode::kUsage, named(key) + " is given twice, with different contents",
                  "give each run an id of its own");
  }
  return result;
}

void refuse_other_text(const Key& key) {
  throw Error(ExitCode::kUsage, named(key) + " is already recorded, with other contents",
              "what is recorded is never changed: record it under a new run id");
}

}  // namespace tracker::store
