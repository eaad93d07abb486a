#include "tests/support/fake_github.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace tracker::testing_support {
namespace {

using nlohmann::json;

constexpr int kClientPatienceS = 10;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool receive(int connection, std::string& text) {
  std::array<char, 65536> buffer;
  const auto got = ::recv(connection, buffer.data(), buffer.size(), 0);
  if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

void send_all(int connection, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const auto now = ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return;  // a client that has heard enough
    sent += static_cast<std::size_t>(now);
  }
}

FakeRequest parse_head(const std::string& head) {
  FakeRequest request;
  const auto line_end = head.find("\r\n");
  const std::string line = head.substr(0, line_end);
  const auto first = line.find(' ');
  const auto second = line.find(' ', first + 1);
  request.method = line.substr(0, first);
  const std::string target = line.substr(first + 1, second - first - 1);
  const auto mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) request.query = target.substr(mark + 1);
  for (auto at = line_end + 2; at < head.size();) {
    const auto end = std::min(head.find("\r\n", at), head.size());
    const auto colon = head.find(':', at);
    if (colon < end) {
      auto value = colon + 1;
      while (value < end && head[value] == ' ') ++value;
      request.headers[lower(head.substr(at, colon - at))] = head.substr(value, end - value);
    }
    at = end + 2;
  }
  return request;
}

// False where the client went away before it had said all.
bool read_request(int connection, FakeRequest& request) {
  std::string text;
  std::size_t head_end = std::string::npos;
  while ((head_end = text.find("\r\n\r\n")) == std::string::npos)
    if (!receive(connection, text)) return false;
  request = parse_head(text.substr(0, head_end + 2));
  request.body = text.substr(head_end + 4);
  const auto length = request.headers.find("content-length");
  const std::size_t size = length == request.headers.end() ? 0 : std::stoul(length->second);
  while (request.body.size() < size)
    if (!receive(connection, request.body)) return false;
  return true;
}

void send_answer(int connection, const FakeAnswer& answer) {
  std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " Told\r\nConnection: close\r\n" +
                     "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  for (const auto& [name, value] : answer.headers) text += name + ": " + value + "\r\n";
  text += "\r\n";
  const bool cut = answer.way == FakeAnswer::Way::kCutOff;
  send_all(connection, text + answer.body.substr(0, cut ? answer.body.size() / 2 : std::string::npos));
}

int query_number(const std::string& query, const std::string& name, int otherwise) {
  const auto at = ("&" + query).find("&" + name + "=");
  return at == std::string::npos ? otherwise : std::stoi(query.substr(at + name.size() + 1));
}

}  // namespace

FakeGitHub::FakeGitHub() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, generic, &size) != 0 || ::pipe(wake_) != 0)
    throw std::runtime_error(std::string("no server on 127.0.0.1: ") + std::strerror(errno));
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

FakeGitHub::~FakeGitHub() {
  ::close(wake_[1]);
  thread_.join();
  for (const int connection : held_) ::close(connection);
  ::close(wake_[0]);
  ::close(listener_);
}

void FakeGitHub::serve() {
  for (;;) {
    std::array<pollfd, 2> ends{{{listener_, POLLIN, 0}, {wake_[0], POLLIN, 0}}};
    ::poll(ends.data(), ends.size(), -1);
    if (ends[1].revents != 0) return;
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const timeval patience{kClientPatienceS, 0};
    ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    attend(connection);
  }
}

void FakeGitHub::attend(int connection) {
  FakeRequest request;
  if (!read_request(connection, request)) {
    ::close(connection);
    return;
  }
  const FakeAnswer answer = answer_to(request);
  if (answer.way == FakeAnswer::Way::kNever) {
    held_.push_back(connection);
    return;
  }
  if (answer.way != FakeAnswer::Way::kNone) send_answer(connection, answer);
  ::close(connection);
}

