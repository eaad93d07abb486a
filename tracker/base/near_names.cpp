#include "tracker/base/near_names.hpp"

#include <set>

#include "tracker/base/text.hpp"

namespace tracker {

std::string near_names_hint(const std::vector<std::string>& patterns, const std::vector<std::string>& known) {
  constexpr std::size_t kNamesShown = 3;
  std::vector<std::string> near;
  for (const auto& pattern : patterns) {
    std::string word = pattern;
    std::erase_if(word, [](char c) { return c == '*' || c == '?'; });
    if (word.empty()) continue;
    std::vector<std::string> holders;
    std::set<std::string> segments;
    for (const auto& name : known) {
      if (name.find(word) != std::string::npos) holders.push_back(name);
      for (const auto& segment : split(name, '/')) segments.insert(segment);
    }
    if (!holders.empty())
      return "'*" + printable(word) + "*' matches " + std::to_string(holders.size()) + ", such as " +
             printable(holders.front());
    if (const auto whole = nearest(word, known)) near.push_back(*whole);
    for (const auto& part : split(word, '/'))
      if (const auto segment = nearest(part, {segments.begin(), segments.end()}); segment && *segment != part)
        near.push_back("*" + *segment + "*");
  }
  if (near.size() > kNamesShown) near.resize(kNamesShown);
  return near.empty() ? "" : "near it: '" + printable(join(near, "', '")) + "'";
}

}  // namespace tracker
