// Questions to the repository at hand that the git executable answers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

// What git prints, without the last line end. kEnvironment, with git's words, where it fails.
std::string git_output(const Repository& repository, const std::vector<std::string>& arguments,
                       const std::string& input = {},
                       const std::map<std::string, std::string>& environment = {});

// The ids of the commit's parents. kEnvironment where the clone is shallow and ends there.
std::vector<std::string> parents_of(const Repository& repository, const std::string& commit);

bool has_commit(const Repository& repository, const std::string& id);
bool is_ancestor(const Repository& repository, const std::string& ancestor, const std::string& commit);

// Where the histories part. kEnvironment where the clone is shallow, kUsage where they have nothing in
// common.
std::string merge_base(const Repository& repository, const std::string& a, const std::string& b);

// "'1a2b3c4d5e'"
std::string short_name(const std::string& id);

// Says that the clone must be a whole one.
Error shallow_failure(const std::string& missing);

}  // namespace tracker
