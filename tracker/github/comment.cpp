#include "tracker/github/comment.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/github/event.hpp"
#include "tracker/github/publish.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::github {
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
    throw Error(ExitCode::kUsage, "--key " + in_quotes(key) + " cannot stand in a hidden marker",
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

namespace {

using nlohmann::json;

constexpr std::size_t kGlobBytesMax = 300;
constexpr std::size_t kReasonBytesMax = 500;
constexpr std::size_t kCommitDigitsMin = 7;
constexpr const char* kConfigFile = "tracker.toml";
constexpr const char* kUsage =
    "`/tracker measure [COMMIT]` or `/tracker accept GLOB [PERCENT] REASON`, on the first line of a comment";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// Takes the next word off `rest`; one in quotes or backticks whole. Empty where there is none.
std::string take_word(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  if (rest.empty()) return "";
  const char quote = rest.front();
  if (quote == '\'' || quote == '"' || quote == '`') {
    const std::size_t end = rest.find(quote, 1);
    if (end == std::string_view::npos) return "";
    const std::string word(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    return word;
  }
  const auto end = static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), is_blank) - rest.begin());
  const std::string word(rest.substr(0, end));
  rest.remove_prefix(end);
  return word;
}

CommentCommand unclear(const std::string& why) {
  return {.asked = Asked::kUnclear, .why = why};
}

CommentCommand parse_accept(std::string_view rest) {
  CommentCommand command{.asked = Asked::kAccept, .glob = take_word(rest)};
  std::string_view behind = rest;
  if (const auto ceiling = formats::parse_share(take_word(behind))) {
    command.ceiling = ceiling;
    rest = behind;
  }
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
  command.reason = rest;
  const bool is_plain =
      printable(command.glob) == command.glob && printable(command.reason) == command.reason;
  if (!is_plain) return unclear("the pattern or the reason has invisible characters");
  if (command.glob.empty() || command.reason.empty()) return unclear("the pattern or the reason is missing");
  if (command.glob.size() > kGlobBytesMax || command.reason.size() > kReasonBytesMax)
    return unclear("the pattern or the reason is too long");
  return command;
}

struct Target {
  std::string head;
  std::string branch;
  bool open = false;
  bool fork = true;
};

Target target_of(ServiceApi& api, const CommandRequest& request) {
  const json item =
      api.get("/repos/" + request.repository + "/pulls/" + std::to_string(request.comment.pull_request));
  Target target;
  target.open = text_at(item, "state") == "open";
  const json head = item.is_object() ? item.value("head", json::object()) : json::object();
  target.head = text_at(head, "sha");
  target.branch = text_at(head, "ref");
  const json there = head.is_object() ? head.value("repo", json()) : json();
  target.fork = lower_case(text_at(there, "full_name")) != lower_case(request.repository);
  if (!is_commit_id(target.head) || !is_branch_name(target.branch))
    throw ApiError(ApiFailure::kRefused, 200, "GitHub does not say which commit the pull request ends in");
  return target;
}

// GitHub's "maintain" is a kind of "write" here.
bool may_write(ServiceApi& api, const CommandRequest& request) {
  try {
    const std::string permission = text_at(api.get("/repos/" + request.repository + "/collaborators/" +
                                                   percent_encoded(request.comment.author) + "/permission"),
                                           "permission");
    return permission == "admin" || permission == "write";
  } catch (const ApiError& error) {
    if (error.status() == 404) return false;  // nobody whom the repository knows
    throw;
  }
}

