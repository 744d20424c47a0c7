// Urim, Oware and Awari, written down seed by seed from the rules alone: what the fast code is
// tested against.
//
//   board = a1 a2 ... ak b1 b2 ... bk    a: row of the player to move, b: his opponent's row,
//                                        each in sowing order: a1 -> ak -> b1 -> bk -> a1
//
// Worked example, 2x3, default rules: 0,0,4/1,1,2, pit 3. The four seeds fall into b1, b2, b3 and,
// past the end, a1: 1,0,0/2,2,3. The last one fell into the mover's own row, so nothing is
// captured; the opponent sees 2,2,3/1,0,0. With three seeds in pit 3 the last one would make three
// of b3: it captures b3, b2 and b1, the whole row (3 + 2 + 2), a grand slam.
//
// Nothing here is clever and nothing is shared with the rest of the project: an error in a kernel,
// a table or a rank cannot repeat itself here.
// Fails: std::invalid_argument for rules or a board that the rules do not allow.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace retrosow::reference {

enum class GrandSlam {
  kCapture,  // a capture of the whole opponent's row is made like any other
  kLeave,    // the move stands, nothing is captured
  kForbid    // the move is illegal
};

enum class Starvation {
  kFeed,  // an opponent with an empty row must be fed if that can be done
  // Awari: a move that leaves him nothing is illegal unless every move does so; GrandSlam is inert
  kLeave
};

enum class Remainder {
  kRow,       // each player takes what lies in his row
  kLastMover  // all goes to the opponent of the player who cannot move
};

struct UrimRules {
  int pits = 6;        // in each row, at least 1
  int pit_limit = 17;  // no pit ever holds more; 0 = no limit
  // false: a full pit is passed over; true: overfilling one is illegal
  bool pit_limit_forbids = false;
  std::set<int> trigger = {2, 3};   // what the last seed must make of an opponent's pit
  std::set<int> chain = {2, 3, 4};  // what the pits behind it must hold to be taken too
  GrandSlam grand_slam = GrandSlam::kCapture;
  Starvation starvation = Starvation::kFeed;
  Remainder remainder = Remainder::kRow;
};

// Presets. Both: no pit limit, trigger and chain {2,3}, remainder by row.
UrimRules oware_rules(int pits = 6);  // grand slam left on the board, feeding rule
UrimRules awari_rules(int pits = 6);  // starvation rule `leave`

struct UrimMove {
  int pit = 0;              // 1..k
  std::vector<int> result;  // 2k counts as the opponent sees them: his row first
  int captured = 0;         // seeds the mover took
  // The capture takes, or under GrandSlam::kLeave would have taken, the opponent's whole row.
  bool grand_slam = false;
};

// All legal moves, by ascending pit. None: the game is over and end_result() says who takes what.
std::vector<UrimMove> legal_moves(const UrimRules& rules, const std::vector<int>& board);

// Seeds that go to {the player to move, his opponent}. Pre: legal_moves() is empty.
std::pair<int, int> end_result(const UrimRules& rules, const std::vector<int>& board);

// Number of boards of 2 x `pits` with `seeds` seeds and no pit above `pit_limit` (0 = no limit).
std::uint64_t count_boards(int pits, int seeds, int pit_limit);

// Calls back with every such board once, in lexicographic order of a1 ... ak b1 ... bk.
void for_each_board(int pits, int seeds, int pit_limit,
                    const std::function<void(const std::vector<int>&)>& callback);

}  // namespace retrosow::reference
