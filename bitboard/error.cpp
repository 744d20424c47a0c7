#include "bitboard/error.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace retrosow {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  // Longer than need be, surrogates, above U+10FFFF.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f)) {
    return 0;
  }
  return length;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    const bool control = byte < 0x20 || byte == 0x7f || (byte == 0xc2 && length == 2 && (text[1] & 0x60) == 0);
    if (length != 0 && !control) {
      shown += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    const std::size_t bytes = std::max<std::size_t>(1, length);
    for (std::size_t i = 0; i < bytes; ++i) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\x%02x", unsigned{static_cast<unsigned char>(text[i])});
      shown += escape.data();
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB (" + std::to_string(bytes) + " bytes)";
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
