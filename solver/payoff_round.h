// A round of Rio Kadalis played for a set of results: can the starter force that the stones he ends
// with are one of these numbers?
//
// Playing for most stones answers that for sets of the kind "at least x". A match may ask for others:
// a round that brings 20 stones can be worth more than one that brings 22, because of who starts the
// next one. Then a position alone does not say who is winning; it takes what the starter has taken so
// far. Only fours are taken before a round is over, so that is 4i stones with i = 0..(n0 - n) / 4, n
// stones of n0 left on the board, and a position holds one bit for each i:
//
//   bit i of mask(position, who moves) = from here, with 4i stones taken, the starter can force a
//                                        wanted result
//   starter to move   OR  over his moves of  mask(child) >> (fours that fall to the starter)
//   other to move     AND over his moves of  the same
//
// so all i are solved by the operations of one machine word. A level is solved from the finished ones
// below it by bounds: lower ones rise from 0, upper ones fall from 1, and a bit that neither side can
// settle is endless play, worth what the even split 4i + n/2 is worth.
//
// Where both rows are alike, starter and other may come to move in the same position, so masks are
// kept for both. Several sets are solved at once, since finding a position's children is most of the
// work.
#pragma once

#include <bitset>
#include <span>

#include "tables/round_solver.h"

namespace retrosow {

// Numbers of stones that the starter of a round can end it with; rows of 8 holes with 4 stones hold 64.
inline constexpr unsigned kMaxRoundStones = 8 * kMaxPits;
using ResultSet = std::bitset<kMaxRoundStones + 1>;

struct ForcedResults {
  bool from_start = false;
  // By the starter's first move, a slot each; false where there is no such move.
  std::vector<bool> after_move;
};

// Memory that solving so many sets at once needs beside the round.
std::uint64_t results_memory(const Round& round, std::size_t sets);

// Of each set of `wanted`.
// Pre: the round starts with a multiple of 4 stones, at most kMaxRoundStones.
// Cost: one pass over the round's positions with their moves, and sweeps over each level, for as many
// sets as fit the memory: 0.8 us a position and pass and 0.35 us a set (5 v 5 holes, 1.36 M positions,
// processor time, a busy AMD EPYC).
// Fails: limit error, before any work, if results_memory of one set is above `memory_bytes` (0: any);
// interrupted error when told to stop; io error if the round is not whole.
std::vector<ForcedResults> solve_for_results(const Round& round, std::span<const ResultSet> wanted,
                                             std::uint64_t memory_bytes, unsigned threads,
                                             const RunControl& control);

}  // namespace retrosow
