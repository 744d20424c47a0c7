// Which results a round of Rio Kadalis can bring, whatever both players do: what the states of a match rest on.
#pragma once

#include "solver/match.h"
#include "tables/round_solver.h"

namespace retrosow {

// The numbers of stones that the starter of a round can end it with, by any play of both; endless play and, where the rules
// let them be chosen, endless sows are such play.
// Pre: the round starts with a multiple of 4 stones, at most kMaxRoundStones.
// Cost: under --endless-sow forbid the moves of all positions where there are endless sows; playing at random, 5 s at most; and
// where that leaves results open, some 50 bytes a position and moves of the positions that could bring them: for the
// rounds of 2x6 less than a second.
// Fails: limit error where that is above `memory_bytes` (0: any); interrupted error when told to stop; io error if the
// round is not whole.
ResultSet possible_results(const Round& round, std::uint64_t memory_bytes, unsigned threads,
                           const RunControl& control);

}  // namespace retrosow
