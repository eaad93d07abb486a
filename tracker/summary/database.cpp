#include "tracker/summary/database.hpp"

#include <sqlite3.h>

#include "tracker/summary/packed.hpp"

namespace tracker::summary {
namespace {

constexpr int kBusyMs = 10'000;

[[noreturn]] void fail(sqlite3* database) {
  const int code = sqlite3_errcode(database) & 0xFF;
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR || code == SQLITE_FORMAT)
    throw Damaged{"the database cannot be read"};
  throw Unusable{sqlite3_errmsg(database)};
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(sqlite3* database, const char* sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK)
    fail(database);
  statement_.reset(statement);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), parameter, value) != SQLITE_OK) fail(database_);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view bytes) {
  if (sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), SQLITE_TRANSIENT) !=
      SQLITE_OK)
    fail(database_);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    fail(database_);
  }
  reset();
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

std::int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::bytes(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string_view()
                          : std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Database::Database(const std::filesystem::path& file, const char* tables) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) throw Unusable{error.message()};
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &database,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) fail(database);
  sqlite3_busy_timeout(database, kBusyMs);
  // What is lost by a power cut is made again: that it is not in order is seen by the checksums.
  run("PRAGMA page_size = 8192");  // of a new file: a row of values takes one or two
  keep_a_log();
  run("PRAGMA synchronous = OFF");
  run("PRAGMA cache_size = -32768");
  run(tables);
}

// SQLite does not wait for a process that makes the same file one with a log at the same moment: both want to
// write what they have begun to read.
void Database::keep_a_log() {
  constexpr int kPauseMs = 10;
  const char* const log = "PRAGMA journal_mode = WAL";
  for (int waited_ms = 0; waited_ms < kBusyMs; waited_ms += kPauseMs) {
    const int code = sqlite3_exec(database_.get(), log, nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    if ((code & 0xFF) != SQLITE_BUSY) break;
    sqlite3_sleep(kPauseMs);
  }
  fail(database_.get());
}

void Database::run(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(database_.get());
}

Transaction::Transaction(Database& database, bool writes) : database_(database) {
  database.run(writes ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (is_open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.run("COMMIT");
  is_open_ = false;
}

void remove_database(const std::filesystem::path& file) {
  std::error_code error;
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + suffix, error);
}

}  // namespace tracker::summary
