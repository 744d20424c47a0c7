// A small drawing of a board, as the player to move sees it.
//
//     6   5   4   3   2   1
//   +---+---+---+---+---+---+
//   | 3 | 3 | 3 | 3 | 3 | 3 |  opponent, 18
//   +---+---+---+---+---+---+
//   | 3 | 3 | 3 | 3 | 3 | 3 |  to move, 18
//   +---+---+---+---+---+---+
//     1   2   3   4   5   6
//
// Both rows are numbered in their sowing order. `--direction cw` mirrors the drawing; a closed hole is x.
#pragma once

#include <string>

#include "bitboard/notation.h"

namespace retrosow::cli {

std::string draw_board(const RuleSet& rules, const Board& board);

}  // namespace retrosow::cli
