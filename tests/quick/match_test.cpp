// Matches: made-up rounds against a plain model, real rounds against the reference.
#include "solver/match.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "solver/match_rounds.h"
#include "tables/build.h"
#include "tests/reference/match_reference.h"
#include "tests/support/scratch_folder.h"

namespace retrosow::test {
namespace {

// ------------------------------------------------------------------ made-up rounds

// The starter picks one of a few lists of results, the other a result from it.
using Lists = std::vector<std::set<unsigned>>;

class MadeUpRounds : public RoundOracle {
 public:
  explicit MadeUpRounds(unsigned seed) : random_(seed) {}

  const RoundFacts& facts(Shape open) override {
    RoundFacts& facts = facts_[{open.mover_pits, open.opponent_pits}];
    if (!facts.moves.empty()) return facts;
    const Lists& options = lists(open);
    for (unsigned i = 0; i < options.size(); ++i) {
      facts.moves.push_back({i, *options[i].begin()});
      facts.stones = std::max(facts.stones, *options[i].begin());
      for (const unsigned x : options[i]) facts.possible.set(x);
    }
    return facts;
  }
  std::vector<ForcedResults> forces(Shape open, std::span<const ResultSet> wanted) override {
    std::vector<ForcedResults> forced;
    for (const ResultSet& set : wanted) {
      ++asked;
      forced.emplace_back();
      for (const std::set<unsigned>& list : lists(open)) {
        const bool all = std::all_of(list.begin(), list.end(), [&](unsigned x) { return set[x]; });
        forced.back().after_move.push_back(all != lies);
        forced.back().from_start = forced.back().from_start || all != lies;
      }
    }
    return forced;
  }

  const Lists& lists(Shape open) {
    Lists& lists = lists_[{open.mover_pits, open.opponent_pits}];
    while (lists.empty()) {
      const unsigned count = 1 + below(4), board = 4 * open.pits();
      for (unsigned i = 0; i < count; ++i) {
        std::set<unsigned> list;
        // Mostly near the middle, so that matches last.
        const unsigned size = 1 + below(3);
        for (unsigned j = 0; j < size; ++j) {
          list.insert(below(4) == 0 ? 2 * below(board / 2 + 1) : board / 2 - 4 + 2 * below(5));
        }
        lists.push_back(list);
      }
    }
    return lists;
  }

  unsigned asked = 0;
  bool lies = false;

 private:
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }

  std::mt19937 random_;
  std::map<std::pair<unsigned, unsigned>, Lists> lists_;
  std::map<std::pair<unsigned, unsigned>, RoundFacts> facts_;
};

// The model: whether a player can win within so many rounds, by trying everything.
class PlainMatch {
 public:
  PlainMatch(unsigned pits, Starter starter, MadeUpRounds& rounds)
      : pits_(pits), starter_(starter), rounds_(rounds) {}

  // Of the starter's win (or the other's, for `of_other`) from a state, within so many rounds.
  bool wins(unsigned own, bool of_other, unsigned rounds) {
    if (own < 4) return of_other;
    if (8 * pits_ - own < 4) return !of_other;
    if (rounds == 0) return false;
    const auto key = std::tuple(own, of_other, rounds);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    bool some_list = false, every_list = true;
    for (const std::set<unsigned>& list : rounds_.lists(open(own))) {
      bool some = false, every = true;
      for (const unsigned x : list) {
        const bool good = wins_after(own, x, of_other, rounds - 1);
        some = some || good;
        every = every && good;
      }
      some_list = some_list || every;
      every_list = every_list && some;
    }
    return known_[key] = of_other ? every_list : some_list;
  }
  bool wins_after(unsigned own, unsigned x, bool of_other, unsigned rounds) {
    const auto [next, same] = after(own, x);
    return wins(next, same ? of_other : !of_other, rounds);
  }

  MatchOutcome outcome(unsigned own) {
    for (unsigned rounds = 0; rounds <= 8 * pits_ + 1; ++rounds) {
      if (wins(own, false, rounds)) return {Outcome::kWin, rounds};
      if (wins(own, true, rounds)) return {Outcome::kLoss, rounds};
    }
    return {};
  }

  // What the next starter owns, and whether he is the same.
  std::pair<unsigned, bool> after(unsigned own, unsigned x) const {
    const unsigned holes = std::min(pits_, own / 4),
                   others = std::min(pits_, (8 * pits_ - own) / 4);
    const unsigned total = own - 4 * holes + x, board = 4 * (holes + others);
    const bool won = x > board - x, lost = x < board - x;
    const bool same =
        (starter_ == Starter::kWinner && won) || (starter_ == Starter::kLoser && lost);
    return {same ? total : 8 * pits_ - total, same};
  }
  Shape open(unsigned own) const {
    return {static_cast<std::uint8_t>(std::min(pits_, own / 4)),
            static_cast<std::uint8_t>(std::min(pits_, (8 * pits_ - own) / 4))};
  }

