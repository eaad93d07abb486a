#include "tracker/github/http.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <curl/curl.h>

#include "tracker/base/error.hpp"
#include "tracker/base/secret.hpp"
#include "tracker/base/shared_library.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// The functions of libcurl that are used here, loaded when the first of them is: `curl().easy_init()` is
// curl_easy_init().
struct CurlLibrary {
  SharedLibrary library{TRACKER_CURL_FILE, "GitHub", {"libcurl4", "libcurl"}};

  decltype(&curl_global_init) global_init = library["curl_global_init"];
  decltype(&curl_slist_append) slist_append = library["curl_slist_append"];
  decltype(&curl_slist_free_all) slist_free_all = library["curl_slist_free_all"];
  decltype(&curl_free) free = library["curl_free"];

  decltype(&curl_easy_init) easy_init = library["curl_easy_init"];
  decltype(&curl_easy_reset) easy_reset = library["curl_easy_reset"];
  decltype(&curl_easy_setopt) easy_setopt = library["curl_easy_setopt"];
  decltype(&curl_easy_perform) easy_perform = library["curl_easy_perform"];
  decltype(&curl_easy_getinfo) easy_getinfo = library["curl_easy_getinfo"];
  decltype(&curl_easy_strerror) easy_strerror = library["curl_easy_strerror"];
  decltype(&curl_easy_cleanup) easy_cleanup = library["curl_easy_cleanup"];

  decltype(&curl_url) url = library["curl_url"];
  decltype(&curl_url_set) url_set = library["curl_url_set"];
  decltype(&curl_url_get) url_get = library["curl_url_get"];
  decltype(&curl_url_cleanup) url_cleanup = library["curl_url_cleanup"];
};

CurlLibrary ready_library() {
  CurlLibrary library;
  if (library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    throw Error(ExitCode::kEnvironment, "libcurl cannot be used");
  return library;
}

const CurlLibrary& curl() {
  static const CurlLibrary library = ready_library();
  return library;
}

constexpr std::size_t kHeadersMax = 200;

struct Incoming {
  HttpAnswer& answer;
  std::size_t body_bytes_max;
  bool too_large = false;
};

std::size_t take_body(char* data, std::size_t, std::size_t size, void* incoming_pointer) {
  auto& incoming = *static_cast<Incoming*>(incoming_pointer);
  if (incoming.answer.body.size() + size > incoming.body_bytes_max) {
    incoming.too_large = true;
    return 0;
  }
  incoming.answer.body.append(data, size);
  return size;
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* incoming_pointer) {
  auto& headers = static_cast<Incoming*>(incoming_pointer)->answer.headers;
  const std::string line(data, size);
  if (line.starts_with("HTTP/")) headers.clear();  // of an interim answer, or of the proxy
  const auto colon = line.find(':');
  if (colon == std::string::npos || headers.size() >= kHeadersMax) return size;
  const auto from = line.find_first_not_of(" \t", colon + 1);
  const auto last = line.find_last_not_of(" \t\r\n");
  headers[lower_case(line.substr(0, colon))] =
      from == std::string::npos || last < from ? "" : line.substr(from, last - from + 1);
  return size;
}

struct CurlList {
  curl_slist* first = nullptr;
  CurlList() = default;
  CurlList(const CurlList&) = delete;
  CurlList& operator=(const CurlList&) = delete;
  ~CurlList() { curl().slist_free_all(first); }
  void add(const std::string& text) { first = curl().slist_append(first, text.c_str()); }
};

// Everything else is a mistake that stays one.
bool may_pass(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

// Web addresses alone. libcurl before 7.85 does not know the option of today, whose forerunner newer ones
// deprecate.
void allow_protocols(CURL* easy) {
  if (curl().easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK) return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  curl().easy_setopt(easy, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma GCC diagnostic pop
}

}  // namespace

struct HttpClient::Handle {
  CURL* easy;
  Handle() : easy(curl().easy_init()) {
    if (easy == nullptr) throw Error(ExitCode::kEnvironment, "libcurl cannot be used");
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { curl().easy_cleanup(easy); }
};

std::string HttpAnswer::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

HttpClient::HttpClient(HttpLimits limits) : limits_(limits), handle_(std::make_unique<Handle>()) {}

HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::send(const HttpRequest& request) {
  const CurlLibrary& library = curl();
  CURL* const easy = handle_->easy;
  library.easy_reset(easy);
  HttpAnswer answer;
  Incoming incoming{answer, limits_.body_bytes_max};
  CurlList headers;
  for (const auto& header : request.headers) headers.add(header);
  headers.add("Expect:");  // no round trip to ask whether a body is welcome
  char reason[CURL_ERROR_SIZE] = "";
  library.easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  allow_protocols(easy);
  library.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  library.easy_setopt(easy, CURLOPT_HTTPHEADER, headers.first);
  if (!request.body.empty()) {
    library.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    library.easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str());
  }
  library.easy_setopt(easy, CURLOPT_USERAGENT, "tracker");
  library.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  library.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connecting.count()));
  library.easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(limits_.whole.count()));
  library.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  library.easy_setopt(easy, CURLOPT_WRITEDATA, &incoming);
  library.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  library.easy_setopt(easy, CURLOPT_HEADERDATA, &incoming);
  library.easy_setopt(easy, CURLOPT_ERRORBUFFER, reason);
  const CURLcode code = library.easy_perform(easy);
  library.easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
  if (code == CURLE_OK) {
    long status = 0;
    library.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
    return answer;
  }
  long sent_bytes = 0;
  library.easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &sent_bytes);
  answer.was_sent = sent_bytes > 0;
  answer.may_pass = may_pass(code);
  answer.failure = incoming.too_large ? "its answer is larger than " +
                                            format_bytes(static_cast<double>(limits_.body_bytes_max))
                   : *reason != '\0' ? printable(reason)
                                     : library.easy_strerror(code);
  return answer;
}

