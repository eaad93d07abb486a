#include "tracker/github/api.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include <curl/curl.h>
#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker::github {
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
                   : *reason != '\0' ? reason
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

namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using TimePoint = std::chrono::system_clock::time_point;

constexpr int kTriesMax = 6;
constexpr int kRedirectsMax = 5;
constexpr int kPagesMax = 100;
constexpr std::size_t kMessageLengthMax = 300;
constexpr long long kSecondsMax = 4'000'000'000;  // what the clock can hold beyond today
constexpr seconds kSecondaryLimitPause{60};  // what GitHub's documentation asks for where it says no time

std::string address_hint(const ApiService& service) {
  return std::string("is ") + service.url_variable + " the address of " + service.name + "'s API?";
}

std::string server_hint(const ApiService& service) {
  return std::string("try again later; ") + service.status_page + " says how " + service.name + " is";
}

std::optional<long long> number_in(const std::string& text) {
  long long value = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < 0 || value > kSecondsMax) return {};
  return value;
}

// What GitHub says in an answer that is no success: its message, and the first of its errors.
std::string message_in(const HttpAnswer& answer) {
  const json body = json::parse(answer.body, nullptr, false);
  if (!body.is_object() || !body.contains("message") || !body["message"].is_string())
    return answer.body.substr(0, 100);
  auto message = body["message"].get<std::string>();
  if (body.contains("errors") && body["errors"].is_array() && !body["errors"].empty()) {
    const json& error = body["errors"].front();
    const json& text = error.is_object() && error.contains("message") ? error["message"] : error;
    if (text.is_string()) message += ": " + text.get<std::string>();
  }
  return message.substr(0, kMessageLengthMax);
}

// How long to wait where the answer says that too much was asked; nothing where it is another refusal.
std::optional<milliseconds> limit_pause(const HttpAnswer& answer, TimePoint now) {
  if (answer.status != 403 && answer.status != 429) return {};
  if (const auto after = number_in(answer.header("retry-after"))) return seconds(*after);
  const auto reset = number_in(answer.header("x-ratelimit-reset"));
  if (answer.header("x-ratelimit-remaining") == "0" && reset) {
    const auto left = TimePoint(seconds(*reset)) - now;
    return std::max(milliseconds(seconds(1)), std::chrono::ceil<milliseconds>(left));
  }
  if (answer.status == 429 || message_in(answer).find("rate limit") != std::string::npos)
    return kSecondaryLimitPause;
  return {};
}

bool is_repeatable(const std::string& method) {
  return method != "POST";
}

std::string body_of(const json& body) {
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string with_query(std::string url, const Query& query) {
  char separator = '?';
  for (const auto& [name, value] : query) {
    url += separator + name + "=" + percent_encoded(value);
    separator = '&';
  }
  return url;
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 307 || status == 308;
}

std::string pull_request_at(const std::string& repository, int request) {
  return "/repos/" + repository + "/issues/" + std::to_string(request) + "/comments";
}

std::string merge_request_at(const std::string& repository, int request) {
  return "/projects/" + percent_encoded(repository) + "/merge_requests/" + std::to_string(request) + "/notes";
}

}  // namespace

