// Perft with the reference's moves: what the golden counts come from.
#pragma once

#include <vector>

#include "bitboard/perft.h"
#include "tests/reference/rio_reference.h"
#include "tests/reference/urim_reference.h"

namespace retrosow::test {

std::vector<PerftCounts> reference_perft(const reference::UrimRules& rules,
                                         const std::vector<int>& board, unsigned depth);
std::vector<PerftCounts> reference_perft(const reference::RioRules& rules,
                                         const reference::RioPosition& position, unsigned depth);

// The counts from a position, by whichever reference the rules belong to.
std::vector<PerftCounts> reference_perft(const RuleSet& rules, const Position& position,
                                         Shape shape, unsigned depth);

}  // namespace retrosow::test
