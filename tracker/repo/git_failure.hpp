// What a refusal of libgit2 means to the user: the thing asked for, the reason, and the next step.
// Call these right after the call that failed: libgit2 keeps only the last reason.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tracker/base/error.hpp"

struct git_repository;

namespace tracker {

// The git folder that serves `path`; found without the checks that make opening it fail.
std::optional<std::filesystem::path> git_folder_of(const std::filesystem::path& path);

// libgit2's words for the last failure.
std::string git_reason();

// What has no words of its own: "<asked>: <reason>", kEnvironment.
Error git_failure(const std::string& asked, std::string hint = {});

// Whether a repository was not opened as somebody else owns it.
bool is_ownership_failure(int code);

// Why the repository that holds `path` could not be opened.
Error open_failure(const std::filesystem::path& path, int code);

// Why `revision` names no commit of the repository, whose working tree or git folder is `where`.
Error revision_failure(git_repository* repository, const std::filesystem::path& where, bool shallow,
                       const std::string& revision, int code);

}  // namespace tracker
