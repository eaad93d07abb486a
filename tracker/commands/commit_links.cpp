#include "tracker/commands/commit_links.hpp"

#include <iostream>
#include <map>
#include <string>

#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/repo/git_command.hpp"
#include "tracker/report/event_report.hpp"

namespace tracker {
namespace {

bool wants_links() {
  const std::string asked = environment_value("TRACKER_LINKS");
  if (asked == "always") return true;
  return asked != "never" && ::isatty(STDOUT_FILENO) != 0 && knows_links(environment_value);
}

// Hands lines on with their links.
class LinkingBuffer : public std::streambuf {
 public:
  LinkingBuffer(std::streambuf* plain, const Repository& repository, std::string url)
      : plain_(plain), repository_(repository), url_(std::move(url)) {}

  void finish() {
    pass_line();
    plain_->pubsync();
  }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    line_ += traits_type::to_char_type(c);
    if (line_.back() == '\n') pass_line();
    return c;
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    for (std::streamsize i = 0; i < size; ++i) overflow(traits_type::to_int_type(text[i]));
    return size;
  }
  // What is flushed in the middle of a line is somebody's progress: it is shown at once.
  int sync() override {
    pass_line();
    return plain_->pubsync();
  }

 private:
  void pass_line() {
    const std::string text = link_commit_ids(line_, [this](const std::string& word) { return url_of(word); });
    plain_->sputn(text.data(), static_cast<std::streamsize>(text.size()));
    line_.clear();
  }

  std::string url_of(const std::string& word) {
    const auto [known, is_new] = known_.try_emplace(word);
    if (!is_new) return known->second;
    try {
      const std::string id = repository_.resolve(word).id;
      if (id.starts_with(word)) {
        known->second = url_;
        const std::string place = "{commit}";
        known->second.replace(url_.find(place), place.size(), id);
      }
    } catch (const Error&) {
      known->second.clear();  // no commit of this repository
    }
    return known->second;
  }

  std::streambuf* plain_;
  const Repository& repository_;
  std::string url_;
  std::string line_;
  std::map<std::string, std::string> known_;
};

}  // namespace

CommitLinks::CommitLinks(const Workspace& workspace, bool is_text) {
  if (!is_text || !workspace.has_repository() || !wants_links()) return;
  const Repository& repository = workspace.repository();
  const std::string url = commit_url(repository);
  if (url.find("{commit}") == std::string::npos) return;
  linking_ = std::make_unique<LinkingBuffer>(std::cout.rdbuf(), repository, url);
  plain_ = std::cout.rdbuf(linking_.get());
}

CommitLinks::~CommitLinks() {
  if (!linking_) return;
  static_cast<LinkingBuffer&>(*linking_).finish();
  std::cout.rdbuf(plain_);
}

std::string commit_url(const Repository& repository) {
  const auto remote = run_git(repository.root(), {"config", "--get", "remote.origin.url"});
  return remote.ok() ? commit_url_of(remote.output.substr(0, remote.output.find('\n'))) : "";
}

}  // namespace tracker
