// What a player is advised: proved where it says so, by every source, and a plain look ahead elsewhere.
#include "solver/advisor.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "bitboard/notation.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

int plain_minimax(const MoveGenerator& generator, const Position& position, Shape shape,
                  unsigned depth, std::map<std::pair<Position, unsigned>, int>& seen) {
  MoveList list;
  generator.generate(position, shape, list);
  if (list.legal == 0) return generator.end(position, shape).value();
  if (depth == 0) return 0;
  const auto found = seen.find({position, depth});
  if (found != seen.end()) return found->second;
  int best = -1000;
  for_each_move(list, [&](unsigned slot) {
    best = std::max(
        best, list.captured[slot] - list.captured_opponent[slot] -
                  plain_minimax(generator, list.result[slot], shape.swapped(), depth - 1, seen));
  });
  return seen[{position, depth}] = best;
}

// Of every source the values are those of a solution by tables, and the advised move is a best one.
TEST(Advisor, WhatItCallsProvedIsTheValue) {
  RandomNumbers random(3);
  std::set<Advice::Source> sources;
  for (const RuleSet& rules :
       {urim_rules(), urim_rules("grand-slam=forbid remainder=last-mover"), preset(Game::kAwari),
        rio_rules(EndlessSow::kForbid), rio_rules(EndlessSow::kDraw)}) {
    const bool rio = family_of(rules.game) == Family::kRioKadalis;
    const Shape shape = equal_rows(3);
    const MoveGenerator generator(rules, shape);
    for (unsigned i = 0; i < 10; ++i) {
      const Position position = position_of(
          rio ? random_rio_board(random, shape, 12) : random_urim_board(random, 3, 4), shape);
      MoveList list;
      generator.generate(position, shape, list);
      const unsigned seeds = total_seeds(position);
      if (list.legal == 0 || seeds > 9) continue;
      const Solution solution = solve_by_tables(rules, position, shape, {});
      for (const std::uint64_t limit : {300, 2'000, 1'000'000}) {
        AdvisorOptions options;
        options.limit_nodes = limit;
        Advisor advisor(rules, options);
        const Advice& advice = advisor.advise(position, shape);
        sources.insert(advice.source);
        ASSERT_EQ(advice.evaluation.moves.size(), list.count());
        EXPECT_TRUE(limit < 1'000'000 || advice.proved());
        int advised = -1000;
        for (const MoveValue& move : advice.evaluation.moves) {
          if (move.slot == advice.slot) advised = move.value;
        }
        EXPECT_EQ(advised, advice.evaluation.value);
        const Line line = advisor.line(position, shape, 10);
        ASSERT_FALSE(line.slots.empty());
        EXPECT_LE(line.slots.size(), 10U);
        EXPECT_TRUE(((list.legal >> line.slots.front()) & 1U) != 0);
        if (!advice.proved()) continue;
        EXPECT_EQ(advice.evaluation.value, solution.value) << format_position(position, shape);
        for (std::size_t m = 0; m < advice.evaluation.moves.size(); ++m) {
          EXPECT_EQ(advice.evaluation.moves[m].value, solution.evaluation.moves[m].value);
        }
      }
    }
  }
  EXPECT_TRUE(sources.contains(Advice::Source::kSolved));
  EXPECT_TRUE(sources.contains(Advice::Source::kSearch));
  EXPECT_TRUE(sources.contains(Advice::Source::kEstimate));
}

TEST(Advisor, EstimateIsPlainMinimaxToItsDepth) {
  RandomNumbers random(4);
  const RuleSet rules = urim_rules();
  const Shape shape = equal_rows(2);
  const MoveGenerator generator(rules, shape);
  AdvisorOptions options;
  options.limit_nodes = 0;
  Advisor advisor(rules, options);
  for (unsigned i = 0; i < 6; ++i) {
    const Position position = position_of(random_urim_board(random, 2, 5), shape);
    MoveList list;
    generator.generate(position, shape, list);
    if (list.legal == 0) continue;
    const Advice& advice = advisor.advise(position, shape);
    ASSERT_EQ(advice.source, Advice::Source::kEstimate);
    ASSERT_GT(advice.depth_plies, 0U);
    std::map<std::pair<Position, unsigned>, int> seen;
    EXPECT_EQ(advice.evaluation.value,
              plain_minimax(generator, position, shape, advice.depth_plies, seen));
  }
}

TEST(Advisor, StrengthIsTheShareOfAdvisedMoves) {
  Advice advice;
  advice.evaluation.moves = {{0, 1}, {1, 2}, {3, 0}};
  advice.slot = 1;
  for (const unsigned strength : {0U, 4U, 10U}) {
    SplitMix64 random(5);
    std::map<unsigned, unsigned> chosen;
    for (unsigned i = 0; i < 3000; ++i) ++chosen[choose_slot(advice, strength, random)];
    EXPECT_NEAR(chosen[1], 300 * strength + (3000 - 300 * strength) / 3, 120) << strength;
    EXPECT_NEAR(chosen[0], (3000 - 300 * strength) / 3, 120) << strength;
    EXPECT_NEAR(chosen[3], (3000 - 300 * strength) / 3, 120) << strength;
  }
}

}  // namespace
}  // namespace retrosow::test
