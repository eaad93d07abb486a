// Secrets kept out of messages.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// The text with "***" for each piece of the secret of eight characters or more: what echoes a token may be
// cut within it. A secret shorter than that is replaced only whole.
std::string without_secret(std::string_view text, std::string_view secret);

// The text without what may be a secret in it, whoever made it: in URLs the login (all between "//" and the
// last '@', a port that is no number), the query and the fragment, percent-encoded or not; the values of
// "password=…", "api_key: …" and the like; what is sent with "Authorization:"; GitHub's and GitLab's tokens.
std::string without_secrets(std::string_view text);

}  // namespace tracker
