// Matches of real rounds, and rounds for sets of results, against the reference.
#include "solver/match_rounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "solver/possible_results.h"
#include "tables/build.h"
#include "tests/reference/match_reference.h"
#include "tests/support/boards.h"
#include "tests/support/match_results.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

constexpr Starter kEveryStarter[] = {Starter::kAlternate, Starter::kWinner, Starter::kLoser};

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
          ASSERT_NE(state, nullptr) << own;
          EXPECT_EQ(static_cast<int>(state->best.outcome), result.outcome) << own;
          EXPECT_EQ(state->best.rounds ? static_cast<int>(*state->best.rounds) : -1, result.rounds)
              << own;
          ++compared;
        }
        EXPECT_GE(compared, 1u);
        EXPECT_EQ(match.states.size(), compared);  // all that arise, and no others
      }
    }
  }
}

TEST(MatchRounds, ARoundCanBringWhatAnyPlayOfTheReferenceBrings) {
  unsigned rounds = 0, not_all_even = 0;
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (unsigned pits = 1; pits <= 4; ++pits) {
      for (unsigned few = 1; few <= pits; ++few) {
        for (const Shape open : {rows(few, pits), rows(pits, few)}) {
          const reference::RoundGame plain(plain_rules(endless), plain_start(open));
          const Round round = solve_round(rio_rules(endless), round_start(open), open, 0, {});
          for (const unsigned threads : {1U, 3U}) {
            EXPECT_EQ(numbers_of(possible_results(round, 0, threads, {})), plain.results())
                << few << " of " << pits << " holes";
          }
          ++rounds;
          not_all_even += plain.results().size() <= 2 * open.pits();
        }
      }
    }
  }
  EXPECT_EQ(rounds, 40u);
  EXPECT_GT(not_all_even, 20u);
}

TEST(MatchRounds, ARoundFromAnywhereCanBringWhatAnyPlayOfTheReferenceBrings) {
  RandomNumbers random(5);
  unsigned compared = 0, odd = 0, endless_sows = 0;
  while (compared < 200) {
    const EndlessSow endless = random.one_in(3) ? EndlessSow::kDraw : EndlessSow::kForbid;
    const Shape shape = rows(random.between(1, 4), random.between(1, 4));
    std::vector<int> board(shape.pits());
    for (unsigned left = 4 * random.between(1, 4); left > 0; --left)
      ++board[random.below(shape.pits())];
    const Position root = position_of(board, shape);
    const reference::RoundGame plain(plain_rules(endless), rio_position_of(board, shape));
    const Round round = solve_round(rio_rules(endless), root, shape, 0, {});
    EXPECT_EQ(numbers_of(possible_results(round, 0, 2, {})), plain.results())
        << text_of(board, shape);
    ++compared;
    odd += std::any_of(plain.results().begin(), plain.results().end(),
                       [](int x) { return x % 2 != 0; });
    for (const RoundLevel& level : round.levels) endless_sows += level.endless_moves != 0;
  }
  EXPECT_GT(odd, 0u);
  EXPECT_GT(endless_sows, 20u);
}

TEST(MatchRounds, LargeRoundsCanBringWhatAPlainModelInPythonFound) {
  const RoundResults cases[] = {{{1, 5}, {12, 14, 16, 18, 20, 22, 24}},
                                {{2, 5}, {24, 26, 28}},
                                {{5, 2}, {0, 2, 4}},
                                {{1, 6}, {2, 6, 10, 14, 16, 18, 20, 22, 24, 26, 28}},
                                {{6, 1}, {0, 2, 4, 6, 8, 10, 12, 14, 18, 22, 26}}};
  expect_results(cases);
}

TEST(MatchRounds, WholeMatchesAreMonotoneInSoManyStates) {
  const MatchStates cases[] = {
      {2, Starter::kLoser, 2, 2}, {2, Starter::kAlternate, 2, 2}, {4, Starter::kLoser, 9, 9}};
  expect_states(cases);
}

