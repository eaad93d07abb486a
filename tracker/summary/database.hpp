// A file of SQLite, and statements on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tracker::summary {

// The file cannot be used as it is meant to: no room, no permission, locked for too long.
struct Unusable {
  std::string why;
};

// All functions throw Unusable, or Damaged where the file is no database any more.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql);

  // Parameters and columns are counted from 1 and from 0, as in SQL and in C.
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::string_view bytes);  // copied
  // Goes to the next row; at the end the statement is ready for other values.
  bool step();
  // For statements without rows.
  void run();
  // Before the end of the rows.
  void reset();
  std::int64_t whole(int column) const;
  std::string_view bytes(int column) const;  // until the next step

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  // Makes the file and its folder where there is none, and then the tables that are missing.
  Database(const std::filesystem::path& file, const char* tables);
  sqlite3* handle() const { return database_.get(); }
  void run(const char* sql);

 private:
  void keep_a_log();

  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
};

// All or nothing. Another process may write meanwhile, if `writes` is not set; it sees nothing of ours before
// commit().
class Transaction {
 public:
  Transaction(Database& database, bool writes);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

// With all that belongs to it.
void remove_database(const std::filesystem::path& file);

}  // namespace tracker::summary
