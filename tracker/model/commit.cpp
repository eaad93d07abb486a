#include "tracker/model/commit.hpp"

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kShortIdDigits = 7;  // as git abbreviates
constexpr std::size_t kLastingIdDigits = 10;

}  // namespace

std::string short_id(const std::string& commit) {
  return commit.substr(0, kShortIdDigits);
}

std::string lasting_id(const std::string& commit) {
  return commit.substr(0, kLastingIdDigits);
}

std::string describe(const Commit& commit) {
  return short_id(commit.id) + " " + printable(commit.subject);
}

}  // namespace tracker
