// A connection to a PostgreSQL server: statements with parameters, in transactions; and the tables there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tracker::postgres {

// What a server refused, or that it could not be reached: for this module. Whoever uses the store gets an
// Error.
class Failure : public std::runtime_error {
 public:
  Failure(const std::string& message, std::string state, bool lost, bool may_pass = true)
      : std::runtime_error(message), state_(std::move(state)), lost_(lost), may_pass_(may_pass) {}

  // SQLSTATE, five characters; empty where the server did not answer.
  const std::string& state() const { return state_; }
  // The connection is gone, or there never was one: what was under way may have been done or not.
  bool is_lost() const { return lost_; }
  // The server may come back: it is starting, stopping, or does not answer. Not where it let nobody in.
  bool may_pass() const { return may_pass_; }
  // Another transaction was in the way: the same again may do.
  bool is_conflict() const { return state_ == "40001" || state_ == "40P01"; }
  // Another transaction held what was needed for longer than a transaction waits.
  bool is_held_up() const { return state_ == "55P03"; }

 private:
  std::string state_;
  bool lost_;
  bool may_pass_;
};

// The values of one statement's $1, $2, …, sent beside its text and never within it.
class PostgresValues {
 public:
  PostgresValues& text(std::string_view value);
  PostgresValues& bytes(std::string_view value);  // bytea
  PostgresValues& big(std::int64_t value);        // bigint
  PostgresValues& small(std::int16_t value);      // smallint
  // bytea[], bigint[] and smallint[] of one dimension.
  PostgresValues& bytes_list(const std::vector<std::string_view>& values);
  PostgresValues& big_list(const std::vector<std::int64_t>& values);
  PostgresValues& small_list(const std::vector<std::int16_t>& values);

 private:
  friend class Connection;
  PostgresValues& value(unsigned type, std::string bytes);
  std::vector<unsigned> types_;
  std::vector<std::string> values_;
};

struct Answer;  // libpq's result

class Rows {
 public:
  explicit Rows(std::shared_ptr<const Answer> answer) : answer_(std::move(answer)) {}
  int size() const;
  std::int64_t changed() const;                       // rows that an INSERT or UPDATE touched
  std::string_view bytes(int row, int column) const;  // text and bytea; valid as long as this is
  std::int64_t number(int row, int column) const;     // smallint, integer, bigint
 private:
  std::shared_ptr<const Answer> answer_;
};

class Connection {
 public:
  // Not connected yet. kUsage where libpq cannot read the URL, without a word of what it says.
  explicit Connection(std::string url);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Without password and options: "postgresql://ada@db.example:5433/perf".
  const std::string& name() const { return name_; }
  // "the server at db.example:5433"
  const std::string& server() const { return server_; }
  // As the server knows the user; empty before the first connection.
  const std::string& user() const { return user_; }

  bool is_open() const;
  // Connects, where it is not connected. Failure.
  void open();
  void close();

  // One statement. Failure.
  Rows run(const char* statement, const PostgresValues& values = {});
  // Several of our own statements, without values.
  void run_script(const char* statements);
  // The same statement with each of these, sent without waiting for the answers; `visit` gets them in order.
  void run_each(const char* statement, const std::vector<PostgresValues>& values,
                const std::function<void(std::size_t index, const Rows&)>& visit);
  // Commits where `work` answers true; else, and where it throws, nothing of it stays. Waits five seconds for
  // another transaction, then fails (is_held_up).
  bool transaction(const std::function<bool()>& work);

 private:
  Rows take(void* result);
  Failure failure(void* result) const;

  struct Handle;
  std::string url_;
  std::string name_;
  std::string server_;
  std::string user_;
  std::unique_ptr<Handle> handle_;
};

// The tables of a store in PostgreSQL, the functions that write them, and the roles that use both
// (schema.cpp).

// What this tracker reads and writes. One more for each change of the tables.
int newest_schema();

// The schema that the database has; 0 where it has none. Failure.
int schema_of(Connection& connection);

// Brings the tables up to the newest schema, in one transaction, and lets the roles use them: tracker_reader
// reads, tracker_recorder also adds, tracker_dropper also drops; none changes or removes what is recorded.
// `with_roles` makes the roles where they are not there. What the database had before; kEnvironment where
// that is newer than this tracker.
int bring_up_to_date(Connection& connection, bool with_roles);

// Documents as a database keeps them: compressed by Zstandard, with a checksum.

std::string pack_text(std::string_view text);

// The text of `size_bytes` bytes. kEnvironment, naming `where`, for what is damaged or of another size.
std::string unpack_text(std::string_view packed, std::size_t size_bytes, const std::string& where);

}  // namespace tracker::postgres