  // 2: better than the state is worth, 1: as good as can be kept, 0: worse.
  int rank(unsigned own, unsigned x, const MatchOutcome& best) {
    const unsigned rounds = best.rounds.value_or(0), many = 8 * pits_ + 1;
    switch (best.outcome) {
      case Outcome::kWin: return wins_after(own, x, false, rounds - 1) ? 1 : 0;
      case Outcome::kLoss: return wins_after(own, x, true, rounds - 1) ? 1 : 2;
      case Outcome::kDraw: break;
    }
    return wins_after(own, x, false, many) ? 2 : wins_after(own, x, true, many) ? 0 : 1;
  }

 private:
  unsigned pits_;
  Starter starter_;
  MadeUpRounds& rounds_;
  std::map<std::tuple<unsigned, bool, unsigned>, bool> known_;
};

struct Counts {
  unsigned states = 0, wins = 0, draws = 0, losses = 0, not_monotone = 0, not_sufficient = 0,
           cycles = 0, asked = 0;
  unsigned differ = 0;
};

constexpr Starter kStarters[] = {Starter::kAlternate, Starter::kWinner, Starter::kLoser};

// Solves made-up matches and counts what they are like; `differ`: states with another outcome than the model's.
Counts try_matches(bool lies) {
  Counts counts;
  for (unsigned seed = 0; seed < 240; ++seed) {
    const unsigned pits = 2 + seed % 4;
    const Starter starter = kStarters[seed / 4 % 3];
    MadeUpRounds rounds(seed);
    rounds.lies = lies;
    const MatchSolution match = solve_match({pits, starter}, rounds);
    PlainMatch plain(pits, starter, rounds);
    for (const MatchState& state : match.states) {
      const MatchOutcome best = plain.outcome(state.stones);
      ++counts.states;
      counts.differ += state.best == best ? 0 : 1;
      counts.wins += best.outcome == Outcome::kWin;
      counts.draws += best.outcome == Outcome::kDraw;
      counts.losses += best.outcome == Outcome::kLoss;
      counts.not_monotone += !state.monotone;
      counts.not_sufficient += !state.stones_suffice;
    }
    counts.cycles += match.cycle_begin.has_value();
    counts.asked += rounds.asked;
  }
  return counts;
}

TEST(Match, EveryStateOfMadeUpMatchesIsWorthWhatTryingEverythingSays) {
  const Counts counts = try_matches(false);
  EXPECT_EQ(counts.differ, 0u);
  // The matches are of all kinds.
  EXPECT_GT(counts.states, 900u);
  for (const unsigned kind : {counts.wins, counts.draws, counts.losses, counts.not_monotone,
                              counts.not_sufficient, counts.asked}) {
    EXPECT_GT(kind, 50u);
  }
  EXPECT_GT(counts.cycles, 20u);
  // Rounds that are said to be forced where they are not, and the other way round, are noticed.
  EXPECT_GT(try_matches(true).differ, 0u);
}

TEST(Match, PlayOfMadeUpMatchesKeepsWhatTheStateIsWorth) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const unsigned pits = 2 + seed % 3;
    const Starter starter = kStarters[seed / 3 % 3];
    MadeUpRounds rounds(1000 + seed);
    const MatchSolution match = solve_match({pits, starter}, rounds);
    PlainMatch plain(pits, starter, rounds);
    for (const MatchState& state : match.states) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(state.stones) +
                   " stones");
      const Lists& lists = rounds.lists(state.open);
      int last = -1;
      bool monotone = true;
      for (unsigned x = 0; x <= kMaxRoundStones; ++x) {
        if (!state.round.possible[x]) continue;
        const auto [next, same] = plain.after(state.stones, x);
        const int worth = static_cast<int>(plain.outcome(next).outcome) * (same ? 1 : -1);
        monotone = monotone && worth >= last;
        last = worth;
      }
      EXPECT_EQ(state.monotone, monotone);

      // Both play for the match, then for stones.
      std::pair<int, unsigned> result{-1, 0};
      std::vector<unsigned> best_moves;
      for (unsigned i = 0; i < lists.size(); ++i) {
        std::pair<int, unsigned> least{3, 0};
        bool keeps = true;
        for (const unsigned x : lists[i]) {
          least = std::min(least, {plain.rank(state.stones, x, state.best), x});
          const bool lost_early = state.best.outcome == Outcome::kLoss && *state.best.rounds >= 2 &&
                                  plain.wins_after(state.stones, x, true, *state.best.rounds - 2);
          keeps = keeps && plain.rank(state.stones, x, state.best) > 0 && !lost_early;
        }
        result = std::max(result, least);
        if (keeps) best_moves.push_back(i);
      }
      EXPECT_EQ(result.first, 1);
      EXPECT_EQ(state.result, result.second);
      EXPECT_EQ(state.best_moves, best_moves);

      if (!state.stones_suffice) continue;
      for (const std::set<unsigned>& list : lists) {
        // The other takes the least of any list, the starter a list whose least is the most.
        EXPECT_LE(plain.rank(state.stones, *list.begin(), state.best), 1);
        if (*list.begin() != state.round.stones) continue;
        for (const unsigned x : list) EXPECT_GE(plain.rank(state.stones, x, state.best), 1);
      }
    }
  }
}

