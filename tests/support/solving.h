// Solved levels and rounds, and their comparison with brute force.
//
// The comparisons return the first fault as a text, or an empty string.
#pragma once

#include <string>

#include "tables/level_solver.h"
#include "tables/round_solver.h"
#include "tests/reference/solve_reference.h"
#include "tests/support/cases.h"

namespace retrosow::test {

// Levels 0 .. max_seeds, in memory.
LevelValues solve_levels(const LevelSolver& solver, unsigned max_seeds);
LevelValues solve_levels(const RuleSet& rules, unsigned pits, unsigned max_seeds);

ValueCounts counts_of(const std::vector<Value>& values);

// Every board of every level.
std::string levels_fault(const reference::UrimSolution& expected, const LevelValues& levels);

// With distances.
Round solve_round_of(const RuleSet& rules, const Position& root, Shape shape, unsigned threads = 1);

// The same reachable positions, each with the same value and distance, in levels and order as promised, and as many endless
// moves.
std::string round_fault(const reference::RioSolution& expected, const Round& round);

}  // namespace retrosow::test
