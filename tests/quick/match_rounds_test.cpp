// Matches of real rounds, and rounds for sets of results, against the reference.
#include "solver/match_rounds.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tables/build.h"
#include "tests/reference/match_reference.h"
#include "tests/support/scratch_folder.h"

namespace retrosow::test {
namespace {

constexpr Starter kEveryStarter[] = {Starter::kAlternate, Starter::kWinner, Starter::kLoser};

RuleSet rio_rules(EndlessSow endless) {
  RuleSet rules = preset(Game::kRioKadalis);
  rules.endless_sow = endless;
  return rules;
}

reference::RioRules plain_rules(EndlessSow endless) {
  return {endless == EndlessSow::kDraw ? reference::EndlessSow::kDraw
                                       : reference::EndlessSow::kForbid};
}

reference::RioPosition plain_start(Shape open) {
  return {std::vector<int>(open.mover_pits, 4), std::vector<int>(open.opponent_pits, 4)};
}

TEST(MatchRounds, RealMatchesOnOneToFourHolesAreWorthWhatTheReferenceSays) {
  constexpr reference::NextStarter kPlain[] = {reference::NextStarter::kAlternate,
                                               reference::NextStarter::kWinner,
                                               reference::NextStarter::kLoser};
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const unsigned pits : {1U, 2U, 3U, 4U}) {
      MatchRounds rounds(rio_rules(endless), {});
      for (unsigned i = 0; i < 3; ++i) {
        // On four holes the one that takes rounds solved for sets of results.
        if (pits == 4 && (kEveryStarter[i] != Starter::kLoser || endless == EndlessSow::kDraw))
          continue;
        const MatchSolution match = solve_match({pits, kEveryStarter[i]}, rounds);
        const auto plain =
            reference::solve_match(plain_rules(endless), static_cast<int>(pits), kPlain[i]);
        unsigned compared = 0;
        for (const auto& [own, result] : plain) {
          const MatchState* state = match.find(static_cast<unsigned>(own));
          if (result.rounds == 0) continue;
          ASSERT_NE(state, nullptr) << own;  // states that arise are among those that may
          EXPECT_EQ(static_cast<int>(state->best.outcome), result.outcome) << own;
          EXPECT_EQ(state->best.rounds ? static_cast<int>(*state->best.rounds) : -1, result.rounds)
              << own;
          ++compared;
        }
        EXPECT_GE(compared, 1u);
      }
    }
  }
}

TEST(MatchRounds, FactsOfRoundsAreThoseOfTheReference) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    MatchRounds rounds(rio_rules(endless), {});
    for (const Shape open : {Shape{1, 2}, Shape{2, 2}, Shape{2, 3}, Shape{3, 2}, Shape{3, 1}}) {
      const reference::RoundGame plain(plain_rules(endless), plain_start(open));
      const RoundFacts& facts = rounds.facts(open);
      for (const int x : plain.results()) {
        EXPECT_TRUE(facts.possible[static_cast<std::size_t>(x)]) << x;
        EXPECT_EQ(x % 2, 0);  // no even split makes a half
      }
      // Stones by play for most stones: the greatest number that can be forced.
      const auto at_least = [&](unsigned least) {
        std::set<int> wanted;
        for (unsigned x = least; x <= 4 * open.pits(); ++x) wanted.insert(static_cast<int>(x));
        return wanted;
      };
      EXPECT_TRUE(plain.forces(at_least(facts.stones)));
      EXPECT_FALSE(plain.forces(at_least(facts.stones + 1)));
      const auto legal = plain.forces_by_move({});
      ASSERT_EQ(facts.moves.size(), legal.size());
      for (const RoundFacts::FirstMove& move : facts.moves) {
        const int hole = static_cast<int>(move.slot) + 1;
        EXPECT_TRUE(plain.forces_by_move(at_least(move.stones)).at(hole));
        EXPECT_FALSE(plain.forces_by_move(at_least(move.stones + 1)).at(hole));
      }
    }
  }
}

TEST(MatchRounds, RoundsForSetsOfResultsAreSolvedLikeTheReference) {
  std::mt19937 random(7);
  unsigned forced = 0, asked = 0, unlike_stones = 0;
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const Shape open : {Shape{2, 2}, Shape{2, 3}, Shape{3, 2}, Shape{3, 3}}) {
      const reference::RoundGame plain(plain_rules(endless), plain_start(open));
      const Round round = solve_round(rio_rules(endless), round_start(open), open, 0, {});
      std::vector<ResultSet> wanted(12);
      std::vector<std::set<int>> plain_wanted(12);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        for (unsigned x = 0; x <= 4 * open.pits(); ++x) {
          if (random() % 2 != 0) continue;
          wanted[i].set(x);
          plain_wanted[i].insert(static_cast<int>(x));
        }
      }
      // Memory for some of the sets at a time.
      const std::uint64_t memory = results_memory(round, 5);
      const std::vector<ForcedResults> found = solve_for_results(round, wanted, memory, 3, {});
      ASSERT_EQ(found.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(found[i].from_start, plain.forces(plain_wanted[i]));
        for (const auto& [hole, result] : plain.forces_by_move(plain_wanted[i])) {
          EXPECT_EQ(found[i].after_move.at(static_cast<std::size_t>(hole - 1)), result);
        }
        ++asked;
        forced += found[i].from_start;
        // Such a set is not what play for most stones is about.
        unlike_stones += found[i].from_start && !wanted[i][4 * open.pits()];
      }
    }
  }
  EXPECT_GT(forced, 10u);
  EXPECT_LT(forced, asked - 10);
  EXPECT_GT(unlike_stones, 5u);
}

TEST(MatchRounds, RoundsFromTablesGiveTheSameMatchAndLittleMemoryIsALimit) {
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  ScratchFolder folder;
  BuildOptions build;
  build.folder = folder.path();
  for (const Shape open : {Shape{4, 4}, Shape{3, 4}}) {
    build_round(rules, round_start(open), open, build);
  }
  const TableFolder tables(folder.path(), rules);
  MatchRoundsOptions options;
  options.tables = &tables;
  MatchRounds with(rules, options), without(rules, {});
  const MatchRules match{4, Starter::kLoser};
  const MatchSolution a = solve_match(match, with), b = solve_match(match, without);
  EXPECT_EQ(with.rounds_read(), 2u);
  EXPECT_GT(a.sets_solved, 0u);  // one of 3 v 4 holes
  ASSERT_EQ(a.states.size(), b.states.size());
  for (std::size_t i = 0; i < a.states.size(); ++i) {
    EXPECT_EQ(a.states[i].best, b.states[i].best);
    EXPECT_EQ(a.states[i].result, b.states[i].result);
    EXPECT_EQ(a.states[i].best_moves, b.states[i].best_moves);
  }

  const Round round = solve_round(rules, round_start({3, 4}), {3, 4}, 0, {});
  const std::vector<ResultSet> nothing(1);
  EXPECT_THROW(solve_for_results(round, nothing, results_memory(round, 1) - 1, 1, {}), Error);
  EXPECT_FALSE(solve_for_results(round, nothing, results_memory(round, 1), 1, {}).at(0).from_start);
}

}  // namespace
}  // namespace retrosow::test
