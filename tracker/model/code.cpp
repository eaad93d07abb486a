#include "tracker/model/code.hpp"

namespace tracker {

bool is_same_code(const Code& a, const Code& b) {
  return !a.hash.empty() && a.hash == b.hash && a.launches == b.launches;
}

}  // namespace tracker