const ApiService& github_service() {
  static const ApiService service{
      .name = "GitHub",
      .url_variable = "GITHUB_API_URL",
      .default_url = "https://api.github.com",
      .status_page = "https://www.githubstatus.com",
      .headers = {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28"},
      .token_header = "Authorization: Bearer ",
      .token_variable = "GITHUB_TOKEN",
      .token_hint = "give it to the step: env: GITHUB_TOKEN: the workflow's github.token",
      .request = "pull request",
      .comments = pull_request_at,
      .comment =
          [](const std::string& repository, int, std::int64_t id) {
            return "/repos/" + repository + "/issues/comments/" + std::to_string(id);
          },
      .change_method = "PATCH",
      .author = "user",
      .login = "login",
      .comment_length_max = 65'536};
  return service;
}

// docs.gitlab.com/api/notes: the notes of a merge request, of at most 1,000,000 characters.
const ApiService& gitlab_service() {
  static const ApiService service{
      .name = "GitLab",
      .url_variable = "CI_API_V4_URL",
      .default_url = "",
      .status_page = "https://status.gitlab.com",
      .headers = {"Accept: application/json"},
      .token_header = "PRIVATE-TOKEN: ",
      .token_variable = "GITLAB_TOKEN",
      .token_hint =
          "make a project access token with the scope api, and a masked CI/CD variable of that name",
      .request = "merge request",
      .comments = merge_request_at,
      .comment =
          [](const std::string& repository, int request, std::int64_t id) {
            return merge_request_at(repository, request) + "/" + std::to_string(id);
          },
      .change_method = "PUT",
      .author = "author",
      .login = "username",
      .comment_length_max = 1'000'000};
  return service;
}

ServiceApi::ServiceApi(ApiOptions options)
    : options_(std::move(options)), origin_(origin_of(options_.url)), client_(options_.limits) {
  if (!options_.pause) options_.pause = [](milliseconds length) { std::this_thread::sleep_for(length); };
  if (!options_.now) options_.now = [] { return std::chrono::system_clock::now(); };
  if (!options_.note) options_.note = [](const std::string&) {};
}

// A server may send back what it was sent.
std::string ServiceApi::hidden(const std::string& text) const {
  return options_.token.empty() ? text : without_secret(text, options_.token);
}

bool ServiceApi::wait(milliseconds length, const std::string& why) {
  if (length > options_.patience) return false;
  options_.patience -= length;
  options_.note(hidden(why) + ": waiting " + format_duration(std::chrono::duration<double>(length).count()) +
                " before trying again");
  options_.pause(length);
  return true;
}

ApiError ServiceApi::refusal(const HttpAnswer& answer, const std::string& what) const {
  std::string hint;
  if (answer.status == 401) hint = "the token is wrong or has expired";
  if (answer.status == 403) hint = "give the job the permission it needs; a fork's pull request has none";
  if (answer.status == 404) hint = "is it there, and may the token see it?";
  if (answer.status >= 500) hint = server_hint(service());
  return {answer.status >= 500 ? ApiFailure::kUnknown : ApiFailure::kRefused, answer.status,
          hidden(std::string(service().name) + " answers " + std::to_string(answer.status) + " to '" + what +
                 "': " + message_in(answer)),
          hint};
}

// A moved repository answers with its new address. The token goes nowhere but to the server it is for.
HttpAnswer ServiceApi::follow(HttpRequest request, const std::string& what) {
  for (int redirects = 0;; ++redirects) {
    HttpAnswer answer = client_.send(request);
    answer.body = hidden(answer.body);  // before anything of it is cut, and shown
    if (!is_redirect(answer.status)) return answer;
    std::string to = answer.header("location");
    if (to.starts_with('/') && !to.starts_with("//")) to.insert(0, origin_);
    if (origin_of(to) != origin_)
      throw ApiError(ApiFailure::kRefused, answer.status,
                     hidden("'" + what + "' is redirected to another server, and not followed: " +
                            in_quotes(hidden(to).substr(0, kMessageLengthMax))),
                     address_hint(service()));
    if (redirects == kRedirectsMax)
      throw ApiError(ApiFailure::kRefused, answer.status,
                     "'" + what + "' is redirected more than " + std::to_string(kRedirectsMax) + " times");
    request.url = to;
  }
}

HttpAnswer ServiceApi::call(const std::string& method, const std::string& path, std::string url,
                            const std::string& body) {
  const std::string what = method + " " + path;
  HttpRequest request{.method = method, .url = std::move(url), .headers = {}, .body = body};
  request.headers = service().headers;
  if (!body.empty()) request.headers.emplace_back("Content-Type: application/json; charset=utf-8");
  if (!options_.token.empty()) request.headers.push_back(service().token_header + options_.token);
  milliseconds pause = seconds(1);
  for (int tries = 1;; ++tries) {
    const HttpAnswer answer = follow(request, what);
    if (answer.status >= 200 && answer.status < 300) return answer;
    if (answer.status == 0) {
      const bool safe = is_repeatable(method) || !answer.was_sent;
      const std::string failure =
          "no answer to '" + what + "' from '" + options_.url + "': " + answer.failure;
      if (answer.may_pass && safe && tries < kTriesMax && wait(pause, failure)) {
        pause *= 2;
        continue;
      }
      throw ApiError(answer.was_sent ? ApiFailure::kUnknown : ApiFailure::kUnsent, 0, hidden(failure),
                     server_hint(service()));
    }
    const auto limit = limit_pause(answer, options_.now());
    if (limit) {
      if (tries < kTriesMax && wait(*limit, std::string(service().name) + "'s rate limit is used up"))
        continue;
      throw ApiError(ApiFailure::kLimited, answer.status,
                     std::string(service().name) + "'s rate limit is used up until " +
                         format_utc(options_.now() + *limit) + " ('" + what + "')",
                     "run the step again then");
    }
    const ApiError no = refusal(answer, what);
    if (answer.status < 500 || !is_repeatable(method) || tries == kTriesMax) throw no;
    if (!wait(pause, no.what())) throw no;
    pause *= 2;
  }
}

json ServiceApi::read(const HttpAnswer& answer, const std::string& what) const {
  if (answer.body.empty() && answer.status > 200)
    return json::object();  // created, with nothing to say of it
  try {
    return formats::parse_json(answer.body, "answer to " + what, formats::EqualKeys::kFirstCounts);
  } catch (const Error& error) {
    throw ApiError(ApiFailure::kUnknown, answer.status, hidden(error.what()), address_hint(service()));
  }
}

json ServiceApi::get(const std::string& path, const Query& query) {
  return read(call("GET", path, with_query(options_.url + path, query), ""), "GET " + path);
}

std::optional<json> ServiceApi::find(const std::string& path, Query query,
                                     const std::function<bool(const json&)>& is_it) {
  const std::string what = "GET " + path;
  query.emplace_back("per_page", "100");
  std::string url = with_query(options_.url + path, query);
  for (int pages = 0; !url.empty(); ++pages) {
    if (pages == kPagesMax)
      throw ApiError(ApiFailure::kRefused, 200,
                     "'" + what + "' has more than " + std::to_string(kPagesMax) + " pages");
    if (origin_of(url) != origin_)
      throw ApiError(ApiFailure::kRefused, 200,
                     "the next page of '" + what + "' is on another server, and not fetched: " +
                         in_quotes(hidden(url).substr(0, kMessageLengthMax)),
                     address_hint(service()));
    const HttpAnswer answer = call("GET", path, url, "");
    const json page = read(answer, what);
    if (!page.is_array())
      throw ApiError(ApiFailure::kRefused, answer.status, "the answer to '" + what + "' is not a list",
                     address_hint(service()));
    for (const auto& item : page)
      if (is_it(item)) return item;
    url = next_page(answer.header("link"));
  }
  return {};
}

json ServiceApi::send(const std::string& method, const std::string& path, const json& body) {
  return read(call(method, path, options_.url + path, body_of(body)), method + " " + path);
}

json ServiceApi::post(const std::string& path, const json& body) {
  return send("POST", path, body);
}

json ServiceApi::patch(const std::string& path, const json& body) {
  return send("PATCH", path, body);
}

std::string text_at(const json& object, const char* name) {
  return object.is_object() && object.contains(name) && object[name].is_string()
             ? object[name].get<std::string>()
             : "";
}

std::string next_page(const std::string& link_header) {
  for (std::size_t at = 0; (at = link_header.find('<', at)) != std::string::npos;) {
    const auto end = link_header.find('>', at);
    if (end == std::string::npos) return "";
    const auto next = std::min(link_header.find('<', end), link_header.size());
    const std::string parameters = link_header.substr(end, next - end);
    if (parameters.find("rel=\"next\"") != std::string::npos) return link_header.substr(at + 1, end - at - 1);
    at = next;
  }
  return "";
}

}  // namespace tracker::github
