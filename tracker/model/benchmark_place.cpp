#include "tracker/model/benchmark_place.hpp"

#include <cctype>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// "f32", "bf16": a word before the shape.
bool is_type(const std::string& segment) {
  return !segment.empty() && std::isalpha(static_cast<unsigned char>(segment.front())) != 0;
}

}  // namespace

std::optional<BenchmarkPlace> place_of(const std::string& name) {
  const auto segments = split(name, '/');
  if (segments.size() < 3) return {};
  const bool typed = segments.size() > 3 && is_type(segments[2]);
  return BenchmarkPlace{typed ? segments[0] + " " + segments[2] : segments[0], segments[1],
                        join({segments.begin() + (typed ? 3 : 2), segments.end()}, "/")};
}

std::string family_of(const std::string& name) {
  if (const auto place = place_of(name)) return place->family;
  return name.substr(0, name.find('/'));
}

}  // namespace tracker
