#include "solver/cli/request_target.h"

#include <algorithm>
#include <charconv>

#include "bitboard/error.h"

namespace retrosow::cli {
namespace {

std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at] == '+' ? ' ' : text[at];
    if (c == '%') {
      unsigned char byte = 0;
      const std::string_view digits = text.substr(at + 1, 2);
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      if (digits.size() != 2 || error != std::errc{} || end != digits.data() + 2) {
        throw usage_error("'" + std::string(text) + "' has a % without two hexadecimal digits");
      }
      c = static_cast<char>(byte);
      at += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      throw usage_error("there is a control character in the parameters");
    }
    plain += c;
  }
  return plain;
}

}  // namespace

RequestTarget parse_target(std::string_view text) {
  if (text.size() > kMaxTargetBytes) {
    throw usage_error("the request has " + std::to_string(text.size()) + " characters; at most " +
                      std::to_string(kMaxTargetBytes) + " are read");
  }
  const std::size_t question = text.find('?');
  RequestTarget target;
  target.path = text.substr(0, question);
  if (question == std::string_view::npos) return target;
  std::string_view rest = text.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view parameter = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), parameter.size() + 1));
    if (parameter.empty()) continue;
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos) {
      throw usage_error("parameter '" + decoded(parameter) + "' has no value; name=value is needed");
    }
    if (target.parameters.size() == kMaxParameters) {
      throw usage_error("more than " + std::to_string(kMaxParameters) + " parameters");
    }
    const std::string name = decoded(parameter.substr(0, equals));
    if (!target.parameters.emplace(name, decoded(parameter.substr(equals + 1))).second) {
      throw usage_error("parameter '" + name + "' is given twice; give it once");
    }
  }
  return target;
}

}  // namespace retrosow::cli
