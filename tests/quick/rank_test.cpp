// Ranks: a bijection on whole levels, in the order that rank.h documents.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/rank.h"
#include "tables/level_solver.h"
#include "tests/reference/urim_reference.h"
#include "tests/support/boards.h"

namespace retrosow::test {
namespace {

using PlainBoard = std::vector<int>;

int seeds_of_opponent(const PlainBoard& board) {
  return std::accumulate(board.begin() + static_cast<std::ptrdiff_t>(board.size() / 2), board.end(),
                         0);
}

// The documented order: fewer seeds in the opponent's half first, then that half in lexicographic
// order, then the mover's half.
bool documented_order(const PlainBoard& a, const PlainBoard& b) {
  const auto half = static_cast<std::ptrdiff_t>(a.size() / 2);
  const auto key = [half](const PlainBoard& board) {
    return std::make_tuple(seeds_of_opponent(board), PlainBoard(board.begin() + half, board.end()),
                           PlainBoard(board.begin(), board.begin() + half));
  };
  return key(a) < key(b);
}

std::vector<PlainBoard> boards_in_documented_order(unsigned pits, unsigned seeds, unsigned limit) {
  std::vector<PlainBoard> boards;
  reference::for_each_board(static_cast<int>(pits), static_cast<int>(seeds),
                            static_cast<int>(limit),
                            [&](const PlainBoard& board) { boards.push_back(board); });
  std::sort(boards.begin(), boards.end(), documented_order);
  return boards;
}

// What is wrong with the ranks of a level, given the boards in the order in which they should stand.
std::string level_fault(const LevelRanks& ranks, unsigned pits, const std::vector<PlainBoard>& boards) {
  if (ranks.size() != boards.size()) {
    return "size " + std::to_string(ranks.size()) + ", not " + std::to_string(boards.size());
  }
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const Position position = position_of(boards[i], equal_rows(pits));
    if (ranks.rank(position) != i) return "rank of board " + std::to_string(i);
    if (ranks.unrank(i) != position) return "unrank of board " + std::to_string(i);
  }
  return "";
}

std::string name_of(unsigned pits, unsigned limit, unsigned seeds) {
  return "2x" + std::to_string(pits) + " limit " + std::to_string(limit) + " seeds " +
         std::to_string(seeds);
}

TEST(Rank, IsABijectionInTheDocumentedOrderOnWholeLevels) {
  constexpr unsigned kMaxSeeds[] = {0, 30, 14, 10, 8, 6, 5, 4, 4};  // by pits
  for (unsigned pits = 1; pits <= 8; ++pits) {
    for (const unsigned limit : {0U, 1U, 3U, 5U, 17U, 127U}) {
      const HalfRanks halves(pits, limit, kMaxSeeds[pits]);
      for (unsigned seeds = 0; seeds <= kMaxSeeds[pits]; ++seeds) {
        const LevelRanks ranks(halves, seeds);
        ASSERT_EQ(ranks.seeds(), seeds);
        const auto boards = boards_in_documented_order(pits, seeds, limit);
        ASSERT_EQ(level_fault(ranks, pits, boards), "") << name_of(pits, limit, seeds);
        ASSERT_EQ(level_size(pits, limit, seeds), boards.size()) << name_of(pits, limit, seeds);
      }
    }
  }
}

// With a limit the levels near the fullest board are small again, and beyond it empty.
TEST(Rank, IsABijectionNearTheFullestBoard) {
  for (unsigned pits = 1; pits <= 4; ++pits) {
    for (const unsigned limit : {1U, 3U, 5U}) {
      const unsigned full = 2 * pits * limit;
      const HalfRanks halves(pits, limit, full + 2);
      for (unsigned seeds = full - std::min(full, 4U); seeds <= full + 2; ++seeds) {
        const auto boards = boards_in_documented_order(pits, seeds, limit);
        ASSERT_EQ(level_fault(LevelRanks(halves, seeds), pits, boards), "")
            << name_of(pits, limit, seeds);
        ASSERT_EQ(boards.empty(), seeds > full);
      }
    }
  }
}

TEST(Rank, RoundTripsOnRandomBoardsOfLargeLevels) {
  struct Level {
    unsigned pits, limit, seeds;
  };
  RandomNumbers random(6);
  for (const Level level :
       {Level{6, 17, 36}, Level{7, 17, 42}, Level{6, 0, 48}, Level{8, 17, 127}, Level{6, 127, 127},
        Level{3, 0, 127}, Level{1, 0, 127}, Level{8, 3, 48}}) {
    const HalfRanks halves(level.pits, level.limit, level.seeds);
    const LevelRanks ranks(halves, level.seeds);
    LevelIndex previous = 0;
    for (int i = 0; i < 2000; ++i) {
      LevelIndex index = random.next() % ranks.size();
      if (i == 0) index = 0;
      if (i == 1) index = ranks.size() - 1;
      const Position position = ranks.unrank(index);
      ASSERT_EQ(ranks.rank(position), index) << name_of(level.pits, level.limit, level.seeds);
      ASSERT_EQ(total_seeds(position), level.seeds);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const unsigned most = lane >= 2 * level.pits ? 0 : level.limit == 0 ? 255 : level.limit;
        ASSERT_LE(position.lanes[lane], most);
      }
      // Ascending indices are ascending boards.
      const PlainBoard here = board_of(position, equal_rows(level.pits));
      const PlainBoard there = board_of(ranks.unrank(previous), equal_rows(level.pits));
      ASSERT_EQ(documented_order(there, here), previous < index);
      previous = index;
    }
  }
}

