// Numbers on the command line, read strictly: no signs, no blanks, nothing behind the number.
//
// `what` names the option in messages (`option --memory`). For small whole numbers see parse_number in
// bitboard/notation.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace retrosow::cli {

// A whole number in lo..hi. Fails: usage error that names the option, the value and the range.
std::uint64_t parse_count(std::string_view what, std::string_view text, std::uint64_t lo,
                          std::uint64_t hi);

// A level: a number of seeds. Fails: usage error where it is no whole number; limit error, with the number as it was
// given, where no table has such a level, however many digits it has.
unsigned parse_level(std::string_view what, std::string_view text);

// Bytes: a whole number, alone or followed by KiB, MiB or GiB (`12GiB`); at least 1.
std::uint64_t parse_size(std::string_view what, std::string_view text);

inline constexpr double kMaxSeconds = 1e9;  // of a limit

// Seconds in lo..hi: digits, and a point and more digits if need be (`1.5`).
double parse_seconds(std::string_view what, std::string_view text, double lo, double hi);

}  // namespace retrosow::cli
