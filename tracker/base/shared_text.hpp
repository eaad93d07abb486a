// A text that very many values have: the points of all series are of a few thousand commits. There is one
// copy of each such text, for as long as the program runs, and a value takes the room of a pointer.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace tracker {

// Reads as a std::string. Making one looks the text up among all there are: copy it where many are of one
// text. Safe from any number of threads.
class SharedText {
 public:
  SharedText();                                           // empty
  SharedText(std::string_view text);                      // NOLINT(google-explicit-constructor)
  SharedText(const std::string& text);                    // NOLINT(google-explicit-constructor)
  SharedText(const char* text);                           // NOLINT(google-explicit-constructor)
  operator const std::string&() const { return *text_; }  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return *text_; }    // NOLINT(google-explicit-constructor)
  const std::string& str() const { return *text_; }
  bool empty() const { return text_->empty(); }
  std::string substr(std::size_t from, std::size_t count = std::string::npos) const {
    return text_->substr(from, count);
  }

  friend bool operator==(const SharedText& a, const SharedText& b) { return a.text_ == b.text_; }
  friend bool operator==(const SharedText& a, const std::string& b) { return *a.text_ == b; }
  friend bool operator==(const SharedText& a, const char* b) { return *a.text_ == b; }
  friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << *text.text_; }

 private:
  const std::string* text_;
};

}  // namespace tracker
