// What a request asks for: the path and the parameters of an HTTP request target, `/path?name=value&…`.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace retrosow::cli {

inline constexpr std::size_t kMaxTargetBytes = 4096;  // as sent, percent-encoded
inline constexpr std::size_t kMaxParameters = 32;

struct RequestTarget {
  std::string path;  // as sent; no path that the explorer knows needs an escape
  std::map<std::string, std::string, std::less<>> parameters;
};

// `+` and %20 are spaces in names and values.
// Fails: usage error on a target that is too long, has too many parameters, one without `=`, one that is there
// twice, a wrong escape, or a control character.
RequestTarget parse_target(std::string_view text);

}  // namespace retrosow::cli