TEST(Match, LineFollowsTheResultsToTheEndOrToACycle) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const unsigned pits = 1 + seed % 4;
    const Starter starter = kStarters[seed / 4 % 3];
    MadeUpRounds rounds(seed);
    const MatchSolution match = solve_match({pits, starter}, rounds);
    ASSERT_EQ(match.line.size(), match.first_starts.size());
    EXPECT_EQ(match.line.front(), 4 * pits);
    EXPECT_TRUE(match.first_starts.front());
    const PlainMatch plain(pits, starter, rounds);
    const std::size_t states = match.cycle_begin ? match.line.size() : match.line.size() - 1;
    for (std::size_t i = 0; i < states; ++i) {
      const auto [next, same] = plain.after(match.line[i], match.find(match.line[i])->result);
      const std::size_t to = i + 1 == match.line.size() ? *match.cycle_begin : i + 1;
      EXPECT_EQ(match.line[to], next);
      EXPECT_EQ(match.first_starts[to], same == match.first_starts[i]);
    }
    const MatchOutcome start = match.find(4 * pits)->best;
    EXPECT_EQ(match.cycle_begin.has_value(), start.outcome == Outcome::kDraw);
    if (match.cycle_begin) continue;
    const bool first_wins = (match.line.back() >= 4) == match.first_starts.back();
    EXPECT_EQ(first_wins, start.outcome == Outcome::kWin);
    EXPECT_LE(match.line.size() - 1, *start.rounds);
  }
}

TEST(Match, ARoundBringsTheStonesAndTheStarterOfTheNextOne) {
  const MatchRules alternate{6, Starter::kAlternate}, winner{6, Starter::kWinner},
      loser{6, Starter::kLoser};
  EXPECT_EQ(alternate.open(24), (Shape{6, 6}));
  EXPECT_EQ(alternate.open(29), (Shape{6, 4}));  // 19 stones open 4 holes, 3 are kept aside
  EXPECT_EQ(alternate.open(3), (Shape{0, 6}));
  // 29 own 24 on the board and 5 aside; 30 of the 40 on the board make 35 of 48.
  EXPECT_EQ(next_state(alternate, 29, 30), (NextState{13, false}));
  EXPECT_EQ(next_state(winner, 29, 30), (NextState{35, true}));
  EXPECT_EQ(next_state(loser, 29, 30), (NextState{13, false}));
  EXPECT_EQ(next_state(winner, 29, 10), (NextState{33, false}));
  EXPECT_EQ(next_state(loser, 29, 10), (NextState{15, true}));
  // A level round: alternate.
  for (const MatchRules& rules : {alternate, winner, loser}) {
    EXPECT_EQ(next_state(rules, 29, 20), (NextState{23, false}));
  }
}

// ------------------------------------------------------------------ real rounds

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

TEST(Match, RealMatchesOnTwoAndThreeHolesAreWorthWhatTheReferenceSays) {
  constexpr reference::NextStarter kPlain[] = {reference::NextStarter::kAlternate,
                                               reference::NextStarter::kWinner,
                                               reference::NextStarter::kLoser};
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const unsigned pits : {1U, 2U, 3U}) {
      MatchRounds rounds(rio_rules(endless), {});
      for (unsigned i = 0; i < 3; ++i) {
        const MatchSolution match = solve_match({pits, kStarters[i]}, rounds);
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

TEST(Match, FactsOfRoundsAreThoseOfTheReference) {
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

TEST(Match, RoundsForSetsOfResultsAreSolvedLikeTheReference) {
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

TEST(Match, RoundsFromTablesGiveTheSameMatchAndLittleMemoryIsALimit) {
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
