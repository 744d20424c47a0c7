// Matches of made-up rounds, against a model that tries everything.
#include "solver/match.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace retrosow::test {
namespace {

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
Counts try_matches(unsigned matches, bool lies) {
  Counts counts;
  for (unsigned seed = 0; seed < matches; ++seed) {
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
  const Counts counts = try_matches(240, false);
  EXPECT_EQ(counts.differ, 0u);
  // The matches are of all kinds.
  EXPECT_GT(counts.states, 900u);
  for (const unsigned kind : {counts.wins, counts.draws, counts.losses, counts.not_monotone,
                              counts.not_sufficient, counts.asked}) {
    EXPECT_GT(kind, 50u);
  }
  EXPECT_GT(counts.cycles, 20u);
  // Rounds that are said to be forced where they are not, and the other way round, are noticed.
  EXPECT_GT(try_matches(24, true).differ, 0u);
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

}  // namespace
}  // namespace retrosow::test
