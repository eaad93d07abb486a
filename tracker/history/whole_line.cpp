#include "tracker/history/whole_line.hpp"

namespace tracker {

int position_of_oldest(const Repository& repository, const std::string& from, int commits_max) {
  return static_cast<int>(repository.first_parents(from, kWholeLine).size()) - commits_max;
}

}  // namespace tracker
