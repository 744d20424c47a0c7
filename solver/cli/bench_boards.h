// Seeded boards for `bench`, and the signature: a number over all moves of a fixed set of them.
//
// Everything here is a pure function of its arguments, the same on every machine and for every kernel.
//
//   boards      splitmix64 [Steele, Lea, Flood 2014] from a fixed seed; n seeds laid one by one into
//               random pits, n running from 8 to 36 (or to half of what the pit limit lets the board
//               hold); on every fourth board all of them into the mover's row, so that the rules about
//               an empty opponent's row are met
//   signature   64-bit FNV-1a over, board by board: the legal mask; for each legal move in order captured,
//               captured_opponent, laps (4 bytes, Rio Kadalis), the resulting pits in sowing order (none
//               after an endless sow); the masks grand_slam, binikh and endless of the legal moves; and
//               where no move is legal what each side takes
#pragma once

#include <cstdint>
#include <vector>

#include "bitboard/moves.h"

namespace retrosow::cli {

std::vector<Position> bench_boards(const RuleSet& rules, Shape shape, unsigned count,
                                   std::uint64_t seed);

struct Signature {
  std::uint64_t hash = 0;
  std::uint64_t boards = 0;
  std::uint64_t moves = 0;
  bool operator==(const Signature&) const = default;
};

// Of both games, all options that change moves, and boards of several sizes. Cost: some milliseconds.
Signature move_signature(KernelId kernel);

}  // namespace retrosow::cli
