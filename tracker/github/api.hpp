// The REST interface of GitHub or GitLab: the token stays with its server, failures are repeated where that
// is safe, limits are waited for, and what the service says against a request is said to the user.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tracker/base/error.hpp"

namespace tracker::github {

// One HTTP request and its answer, through libcurl. Nothing is followed, repeated or understood here.

struct HttpRequest {
  std::string method;
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
};

struct HttpAnswer {
  int status = 0;                              // 0: none came
  std::map<std::string, std::string> headers;  // names in lower case; of equal ones the last
  std::string body;
  // Where none came:
  std::string failure;    // why, in words
  bool was_sent = false;  // the request, or a part of it: the server may have acted on it
  bool may_pass = false;  // trying again may help

  // The header's value; empty where there is none.
  std::string header(const std::string& name) const;
};

// The limits of one request: the time to connect, the time in all, and the size of the answer. Beyond them it
// fails.
struct HttpLimits {
  std::chrono::milliseconds connecting{10'000};
  std::chrono::milliseconds whole{30'000};
  std::size_t body_bytes_max = 32u << 20;
};

class HttpClient {
 public:
  explicit HttpClient(HttpLimits limits = {});

  // Never throws for what the network or the server does. The proxy is the environment's (https_proxy, …).
  HttpAnswer send(const HttpRequest& request);

 private:
  HttpLimits limits_;
  std::unique_ptr<void, void (*)(void*)> easy_;  // libcurl's handle
};

// "https://api.github.com:443": scheme, host and port in lower case; empty for what is no http(s) address or
// has a user in it.
std::string origin_of(const std::string& url);

// Whether what goes there cannot be read on the way: https, or this machine.
bool is_private(const std::string& origin);

// Posts JSON to a webhook, whose address is a secret. Why it could not, without the address; empty where it
// was taken. Refuses an address that can be read on the way.
std::string post_to_webhook(const std::string& url, const std::string& json);

// What is known after a request that was not answered as hoped.
enum class ApiFailure {
  kRefused,  // the service said no
  kLimited,  // too much was asked, and the wait is longer than there is patience for
  kUnsent,   // it never reached the server
  kUnknown   // the server may have done it, or not
};

class ApiError : public Error {
 public:
  ApiError(ApiFailure failure, int status, const std::string& message, const std::string& hint = {})
      : Error(ExitCode::kEnvironment, message, hint), failure_(failure), status_(status) {}

  ApiFailure failure() const { return failure_; }
  int status() const { return status_; }  // 0: no answer came
  // The token may only read, as of a pull request from a fork.
  bool is_forbidden() const { return status_ == 403 && failure_ == ApiFailure::kRefused; }

 private:
  ApiFailure failure_;
  int status_;
};

// What differs between services that keep pull requests, a row each (github_service(), gitlab_service()).
struct ApiService {
  const char* name;
  const char* url_variable;  // of the environment, that holds the API's address
  const char* default_url;   // where it is not set; empty: it has to be
  const char* status_page;   // where people read how the service is
  std::vector<std::string> headers;
  const char* token_header;    // with the space before the token
  const char* token_variable;  // of the environment
  const char* token_hint;      // how a job gets one
  const char* request;         // "pull request"
  // Comments of a pull request, and one of them; the request that changes it.
  std::string (*comments)(const std::string& repository, int request);
  std::string (*comment)(const std::string& repository, int request, std::int64_t id);
  const char* change_method;
  const char* author;  // the member that holds who wrote it, and in it the login's
  const char* login;
  std::size_t comment_length_max;  // code points
};

// The two rows.
const ApiService& github_service();
const ApiService& gitlab_service();

struct ApiOptions {
  const ApiService* service = &github_service();
  std::string url;                             // "https://api.github.com"
  std::string token;                           // empty: as a stranger
  std::chrono::milliseconds patience{60'000};  // all pauses together
  HttpLimits limits;
  std::function<void(std::chrono::milliseconds)> pause;        // empty: sleeps
  std::function<std::chrono::system_clock::time_point()> now;  // empty: the system's clock
  std::function<void(const std::string&)> note;                // hears why it waits; may be empty
};

// The names and values behind the "?" of an address. Sending escapes them.
using Query = std::vector<std::pair<std::string, std::string>>;

class ServiceApi {
 public:
  explicit ServiceApi(ApiOptions options);

  // `path` begins with '/'. All of them throw ApiError alone.
  nlohmann::json get(const std::string& path, const Query& query = {});
  // The first such item of a list, which may have many pages.
  std::optional<nlohmann::json> find(const std::string& path, Query query,
                                     const std::function<bool(const nlohmann::json&)>& is_it);
  // Not repeated once it may have been done (ApiFailure::kUnknown): look, before trying again.
  nlohmann::json post(const std::string& path, const nlohmann::json& body);
  nlohmann::json send(const std::string& method, const std::string& path, const nlohmann::json& body);

  const ApiService& service() const { return *options_.service; }

  // After a POST that failed for the so manieth time: whether to look if it was done, and else to try again.
  // Pauses before. False where that would not help, or there is no patience for it.
  bool may_look_again(const ApiError& error, int tries);

 private:
  bool wait(std::chrono::milliseconds length, const std::string& why);
  HttpAnswer call(const std::string& method, const std::string& path, std::string url,
                  const std::string& body);
  HttpAnswer follow(HttpRequest request, const std::string& what);
  nlohmann::json read(const HttpAnswer& answer, const std::string& what) const;
  ApiError refusal(const HttpAnswer& answer, const std::string& what) const;
  std::string hidden(const std::string& text) const;

  ApiOptions options_;
  std::string origin_;
  HttpClient client_;
};

// Of an answer's field; empty where there is none, or no text in it.
std::string text_at(const nlohmann::json& object, const char* name);

// The number at an answer's field, 0 or more; none where there is no such.
std::optional<std::int64_t> number_at(const nlohmann::json& object, const char* name);

// The number that the whole of `text` is, in decimal digits; none for anything else.
std::optional<std::int64_t> whole_number(std::string_view text);

// The address of the page that a Link header calls "next"; empty where there is none.
std::string next_page(const std::string& link_header);

}  // namespace tracker::github
