// Where one document lies: <device>/<commit[0:2]>/<commit>/<id>.json, a profile as <id>.profile.json; the
// same in the store's tree and in a folder of exported files.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

enum class DocumentKind { kRun, kProfile };

struct StoredKey {
  std::string device;
  std::string commit;
  std::string id;
  DocumentKind kind = DocumentKind::kRun;
  bool operator==(const StoredKey&) const = default;
};

// kUsage where a part of the key is not fit for a path: device [a-z0-9.-], starting with a letter or a digit;
// commit 40 lower-case hexadecimal digits; id as is_run_id (base/time.hpp).
void require_valid(const StoredKey& key);

// By id, which sorts by time, the newest first; the rest of the key decides between two of one id.
bool is_newer(const StoredKey& a, const StoredKey& b);

std::string path_of(const StoredKey& key);
std::string folder_of(const std::string& device, const std::string& commit);

// The other way; none where it is no such path.
std::optional<StoredKey> key_at(std::string_view path);

// Beside a document that was dropped: says so, and why. "<id>.dropped.json", "<id>.profile.dropped.json".
std::string tombstone_path_of(const StoredKey& key);
// The document that a tombstone at this path is for; none where it is no such path.
std::optional<StoredKey> dropped_at(std::string_view path);

// What a part of a path may be.
bool is_device(std::string_view text);
bool is_commit_id(std::string_view text);
bool is_fan_out(std::string_view text);

// "run" or "profile"
std::string word_for(DocumentKind kind);

// Why this text is not the document that the key names; empty where it is. The store itself reads no
// documents.
using DocumentCheck = std::function<std::string(const StoredKey& key, std::string_view text)>;

struct KindCounts {
  std::size_t runs = 0;
  std::size_t profiles = 0;
  std::size_t all() const { return runs + profiles; }
  void add(DocumentKind kind) { ++(kind == DocumentKind::kProfile ? profiles : runs); }
};

KindCounts count_kinds(const std::vector<StoredKey>& keys);

// "2 runs and 1 profile"; without what there is none of; "0 runs" where there is nothing.
std::string in_words(const KindCounts& counts);

}  // namespace tracker
