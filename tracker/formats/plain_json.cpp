#include "tracker/formats/plain_json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tracker {
namespace {

// Each function that takes something says whether it was there.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  bool at_end() {
    skip_space();
    return at_ == end_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  char next() {
    skip_space();
    return at_ == end_ ? '\0' : *at_;
  }

  bool take_word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }

  // Printable ASCII without escapes.
  bool take_text(std::string_view& text) {
    if (!take('"')) return false;
    const char* const start = at_;
    for (; at_ != end_ && *at_ != '"'; ++at_)
      if (*at_ == '\\' || static_cast<unsigned char>(*at_ - ' ') > '~' - ' ') return false;
    if (at_ == end_) return false;
    text = {start, static_cast<std::size_t>(at_ - start)};
    ++at_;
    return true;
  }

  // -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? and finite
  bool take_number(double& value, bool& whole) {
    const char* const start = at_;
    if (at_ != end_ && *at_ == '-') ++at_;
    const char* const digits = at_;
    if (!skip_digits() || (*digits == '0' && at_ - digits > 1)) return false;
    whole = true;
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      whole = false;
      if (!skip_digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      whole = false;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!skip_digits()) return false;
    }
    token_ = {start, static_cast<std::size_t>(at_ - start)};
    const auto [stop, failure] = std::from_chars(start, at_, value);
    if (whole) value += 0.0;  // the whole number -0 is 0
    return failure == std::errc{} && stop == at_ && std::isfinite(value);
  }

  // The number just taken, if it is whole and fits.
  bool as_whole(std::int64_t& value) const {
    const char* const stop = token_.data() + token_.size();
    const auto result = std::from_chars(token_.data(), stop, value);
    return result.ec == std::errc{} && result.ptr == stop;
  }

  // An object with all that is in it, by its braces alone.
  bool take_object(std::string_view& object) {
    if (next() != '{') return false;
    const char* const start = at_;
    int depth = 0;
    for (; at_ != end_; ++at_) {
      if (*at_ == '"') {
        for (++at_; at_ != end_ && *at_ != '"'; ++at_)
          if (*at_ == '\\') return false;
        if (at_ == end_) return false;
      } else if (*at_ == '{') {
        ++depth;
      } else if (*at_ == '}' && --depth == 0) {
        ++at_;
        object = {start, static_cast<std::size_t>(at_ - start)};
        return true;
      }
    }
    return false;
  }

 private:
  bool skip_digits() {
    const char* const start = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != start;
  }

  const char* at_;
  const char* end_;
  std::string_view token_;
};

enum class Kind { kText, kNumber, kTrue, kFalse, kNull };

struct Scalar {
  Kind kind = Kind::kNull;
  std::string_view text;
  double number = 0;
  bool whole = false;
};

bool take_scalar(Cursor& cursor, Scalar& scalar) {
  switch (cursor.next()) {
    case '"':
      scalar.kind = Kind::kText;
      return cursor.take_text(scalar.text);
    case 't':
      scalar.kind = Kind::kTrue;
      return cursor.take_word("true");
    case 'f':
      scalar.kind = Kind::kFalse;
      return cursor.take_word("false");
    case 'n':
      scalar.kind = Kind::kNull;
      return cursor.take_word("null");
    default:
      scalar.kind = Kind::kNumber;
      return cursor.take_number(scalar.number, scalar.whole);
  }
}

class RowReader {
 public:
  explicit RowReader(Cursor& cursor) : cursor_(cursor) {}

  bool take_rows(BenchmarkRows& table) {
    if (!cursor_.take('[')) return false;
    if (cursor_.take(']')) return true;
    do {
      if (!take_row(table)) return false;
    } while (cursor_.take(','));
    return cursor_.take(']');
  }

 private:
  // A key, what it means, and the last row that had it. Rows mostly have the same keys in the same order,
  // so each is looked for where the row before had it.
  struct Key {
    std::string_view text;
    RowField field = RowField::kNotRead;
    std::size_t counter = 0;
    std::size_t last_row = 0;
  };

  Key& find_key(std::string_view text, BenchmarkRows& table) {
    if (next_ < keys_.size() && keys_[next_].text == text) return keys_[next_++];
    const auto known =
        std::find_if(keys_.begin(), keys_.end(), [&](const Key& key) { return key.text == text; });
    next_ = static_cast<std::size_t>(known - keys_.begin()) + 1;
    if (known != keys_.end()) return *known;
    keys_.push_back({text, row_field(text), table.counter_names.size(), 0});
    if (keys_.back().field == RowField::kCounter) table.counter_names.emplace_back(text);
    return keys_.back();
  }

