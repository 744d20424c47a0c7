// The packed position: lanes, order, the other side's view.
#include <gtest/gtest.h>

#include <algorithm>

#include "bitboard/notation.h"
#include "tests/support/boards.h"

namespace retrosow::test {
namespace {

TEST(Position, LanesRunAgainstTheSowingOrder) {
  const auto [position, shape] = placed("1,2/3,4");
  EXPECT_EQ(shape, equal_rows(2));
  EXPECT_EQ(position.lanes, (std::array<std::uint8_t, kLanes>{4, 3, 2, 1}));
  EXPECT_EQ(seeds_in(position, shape, 0), 1U);
  EXPECT_EQ(seeds_in(position, shape, 3), 4U);
}

TEST(Position, PositionsOfOneShapeCompareLikeTheirNotation) {
  RandomNumbers random(7);
  for (const Shape shape : {equal_rows(1), equal_rows(6), equal_rows(8), rows(8, 7), rows(2, 3)}) {
    std::vector<std::vector<int>> boards;
    for (int i = 0; i < 200; ++i) boards.push_back(random_rio_board(random, shape, 255));
    for (std::size_t i = 1; i < boards.size(); ++i) {
      const Position a = position_of(boards[i - 1], shape), b = position_of(boards[i], shape);
      EXPECT_EQ(a < b, boards[i - 1] < boards[i]);
      EXPECT_EQ(a == b, boards[i - 1] == boards[i]);
    }
  }
}

TEST(Position, SwappingSidesRotatesTheRowsAndTwiceIsNothing) {
  RandomNumbers random(8);
  for (const Shape shape :
       {equal_rows(1), equal_rows(6), equal_rows(8), rows(8, 7), rows(2, 3), rows(0, 3)}) {
    for (int i = 0; i < 100; ++i) {
      std::vector<int> board = random_rio_board(random, shape, 255);
      const Position position = position_of(board, shape);
      const Position swapped = swap_sides(position, shape);
      std::rotate(board.begin(), board.begin() + shape.mover_pits, board.end());
      EXPECT_EQ(board_of(swapped, shape.swapped()), board);
      EXPECT_EQ(swap_sides(swapped, shape.swapped()), position);
      EXPECT_EQ(mover_seeds(position, shape), opponent_seeds(swapped, shape.swapped()));
      EXPECT_EQ(opponent_seeds(position, shape), mover_seeds(swapped, shape.swapped()));
      EXPECT_EQ(total_seeds(position), total_seeds(swapped));
    }
  }
}

}  // namespace
}  // namespace retrosow::test
