#include "tracker/measure/benchmark_counter.hpp"

namespace tracker {
namespace {

// Results stand in columns behind the name: what is before the first blank tells most names apart.
std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find(' '));
}

}  // namespace

BenchmarkCounter::BenchmarkCounter(const std::map<std::string, std::string>& listed, int times) {
  for (const auto& [name, line] : listed) left_[std::string(first_word(line))] += times;
}

int BenchmarkCounter::read(std::string_view text) {
  int ended = 0;
  line_ += text;
  std::size_t from = 0;
  for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n', from)) {
    const std::string_view line = std::string_view(line_).substr(from, end - from);
    from = end + 1;
    const auto found = left_.find(first_word(line));
    if (found == left_.end() || found->second == 0 || line.find(' ') == std::string_view::npos) continue;
    --found->second;
    ++ended;
  }
  line_.erase(0, from);
  return ended;
}

}  // namespace tracker
