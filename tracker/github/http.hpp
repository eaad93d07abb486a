// One HTTP request and its answer, through libcurl. Nothing is followed, repeated or understood here.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tracker {

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

struct HttpLimits {
  std::chrono::milliseconds connecting{10'000};
  std::chrono::milliseconds whole{30'000};
  std::size_t body_bytes_max = 32u << 20;
};

class HttpClient {
 public:
  explicit HttpClient(HttpLimits limits = {});
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // Never throws for what the network or the server does. The proxy is the environment's (https_proxy, …).
  HttpAnswer send(const HttpRequest& request);

 private:
  struct Handle;
  HttpLimits limits_;
  std::unique_ptr<Handle> handle_;
};

// "https://api.github.com:443": scheme, host and port in lower case; empty for what is no http(s) address or
// has a user in it.
std::string origin_of(const std::string& url);

// Whether what goes there cannot be read on the way: https, or this machine.
bool is_private(const std::string& origin);

// In lower case, ASCII alone: headers' names, logins and repositories are the same in any.
std::string lower_case(std::string text);

// Posts JSON to a webhook, whose address is a secret. Why it could not, without the address; empty where it
// was taken. Refuses an address that can be read on the way.
std::string post_to_webhook(const std::string& url, const std::string& json, HttpLimits limits = {});

// For a part of a path or of a query.
std::string percent_encoded(const std::string& text);
std::string percent_decoded(const std::string& text);

}  // namespace tracker
