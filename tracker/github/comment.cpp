#include "tracker/github/comment.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using nlohmann::json;

// Looking before each of them, a comment whose answer got lost is not written twice.
constexpr int kCommentTriesMax = 3;
constexpr std::chrono::seconds kPause{2};

struct Written {
  std::int64_t id;
  std::string body;
};

std::string author_of(const json& comment, const ApiService& service) {
  return comment.is_object() && comment.contains(service.author)
             ? text_at(comment[service.author], service.login)
             : "";
}

bool has_line(const std::string& body, const std::string& line) {
  for (std::size_t at = 0; (at = body.find(line, at)) != std::string::npos; ++at) {
    const auto end = at + line.size();
    if ((at == 0 || body[at - 1] == '\n') && (end == body.size() || body[end] == '\n' || body[end] == '\r'))
      return true;
  }
  return false;
}

// GitHub keeps neither the kind of line ends nor space at the end.
std::string bare(const std::string& body) {
  std::string out;
  for (const char c : body)
    if (c != '\r') out += c;
  while (!out.empty() && std::isspace(static_cast<unsigned char>(out.back())) != 0) out.pop_back();
  return out;
}

std::optional<Written> find_ours(ServiceApi& api, const CommentRequest& request) {
  const std::string marker = comment_marker(request.key);
  const auto found = api.find(
      api.service().comments(request.repository, request.pull_request), {}, [&](const json& comment) {
        return lower_case(author_of(comment, api.service())) == lower_case(request.author) &&
               has_line(text_at(comment, "body"), marker) && comment.contains("id") &&
               comment["id"].is_number_unsigned();
      });
  if (!found) return {};
  return Written{(*found)["id"].get<std::int64_t>(), text_at(*found, "body")};
}

CommentAnswer send(ServiceApi& api, const CommentRequest& request, const std::string& text) {
  const ApiService& service = api.service();
  const std::string comments = service.comments(request.repository, request.pull_request);
  for (int tries = 1;; ++tries) {
    const auto ours = find_ours(api, request);
    if (ours && bare(ours->body) == bare(text))
      return {.outcome = tries == 1 ? CommentOutcome::kUnchanged : CommentOutcome::kCreated};
    if (ours) {
      api.send(service.change_method, service.comment(request.repository, request.pull_request, ours->id),
               {{"body", text}});
      return {.outcome = CommentOutcome::kUpdated};
    }
    try {
      const std::string author = author_of(api.post(comments, {{"body", text}}), service);
      return {.outcome = CommentOutcome::kCreated,
              .author = lower_case(author) == lower_case(request.author) ? "" : author};
    } catch (const ApiError& error) {
      if (error.failure() != ApiFailure::kUnknown || tries == kCommentTriesMax) throw;
      if (!api.wait(kPause, error.what())) throw;
    }
  }
}

bool is_too_long(const ApiError& error) {
  return error.status() == 422 && lower_case(error.what()).find("too long") != std::string::npos;
}

}  // namespace

CommentAnswer write_comment(ServiceApi& api, const CommentRequest& request) {
  bool was_cut = false;
  CommentAnswer answer;
  const std::size_t length_max = api.service().comment_length_max;
  const std::string text = comment_text(request, length_max, was_cut, api.service().name);
  try {
    try {
      answer = send(api, request, text);
    } catch (const ApiError& error) {
      if (!is_too_long(error)) throw;
      answer = send(api, request, comment_text(request, length_max / 4, was_cut, api.service().name));
    }
  } catch (const ApiError& error) {
    if (error.status() != 403 || error.failure() != ApiFailure::kRefused) throw;
    return {.outcome = CommentOutcome::kForbidden, .reason = error.what()};
  }
  answer.was_cut = was_cut;
  return answer;
}

std::string body_of_comment(ServiceApi& api, const CommentRequest& request) {
  const auto ours = find_ours(api, request);
  return ours ? ours->body : "";
}

std::string token_author(ServiceApi& api) {
  const ApiService& service = api.service();
  if (&service == &github_service()) return CommentRequest().author;
  const std::string author = text_at(api.get("/user"), service.login);
  if (!author.empty()) return author;
  throw ApiError(ApiFailure::kRefused, 200, std::string(service.name) + " does not say whose the token is",
                 "name its user: --author NAME");
}

namespace {

bool is_first_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) ++found;
  return found;
}

// The fence that a cut has left open ("```", "~~~~"), else nothing.
std::string open_fence(std::string_view text) {
  std::string open;
  for (const auto& line : split(text, '\n')) {
    const auto from = std::min(line.find_first_not_of(' '), line.size());
    if (from > 3 || from == line.size() || (line[from] != '`' && line[from] != '~')) continue;
    const auto end = std::min(line.find_first_not_of(line[from], from), line.size());
    if (end - from < 3) continue;
    const std::string fence = line.substr(from, end - from);
    if (open.empty())
      open = fence;
    else if (fence.starts_with(open) && line.find_first_not_of(" \r", end) == std::string::npos)
      open.clear();
  }
  return open;
}

// Up to the last line end within so many characters; in the middle of a line where there is none.
std::string head_of(const std::string& text, std::size_t length_max) {
  std::size_t bytes = 0;
  for (std::size_t characters = 0; bytes < text.size(); ++bytes)
    if (is_first_byte(text[bytes]) && ++characters > length_max) break;
  if (bytes == text.size()) return text;
  const auto line_end = text.rfind('\n', bytes);
  return text.substr(0, line_end == std::string::npos || line_end == 0 ? bytes : line_end);
}

std::string without_marker(const std::string& body, const std::string& marker) {
  std::string out;
  for (const auto& line : split(body, '\n')) {
    std::string_view bare = line;
    while (!bare.empty() && bare.back() == '\r') bare.remove_suffix(1);
    if (bare != marker) out += line + "\n";
  }
  while (!out.empty() && std::isspace(static_cast<unsigned char>(out.back())) != 0) out.pop_back();
  return out;
}

}  // namespace

std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_first_byte));
}

std::string comment_marker(const std::string& key) {
  const bool plain = std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.');
  });
  if (key.empty() || key.size() > 60 || !plain || key.find("--") != std::string::npos)
    throw Error(ExitCode::kUsage, "--key '" + printable(key) + "' cannot stand in a hidden marker",
                "use up to 60 letters, digits, '.', '_' and single '-'");
  return "<!-- tracker-" + key + " -->";
}

std::string comment_text(const CommentRequest& request, std::size_t length_max, bool& was_cut,
                         const std::string& service) {
  const std::string marker = comment_marker(request.key);
  const std::string whole = marker + "\n" + without_marker(request.body, marker) + "\n";
  was_cut = character_count(whole) > length_max;
  if (!was_cut) return whole;
  std::string statement = "\n\n**This comment is cut: the report has " +
                          std::to_string(character_count(whole)) + " characters, more than " + service +
                          " takes.** ";
  statement += request.run_url.empty()
                   ? "The whole of it is in the summary of the workflow's run.\n"
                   : "The whole of it is in the [summary of the run](" + request.run_url + ").\n";
  constexpr std::size_t kRoomToClose = 400;
  const std::size_t taken = character_count(statement) + kRoomToClose;
  std::string text = head_of(whole, length_max > taken ? length_max - taken : 0);
  if (const std::string fence = open_fence(text); !fence.empty() && fence.size() < 100) text += "\n" + fence;
  const auto opened = count(text, "<details");
  const auto closed = count(text, "</details>");
  for (auto i = closed; i < std::min(opened, closed + 20); ++i) text += "\n</details>";
  return text + statement;
}

}  // namespace tracker