std::string measure(ServiceApi& api, const CommandRequest& request, const CommentCommand& command,
                    const Target& target) {
  const std::string name = repo::short_name(target.head);
  if (!command.commit.empty() && !target.head.starts_with(command.commit))
    return "Nothing is measured: the last commit is " + name + " now. Look at it, and name it.";
  if (target.fork && command.commit.empty())
    return "Nothing is measured: this is a fork's code, which may change after you have read it. Name the "
           "commit that "
           "you have read: `/tracker measure " +
           target.head.substr(0, 10) + "`";
  const std::string actions = "/repos/" + request.repository + "/actions/";
  const json answer = api.get(actions + "workflows/" + percent_encoded(request.workflow) + "/runs",
                              {{"head_sha", target.head}, {"event", "pull_request"}, {"per_page", "1"}});
  const json runs = answer.is_object() ? answer.value("workflow_runs", json::array()) : json::array();
  if (!runs.is_array() || runs.empty() || !runs[0].is_object() || !runs[0].contains("id") ||
      !runs[0]["id"].is_number_unsigned())
    return "Nothing is measured: `" + request.workflow + "` has no run for " + name + " yet. Push a commit.";
  const std::string id = std::to_string(runs[0]["id"].get<std::int64_t>());
  const bool waits =
      text_at(runs[0], "conclusion") == "action_required" || text_at(runs[0], "status") == "waiting";
  if (!waits && text_at(runs[0], "status") != "completed") return name + " is being measured already.";
  api.post(actions + "runs/" + id + (waits ? "/approve" : "/rerun"), json::object());
  return "Measuring " + name + (waits ? "." : " again.") + " The report above will be updated.";
}

// What the report says of the benchmarks that match, with some room.
std::optional<double> reported(ServiceApi& api, const CommandRequest& request, const std::string& glob) {
  CommentRequest report{.repository = request.repository, .pull_request = request.comment.pull_request};
  report.key = request.report_key;
  double largest = 0;
  for (const auto& [benchmark, loss] : losses_in(body_of_comment(api, report)))
    if (glob_match(glob, benchmark)) largest = std::max(largest, loss);
  if (largest > 0) return largest * request.room;
  return {};
}

std::string accept(ServiceApi& api, const repo::Repository& repository, const repo::GitRemote& remote,
                   const CommandRequest& request, const CommentCommand& command, const Target& target) {
  const auto ceiling = command.ceiling ? command.ceiling : reported(api, request, command.glob);
  if (!ceiling)
    return "Nothing is accepted: the report shows nothing slower that matches. Name how much slower is "
           "accepted: "
           "`/tracker accept GLOB 8% REASON`";
  const Waiver accepted{command.glob, command.reason, target.head, *ceiling, ""};
  if (target.fork)
    return "This is a fork's branch, which only its owner can push to. Add this to "
           "`tracker.toml`:\n\n````toml\n" +
           formats::with_accepted_table("", accepted, kConfigFile) + "````\n";
  PassingRefs refs(repository);
  const std::string ref = "refs/heads/" + target.branch;
  if (remote.fetch(ref, refs.add("head")) != target.head)
    return "Nothing is accepted: the branch has moved on meanwhile. Say it again.";
  const std::string listed =
      repo::git_output(repository, {"ls-tree", "--name-only", target.head, "--", kConfigFile});
  const std::string before =
      listed.empty()
          ? ""
          : repo::git_output(repository, {"cat-file", "blob", target.head + ":" + kConfigFile}) + "\n";
  std::vector<TreeFile> files{
      {.path = kConfigFile, .bytes = formats::with_accepted_table(before, accepted, kConfigFile)}};
  write_blobs(repository, files, false);
  const std::string commit =
      write_commit(repository, tree_with(repository, target.head, files), {target.head},
                   "Accept a change of speed in " + std::string(kConfigFile) + "\n\nAs " +
                       printable(request.comment.author) + " asked in pull request " +
                       std::to_string(request.comment.pull_request) + ".\n");
  if (!remote.push(commit, ref))
    return "Nothing is accepted: the branch has moved on meanwhile. Say it again.";
  return "Accepted up to " + format_share(std::ceil(*ceiling * 1000) / 1000) + ": " +
         repo::short_name(commit) + " adds it to `tracker.toml`. Review it as any other commit.";
}

std::string done_for(ServiceApi& api, const repo::Repository& repository, const repo::GitRemote& remote,
                     const CommandRequest& request, const CommentCommand& command) {
  if (command.asked == Asked::kUnclear) return "Not understood: " + command.why + ". Write " + kUsage + ".";
  const Target target = target_of(api, request);
  if (!target.open) return "Nothing is done: the pull request is closed.";
  try {
    return command.asked == Asked::kMeasure ? measure(api, request, command, target)
                                            : accept(api, repository, remote, request, command, target);
  } catch (const ApiError&) {
    throw;
  } catch (const Error& error) {
    if (error.code() != ExitCode::kUsage) throw;
    return "Nothing is done: `tracker.toml` cannot be read with it.";
  }
}

}  // namespace

