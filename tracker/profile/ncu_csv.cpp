#include "tracker/profile/ncu_csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kHeaderStart = "\"ID\",\"Process ID\",";
constexpr std::string_view kKernelColumn = "Kernel Name";
constexpr std::string_view kGridColumn = "Grid Size";
constexpr std::string_view kBlockColumn = "Block Size";

// Where the table's header starts: the last line like one, since ncu prints the table at its end, and the
// program may print anything before. npos where there is none.
std::size_t find_header(std::string_view text) {
  for (std::size_t at = text.size(); (at = text.rfind(kHeaderStart, at)) != std::string_view::npos; --at) {
    if (at == 0 || text[at - 1] == '\n') return at;
    if (at == 0) break;
  }
  return std::string_view::npos;
}

// Reads rows of quoted cells; '"' in a cell is doubled.
class RowReader {
 public:
  RowReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  // Whether another row follows: what does not start with a quote is no part of the table.
  bool has_row() const { return at_ < text_.size() && text_[at_] == '"'; }

  Row read() {
    Row row;
    ++row_;
    while (true) {
      row.push_back(read_cell());
      if (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
        continue;
      }
      if (at_ < text_.size() && text_[at_] == '\r') ++at_;
      if (at_ < text_.size() && text_[at_] != '\n') fail("is not as ncu writes it");
      if (at_ < text_.size()) ++at_;
      return row;
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(
        ExitCode::kEnvironment,
        "ncu's output in '" + printable(source_) + "': row " + std::to_string(row_) + " of its table " + what,
        "was ncu ended, or the disk full? profile again");
  }

 private:
  std::string read_cell() {
    if (at_ >= text_.size()) fail("ends in the middle");
    if (text_[at_] != '"') fail("is not as ncu writes it");
    std::string cell;
    for (++at_;; ++at_) {
      if (at_ >= text_.size()) fail("ends in the middle");
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      cell += text_[at_];
    }
    ++at_;
    return cell;
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  int row_ = 0;
};

// "1,303,496,368,038.74": groups of three. Nothing for what is no finite number ("n/a", "(32, 8, 1)"), nor
// for a comma in another place.
std::optional<double> number_of(const std::string& text) {
  std::string digits;
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') {
      digits += text[i];
      continue;
    }
    const bool groups = i > 0 && i < point && (point - i) % 4 == 0;
    if (!groups) return {};
  }
  if (digits.empty()) return {};
  double value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) return {};
  return value;
}

std::size_t column_of(const Row& header, std::string_view name, const RowReader& reader) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) reader.fail("has no column '" + std::string(name) + "'");
  return static_cast<std::size_t>(found - header.begin());
}

// A metric's column is called "unit__counter", in plain letters; others, such as "Stream", are not.
bool is_metric(const std::string& column) {
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f; };
  return column.find("__") != std::string::npos && std::all_of(column.begin(), column.end(), is_plain);
}

}  // namespace

std::vector<NcuLaunch> parse_ncu_csv(std::string_view output, const std::string& source) {
  const std::size_t start = find_header(output);
  if (start == std::string_view::npos) return {};
  RowReader reader(output.substr(start), source);
  const Row header = reader.read();
  constexpr std::size_t kNameBytesMax = 1000;  // each launch has all names
  for (const auto& name : header)
    if (name.size() > kNameBytesMax) reader.fail("has a name of " + std::to_string(name.size()) + " bytes");
  const std::size_t kernel = column_of(header, kKernelColumn, reader);
  const std::size_t grid = column_of(header, kGridColumn, reader);
  const std::size_t block = column_of(header, kBlockColumn, reader);
  std::vector<NcuLaunch> launches;
  while (reader.has_row()) {
    const Row row = reader.read();
    if (row.size() != header.size())
      reader.fail("has " + std::to_string(row.size()) + " cells instead of " + std::to_string(header.size()));
    if (row.front().empty()) continue;  // the units, which --print-units base settles
    NcuLaunch launch{row[kernel], row[grid], row[block], {}};
    for (std::size_t i = 0; i < row.size(); ++i)
      if (is_metric(header[i]))
        if (const auto value = number_of(row[i])) launch.metrics[header[i]] = *value;
    launches.push_back(std::move(launch));
  }
  if (launches.empty()) reader.fail("is the last one: no launch follows its head");
  return launches;
}

std::vector<std::string> available_kernels(std::string_view output) {
  const std::size_t start = output.find("Available Kernels:");
  std::vector<std::string> names;
  if (start == std::string_view::npos) return names;
  const auto lines = split(output.substr(start), '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string number = std::to_string(i) + ". ";
    if (!lines[i].starts_with(number)) break;
    names.push_back(bare_kernel_name(std::string_view(lines[i]).substr(number.size())));
  }
  return names;
}

std::vector<std::string> ncu_errors(std::string_view output, std::size_t lines_max) {
  constexpr std::string_view kMark = "==ERROR== ";
  std::vector<std::string> errors;
  for (const auto& line : split(output, '\n'))
    if (line.starts_with(kMark) && errors.size() < lines_max) errors.push_back(line.substr(kMark.size()));
  return errors;
}

std::string short_kernel_name(std::string_view kernel) {
  std::size_t start = 0;
  std::size_t end = kernel.size();
  int depth = 0;  // within template arguments, which have blanks, colons and parentheses of their own
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    constexpr std::string_view kNameless = "(anonymous namespace)";
    const char c = kernel[i];
    if (depth == 0 && kernel.substr(i).starts_with(kNameless)) {
      i += kNameless.size() - 1;
    } else if (depth == 0 && (c == '(' || c == '\r')) {
      end = i;
      break;
    } else if (depth == 0 && (c == ' ' || c == ':')) {
      start = i + 1;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>' && depth > 0) {
      --depth;
    }
  }
  return std::string(start < end ? kernel.substr(start, end - start) : kernel);
}

std::string bare_kernel_name(std::string_view kernel) {
  std::string name = short_kernel_name(kernel);
  const std::size_t arguments = name.find('<');
  if (arguments != std::string::npos && arguments > 0) name.erase(arguments);
  return name;
}

}  // namespace tracker
