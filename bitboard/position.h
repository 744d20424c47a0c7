// The packed position: one byte lane per pit in one 128-bit word.
//
// A position is seen by the player to move. His row holds pits a1..am, the opponent's b1..bn, each in
// its own sowing order, so sowing runs a1 -> am -> b1 -> bn -> a1. Lanes run against the sowing order:
//
//            opponent's row, as he sits                     lanes of a 2x6 board
//       b6   b5   b4   b3   b2   b1                    0    1    2    3    4    5
//       a1   a2   a3   a4   a5   a6                   11   10    9    8    7    6
//            mover's row
//
//   lane of the i-th pit in sowing order (0 = a1) on a board of p = m + n pits: p - 1 - i
//   lanes p..15 are always 0
//
// Why backwards: (1) read as one little-endian number the position compares like its pits in notation
// order, a1 first; (2) a capture runs against the sowing direction, which is upward in lanes, so the
// captured run is found by the carry of one addition on a bit mask (see sow-inl.h).
//
// Worked example: `3,3,3,3,3,3/3,3,3,3,3,3` is lanes {3 x 12, 0 x 4}. `1,2/3,4` is lanes {4,3,2,1}.
//
// Invariant: the board is canonical, without closed holes; its Shape says how many pits a row has.
// Lane limits: a count is at most 255; `seeds on the board <= kMaxBoardSeeds` or a pit limit keeps
// sowing inside that (checked by validate_position).
// Thread: plain values.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace retrosow {

inline constexpr unsigned kLanes = 16;
inline constexpr unsigned kMaxBoardSeeds = 255;  // without a pit limit

// Pits in each row, the player to move first. Rows of Rio Kadalis may differ when holes are closed.
struct Shape {
  std::uint8_t mover_pits = 6;
  std::uint8_t opponent_pits = 6;

  constexpr unsigned pits() const { return unsigned{mover_pits} + opponent_pits; }
  constexpr Shape swapped() const { return {opponent_pits, mover_pits}; }
  constexpr unsigned lane(unsigned index) const { return pits() - 1 - index; }
  bool operator==(const Shape&) const = default;
};

struct alignas(16) Position {
  std::array<std::uint8_t, kLanes> lanes{};

  bool operator==(const Position& other) const { return low() == other.low() && high() == other.high(); }
  // Orders positions of one shape like their notation, a1 first.
  std::strong_ordering operator<=>(const Position& other) const {
    if (const auto c = high() <=> other.high(); c != 0) return c;
    return low() <=> other.low();
  }

  std::uint64_t low() const { return word(0); }
  std::uint64_t high() const { return word(8); }

 private:
  std::uint64_t word(std::size_t at) const {
    std::uint64_t w;
    std::memcpy(&w, lanes.data() + at, sizeof w);
    return w;
  }
};
static_assert(sizeof(Position) == 16);

// Seeds in the index-th pit in sowing order, 0 = the mover's first.
inline unsigned seeds_in(const Position& p, Shape shape, unsigned index) {
  return p.lanes[shape.lane(index)];
}
inline void set_seeds(Position& p, Shape shape, unsigned index, unsigned seeds) {
  p.lanes[shape.lane(index)] = static_cast<std::uint8_t>(seeds);
}

inline unsigned total_seeds(const Position& p) {
  unsigned sum = 0;
  for (const std::uint8_t s : p.lanes) sum += s;
  return sum;
}
unsigned mover_seeds(const Position& p, Shape shape);
unsigned opponent_seeds(const Position& p, Shape shape);

// The same board with the other player to move.
Position swap_sides(const Position& p, Shape shape);

}  // namespace retrosow
