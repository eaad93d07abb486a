#include "tracker/base/shared_text.hpp"

#include <mutex>
#include <unordered_set>

namespace tracker {
namespace {

struct AllTexts {
  std::mutex mutex;
  std::unordered_set<std::string> texts;  // which stay where they are
};

const std::string* find_shared_text(std::string text) {
  static AllTexts& all = *new AllTexts;  // outlives whatever is destroyed at the end
  const std::lock_guard lock(all.mutex);
  return &*all.texts.insert(std::move(text)).first;
}

const std::string* empty_shared_text() {
  static const std::string* const empty = find_shared_text("");
  return empty;
}

}  // namespace

SharedText::SharedText() : text_(empty_shared_text()) {}
SharedText::SharedText(std::string_view text) : text_(find_shared_text(std::string(text))) {}
SharedText::SharedText(const std::string& text) : text_(find_shared_text(text)) {}
SharedText::SharedText(const char* text) : text_(find_shared_text(text)) {}

}  // namespace tracker
