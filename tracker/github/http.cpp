#include "tracker/github/http.hpp"

#include <algorithm>
#include <cctype>

#include <curl/curl.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

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
  ~CurlList() { curl_slist_free_all(first); }
  void add(const std::string& text) { first = curl_slist_append(first, text.c_str()); }
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

void make_ready() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) throw Error(ExitCode::kEnvironment, "libcurl cannot be used");
}

}  // namespace

struct HttpClient::Handle {
  CURL* curl;
  Handle() {
    make_ready();
    curl = curl_easy_init();
    if (curl == nullptr) throw Error(ExitCode::kEnvironment, "libcurl cannot be used");
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { curl_easy_cleanup(curl); }
};

std::string HttpAnswer::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

HttpClient::HttpClient(HttpLimits limits) : limits_(limits), handle_(std::make_unique<Handle>()) {}

HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::send(const HttpRequest& request) {
  CURL* curl = handle_->curl;
  curl_easy_reset(curl);
  HttpAnswer answer;
  Incoming incoming{answer, limits_.body_bytes_max};
  CurlList headers;
  for (const auto& header : request.headers) headers.add(header);
  headers.add("Expect:");  // no round trip to ask whether a body is welcome
  char reason[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.first);
  if (!request.body.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "tracker");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connecting.count()));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits_.whole.count()));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &incoming);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &incoming);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
  if (code == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
    return answer;
  }
  long sent_bytes = 0;
  curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, &sent_bytes);
  answer.was_sent = sent_bytes > 0;
  answer.may_pass = may_pass(code);
  answer.failure = incoming.too_large ? "its answer is larger than " +
                                            format_bytes(static_cast<double>(limits_.body_bytes_max))
                   : *reason != '\0' ? printable(reason)
                                     : curl_easy_strerror(code);
  return answer;
}

std::string origin_of(const std::string& url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl_url(), curl_url_cleanup);
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return "";
  const auto part = [&](CURLUPart what) {
    char* text = nullptr;
    if (curl_url_get(parsed.get(), what, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return std::string();
    std::string copy = lower_case(text);
    curl_free(text);
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

}  // namespace tracker
