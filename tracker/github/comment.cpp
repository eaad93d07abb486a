#include "tracker/github/comment.hpp"

#include <cstdint>

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

}  // namespace tracker
