#include "tracker/postgres/connection.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <set>

#include <libpq-fe.h>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/postgres/postgres_store.hpp"

namespace tracker::postgres {
// The functions of libpq that are used here, loaded when the first of them is: `pq().exec()` is PQexec().
// Those of its pipeline are null before libpq 14.
struct PqLibrary {
  SharedLibrary library{TRACKER_PQ_FILE, "PostgreSQL", {"libpq5", "libpq"}};

  decltype(&PQclear) clear = library["PQclear"];
  decltype(&PQcmdTuples) cmd_tuples = library["PQcmdTuples"];
  decltype(&PQconnectdbParams) connectdb_params = library["PQconnectdbParams"];
  decltype(&PQconninfoFree) conninfo_free = library["PQconninfoFree"];
  decltype(&PQconninfoParse) conninfo_parse = library["PQconninfoParse"];
  decltype(&PQenterPipelineMode) enter_pipeline_mode = library.find("PQenterPipelineMode");
  decltype(&PQerrorMessage) error_message = library["PQerrorMessage"];
  decltype(&PQexec) exec = library["PQexec"];
  decltype(&PQexecParams) exec_params = library["PQexecParams"];
  decltype(&PQexitPipelineMode) exit_pipeline_mode = library.find("PQexitPipelineMode");
  decltype(&PQfinish) finish = library["PQfinish"];
  decltype(&PQfreemem) freemem = library["PQfreemem"];
  decltype(&PQgetResult) get_result = library["PQgetResult"];
  decltype(&PQgetlength) getlength = library["PQgetlength"];
  decltype(&PQgetvalue) getvalue = library["PQgetvalue"];
  decltype(&PQntuples) ntuples = library["PQntuples"];
  decltype(&PQpingParams) ping_params = library["PQpingParams"];
  decltype(&PQpipelineSync) pipeline_sync = library.find("PQpipelineSync");
  decltype(&PQresultErrorField) result_error_field = library["PQresultErrorField"];
  decltype(&PQresultStatus) result_status = library["PQresultStatus"];
  decltype(&PQsendQueryParams) send_query_params = library["PQsendQueryParams"];
  decltype(&PQsetNoticeProcessor) set_notice_processor = library["PQsetNoticeProcessor"];
  decltype(&PQstatus) status = library["PQstatus"];
  decltype(&PQuser) user = library["PQuser"];
};

const PqLibrary& pq() {
  static const PqLibrary library;
  return library;
}

// libpq's objects, each freed once.
template <auto kFree>
struct PqFree {
  template <class Object>
  void operator()(Object* object) const {
    (pq().*kFree)(object);
  }
};

using PqConnection = std::unique_ptr<PGconn, PqFree<&PqLibrary::finish>>;
using PqResult = std::unique_ptr<PGresult, PqFree<&PqLibrary::clear>>;
using PqOptions = std::unique_ptr<PQconninfoOption, PqFree<&PqLibrary::conninfo_free>>;

struct Answer {
  PqResult result;
};

struct Connection::Handle {
  PqConnection connection;
  std::string password;
};

namespace {

constexpr int kBinary = 1;
constexpr unsigned kByteaType = 17;  // pg_type.dat of PostgreSQL: fixed for all time
constexpr unsigned kBigType = 20;
constexpr unsigned kSmallType = 21;
constexpr unsigned kTextType = 25;
constexpr unsigned kByteaListType = 1001;
constexpr unsigned kSmallListType = 1005;
constexpr unsigned kBigListType = 1016;
constexpr std::size_t kPipelinedMax = 64;

template <class Number>
std::string in_network_order(Number value) {
  const auto bits = static_cast<std::make_unsigned_t<Number>>(value);
  std::string bytes(sizeof(Number), '\0');
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes[i] = static_cast<char>(bits >> (8 * (sizeof(Number) - 1 - i)) & 0xff);
  return bytes;
}

// As array_recv() of PostgreSQL reads it: dimensions, whether there are nulls, the type, length and first
// index.
template <class Values, class Bytes>
std::string in_list(unsigned type, const Values& values, Bytes bytes_of) {
  std::string list = in_network_order(std::int32_t{values.empty() ? 0 : 1}) +
                     in_network_order(std::int32_t{0}) + in_network_order(static_cast<std::int32_t>(type));
  if (!values.empty())
    list += in_network_order(static_cast<std::int32_t>(values.size())) + in_network_order(std::int32_t{1});
  for (const auto& value : values) {
    const auto bytes = bytes_of(value);
    list += in_network_order(static_cast<std::int32_t>(bytes.size()));
    list += bytes;
  }
  return list;
}

PqOptions options_of(const std::string& url) {
  char* why = nullptr;
  PqOptions options(pq().conninfo_parse(url.c_str(), &why));
  pq().freemem(why);  // it quotes the URL, which may hold a password
  return options;
}

std::string option(const PqOptions& options, std::string_view name) {
  for (const PQconninfoOption* at = options.get(); at != nullptr && at->keyword != nullptr; ++at)
    if (name == at->keyword && at->val != nullptr) return at->val;
  return {};
}

// A line of libpq: what it says in several lines, without "ERROR: " before it.
std::string in_one_line(std::string_view text) {
  std::vector<std::string> lines;
  for (const auto& line : split(text, '\n')) {
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    lines.push_back(line.substr(first));
  }
  std::string joined = join(lines, "; ");
  for (const std::string_view word : {"ERROR:  ", "FATAL:  "})
    if (joined.starts_with(word)) joined.erase(0, word.size());
  return printable(joined);
}

// 53300: libpq hands out no code of what ended a connection before it was one, only the words.
bool is_full(std::string_view why) {
  for (const std::string_view words : {"too many clients", "too many connections", "connection slots"})
    if (why.find(words) != std::string_view::npos) return true;
  return false;
}

struct ValueArrays {
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
};

ValueArrays arrays_of(const std::vector<std::string>& values) {
  ValueArrays arrays;
  for (const auto& value : values) {
    arrays.values.push_back(value.data());
    arrays.lengths.push_back(static_cast<int>(value.size()));
    arrays.formats.push_back(kBinary);
  }
  return arrays;
}

// The hosts that have lines of their own in the file of passwords, as libpq finds it. Lines for every host
// are none.
std::set<std::string> hosts_with_passwords() {
  const std::string named = environment_value("PGPASSFILE");
  std::ifstream file(named.empty() ? environment_value("HOME") + "/.pgpass" : named);
  std::set<std::string> hosts;
  for (std::string line; std::getline(file, line);) {
    std::string host;
    for (std::size_t at = 0; at < line.size() && line[at] != ':'; ++at) {
      if (line[at] == '\\' && at + 1 < line.size()) ++at;
      host += line[at];
    }
    if (!line.starts_with('#')) hosts.insert(host);
  }
  return hosts;
}

}  // namespace

bool has_password(const std::string& url) {
  return !option(options_of(url), "password").empty();
}

std::string url_from_repository(const std::string& url) {
  const auto options = options_of(url);
  if (!options) return url;  // which is refused where it is opened
  const std::string host = option(options, "host");
  constexpr std::array<std::string_view, 9> kAllowed{"user",    "password",        "host",
                                                     "port",    "dbname",          "sslmode",
                                                     "service", "connect_timeout", "channel_binding"};
  for (const PQconninfoOption* at = options.get(); at->keyword != nullptr; ++at) {
    if (at->val == nullptr) continue;
    const std::string_view name = at->keyword;
    const bool is_service_of_another = name == "service" && !host.empty();
    if (std::ranges::find(kAllowed, name) == kAllowed.end() || is_service_of_another)
      throw Error(ExitCode::kUsage,
                  "tracker.toml's store sets '" + std::string(name) + "'" +
                      (is_service_of_another ? " beside a host" : "") +
                      ", and anyone who proposes a change could set that",
                  "name the whole URL in the variable TRACKER_STORE_URL");
  }
  ::unsetenv("PGPASSWORD");
  const auto known = hosts_with_passwords();
  const auto hosts = split(host, ',');
  if (host.empty() || std::ranges::all_of(hosts, [&](const std::string& one) { return known.contains(one); }))
    return url;
  // A file that cannot be there: libpq looks for no other one, and says nothing.
  return url + (url.find('?') == std::string::npos ? "?" : "&") + "passfile=%2Fdev%2Fnull%2Fnone";
}

PostgresValues& PostgresValues::value(unsigned type, std::string bytes) {
  types_.push_back(type);
  values_.push_back(std::move(bytes));
  return *this;
}
PostgresValues& PostgresValues::text(std::string_view text) {
  return value(kTextType, std::string(text));
}
PostgresValues& PostgresValues::bytes(std::string_view text) {
  return value(kByteaType, std::string(text));
}
PostgresValues& PostgresValues::big(std::int64_t number) {
  return value(kBigType, in_network_order(number));
}
PostgresValues& PostgresValues::small(std::int16_t number) {
  return value(kSmallType, in_network_order(number));
}

PostgresValues& PostgresValues::bytes_list(const std::vector<std::string_view>& values) {
  return value(kByteaListType, in_list(kByteaType, values, [](std::string_view one) { return one; }));
}
PostgresValues& PostgresValues::big_list(const std::vector<std::int64_t>& values) {
  return value(kBigListType, in_list(kBigType, values, in_network_order<std::int64_t>));
}
PostgresValues& PostgresValues::small_list(const std::vector<std::int16_t>& values) {
  return value(kSmallListType, in_list(kSmallType, values, in_network_order<std::int16_t>));
}

int Rows::size() const {
  return pq().ntuples(answer_->result.get());
}

std::int64_t Rows::changed() const {
  const std::string count = pq().cmd_tuples(const_cast<PGresult*>(answer_->result.get()));
  return count.empty() ? 0 : std::stoll(count);
}

std::string_view Rows::bytes(int row, int column) const {
  const auto* result = answer_->result.get();
  return {pq().getvalue(result, row, column), static_cast<std::size_t>(pq().getlength(result, row, column))};
}

std::int64_t Rows::number(int row, int column) const {
  std::uint64_t value = 0;
  const auto text = bytes(row, column);
  for (const char c : text) value = value << 8 | static_cast<unsigned char>(c);
  if (text.size() < sizeof value && !text.empty() && (text.front() & 0x80) != 0)
    value |= ~std::uint64_t{0} << (8 * text.size());
  return static_cast<std::int64_t>(value);
}

Connection::Connection(std::string url) : url_(std::move(url)), handle_(std::make_unique<Handle>()) {
  const auto options = options_of(url_);
  // libpq takes the login to end at the first '@' or '/', and would call the rest of a password a host.
  const std::string_view before_query = std::string_view(url_).substr(0, url_.find('?'));
  const std::size_t sign = before_query.find('@');
  const std::size_t slash = before_query.find('/', before_query.find("://") + 3);
  const bool is_ambiguous = sign != before_query.npos && (sign != before_query.rfind('@') || sign > slash);
  if (!is_url(url_) || !options || is_ambiguous)
    throw Error(
        ExitCode::kUsage, "the URL of the store is not valid",
        "write it as postgresql://USER@HOST:PORT/DATABASE?sslmode=verify-full; %, @ and / in a name or "
        "password as %25, %40 and %2F");
  handle_->password = option(options, "password");
  const std::string user = option(options, "user");
  const std::string host = option(options, "host");
  const std::string port = option(options, "port");
  const std::string service = option(options, "service");
  const bool is_socket = host.starts_with('/');
  name_ = "postgresql://" + (user.empty() ? "" : user + "@") + (is_socket ? "" : host) +
          (port.empty() ? "" : ":" + port) + "/" + option(options, "dbname");
  if (is_socket) name_ += "?host=" + host;
  if (!service.empty()) name_ += "?service=" + service;
  name_ = printable(name_);
  server_ = printable(!service.empty() ? "the server of service '" + service + "'"
                      : host.empty()   ? std::string("the server")
                                       : "the server at " + host + (port.empty() ? "" : ":" + port));
}

Connection::~Connection() = default;

bool Connection::is_open() const {
  return handle_->connection && pq().status(handle_->connection.get()) == CONNECTION_OK;
}

void Connection::close() {
  handle_->connection.reset();
}

// Options of the URL come after these, and so replace them.
void Connection::open() {
  if (is_open()) return;
  const std::array<std::pair<const char*, const char*>, 8> options = {
      {{"connect_timeout", "8"},
       {"keepalives_idle", "30"},
       {"keepalives_interval", "10"},
       {"keepalives_count", "3"},
       {"tcp_user_timeout", "60000"},
       {"client_encoding", "UTF8"},
       {"dbname", url_.c_str()},
       {"fallback_application_name", "tracker"}}};
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : options) {
    names.push_back(name);
    values.push_back(value);
  }
  const auto ending = [](std::vector<const char*> list, const char* last) {
    list.insert(list.end(), {last, nullptr});
    return list;
  };
  const auto connect = [&] {
    handle_->connection.reset(
        pq().connectdb_params(ending(names, nullptr).data(), ending(values, nullptr).data(), 1));
    return is_open();
  };
  const auto answers = [&] {
    return pq().ping_params(ending(names, "connect_timeout").data(), ending(values, "2").data(), 1) ==
           PQPING_OK;
  };
  if (!connect()) {
    // A server that answers, and lets nobody in, refuses; but it may have begun to answer just now.
    const bool is_refused = !is_full(failure(nullptr).what()) && answers();
    if (!is_refused || !connect()) {
      const auto why = failure(nullptr);
      close();
      throw Failure(why.what(), why.state(), true, !is_refused || is_full(why.what()));
    }
  }
  pq().set_notice_processor(
      handle_->connection.get(), [](void*, const char*) {}, nullptr);
  user_ = pq().user(handle_->connection.get());
}

