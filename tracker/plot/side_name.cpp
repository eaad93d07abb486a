#include "tracker/plot/side_name.hpp"

#include "tracker/model/run.hpp"

namespace tracker {
std::string side_name(const Side& side) {
  const std::string id = short_id(side.commit);
  if (id.empty()) return side.label.empty() ? "?" : side.label;
  const bool says_more = !side.label.empty() && !side.commit.starts_with(side.label);
  return says_more ? side.label + " (" + id + ")" : id;
}

std::string short_side_name(const Side& side, const std::string& otherwise) {
  return side.commit.empty() ? otherwise : short_id(side.commit);
}

}  // namespace tracker
