// Small drawings of a board.
//
// As the player to move sees it (draw_board), and as two players see it who sit there, each with a store on his right
// (draw_table):
//
//     6   5   4   3   2   1                          6   5   4   3   2   1
//   +---+---+---+---+---+---+                      +---+---+---+---+---+---+
//   | 3 | 3 | 3 | 3 | 3 | 3 |  opponent, 18   ( 0) | 3 | 3 | 3 | 3 | 3 | 3 |       Ana
//   +---+---+---+---+---+---+                      +---+---+---+---+---+---+
//   | 3 | 3 | 3 | 3 | 3 | 3 |  to move, 18         | 3 | 3 | 3 | 3 | 3 | 3 | ( 0)  Zé, to move
//   +---+---+---+---+---+---+                      +---+---+---+---+---+---+
//     1   2   3   4   5   6                          1   2   3   4   5   6
//
// Both rows are numbered in their sowing order. `--direction cw` mirrors the drawing; a closed hole is x.
#pragma once

#include <string>
#include <string_view>

#include "bitboard/notation.h"

namespace retrosow::cli {

enum class Tone : unsigned char { kPlain, kFaint, kStrong, kChanged, kPlayable, kGood, kBad };

// Colours for a terminal, or none.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string operator()(Tone tone, std::string_view text) const;

 private:
  bool on_;
};

std::string draw_board(const RuleSet& rules, const Board& board);

struct TableView {
  bool mover_above = false;  // else the player to move sits below
  std::string below, above;  // names of the players, or what else stands beside their rows
  unsigned store_below = 0, store_above = 0;
  std::uint8_t playable = 0;      // bit i: pit i + 1 of the player to move
  const Board* before = nullptr;  // seen by the player to move; pits that differ from it are marked
};
std::string draw_table(const RuleSet& rules, const Board& board, const TableView& view,
                       const Paint& paint);

}  // namespace retrosow::cli
