// A board as one word: a string of n seeds and p bars, a bar behind each pit, lane 0 first.
//
// Bar i stands at place (seeds in lanes 0..i) + i, from 0. Boards of p pits and sets of p places correspond one to
// one, whatever n is, so the set of places, as bits of a word, loses nothing.
//
//   lanes 2 0 1 3:   o o | | o | o o o |   places 2, 3, 5, 9
#pragma once

#include <algorithm>
#include <cstdint>

namespace retrosow {

// `low`, `high`: the words of a position, lanes from `pits` on 0. Pre: n + p <= 64. Cost: about 5 ns.
[[gnu::always_inline]] inline std::uint64_t bars_of(std::uint64_t low, std::uint64_t high, unsigned pits) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const auto bars = [&](unsigned p) {
    // Byte i: the place of bar i.
    const std::uint64_t first = low * kOnes + 0x0706050403020100;
    const std::uint64_t second = (high + (low * kOnes >> 56)) * kOnes + 0x0f0e0d0c0b0a0908;
    std::uint64_t word = 0;
    for (unsigned i = 0; i < std::min(8U, p); ++i) word |= std::uint64_t{1} << (first >> (8 * i) & 63);
    for (unsigned i = 8; i < p; ++i) word |= std::uint64_t{1} << (second >> (8 * (i - 8)) & 63);
    return word;
  };
  switch (pits) {  // loops of known length for 2x4, 2x5 and 2x6
    case 8: return bars(8);
    case 10: return bars(10);
    case 12: return bars(12);
    default: return bars(pits);
  }
}

}  // namespace retrosow
