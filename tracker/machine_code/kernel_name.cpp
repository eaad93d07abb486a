#include "tracker/machine_code/kernel_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>

namespace tracker {
namespace {

constexpr std::size_t kNameMax = 160;
constexpr std::string_view kAnonymous = "(anonymous namespace)::";

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // a C function "f" is not the type "float"
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

void erase_all(std::string& text, std::string_view what) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.erase(at, what.size());
}

// "void ns::kernel<(ns::Kind)2>(ns::Panel)" → "ns::kernel<(ns::Kind)2>": what lies outside of all brackets
// between the return type, if there is one, and the parameters.
std::string without_types(const std::string& text) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && c == ' ') begin = i + 1;
    if (depth == 0 && c == '(') return text.substr(begin, i - begin);
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
  }
  return text.substr(begin);
}

bool is_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "ns::kernel<ns::Config>" → "kernel<Config>"
std::string without_namespaces(const std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "::") != 0) {
      kept += text[i];
      continue;
    }
    while (!kept.empty() && is_identifier(kept.back())) kept.pop_back();
    ++i;
  }
  return kept;
}

}  // namespace

std::string kernel_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  erase_all(name, kAnonymous);
  name = without_namespaces(without_types(name));
  erase_all(name, " ");
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c <= ' ' || c > '~' || c == ':'; }, '_');
  if (name.size() > kNameMax) name = name.substr(0, std::min(name.find('<'), kNameMax)) + "...";
  return name.empty() ? "_" : name;
}

}  // namespace tracker
