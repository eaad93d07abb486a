#include "tracker/postgres/postgres_store.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <thread>
#include <type_traits>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/postgres/connection.hpp"

namespace tracker::postgres {
namespace {

constexpr std::int16_t kZstandard = 1;
constexpr auto kPatience = std::chrono::seconds(10);
constexpr int kConflictsMax = 100;

// Of a document d.
#define TRACKER_NOT_DROPPED                                                               \
  " AND NOT EXISTS (SELECT 1 FROM tracker.tombstones t WHERE t.repository = d.repository" \
  " AND t.device = d.device AND t.commit_id = d.commit_id AND t.id = d.id AND t.kind = d.kind)"
#define TRACKER_KEY "d.device, d.commit_id, d.id, d.kind"
#define TRACKER_AT_KEY "repository = $1 AND device = $2 AND commit_id = $3 AND id = $4 AND kind = $5"

constexpr const char* kKeys = "SELECT " TRACKER_KEY
                              " FROM tracker.documents d WHERE d.repository = $1"
                              " AND d.kind = $2" TRACKER_NOT_DROPPED;
constexpr const char* kNewest = "SELECT " TRACKER_KEY
                                " FROM tracker.documents d WHERE d.repository = $1"
                                " AND d.device = $2 AND d.kind = 0 AND d.commit_id <> $3" TRACKER_NOT_DROPPED
                                " ORDER BY d.id DESC, d.commit_id DESC LIMIT $4";
constexpr const char* kDevices =
    "SELECT DISTINCT d.device FROM tracker.documents d WHERE d.repository = $1"
    " AND d.kind = 0" TRACKER_NOT_DROPPED " ORDER BY d.device";
constexpr const char* kCount =
    "SELECT count(*) FROM tracker.documents d WHERE d.repository = $1"
    " AND d.kind = 0" TRACKER_NOT_DROPPED;
constexpr const char* kDocument =
    "SELECT size_bytes, encoding, body FROM tracker.documents WHERE " TRACKER_AT_KEY;
constexpr const char* kTombstone = "SELECT body FROM tracker.tombstones WHERE " TRACKER_AT_KEY;
constexpr const char* kFiles =
    "SELECT device, commit_id, id, kind, 0::smallint FROM tracker.documents WHERE repository = $1"
    " UNION ALL "
    "SELECT device, commit_id, id, kind, 1::smallint FROM tracker.tombstones WHERE repository = $1";
constexpr const char* kSizes =
    "SELECT count(*) FILTER (WHERE kind = 0), count(*) FILTER (WHERE kind <> 0),"
    " coalesce(sum(size_bytes) FILTER (WHERE kind = 0), 0)::bigint,"
    " coalesce(sum(size_bytes) FILTER (WHERE kind <> 0), 0)::bigint,"
    " coalesce(sum(length(body)), 0)::bigint FROM tracker.documents WHERE repository = $1";
constexpr const char* kVersion = "SELECT identity, version FROM tracker.histories WHERE repository = $1";
// One statement, so that all of it is of one moment. Rows of 2: the version; 1: added; 0: dropped.
constexpr const char* kChanges =
    "SELECT ''::bytea, ''::bytea, ''::bytea, 0::smallint, 2::smallint, version, identity"
    " FROM tracker.histories WHERE repository = $1"
    " UNION ALL "
    "SELECT " TRACKER_KEY
    ", 1::smallint, 0::bigint, '' FROM tracker.documents d"
    " WHERE d.repository = $1 AND d.added_at > $2" TRACKER_NOT_DROPPED
    " UNION ALL "
    "SELECT " TRACKER_KEY
    ", 0::smallint, 0::bigint, '' FROM tracker.tombstones x JOIN tracker.documents d"
    " ON x.repository = d.repository AND x.device = d.device AND x.commit_id = d.commit_id AND x.id = d.id"
    " AND x.kind = d.kind WHERE x.repository = $1 AND x.added_at > $2 AND d.added_at <= $2";
constexpr const char* kAddDocuments = "SELECT tracker.add_documents($1, $2, $3, $4, $5, $6, $7, $8)";
constexpr const char* kDropDocuments = "SELECT tracker.drop_documents($1, $2, $3, $4, $5, $6)";
// What one call of a function adds: a message of the protocol has less than 1 GiB.
constexpr std::size_t kAddedBytesMax = 64u << 20;

#undef TRACKER_NOT_DROPPED
#undef TRACKER_KEY
#undef TRACKER_AT_KEY

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string hex_of_bytes(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

std::int16_t number_of(store::DocumentKind kind) {
  return kind == store::DocumentKind::kProfile ? 1 : 0;
}

// None for what is no key: someone else wrote it.
std::optional<store::Key> key_in(const Rows& rows, int row) {
  store::Key key{std::string(rows.bytes(row, 0)), hex_of_bytes(rows.bytes(row, 1)),
                 std::string(rows.bytes(row, 2)),
                 rows.number(row, 3) == 1 ? store::DocumentKind::kProfile : store::DocumentKind::kRun};
  return store::key_at(store::path_of(key)) == key ? std::optional(std::move(key)) : std::nullopt;
}

std::vector<store::Key> keys_of_rows(const Rows& rows) {
  std::vector<store::Key> keys;
  for (int row = 0; row < rows.size(); ++row)
    if (auto key = key_in(rows, row)) keys.push_back(std::move(*key));
  return keys;
}

Error no_tables(const Connection& connection) {
  return {ExitCode::kEnvironment, "the database " + connection.name() + " has no tables of tracker",
          "make them, as a user who may: tracker --store " + connection.name() + " store prepare"};
}

// What a server's refusal means to whoever uses the store.
Error error_of(const Connection& connection, const Failure& failure, const std::string& doing) {
  const std::string why = std::string(": ") + failure.what();
  const std::string cannot = "cannot " + doing + " " + connection.name();
  const std::string& state = failure.state();
  if (failure.is_lost())
    return {ExitCode::kEnvironment,
            "cannot reach " + connection.server() + " for the store " + connection.name() + why,
            why.find("password") != std::string::npos
                ? "put the password into ~/.pgpass (docs/store.md), and try again"
                : "see that it runs and that this machine and user may connect to it, and try again"};
  if (state == "42501")
    return {ExitCode::kEnvironment,
            "user " + in_quotes(connection.user()) + " may not " + doing + " " + connection.name() + why,
            "ask the database's owner for the role tracker_reader to read, tracker_recorder to record, "
            "tracker_dropper to drop: GRANT tracker_recorder TO …"};
  if (failure.is_held_up())
    return {
        ExitCode::kEnvironment,
        cannot + ": another session has been in the middle of a step for seconds, and nothing was changed",
        "try again; who it is: SELECT pid, usename, xact_start FROM pg_stat_activity WHERE state = "
        "'idle in transaction', and the database's owner may end it by pg_terminate_backend(pid)"};
  if (state == "42P01" || state == "3F000") return no_tables(connection);
  return {ExitCode::kEnvironment, cannot + why,
          state == "25006" ? "it is a copy that only reads: name the server that is written to"
                           : "see the server's log; nothing was changed"};
}

void require_schema(Connection& connection) {
  const int schema = schema_of(connection);
  if (schema == newest_schema()) return;
  if (schema == 0) throw store::Unreachable(no_tables(connection));
  const bool is_newer = schema > newest_schema();
  throw store::Unreachable(
      {ExitCode::kEnvironment,
       "the tables of " + connection.name() + " have schema " + std::to_string(schema) +
           ", and this tracker uses " + std::to_string(newest_schema()),
       is_newer ? "update tracker" : "tracker --store " + connection.name() + " store prepare"});
}

std::string version_text_of(std::string_view identity, std::int64_t step) {
  return step == 0 ? "" : std::string(identity) + ":" + std::to_string(step);
}

// "<identity>:<step>"; step 0 for the empty text, none for what is no version.
std::optional<std::int64_t> step_of(const std::string& version) {
  if (version.empty()) return 0;
  const auto colon = version.find(':');
  if (colon == std::string::npos) return {};
  const std::string digits = version.substr(colon + 1);
  if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
    return {};
  return std::stoll(digits);
}

class PostgresStore final : public store::Store {
 public:
  PostgresStore(const std::string& url, std::function<std::string()> repository)
      : connection_(url), ask_repository_(std::move(repository)) {}

  // The same again changes nothing, so that all of it can be repeated where the end of a transaction was not
  // heard. Where another writer adds one of them after it was looked for, the function says so (is_conflict).
  void add(const std::vector<std::pair<store::Key, std::string>>& documents) override {
    std::vector<PackedDocument> packed;
    const auto valid = store::check_new(documents);
    for (const auto& [path, document] : valid)
      packed.push_back({&document.first, document.second, pack_text(document.second)});
    if (packed.empty()) return;
    std::vector<const PackedDocument*> all;
    for (const auto& document : packed) all.push_back(&document);
    using_connection("record in", [&] {
      const auto missing = missing_of(all);
      return !missing.empty() && connection_.transaction([&] {
        insert(missing);
        return true;
      });
    });
  }

  // A step that is taken back.
  void require_writable() override {
    using_connection("record in", [&] {
      return connection_.transaction([&] {
        insert({});
        return false;
      });
    });
  }

  std::vector<store::Key> find(const store::KeyFilter& which) const override {
    if (which.commit && !store::is_commit_id(*which.commit)) return {};
    return using_connection("read", [&] {
      std::string statement = kKeys;
      auto values = at_repository().small(number_of(which.kind));
      if (which.device) {
        statement += " AND d.device = $3";
        values.bytes(*which.device);
      }
      if (which.commit) {
        statement += which.device ? " AND d.commit_id = $4" : " AND d.commit_id = $3";
        values.bytes(bytes_of_hex(*which.commit));
      }
      statement += " ORDER BY d.device, d.commit_id, d.id";
      return keys_of_rows(connection_.run(statement.c_str(), values));
    });
  }

  std::vector<store::Key> newest(const std::string& device, std::size_t count_max,
                                 const std::string& except_commit) const override {
    return using_connection("read", [&] {
      return keys_of_rows(connection_.run(
          kNewest, at_repository()
                       .bytes(device)
                       .bytes(store::is_commit_id(except_commit) ? bytes_of_hex(except_commit) : "")
                       .big(static_cast<std::int64_t>(count_max))));
    });
  }

  std::vector<std::string> devices() const override {
    return using_connection("read", [&] {
      const auto rows = connection_.run(kDevices, at_repository());
      std::vector<std::string> devices;
      for (int row = 0; row < rows.size(); ++row)
        if (store::is_device(rows.bytes(row, 0))) devices.emplace_back(rows.bytes(row, 0));
      return devices;
    });
  }

  std::size_t run_count() const override {
    return using_connection("read", [&] {
      return static_cast<std::size_t>(connection_.run(kCount, at_repository()).number(0, 0));
    });
  }

  std::string read(const store::Key& key) const override {
    store::require_valid(key);
    return using_connection("read", [&] {
      const auto rows = connection_.run(kDocument, at_key(key));
      if (rows.size() == 0)
        throw Error(ExitCode::kEnvironment, "there is no " + where(store::named(key)),
                    "tracker log lists the runs there are");
      return text_in(rows, where(store::named(key)));
    });
  }

  std::vector<store::StoredFile> files() const override {
    return using_connection("read", [&] {
      const auto rows = connection_.run(kFiles, at_repository());
      std::map<std::string, store::StoredFile> files;  // by path
      std::vector<store::Key> dropped;
      for (int row = 0; row < rows.size(); ++row) {
        const auto key = key_in(rows, row);
        if (!key) continue;
        const bool is_tombstone = rows.number(row, 4) == 1;
        const std::string path = is_tombstone ? store::tombstone_path_of(*key) : store::path_of(*key);
        files[path] = {
            .path = path,
            .what = is_tombstone ? store::StoredFile::What::kTombstone : store::StoredFile::What::kDocument,
            .key = *key};
        if (is_tombstone) dropped.push_back(*key);
      }
      for (const auto& key : dropped)
        if (const auto found = files.find(store::path_of(key)); found != files.end())
          found->second.is_dropped = true;
      std::vector<store::StoredFile> list;
      for (auto& [path, file] : files) list.push_back(std::move(file));
      return list;
    });
  }

  std::string read_file(const std::string& path) const override {
    if (const auto key = store::key_at(path)) return read(*key);
    const auto dropped = store::dropped_at(path);
    return using_connection("read", [&] {
      const std::string what = where(in_quotes(path));
      if (dropped) {
        const auto rows = connection_.run(kTombstone, at_key(*dropped));
        if (rows.size() == 1) return std::string(rows.bytes(0, 0));
      }
      throw Error(ExitCode::kEnvironment, "there is no " + what, "tracker log lists the runs there are");
    });
  }

  // In one transaction. A document whose tombstone was there before is left as it is.
  bool replace(const std::vector<store::Replacement>& replacements) override {
    std::vector<PackedDocument> packed;
    std::vector<const store::Key*> keys;
    std::vector<std::string_view> tombstones;
    for (const auto& [key, tombstone, by, text] : replacements) {
      store::require_valid(key);
      if (by) store::require_valid(*by);
      packed.push_back(by ? PackedDocument{&*by, text, pack_text(text)} : PackedDocument{});
      keys.push_back(&key);
      tombstones.emplace_back(tombstone);
    }
    if (keys.empty()) return false;
    bool was_lost = false;  // then ours may be there already
    const auto is_ours = [&](const store::Replacement& one) {
      return read_file(store::tombstone_path_of(one.key)) == one.tombstone;
    };
    return using_connection(replacements.front().by ? "replace documents of" : "drop documents of", [&] {
      try {
        return connection_.transaction([&] {
          const auto places = add_tombstones(keys, tombstones);
          std::vector<const PackedDocument*> added;
          for (const std::size_t place : places)
            if (packed[place].key != nullptr) added.push_back(&packed[place]);
          const auto missing = missing_of(added);
          if (!missing.empty()) insert(missing);
          return !places.empty();
        }) || (was_lost && std::ranges::any_of(replacements, is_ours));
      } catch (const Failure& failure) {
        was_lost = was_lost || failure.is_lost();
        throw;
      }
    });
  }

  std::string version() const override {
    return using_connection("read", [&] {
      const auto rows = connection_.run(kVersion, at_repository());
      return rows.size() == 0 ? std::string() : version_text_of(rows.bytes(0, 0), rows.number(0, 1));
    });
  }

  std::optional<store::KeyChanges> changes_since(const std::string& version) const override {
    const auto since = step_of(version);
    if (!since) return {};
    return using_connection("read", [&]() -> std::optional<store::KeyChanges> {
      const auto rows = connection_.run(kChanges, at_repository().big(*since));
      store::KeyChanges changes;
      for (int row = 0; row < rows.size(); ++row) {
        const auto what = rows.number(row, 4);
        if (what == 2) {
          const std::int64_t now = rows.number(row, 5);
          if (!version.empty() && (*since > now || version_text_of(rows.bytes(row, 6), *since) != version))
            return {};
          changes.version = version_text_of(rows.bytes(row, 6), now);
        } else if (auto key = key_in(rows, row)) {
          (what == 1 ? changes.added : changes.dropped).push_back(std::move(*key));
        }
      }
      if (changes.version.empty() && !version.empty()) return {};  // no such history
      for (auto* keys : {&changes.added, &changes.dropped}) std::ranges::sort(*keys, {}, store::path_of);
      return changes;
    });
  }

  std::string describe() const override { return connection_.name(); }
  DocumentSizes sizes() const {
    return using_connection("read", [&] {
      const auto rows = connection_.run(kSizes, at_repository());
      return DocumentSizes{.runs = static_cast<std::size_t>(rows.number(0, 0)),
                           .others = static_cast<std::size_t>(rows.number(0, 1)),
                           .run_bytes = static_cast<std::uint64_t>(rows.number(0, 2)),
                           .other_bytes = static_cast<std::uint64_t>(rows.number(0, 3)),
                           .not_here = 0,
                           .packed_bytes = static_cast<std::uint64_t>(rows.number(0, 4))};
    });
  }

 private:
  // Calls `work` on an open connection to a store of our schema; again where that is safe and may help.
  template <class Work>
  std::invoke_result_t<Work> using_connection(const std::string& doing, Work work) const {
    if (repository_.empty()) repository_ = ask_repository_();
    std::minstd_rand random(std::random_device{}());
    const auto begin = std::chrono::steady_clock::now();
    for (int tries = 1;; ++tries) {
      try {
        if (!connection_.is_open()) {
          connection_.close();
          connection_.open();
          require_schema(connection_);
        }
        return work();
      } catch (const Failure& failure) {
        const bool again = failure.is_lost()
                               ? failure.may_pass() && std::chrono::steady_clock::now() - begin < kPatience
                               : failure.is_conflict() && tries < kConflictsMax;
        if (failure.is_lost()) connection_.close();
        if (!again) throw store::Unreachable(error_of(connection_, failure, doing));
      }
      const int pause_ms_max = std::min(20 * tries, 500);
      std::this_thread::sleep_for(
          std::chrono::milliseconds(std::uniform_int_distribution<>(1, pause_ms_max)(random)));
    }
  }

  PostgresValues at_repository() const { return PostgresValues().text(repository_); }

  PostgresValues at_key(const store::Key& key) const {
    return at_repository()
        .bytes(key.device)
        .bytes(bytes_of_hex(key.commit))
        .bytes(key.id)
        .small(number_of(key.kind));
  }

  struct PackedDocument {
    const store::Key* key = nullptr;
    std::string_view text;
    std::string body;
  };
  PostgresValues at_keys(const std::vector<const store::Key*>& keys) const {
    std::vector<std::string> commits;
    std::vector<std::string_view> devices, commit_ids, ids;
    std::vector<std::int16_t> kinds;
    commits.reserve(keys.size());
    for (const auto* key : keys) {
      commits.push_back(bytes_of_hex(key->commit));
      devices.emplace_back(key->device);
      commit_ids.emplace_back(commits.back());
      ids.emplace_back(key->id);
      kinds.push_back(number_of(key->kind));
    }
    return at_repository().bytes_list(devices).bytes_list(commit_ids).bytes_list(ids).small_list(kinds);
  }

  // Within a transaction, so that all calls are one step for those who read. What is none of them, too, takes
  // a step.
  void insert(const std::vector<const PackedDocument*>& documents) {
    std::size_t at = 0;
    do {
      std::vector<const store::Key*> keys;
      std::vector<std::int64_t> sizes;
      std::vector<std::string_view> bodies;
      for (std::size_t bytes = 0; at < documents.size() && bytes < kAddedBytesMax; ++at) {
        keys.push_back(documents[at]->key);
        sizes.push_back(static_cast<std::int64_t>(documents[at]->text.size()));
        bodies.emplace_back(documents[at]->body);
        bytes += documents[at]->body.size();
      }
      const std::vector<std::int16_t> encodings(keys.size(), kZstandard);
      connection_.run(kAddDocuments, at_keys(keys).big_list(sizes).small_list(encodings).bytes_list(bodies));
    } while (at < documents.size());
  }

  // Which of them had none before.
  std::vector<std::size_t> add_tombstones(const std::vector<const store::Key*>& keys,
                                          const std::vector<std::string_view>& texts) {
    const auto rows = connection_.run(kDropDocuments, at_keys(keys).bytes_list(texts));
    std::vector<std::size_t> places;
    for (int row = 0; row < rows.size(); ++row)
      places.push_back(static_cast<std::size_t>(rows.number(row, 0) - 1));
    return places;
  }

  std::vector<const PackedDocument*> missing_of(const std::vector<const PackedDocument*>& documents) const {
    std::vector<PostgresValues> keys;
    for (const auto* document : documents) keys.push_back(at_key(*document->key));
    std::vector<const PackedDocument*> missing;
    connection_.run_each(kDocument, keys, [&](std::size_t index, const Rows& found) {
      const auto* document = documents[index];
      if (!is_recorded(found, *document->key, document->text)) missing.push_back(document);
    });
    return missing;
  }

  bool is_recorded(const Rows& rows, const store::Key& key, std::string_view text) const {
    if (rows.size() == 0) return false;
    if (text_in(rows, where(store::named(key))) != text) store::refuse_other_text(key);
    return true;
  }

  std::string text_in(const Rows& rows, const std::string& where) const {
    if (rows.number(0, 1) != kZstandard)
      throw Error(ExitCode::kEnvironment, "cannot read " + where + ": a newer tracker packed it",
                  "update tracker");
    return unpack_text(rows.bytes(0, 2), static_cast<std::size_t>(rows.number(0, 0)), where);
  }

  std::string where(const std::string& what) const { return what + " in '" + describe() + "'"; }

  mutable Connection connection_;
  std::function<std::string()> ask_repository_;
  mutable std::string repository_;
};

}  // namespace

bool is_available() {
  return true;
}

std::unique_ptr<store::Store> open_store(const std::string& url, std::function<std::string()> repository) {
  return std::make_unique<PostgresStore>(url, std::move(repository));
}

DocumentSizes document_sizes(const store::Store& store) {
  return dynamic_cast<const PostgresStore&>(store).sizes();
}

PreparedSchema prepare_store(const std::string& url, bool with_roles) {
  Connection connection(url);
  try {
    for (const auto begin = std::chrono::steady_clock::now();;) try {
        connection.open();
        break;
      } catch (const Failure& failure) {
        if (!failure.may_pass() || std::chrono::steady_clock::now() - begin >= kPatience) throw;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
      }
    const int before = bring_up_to_date(connection, with_roles);
    return {before, newest_schema(), connection.name()};
  } catch (const Failure& failure) {
    if (failure.state() == "42501")
      throw Error(ExitCode::kEnvironment,
                  "user " + in_quotes(connection.user()) + " may not prepare " + connection.name() + ": " +
                      failure.what(),
                  "log in as the owner of the database" +
                      std::string(with_roles ? "; making roles takes CREATEROLE as well" : ""));
    throw error_of(connection, failure, "prepare");
  }
}

}  // namespace tracker::postgres
