// Keys and entries of the transposition table lose nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "solver/transposition_table.h"
#include "tests/support/boards.h"

namespace retrosow::test {
namespace {

// Every board of up to so many seeds with its key.
std::map<SearchKey, Position> keys_of(unsigned pits, unsigned seeds, SearchKey swapped_bit) {
  std::map<SearchKey, Position> keys;
  const Shape shape = rows(pits - pits / 2, pits / 2);
  std::size_t boards = 0;
  for_each_board_up_to(pits, seeds, 0, [&](const std::vector<int>& board) {
    const Position position = position_of(board, shape);
    keys.emplace(search_key(position, pits, swapped_bit), position);
    ++boards;
  });
  EXPECT_EQ(keys.size(), boards) << pits << " pits";
  return keys;
}

TEST(SearchKey, DiffersFromBoardToBoard) {
  for (const auto& [pits, seeds] : {std::pair{2U, 40U}, {4U, 12U}, {7U, 6U}, {8U, 5U}, {9U, 5U}, {12U, 5U}, {16U, 3U}}) {
    for (const auto& [key, position] : keys_of(pits, seeds, 0)) {
      EXPECT_EQ(key >> (seeds + pits - 1) >> 1, 0U);
    }
  }
}

TEST(SearchKey, IsTheExampleOfTheHeader) {
  Position position;
  position.lanes = {2, 0, 1, 3};
  EXPECT_EQ(search_key(position, 4, 0), (SearchKey{1} << 2) | (1 << 3) | (1 << 5) | (1 << 9));
  EXPECT_TRUE(has_search_key(48, equal_rows(8)));
  EXPECT_FALSE(has_search_key(49, equal_rows(8)));
  EXPECT_FALSE(has_search_key(60, rows(1, 3)));
}

// What is stored under one key is never found under another, whatever is replaced.
TEST(TranspositionTable, GivesAPositionItsOwnFactsOrNone) {
  constexpr unsigned kPits = 4, kSeeds = 9;
  for (const std::uint64_t bytes : {1ULL, 16ULL, 64ULL, 1024ULL, 1ULL << 15, 1ULL << 20}) {
    TranspositionTable table(kSeeds + kPits, bytes);
    EXPECT_LE(table.bytes(), std::max<std::uint64_t>(bytes, 16));
    std::map<SearchKey, ProvedBounds> stored;
    std::size_t hits = 0;
    unsigned number = 0;
    for (const auto& [key, position] : keys_of(kPits, kSeeds, 0)) {
      ++number;
      const ProvedBounds bounds{-static_cast<int>(number % 31), static_cast<int>(number / 31 % 33)};
      table.store(table.mix(key), bounds, {{3, number % 200}, {-5, number % 100}, number % 9}, number);
      stored[key] = bounds;
    }
    for (const auto& [key, bounds] : stored) {
      const TranspositionTable::Found found = table.find(table.mix(key));
      if (!found.hit) continue;
      ++hits;
      EXPECT_EQ(found.bounds.lower, bounds.lower);
      EXPECT_EQ(found.bounds.upper, bounds.upper);
      EXPECT_EQ(found.hints.mover.threshold, 3);
      EXPECT_EQ(found.hints.opponent.threshold, -5);
    }
    EXPECT_GT(hits, 0U) << bytes;
    EXPECT_LE(hits, table.entries());
    if (table.entries() > 8 * stored.size()) {
      EXPECT_EQ(hits, stored.size());
    }
    table.clear();
    for (const auto& [key, bounds] : stored) EXPECT_FALSE(table.find(table.mix(key)).hit);
  }
}

TEST(TranspositionTable, AddsFactsToFacts) {
  TranspositionTable table(20, 1 << 10);
  table.store(table.mix(5), {-10, 10}, {}, 1);
  table.store(table.mix(5), {-3, 12}, {}, 1);
  table.store(table.mix(5), {-20, 4}, {}, 1);
  EXPECT_EQ(table.find(table.mix(5)).bounds.lower, -3);
  EXPECT_EQ(table.find(table.mix(5)).bounds.upper, 4);
  EXPECT_FALSE(table.find(table.mix(6)).hit);
}

TEST(TranspositionTable, IsLargeEnoughForItsTags) {
  EXPECT_GE(TranspositionTable(64, 1).entries(), std::uint64_t{1} << (64 - TranspositionTable::kTagBits));
  EXPECT_EQ(TranspositionTable(50, 1).entries(), 1U);
  EXPECT_EQ(TranspositionTable(60, std::uint64_t{1} << 20).bytes(), std::uint64_t{1} << 20);
}

TEST(TranspositionTable, KeepsTheDearerOfTwoEntries) {
  TranspositionTable table(30, 16);
  ASSERT_EQ(table.entries(), 1U);
  table.store(table.mix(1), {0, 1}, {}, 1000);
  table.store(table.mix(2), {0, 1}, {}, 1);  // a table of one entry always takes the newest
  EXPECT_TRUE(table.find(table.mix(2)).hit);
  TranspositionTable bucket(30, 64);
  ASSERT_EQ(bucket.entries(), 4U);
  for (SearchKey key = 1; key <= 4; ++key) bucket.store(bucket.mix(key), {0, 1}, {}, key == 3 ? 1 : 1000);
  bucket.store(bucket.mix(9), {0, 1}, {}, 10);
  EXPECT_TRUE(bucket.find(bucket.mix(9)).hit);
  EXPECT_FALSE(bucket.find(bucket.mix(3)).hit);
  EXPECT_TRUE(bucket.find(bucket.mix(1)).hit);
}

}  // namespace
}  // namespace retrosow::test