Failure Connection::failure(void* result) const {
  const auto* answer = static_cast<const PGresult*>(result);
  const char* state = answer != nullptr ? pq().result_error_field(answer, PG_DIAG_SQLSTATE) : nullptr;
  const char* primary =
      answer != nullptr ? pq().result_error_field(answer, PG_DIAG_MESSAGE_PRIMARY) : nullptr;
  std::string text =
      in_one_line(primary != nullptr ? primary : pq().error_message(handle_->connection.get()));
  if (text.empty()) text = "no answer";
  const std::string code = state != nullptr ? state : "";
  // 57P0x: the server is stopped, has crashed or cannot take connections yet.
  return {without_secret(text, handle_->password), code,
          !is_open() || code.empty() || code.starts_with("57P0")};
}

Rows Connection::take(void* result) {
  PqResult owned(static_cast<PGresult*>(result));
  const auto status = owned ? pq().result_status(owned.get()) : PGRES_FATAL_ERROR;
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) throw failure(owned.get());
  return Rows(std::make_shared<const Answer>(Answer{std::move(owned)}));
}

Rows Connection::run(const char* statement, const PostgresValues& values) {
  open();
  const auto arrays = arrays_of(values.values_);
  return take(pq().exec_params(handle_->connection.get(), statement, static_cast<int>(values.values_.size()),
                               values.types_.data(), arrays.values.data(), arrays.lengths.data(),
                               arrays.formats.data(), kBinary));
}

