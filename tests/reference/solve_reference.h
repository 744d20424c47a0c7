// Perfect-play values and distances by brute force: what every table builder, search and verifier
// is tested against.
//
// The method shares neither code nor idea with the table builder. It looks at one threshold at a
// time. For a level (all positions with n seeds on the board; lower levels are known) and t = n,
// n-1, ..., 1 let
//
//   W = positions whose mover can force  value >= t
//   L = positions whose mover cannot avoid value <= -t
//
//   p in W  if  the game is over and the end is worth >= t,
//           or  an exit is worth >= t,
//           or  a quiet move leads into L
//   p in L  if  the game is over and the end is worth <= -t,
//           or  there are moves, every exit is worth <= -t and every quiet move leads into W
//
//   exit:   a move out of the level, worth what it wins net minus the value of where it leads;
//           a Rio Kadalis sow that never ends leads nowhere and is worth what it won net
//   quiet:  every other move
//
// and take the smallest W and L that satisfy this (an attractor, grown backwards along stored
// reverse edges). Smallest means that endless play helps nobody to t: it is worth 0, which is
// neither >= t nor <= -t. The value of p is the greatest t with p in W, or minus the greatest t
// with p in L, or 0. No |value| exceeds n, since what is taken and what is still to be taken lay on
// the board.
//
// Example: 2x1, one seed, default rules. 1/0: the only move gives 1/0 to the opponent, so play is
// endless, value 0. 0/1: the player to move has no move, the game is over and the seed is his
// opponent's: value -1, distance 0.
//
// Distance d, in plies: game over d = 0; value > 0: 1 + the least, value < 0: 1 + the greatest d
// over the moves that keep the value, an exit counting as d = 0 behind it. Found afterwards in
// waves, d = 0, 1, 2, ..., straight from that sentence.
//
// Fails: std::invalid_argument for input out of range (over 127 seeds), std::out_of_range for a
// position not solved, std::logic_error if the result contradicts itself.
// Cost: under 0.25 KiB for a position, its moves included; time grows with positions times seeds of
// the level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/reference/rio_reference.h"
#include "tests/reference/urim_reference.h"

namespace retrosow::reference {

inline constexpr int kNoDistance = -1;  // of positions of value 0

struct Solved {
  int value = 0;  // what the mover takes minus what the opponent takes, from here on
  int distance = kNoDistance;
};

struct MoveValue {
  int pit = 0;    // 1..k
  int value = 0;  // for the player who makes the move, what it wins included
};

// Positions as byte strings, one byte a pit, with what is known about them. A plain store, for the
// two classes below.
struct SolvedStore {
  std::vector<std::string> keys;
  std::unordered_map<std::string, std::uint32_t> index_of;
  std::vector<std::uint8_t> seeds;  // on the board
  std::vector<std::int8_t> values;
  std::vector<std::int16_t> distances;

  Solved at(const std::string& key) const;
};

// Every board with 0 .. max_seeds seeds that the rules allow.
class UrimSolution {
 public:
  UrimSolution(const UrimRules& rules, int max_seeds);

  const UrimRules& rules() const { return rules_; }
  int max_seeds() const { return max_seeds_; }
  std::size_t size() const { return store_.keys.size(); }

  Solved at(const std::vector<int>& board) const;
  std::vector<MoveValue> move_values(const std::vector<int>& board) const;

  // Every board of one level, in lexicographic order.
  void for_each(int seeds,
                const std::function<void(const std::vector<int>&, Solved)>& callback) const;
  // Value -> number of boards of that level.
  std::map<int, std::uint64_t> histogram(int seeds) const;

 private:
  UrimRules rules_;
  int max_seeds_;
  SolvedStore store_;
  // Boards of n seeds have the numbers from level_begin_[n] up to below level_begin_[n + 1].
  std::vector<std::size_t> level_begin_;
};

// Every position that can be reached from `start` by legal moves, `start` included. The shape
// (holes of mover and opponent) is part of a position.
class RioSolution {
 public:
  RioSolution(const RioRules& rules, const RioPosition& start);

  const RioRules& rules() const { return rules_; }
  const RioPosition& start() const { return start_; }
  std::size_t size() const { return store_.keys.size(); }

  bool contains(const RioPosition& position) const;
  Solved at(const RioPosition& position) const;
  std::vector<MoveValue> move_values(const RioPosition& position) const;

  // Every reached position of one level, in the order in which a breadth-first walk from the start
  // meets them.
  void for_each(int stones, const std::function<void(const RioPosition&, Solved)>& callback) const;
  // Value -> number of reached positions of that level.
  std::map<int, std::uint64_t> histogram(int stones) const;

 private:
  RioRules rules_;
  RioPosition start_;
  SolvedStore store_;
};

inline UrimSolution solve_urim(const UrimRules& rules, int max_seeds) {
  return UrimSolution(rules, max_seeds);
}
inline RioSolution solve_rio(const RioRules& rules, const RioPosition& start) {
  return RioSolution(rules, start);
}

}  // namespace retrosow::reference
