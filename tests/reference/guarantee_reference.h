// What each side can be sure of, by brute force, straight from the definition: what the builder of guarantees is tested
// against.
//
// Let play be cut off after s plies, and all that is left on the board then fall to the opponent of the player who moved
// first. What the latter takes with best play on both sides is
//
//   sure(s, p) = end of the game: what he gets;  s = 0: 0;
//                his turn: max over moves of captured + sure(s - 1, child);  the other's: min over moves of the same
//
// It grows with s, and what he can be sure of in any number of plies is its limit, reached once a round of plies changes
// nothing. Two arrays, his turn and the other's, are computed from each other, ply by ply, for all boards at once, levels
// and all: nothing is known of thresholds, counters, or lower levels.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tests/reference/urim_reference.h"

namespace retrosow::reference {

// Calls back with every board of 0 .. max_seeds seeds once, level by level, in lexicographic order, with the seeds that
// {the player to move, his opponent} can be sure of.
void for_each_guarantee(const UrimRules& rules, int max_seeds,
                        const std::function<void(const std::vector<int>& board, std::pair<int, int>)>& callback);

}  // namespace retrosow::reference
