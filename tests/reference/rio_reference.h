// Rio Kadalis, written down stone by stone from the rules alone: what the fast code is tested
// against.
//
//   position = a1 ... aA / b1 ... bB     a: open holes of the player to move, b: of his opponent,
//                                        each row in sowing order: a1 -> aA -> b1 -> bB -> a1
//
// Closed holes hold nothing and are skipped, so they are left out; A and B may differ, and a move's
// result has B holes in front and A behind.
//
// Worked example: 0,2/3,0, hole 2. Its two stones make b1 = 4, not the last of the lap: those four
// belong to the opponent, whose row it is. The last stone falls into the empty b2, so the move
// ends: 0,1/0,0 for the opponent.
//
// Shares nothing with the rest of the project.
// Fails: std::invalid_argument for a position or a hole that the game does not have.
#pragma once

#include <compare>
#include <utility>
#include <vector>

namespace retrosow::reference {

enum class EndlessSow {
  kForbid,  // a hole whose sowing never ends may not be chosen
  kDraw     // it may; the round ends, what is on the board and in hand is split evenly
};

struct RioRules {
  EndlessSow endless_sow = EndlessSow::kForbid;
};

struct RioPosition {
  std::vector<int> mover;  // at least one open hole each
  std::vector<int> opponent;
  auto operator<=>(const RioPosition&) const = default;
};

enum class RioEnd {
  kEmpty,   // the last stone of a lap fell into an empty hole
  kBinikh,  // it made exactly four
  kEndless  // neither ever happens
};

struct RioMove {
  int hole = 0;        // 1..A
  RioPosition result;  // as the opponent sees it; both rows without holes if the sowing is endless
  int captured = 0;    // stones that fell to the mover; before the loop, if it is endless
  int captured_opponent = 0;  // stones that fell to the opponent, likewise
  RioEnd ends = RioEnd::kEmpty;
  // Laps sown. Endless: laps sown when a state (board before lifting, hole to be lifted) comes up
  // for the second time in this move, the state before the first lap included.
  int laps = 0;
};

// What sowing one hole does, whether the rules let it be chosen or not. Pre: the hole (1..A) is not
// empty.
RioMove sow(const RioPosition& position, int hole);

// All legal moves, by ascending hole; endless ones only under EndlessSow::kDraw. None: the round is
// over.
std::vector<RioMove> legal_moves(const RioRules& rules, const RioPosition& position);

// Stones that go to {the player to move, his opponent} at the end of a round. Pre: legal_moves() is
// empty.
std::pair<int, int> end_result(const RioPosition& position);

// Stones on the board.
int stones(const RioPosition& position);

}  // namespace retrosow::reference
