#include "tracker/report/visible_text.hpp"

#include "tracker/base/text.hpp"
#include "tracker/report/layout.hpp"

namespace tracker {

std::string visible_text(std::string_view text, std::size_t columns_max) {
  return shorten_middle(printable(text), columns_max);
}

}  // namespace tracker
