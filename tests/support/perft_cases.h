// Perft positions with their golden counts. Shared by the quick and the full tests.
//
// The counts were made by tests/support/reference_perft.h, which knows nothing of the kernels, and the
// full tests make them again.
#pragma once

#include <string>
#include <vector>

#include "bitboard/perft.h"
#include "bitboard/rules.h"

namespace retrosow::test {

struct PerftCase {
  Game game;
  const char* options;   // what differs from the game's defaults
  const char* position;  // closed holes as x
  // By length: sequences, those whose last move captured, what last moves took for the mover and for
  // his opponent, sequences that end the game.
  std::vector<PerftCounts> counts;
};

const std::vector<PerftCase>& perft_cases();

}  // namespace retrosow::test
