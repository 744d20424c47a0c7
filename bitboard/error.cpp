#include "bitboard/error.h"

#include <array>
#include <cstdio>

namespace retrosow {

std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      shown += c;
    } else {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\x%02x", unsigned{byte});
      shown += escape.data();
    }
  }
  return shown;
}

std::string error_text(const Error& error) {
  const std::string message = error.what();
  std::string details;
  const auto add = [&](const char* name, const std::string& value) {
    if (value.empty() || message.find(value) != std::string::npos) return;
    details += (details.empty() ? " (" : ", ") + std::string(name) + " " + value;
  };
  add("file", error.path);
  if (error.offset) add("offset", std::to_string(*error.offset));
  add("expected", error.expected);
  add("found", error.found);
  if (!details.empty()) details += ")";
  return printable(message + details);
}

}  // namespace retrosow
