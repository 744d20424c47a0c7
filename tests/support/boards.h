// Boards for the tests: plain counts and packed positions into each other, and seeded random boards.
//
// A plain board is what tests/reference works with: a1 ... am b1 ... bn, one int a pit, the player to
// move first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bitboard/position.h"
#include "tests/reference/rio_reference.h"

namespace retrosow::test {

Shape equal_rows(unsigned pits);
Shape rows(unsigned mover_pits, unsigned opponent_pits);

Position position_of(const std::vector<int>& board, Shape shape);
Position position_of(const reference::RioPosition& position);
Shape shape_of(const reference::RioPosition& position);
std::vector<int> board_of(const Position& position, Shape shape);
reference::RioPosition rio_position_of(const std::vector<int>& board, Shape shape);

// A position from its notation, closed holes left out.
struct Placed {
  Position position;
  Shape shape;
};
Placed placed(const std::string& text);

std::string text_of(const std::vector<int>& board, Shape shape);

// Calls back with every board of so many pits (both rows together) and 0 .. max_seeds seeds; a pit
// limit of 0 is none.
void for_each_board_up_to(unsigned pits, unsigned max_seeds, unsigned pit_limit,
                          const std::function<void(const std::vector<int>&)>& callback);

// A seeded stream of numbers: splitmix64 (Steele, Lea, Flood 2014). The same on every machine and with
// every standard library, so a board that fails can be found again.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  unsigned below(unsigned bound);                 // Pre: bound > 0
  unsigned between(unsigned low, unsigned high);  // both included
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

// A board of 2 x pits that the limit allows, of one of many kinds: few seeds, many, pits at the limit
// and just below, a single sowing of 11..36 seeds, a sowing that ends exactly on the pit before its
// start, an empty opponent's row, and without a limit pits of more than 127 seeds.
std::vector<int> random_urim_board(RandomNumbers& random, unsigned pits, unsigned pit_limit);

// A board as it is after the opening, none to three stones in a hole, or one of at most `max_stones`
// stones, often with one hole that holds most of them.
std::vector<int> random_rio_board(RandomNumbers& random, Shape shape, unsigned max_stones);

}  // namespace retrosow::test
