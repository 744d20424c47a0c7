// The moves of all positions of a level, counted: how many there are, and what they capture.
#pragma once

#include <cstdint>
#include <functional>

#include "tables/run_control.h"
#include "tables/table_file.h"

namespace retrosow {

// Sums over the positions of a level. What counts as a capture is as in perft (bitboard/perft.h).
struct MoveCounts {
  std::uint64_t over = 0;      // positions without a legal move: the game (round) is over
  std::uint64_t legal = 0;     // legal moves
  std::uint64_t captures = 0;  // of these, those that capture something, for whichever side
  std::uint64_t captured = 0;  // seeds that they take for the mover
  std::uint64_t captured_opponent = 0;  // and for his opponent (fours that fall to him)
  bool operator==(const MoveCounts&) const = default;

  MoveCounts& operator+=(const MoveCounts& other);
};

// Plays all moves of the level's positions by up to `workers` threads; the sums are the same for any number of them.
// Files with ranks need not be read: their positions are all boards. on_done(positions so far), if there, is called from
// this thread. Pre: a file of values.
// Cost: time in proportion to the positions, memory for the rows of one side.
// Fails: corrupt error for a damaged block (kKeys); interrupted error.
MoveCounts count_moves(const TableReader& values, unsigned workers, const RunControl& control,
                       const std::function<void(std::uint64_t)>& on_done = {});

}  // namespace retrosow
