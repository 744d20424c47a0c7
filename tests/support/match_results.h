// What rounds of a match can bring, and in how many of its states more stones never hurt: numbers against the solver's.
#pragma once

#include <set>
#include <span>

#include "solver/match_rounds.h"
#include "solver/possible_results.h"

namespace retrosow::test {

// The results that are in the set.
std::set<int> numbers_of(const ResultSet& results);

// A round from its start, and the even results that no play brings; all other even ones arise, and no odd ones.
struct RoundResults {
  Shape open;
  std::set<int> not_possible;
};
// Fails: the test. Under both rules for endless sows.
void expect_results(std::span<const RoundResults> cases);

struct MatchStates {
  unsigned pits;
  Starter starter;
  unsigned states, monotone;
};
// Fails: the test.
void expect_states(std::span<const MatchStates> cases);

}  // namespace retrosow::test
