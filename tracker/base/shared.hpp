// A value that very many others are of: the points of all series were measured under a few thousand
// conditions. There is one copy of each such value, for as long as the program runs, and a Shared takes the
// room of a pointer.
#pragma once

#include <compare>
#include <mutex>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tracker {

// Reads as a const T, which needs a total order (no NaN) by operator<, and a value by default. Making one
// looks the value up among all there are: copy it where many are of one value. Safe from any number of
// threads.
template <typename T>
class Shared {
 public:
  Shared() : value_(none()) {}
  Shared(T value) : value_(find(std::move(value))) {}  // NOLINT(google-explicit-constructor)
  operator const T&() const { return *value_; }        // NOLINT(google-explicit-constructor)
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_; }

  friend bool operator==(const Shared& a, const Shared& b) { return a.value_ == b.value_; }
  friend auto operator<=>(const Shared& a, const Shared& b) requires std::three_way_comparable<T> {
    return *a.value_ <=> *b.value_;
  }

 private:
  static const T* find(T value) {
    struct AllValues {
      std::mutex mutex;
      std::set<T> values;  // which stay where they are
    };
    static AllValues& all = *new AllValues;  // outlives whatever is destroyed at the end
    const std::lock_guard lock(all.mutex);
    return &*all.values.insert(std::move(value)).first;
  }
  static const T* none() {
    static const T* const value = find(T());
    return value;
  }

  const T* value_;
};

// A text that very many values have: the points of all series are of a few thousand commits.

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
  // As std::string::substr().
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