  bool take_row(BenchmarkRows& table) {
    ++row_number_;
    next_ = 0;
    row_ = {};
    name_ = {};
    type_ = "iteration";
    message_ = "an error without a message";
    failed_ = skipped_ = false;
    row_.first_counter = table.counters.size();
    if (!cursor_.take('{')) return false;
    do {
      std::string_view text;
      Scalar value;
      if (!cursor_.take_text(text) || !cursor_.take(':') || !take_scalar(cursor_, value)) return false;
      Key& key = find_key(text, table);
      if (key.last_row == row_number_) return false;
      key.last_row = row_number_;
      if (key.field == RowField::kCounter && value.kind == Kind::kNumber)
        table.counters.emplace_back(key.counter, value.number);
      else if (!keep(key.field, value))
        return false;
    } while (cursor_.take(','));
    return cursor_.take('}') && finish(table);
  }

  // False where the field is not of its type.
  bool keep(RowField field, const Scalar& value) {
    switch (field) {
      case RowField::kName:
        name_ = value.text;
        return value.kind == Kind::kText;
      case RowField::kRunName:
        row_.run_name = value.text;
        return value.kind == Kind::kText && !value.text.empty();
      case RowField::kRunType:
        type_ = value.text;
        return value.kind == Kind::kText;
      case RowField::kTimeUnit:
        row_.time_unit = value.text;
        return value.kind == Kind::kText;
      case RowField::kLabel:
        row_.label = value.text;  // none where it is no text
        return true;
      case RowField::kErrorMessage:
        message_ = value.text;
        return value.kind == Kind::kText;
      case RowField::kFamily:
        return keep_whole(value, row_.family);
      case RowField::kInstance:
        return keep_whole(value, row_.instance);
      case RowField::kIterations:
        return keep_whole(value, row_.iterations) && row_.iterations >= 0;
      case RowField::kRealTime:
        row_.real_time = value.number;
        return value.kind == Kind::kNumber;
      case RowField::kCpuTime:
        row_.cpu_time = value.number;
        return value.kind == Kind::kNumber;
      case RowField::kErrorOccurred:
        failed_ = value.kind == Kind::kTrue;
        return failed_ || value.kind == Kind::kFalse;
      case RowField::kSkipped:
        skipped_ = value.kind == Kind::kTrue;
        return skipped_ || value.kind == Kind::kFalse;
      case RowField::kNotRead:
      case RowField::kCounter:
        return true;
    }
    return false;
  }

  bool keep_whole(const Scalar& value, std::int64_t& kept) const {
    return value.kind == Kind::kNumber && value.whole && cursor_.as_whole(kept);
  }

  bool finish(BenchmarkRows& table) {
    const bool counts = type_ == "iteration" && !skipped_;
    if (!counts) table.counters.resize(row_.first_counter);
    if (type_ != "iteration") {
      table.add_aggregate(row_.run_name.empty() ? name_ : row_.run_name);
      return true;
    }
    if (row_.run_name.empty()) row_.run_name = name_;
    if (row_.run_name.empty()) return false;
    if (skipped_) {
      table.skipped.push_back(row_.run_name);
      return true;
    }
    if (failed_) row_.error = message_;
    row_.counter_count = table.counters.size() - row_.first_counter;
    table.rows.push_back(row_);
    return true;
  }

  Cursor& cursor_;
  std::vector<Key> keys_;
  std::size_t next_ = 0;        // the key that is likely to follow
  std::size_t row_number_ = 0;  // counted from 1
  BenchmarkRow row_;
  std::string_view name_;
  std::string_view type_;
  std::string_view message_;
  bool failed_ = false;
  bool skipped_ = false;
};

}  // namespace

std::optional<PlainDocument> read_plain(std::string_view text) {
  Cursor cursor(text);
  PlainDocument document;
  constexpr std::size_t kRowBytes = 400;  // about, as Google Benchmark prints them
  document.benchmarks.rows.reserve(text.size() / kRowBytes);
  bool has_benchmarks = false;
  if (!cursor.take('{')) return {};
  do {
    std::string_view key;
    if (!cursor.take_text(key) || !cursor.take(':')) return {};
    if (key == "context" && document.context.empty()) {
      if (!cursor.take_object(document.context)) return {};
    } else if (key == "benchmarks" && !has_benchmarks) {
      has_benchmarks = true;
      if (!RowReader(cursor).take_rows(document.benchmarks)) return {};
    } else {
      return {};
    }
  } while (cursor.take(','));
  if (!cursor.take('}') || !cursor.at_end() || document.context.empty() || !has_benchmarks) return {};
  return document;
}

}  // namespace tracker
