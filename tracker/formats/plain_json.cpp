#include "tracker/formats/plain_json.hpp"

#include <algorithm>
#include <unordered_map>

#include "tracker/formats/plain_cursor.hpp"

namespace tracker {
namespace {

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
    const auto [known, is_new] = places_.try_emplace(text, keys_.size());
    next_ = known->second + 1;
    if (!is_new) return keys_[known->second];
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
  std::unordered_map<std::string_view, std::size_t> places_;  // of keys_
  std::size_t next_ = 0;                                      // the key that is likely to follow
  std::size_t row_number_ = 0;                                // counted from 1
  ResultRow row_;
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
      if (cursor.next() != '{' || !cursor.take_structure(document.context)) return {};
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
