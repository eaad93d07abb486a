#include "tracker/app/picture_links.hpp"

#include <cctype>

namespace tracker {
namespace {

// RFC 3986: all but unreserved characters and '/'.
std::string percent_encoded_path(const std::string& path) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) != 0 || std::string("-._~/").find(c) != std::string::npos)) {
      encoded += c;
      continue;
    }
    encoded += '%';
    encoded += kDigits[byte >> 4];
    encoded += kDigits[byte & 15];
  }
  return encoded;
}

}  // namespace

std::string picture_link(const std::filesystem::path& picture, const std::string& url_template,
                         const std::filesystem::path& report_folder) {
  if (url_template.empty()) {
    const auto folder = report_folder.empty() ? std::filesystem::current_path() : report_folder;
    return percent_encoded_path(
        std::filesystem::proximate(std::filesystem::absolute(picture), std::filesystem::absolute(folder))
            .generic_string());
  }
  std::string link = url_template;
  const std::string name = percent_encoded_path(picture.filename().string());
  const std::string placeholder = kFilePlaceholder;
  for (std::size_t at = link.find(placeholder); at != std::string::npos;
       at = link.find(placeholder, at + name.size()))
    link.replace(at, placeholder.size(), name);
  return link;
}

}  // namespace tracker
