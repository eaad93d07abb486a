// A commit, as it is shown and named. Plain data.
#pragma once

#include <string>

namespace tracker {

struct Commit {
  std::string id;       // 40 hexadecimal digits
  std::string subject;  // the first line of its message
  std::string author;
  std::string date;  // of the committer, UTC, ISO 8601
};

// As people read it: "1a2b3c4".
std::string short_id(const std::string& commit);
// As commands, branches and folders name it, which have to find it again: "1a2b3c4d5e".
std::string lasting_id(const std::string& commit);
// "1a2b3c4 Subject", printable.
std::string describe(const Commit& commit);

}  // namespace tracker
