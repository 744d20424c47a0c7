// Perft: counts all move sequences from a position, by length.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bitboard/moves.h"

namespace retrosow {

// The sequences of one length. All columns but `nodes` look at the last move or the last position.
struct PerftCounts {
  std::uint64_t nodes = 0;              // move sequences of this length
  std::uint64_t captures = 0;           // whose last move captured something, for whichever side
  std::uint64_t captured = 0;           // seeds the last moves took for the mover
  std::uint64_t captured_opponent = 0;  // and for his opponent (fours that fell to him)
  std::uint64_t ends = 0;               // after which the game (round) is over
  bool operator==(const PerftCounts&) const = default;
};

// Counts for lengths 0..depth; index = length (length 0: the empty sequence).
// An endless sow under --endless-sow draw ends its sequence. `stop` is asked every few thousand nodes;
// Fails: interrupted error once it says true. Cost: time in proportion to the nodes, memory constant.
std::vector<PerftCounts> perft(const MoveGenerator& generator, const Position& position, Shape shape,
                               unsigned depth, const std::function<bool()>& stop = {});

}  // namespace retrosow
