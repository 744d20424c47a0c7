#include "solver/cli/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "bitboard/error.h"
#include "bitboard/rank.h"
#include "solver/cli/text_table.h"
#include "tables/level_solver.h"

namespace retrosow::cli {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// All of `text` as a whole number, or nothing where it is none or does not fit.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || !is_digit(text.front()) || error != std::errc{} ||
      end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

std::string quoted(std::string_view what, std::string_view text) {
  return std::string(what) + ": '" + std::string(text) + "'";
}

}  // namespace

std::uint64_t parse_count(std::string_view what, std::string_view text, std::uint64_t lo,
                          std::uint64_t hi) {
  const std::optional<std::uint64_t> number = whole_number(text);
  if (!number || *number < lo || *number > hi) {
    throw usage_error(quoted(what, text) + " is not a whole number from " + std::to_string(lo) +
                      " to " + std::to_string(hi));
  }
  return *number;
}

unsigned parse_level(std::string_view what, std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
    throw usage_error(quoted(what, text) + " is not a whole number from 0 to " +
                      std::to_string(kMaxLevelSeeds));
  }
  const std::optional<std::uint64_t> number = whole_number(text);
  if (!number || *number > kMaxLevelSeeds) throw too_many_seeds(text);
  return static_cast<unsigned>(*number);
}

std::uint64_t parse_size(std::string_view what, std::string_view text) {
  struct Unit {
    std::string_view name;
    unsigned shift;
  };
  static constexpr std::array<Unit, 3> kUnits = {{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};
  std::string_view digits = text;
  unsigned shift = 0;
  for (const Unit& unit : kUnits) {
    if (text.ends_with(unit.name)) {
      digits.remove_suffix(unit.name.size());
      shift = unit.shift;
    }
  }
  const std::optional<std::uint64_t> number = whole_number(digits);
  if (!number || *number == 0 || *number > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
    throw usage_error(
        quoted(what, text) +
        " is not a size; give a whole number of bytes from 1 on, or of KiB, MiB or GiB, "
        "such as 12GiB");
  }
  return *number << shift;
}

double parse_seconds(std::string_view what, std::string_view text, double lo, double hi) {
  const auto point = std::find(text.begin(), text.end(), '.');
  const bool well_formed = point != text.begin() && std::all_of(text.begin(), point, is_digit) &&
                           (point == text.end() || (point + 1 != text.end() &&
                                                    std::all_of(point + 1, text.end(), is_digit)));
  double seconds = -1;
  if (well_formed) {
    const auto result =
        std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
    if (result.ec != std::errc{}) seconds = -1;
  }
  if (!(seconds >= lo && seconds <= hi)) {
    throw usage_error(quoted(what, text) + " is not a number of seconds from " + plain_number(lo) +
                      " to " + plain_number(hi) + ", such as 1.5");
  }
  return seconds;
}

}  // namespace retrosow::cli
