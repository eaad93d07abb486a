// A text that very many values have: the points of all series are of a few thousand commits.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "tracker/base/shared.hpp"

namespace tracker {

// A Shared that reads as a std::string.
class SharedText {
 public:
  SharedText() = default;                                          // empty
  SharedText(std::string_view text) : text_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  SharedText(const std::string& text) : text_(text) {}             // NOLINT(google-explicit-constructor)
  SharedText(const char* text) : text_(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  operator const std::string&() const { return *text_; }           // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return *text_; }             // NOLINT(google-explicit-constructor)
  const std::string& str() const { return *text_; }
  bool empty() const { return text_->empty(); }
  std::string substr(std::size_t from, std::size_t count = std::string::npos) const {
    return text_->substr(from, count);
  }

  friend bool operator==(const SharedText& a, const SharedText& b) { return a.text_ == b.text_; }
  friend bool operator==(const SharedText& a, const std::string& b) { return a.str() == b; }
  friend bool operator==(const SharedText& a, const char* b) { return a.str() == b; }
  friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << *text.text_; }

 private:
  Shared<std::string> text_;
};

}  // namespace tracker