TEST(MatchRounds, ARoundThatIsNotWholeAndLittleMemoryAreErrors) {
  Round round = solve_round(rio_rules(EndlessSow::kForbid), round_start({3, 3}), {3, 3}, 0, {});
  const auto little = error_from([&] { possible_results(round, 1000, 1, {}); });
  ASSERT_TRUE(little.has_value());
  EXPECT_EQ(little->error_class(), ErrorClass::kLimit) << little->what();
  round.levels[1].keys.pop_back();
  const auto cut = error_from([&] { possible_results(round, 0, 1, {}); });
  ASSERT_TRUE(cut.has_value());
  EXPECT_EQ(cut->error_class(), ErrorClass::kIo) << cut->what();
}

TEST(MatchRounds, FactsOfRoundsAreThoseOfTheReference) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    MatchRounds rounds(rio_rules(endless), {});
    for (const Shape open : {Shape{1, 2}, Shape{2, 2}, Shape{2, 3}, Shape{3, 2}, Shape{3, 1}}) {
      const reference::RoundGame plain(plain_rules(endless), plain_start(open));
      const RoundFacts& facts = rounds.facts(open);
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

// Stones that the starter ends a round with, played as a line says. -1: the line is not one.
int played_out(const reference::RioRules& rules, const Shape& open, const Line& line) {
  reference::RioPosition position = plain_start(open);
  int starters = 0;
  bool starter_moves = true;
  for (const unsigned slot : line.slots) {
    const auto legal = reference::legal_moves(rules, position);
    const auto move = std::find_if(legal.begin(), legal.end(), [&](const reference::RioMove& m) {
      return m.hole == static_cast<int>(slot) + 1;
    });
    if (move == legal.end()) return -1;
    starters += starter_moves ? move->captured : move->captured_opponent;
    if (move->ends == reference::RioEnd::kEndless) {
      return starters + (stones(position) - move->captured - move->captured_opponent) / 2;
    }
    position = move->result;
    starter_moves = !starter_moves;
  }
  if (line.end == Line::End::kRepetition) return starters + stones(position) / 2;
  if (line.end != Line::End::kGameOver || !reference::legal_moves(rules, position).empty())
    return -1;
  const auto [mover, other] = reference::end_result(position);
  return starters + (starter_moves ? mover : other);
}

TEST(MatchRounds, MovesOfARoundBringWhatIsPerfectForTheMatch) {
  unsigned lines = 0, repetitions = 0;
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const unsigned pits : {1U, 2U, 3U, 4U}) {
      MatchRounds rounds(rio_rules(endless), {});
      for (const Starter starter : kEveryStarter) {
        for (const MatchState& state : solve_match({pits, starter}, rounds).states) {
          const Line line = rounds.most_stones(state.open);
          const int result = played_out(plain_rules(endless), state.open, line);
          EXPECT_EQ(result, static_cast<int>(state.round.stones)) << pits << ' ' << state.stones;
          if (!state.stones_suffice) continue;
          EXPECT_EQ(result, static_cast<int>(state.result));
          // The first move is one that keeps the match.
          EXPECT_TRUE(
              std::count(state.best_moves.begin(), state.best_moves.end(), line.slots.at(0)));
          ++lines;
          repetitions += line.end == Line::End::kRepetition;
        }
      }
    }
  }
  EXPECT_GT(lines, 60u);
  EXPECT_GT(repetitions, 5u);
  // Another line is told apart.
  EXPECT_EQ(played_out({}, {1, 1}, {{0, 0, 0}, Line::End::kGameOver}), 8);
  EXPECT_EQ(played_out({}, {1, 1}, {{0, 0}, Line::End::kGameOver}), -1);
  EXPECT_EQ(played_out({}, {1, 1}, {{1}, Line::End::kGameOver}), -1);
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
  EXPECT_EQ(with.most_stones({4, 4}).slots, without.most_stones({4, 4}).slots);
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