TEST(Rank, TheWorkedExamplesHold) {
  const auto text = [](unsigned pits, unsigned seeds, LevelIndex index) {
    const HalfRanks halves(pits, 0, seeds);
    return text_of(board_of(LevelRanks(halves, seeds).unrank(index), equal_rows(pits)),
                   equal_rows(pits));
  };
  EXPECT_EQ(text(1, 2, 0), "2/0");
  EXPECT_EQ(text(1, 2, 1), "1/1");
  EXPECT_EQ(text(1, 2, 2), "0/2");
  EXPECT_EQ(text(2, 1, 0), "0,1/0,0");
  EXPECT_EQ(text(2, 1, 1), "1,0/0,0");
  EXPECT_EQ(text(2, 1, 2), "0,0/0,1");
  EXPECT_EQ(text(2, 1, 3), "0,0/1,0");
}

TEST(Rank, AHalfIsRankedWhereverItLies) {
  const HalfRanks halves(3, 0, 5);
  EXPECT_EQ(halves.count(5), 21U);
  std::uint64_t expected = 0;
  for (int a = 0; a <= 5; ++a) {
    for (int b = 0; a + b <= 5; ++b, ++expected) {
      const PlainBoard half = {a, b, 5 - a - b};
      Position low, high;
      for (unsigned pit = 0; pit < 3; ++pit) {
        low.lanes[2 - pit] = static_cast<std::uint8_t>(half[pit]);
        high.lanes[15 - pit] = static_cast<std::uint8_t>(half[pit]);
      }
      EXPECT_EQ(halves.rank(low, 2, 5), expected);
      EXPECT_EQ(halves.rank(high, 15, 5), expected);
      Position found;
      halves.unrank(expected, 5, found, 2);
      EXPECT_EQ(found, low);
    }
  }
  EXPECT_EQ(expected, halves.count(5));
}

// ---- Sizes ----

TEST(Rank, LevelSizesOfTheTraditionalBoardAreTheKnownOnes) {
  // 2x6, pit limit 17: seeds, boards at n, boards up to n. Counted apart from this code.
  struct Size {
    unsigned seeds;
    std::uint64_t level, up_to;
  };
  constexpr Size kSizes[] = {
      {12, 1'352'078, 2'704'156},           {16, 13'037'895, 30'421'755},
      {20, 84'671'379, 225'791'748},        {24, 417'077'388, 1'251'454'932},
      {28, 1'671'823'452, 5'579'093'728},   {32, 5'698'515'549, 20'974'790'213},
      {36, 17'001'966'203, 68'630'615'834},
  };
  for (const Size& size : kSizes) {
    EXPECT_EQ(level_size(6, 17, size.seeds), size.level);
    EXPECT_EQ(positions_of_levels(6, 17, 0, size.seeds), size.up_to);
  }
}

TEST(Rank, LevelSizesEqualCountingByBruteForce) {
  for (unsigned pits = 1; pits <= 8; ++pits) {
    for (const unsigned limit : {0U, 1U, 3U, 5U, 17U, 127U}) {
      for (unsigned seeds = 0; seeds <= 40; ++seeds) {
        ASSERT_EQ(level_size(pits, limit, seeds),
                  reference::count_boards(static_cast<int>(pits), static_cast<int>(seeds),
                                          static_cast<int>(limit)))
            << name_of(pits, limit, seeds);
      }
    }
  }
}

TEST(Rank, ALevelThatAnIndexCannotCountIsRefused) {
  // C(142, 15) boards, about 10^20: more than 2^64.
  EXPECT_EQ(level_size(8, 0, 127), ~std::uint64_t{0});
  EXPECT_EQ(positions_of_levels(8, 0, 0, 127), ~std::uint64_t{0});
  const HalfRanks halves(8, 0, 127);
  try {
    const LevelRanks ranks(halves, 127);
    FAIL() << "made ranks of " << ranks.size();
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error.what()).find("127"), std::string::npos);
  }
  // One that just fits is served: C(115, 15) is about 5 * 10^18.
  EXPECT_EQ(LevelRanks(halves, 100).size(), reference::count_boards(8, 100, 0));
}

// ---- Wrong orders must be refused ----

TEST(Rank, AnotherOrderOfTheBoardsIsRefused) {
  const HalfRanks halves(2, 0, 4);
  const LevelRanks ranks(halves, 4);
  std::vector<PlainBoard> boards = boards_in_documented_order(2, 4, 0);
  ASSERT_EQ(level_fault(ranks, 2, boards), "");
  std::swap(boards[3], boards[4]);
  EXPECT_NE(level_fault(ranks, 2, boards), "");
  std::sort(boards.begin(), boards.end());  // the mover's half leads
  EXPECT_NE(level_fault(ranks, 2, boards), "");
  boards = boards_in_documented_order(2, 4, 0);
  boards.pop_back();
  EXPECT_NE(level_fault(ranks, 2, boards), "");
  EXPECT_NE(level_fault(ranks, 2, boards_in_documented_order(2, 4, 3)), "");
}

}  // namespace
}  // namespace retrosow::test