FakeAnswer FakeGitHub::answer_to(const FakeRequest& request) {
  Handler handler;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    const std::string what = request.method + " " + request.path;
    auto& told = answers_[what];
    if (!told.empty()) {
      FakeAnswer answer = told.front();
      told.pop_front();
      return answer;
    }
    if (const auto found = handlers_.find(what); found != handlers_.end()) handler = found->second;
  }
  return handler ? handler(request) : FakeAnswer{404, R"({"message": "Not Found"})"};
}

void FakeGitHub::answer(const std::string& what, FakeAnswer answer) {
  const std::lock_guard lock(mutex_);
  answers_[what].push_back(std::move(answer));
}

void FakeGitHub::handle(const std::string& what, Handler handler) {
  const std::lock_guard lock(mutex_);
  handlers_[what] = std::move(handler);
}

std::vector<FakeRequest> FakeGitHub::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::vector<std::string> FakeGitHub::calls() const {
  std::vector<std::string> calls;
  for (const auto& request : requests()) calls.push_back(request.method + " " + request.path);
  return calls;
}

namespace {

json said_by(bool gitlab, const FakeComments::Comment& comment) {
  json item = {{"id", comment.id}, {"body", comment.body}};
  item[gitlab ? "author" : "user"] = {{gitlab ? "username" : "login", comment.author}};
  return item;
}

}  // namespace

FakeComments::FakeComments(FakeGitHub& server, const std::string& repository, int pull_request,
                           std::string author, Of service)
    : server_(server),
      gitlab_(service == Of::kGitLab),
      list_path_(gitlab_ ? "/projects/" + repository + "/merge_requests/" + std::to_string(pull_request) +
                               "/notes"
                         : "/repos/" + repository + "/issues/" + std::to_string(pull_request) + "/comments"),
      change_(gitlab_ ? "PUT " + list_path_ + "/" : "PATCH /repos/" + repository + "/issues/comments/"),
      author_(std::move(author)) {
  server.handle("GET " + list_path_, [this](const FakeRequest& request) { return list(request); });
  server.handle("POST " + list_path_, [this](const FakeRequest& request) { return create(request); });
}

std::int64_t FakeComments::add(const std::string& author, const std::string& body) {
  const std::lock_guard lock(mutex_);
  const auto id = static_cast<std::int64_t>(comments_.size()) + 1001;
  comments_.push_back({id, author, body});
  server_.handle(change_ + std::to_string(id),
                 [this, id](const FakeRequest& request) { return update(request, id); });
  return id;
}

void FakeComments::put(const std::string& author, const std::string& body) {
  add(author, body);
}

std::vector<FakeComments::Comment> FakeComments::all() const {
  const std::lock_guard lock(mutex_);
  return comments_;
}

FakeAnswer FakeComments::list(const FakeRequest& request) const {
  const auto page = static_cast<std::size_t>(query_number(request.query, "page", 1));
  const auto per_page = static_cast<std::size_t>(query_number(request.query, "per_page", 30));
  const auto comments = all();
  json items = json::array();
  for (auto i = (page - 1) * per_page; i < std::min(comments.size(), page * per_page); ++i)
    items.push_back(said_by(gitlab_, comments[i]));
  FakeAnswer answer{200, items.dump()};
  if (page * per_page < comments.size())
    answer.headers.emplace_back("Link", "<" + server_.url() + list_path_ +
                                            "?per_page=" + std::to_string(per_page) +
                                            "&page=" + std::to_string(page + 1) + ">; rel=\"next\"");
  return answer;
}

FakeAnswer FakeComments::create(const FakeRequest& request) {
  const auto id = add(author_, json::parse(request.body).at("body"));
  return {201, said_by(gitlab_, {id, author_, ""}).dump()};
}

FakeAnswer FakeComments::update(const FakeRequest& request, std::int64_t id) {
  const std::lock_guard lock(mutex_);
  auto& comment = comments_.at(static_cast<std::size_t>(id - 1001));
  comment.body = json::parse(request.body).at("body");
  return {200, said_by(gitlab_, comment).dump()};
}

}  // namespace tracker::testing_support
