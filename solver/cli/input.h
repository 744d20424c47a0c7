// Standard input, line by line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace retrosow::cli {

// No position or command is as long as this; what is longer is not kept in memory.
inline constexpr std::size_t kMaxLineBytes = 1000;

// The next line without its end (LF or CR LF), at most kMaxLineBytes + 1 bytes of it; nothing at the end of the input.
// Fails: io error; interrupted error where a signal has ended the waiting.
std::optional<std::string> read_line();

}  // namespace retrosow::cli