std::string origin_of(const std::string& url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl().url(), curl().url_cleanup);
  if (!parsed || curl().url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return "";
  const auto part = [&](CURLUPart what) {
    char* text = nullptr;
    if (curl().url_get(parsed.get(), what, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return std::string();
    std::string copy = lower_case(text);
    curl().free(text);
    return copy;
  };
  const std::string scheme = part(CURLUPART_SCHEME);
  const std::string host = part(CURLUPART_HOST);
  if ((scheme != "http" && scheme != "https") || host.empty() || !part(CURLUPART_USER).empty() ||
      !part(CURLUPART_PASSWORD).empty())
    return "";
  return scheme + "://" + host + ":" + part(CURLUPART_PORT);
}

bool is_private(const std::string& origin) {
  if (origin.starts_with("https://")) return true;
  for (const char* local : {"http://127.0.0.1:", "http://localhost:", "http://[::1]:"})
    if (origin.starts_with(local)) return true;
  return false;
}

std::string post_to_webhook(const std::string& url, const std::string& json, HttpLimits limits) {
  if (!is_private(origin_of(url))) return "the address is not one of https";
  const HttpAnswer answer =
      HttpClient(limits).send({.method = "POST",
                               .url = url,
                               .headers = {"Content-Type: application/json; charset=utf-8"},
                               .body = json});
  if (answer.status >= 200 && answer.status < 300) return "";
  if (answer.status == 0) return without_secret(answer.failure, url);
  return "the server answers " + std::to_string(answer.status);
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string percent_encoded(const std::string& text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~');
    if (plain)
      out += c;
    else
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

std::string percent_decoded(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    int byte = 0;
    const char* const digits = text.data() + at + 1;
    const bool is_byte = text[at] == '%' && at + 2 < text.size() &&
                         std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    out += is_byte ? static_cast<char>(byte) : text[at];
    if (is_byte) at += 2;
  }
  return out;
}

}  // namespace tracker
