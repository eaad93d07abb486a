// Reasons of a comparison that a test makes up.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker::test {

// Reasons whose words are this text.
inline Reasons said(const std::string& text) {
  return {{ReasonCode::kFailed, {{"text", text}}}};
}

}  // namespace tracker::test