void Connection::run_script(const char* statements) {
  open();
  take(pq().exec(handle_->connection.get(), statements));
}

void Connection::run_each(const char* statement, const std::vector<PostgresValues>& values,
                          const std::function<void(std::size_t, const Rows&)>& visit) {
  if (pq().enter_pipeline_mode == nullptr) {
    for (std::size_t i = 0; i < values.size(); ++i) visit(i, run(statement, values[i]));
    return;
  }
  open();
  PGconn* connection = handle_->connection.get();
  for (std::size_t begin = 0; begin < values.size(); begin += kPipelinedMax) {
    const std::size_t end = std::min(values.size(), begin + kPipelinedMax);
    if (pq().enter_pipeline_mode(connection) == 0) throw failure(nullptr);
    bool sent = true;
    for (std::size_t i = begin; sent && i < end; ++i) {
      const auto arrays = arrays_of(values[i].values_);
      sent = pq().send_query_params(connection, statement, static_cast<int>(arrays.values.size()),
                                    values[i].types_.data(), arrays.values.data(), arrays.lengths.data(),
                                    arrays.formats.data(), kBinary) != 0;
    }
    if (!sent || pq().pipeline_sync(connection) == 0) {
      const auto why = failure(nullptr);
      close();
      throw Failure(why.what(), why.state(), true);
    }
    try {
      for (std::size_t i = begin; i < end; ++i) {
        const auto rows = take(pq().get_result(connection));
        pq().get_result(connection);  // the null that ends each
        visit(i, rows);
      }
    } catch (...) {
      close();  // with answers still on their way
      throw;
    }
    const PqResult end_of_pipeline(pq().get_result(connection));
    if (pq().exit_pipeline_mode(connection) == 0) {
      close();
      throw Failure("answers out of step", "", true);
    }
  }
}

bool Connection::transaction(const std::function<bool()>& work) {
  // A writer that hangs holds up the others no longer than that. One that waits may do so twice: for those
  // before it, and for the one that holds the row.
  run_script("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '60s'; SET LOCAL lock_timeout = '5s'");
  try {
    const bool keep = work();
    run(keep ? "COMMIT" : "ROLLBACK");
    return keep;
  } catch (...) {
    try {
      if (is_open()) run("ROLLBACK");
    } catch (const Failure&) {
      close();
    }
    throw;
  }
}

}  // namespace tracker::postgres
