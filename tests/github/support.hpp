// What the tests of this module share: an interface to the fake server whose pauses take no time.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/fake_github.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/github/api.hpp"

namespace tracker::testing_support {

constexpr const char* kToken = "ghs_secretsecretsecret";

// What a proxy of this machine would do to requests is none of these tests' business.
inline void without_proxy() {
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
    ::unsetenv(name);
}

struct FakeApi {
  FakeGitHub server;
  std::vector<long long> pauses_ms;
  std::vector<std::string> notes;

  FakeApi() { without_proxy(); }

  // 2026-11-20T12:00:00Z
  static std::chrono::system_clock::time_point now() {
    return std::chrono::system_clock::time_point(std::chrono::seconds(1795176000));
  }
  github::ApiOptions options() {
    github::ApiOptions options{.url = server.url(), .token = kToken};
    options.pause = [this](std::chrono::milliseconds length) { pauses_ms.push_back(length.count()); };
    options.now = now;
    options.note = [this](const std::string& text) { notes.push_back(text); };
    return options;
  }
};

}  // namespace tracker::testing_support