CommentCommand parse_comment_command(const std::string& body) {
  std::string_view rest = std::string_view(body).substr(0, body.find('\n'));
  while (!rest.empty() && (is_blank(rest.back()) || rest.back() == '\r')) rest.remove_suffix(1);
  if (!rest.starts_with('/') || take_word(rest) != "/tracker") return {};
  const std::string what = take_word(rest);
  if (what == "accept") return parse_accept(rest);
  if (what != "measure") return unclear("there is no such command");
  CommentCommand command{.asked = Asked::kMeasure, .commit = take_word(rest)};
  const bool is_commit =
      command.commit.empty() || (command.commit.size() >= kCommitDigitsMin &&
                                 command.commit.find_first_not_of("0123456789abcdef") == std::string::npos);
  if (!is_commit || rest.find_first_not_of(" \t") != std::string_view::npos)
    return unclear("behind `measure` stands a commit's first digits, or nothing");
  return command;
}

std::optional<WrittenComment> read_written_comment(const Context& context) {
  constexpr std::uintmax_t kEventBytesMax = 32u << 20;
  if (context.event_name != "issue_comment")
    throw Error(ExitCode::kUsage,
                "the event is " + in_quotes(context.event_name) + " and not 'issue_comment'",
                "let the workflow start on: {issue_comment: {types: [created]}}");
  const json document =
      formats::parse_json(read_file(context.event_path, kEventBytesMax), context.event_path);
  const formats::JsonFields fields(document, in_quotes(context.event_path));
  const auto issue = fields.object("issue");
  const auto comment = fields.object("comment");
  const bool is_meant =
      fields.required<std::string>("action") == "created" && document["issue"].contains("pull_request") &&
      issue.required<std::string>("state") == "open" && !document["comment"]["user"].is_null();
  if (!is_meant) return {};
  WrittenComment written{issue.required<int>("number"), comment.object("user").required<std::string>("login"),
                         comment.required<std::string>("body")};
  if (written.pull_request <= 0) fields.fail("issue", "an issue with a number above zero");
  return written;
}

std::string answer_command(ServiceApi& api, const repo::Repository& repository, const repo::GitRemote& remote,
                           const CommandRequest& request) {
  const CommentCommand command = parse_comment_command(request.comment.body);
  if (command.asked == Asked::kNothing) return "the comment asks for nothing";
  if (!may_write(api, request))
    return in_quotes(request.comment.author) + " may not write to the repository: nothing is done";
  const std::string done = done_for(api, repository, remote, request, command);
  api.post("/repos/" + request.repository + "/issues/" + std::to_string(request.comment.pull_request) +
               "/comments",
           {{"body", done + "\n"}});
  return done;
}

std::string loss_lines(const Losses& losses) {
  constexpr std::size_t kNamedMax = 50;
  std::string lines;
  for (std::size_t i = 0; i < losses.size() && i < kNamedMax; ++i) {
    std::string name;  // "--" would end the hidden part
    for (const char c : percent_encoded(losses[i].first))
      name += c == '-' ? std::string("%2D") : std::string(1, c);
    lines += "\n<!-- tracker-slower " + name + " " + format_plain(std::ceil(losses[i].second * 1e5) / 1e5) +
             " -->";
  }
  return lines;
}

Losses losses_in(const std::string& comment) {
  Losses losses;
  for (const auto& line : split(comment, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() < 5 || words[0] != "<!--" || words[1] != "tracker-slower" ||
        !words[4].starts_with("-->"))
      continue;
    double loss = 0;
    const auto [stop, error] = std::from_chars(words[3].data(), words[3].data() + words[3].size(), loss);
    if (error != std::errc{} || !(loss > 0) || !std::isfinite(loss)) continue;
    losses.emplace_back(percent_decoded(words[2]), loss);
  }
  return losses;
}

}  // namespace tracker::github
