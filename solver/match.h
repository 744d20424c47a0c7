// Solves a match of Rio Kadalis, round after round, for win, draw and loss.
//
// A state of the match is what both players own before a round: s stones of the player who starts it, 8k - s of
// the other. Each opens min(k, stones div 4) holes. The round brings the starter x stones of those on the
// board, which he adds to what he kept aside, and so fixes the next state; the rule --starter says whose state that
// is. A player who cannot open a hole has lost; a match without end is drawn.
//
// Whole stones. A round starts with a multiple of 4 stones and only fours are taken off the board, so it holds a
// multiple of 4 until the end, and an even split gives each an even number: no total is ever a half.
//
// Levels of the solution. Let W(j) be the states whose starter can force that he has won after j more rounds at
// most, L(j) those where the other can. W(0) and L(0) are the decided states, and
//
//   s in W(j + 1)   if the starter of s can force the round into the results x whose next state is won for him
//                   within j rounds
//
// likewise for L. When a step adds nothing more, no later one does. In the states that are left neither player can
// force his win: each can keep the match among states that the other does not win (a round for a set of results
// is a finite game of perfect information, its endless play being worth a definite result, so what the one cannot
// force the other can prevent), so they are drawn. Cycles are drawn by that, and nothing is assumed about them.
//
// Stones as proof. Let v be the starter's stones when both play for most stones. He can force x >= v, the other
// x <= v. So a set of results R
//
//   is forced      if it holds every possible x >= v: by playing for most stones
//   is not forced  if it holds no possible x <= v: the other prevents it by playing for most stones
//   is open        otherwise; then the round is solved for R (payoff_round.h)
//
// A state whose own result is proved by stones alone is marked `stones_suffice`. Where all are, playing every round for
// most stones is best for the match: whoever can win comes a W (an L) nearer with each round, and whoever can draw
// never leaves what is drawn. That the match result does not fall as a round brings more stones (`monotone`) is
// reported, too, but is not that proof: it says that more stones never hurt, not that they bring a win nearer.
//
// Values of rounds come from a RoundOracle, so that this file knows nothing about sowing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/payoff_round.h"

namespace retrosow {

inline constexpr unsigned kHoleStones = 4;  // that open a hole

// What a round's start is worth, by its rows of open holes, the starter's first.
struct RoundFacts {
  struct FirstMove {
    unsigned slot = 0;
    unsigned stones = 0;  // that the starter ends with behind it, both playing for most stones
  };
  unsigned stones = 0;           // the same for the round
  std::vector<FirstMove> moves;  // ascending by slot
  ResultSet possible;            // every result that any play can bring
};

// Thread: none of it is safe for several.
class RoundOracle {
 public:
  virtual ~RoundOracle() = default;
  virtual const RoundFacts& facts(Shape open) = 0;
  // Whether the starter can force the round into each of these sets.
  virtual std::vector<ForcedResults> forces(Shape open, std::span<const ResultSet> wanted) = 0;
};

struct MatchRules {
  unsigned pits = kDefaultPits;
  Starter starter = Starter::kAlternate;

  unsigned stones() const { return 8 * pits; }
  // Holes that players open who own so much.
  Shape open(unsigned starters_stones) const;
};

// The state that a round leads to.
struct NextState {
  unsigned stones = 0;        // of the player who starts it
  bool same_starter = false;  // the one who started the round before
  bool operator==(const NextState&) const = default;
};
// Pre: both can open a hole; result <= stones on the board.
NextState next_state(const MatchRules& rules, unsigned stones, unsigned result);

enum class Outcome : std::int8_t { kLoss = -1, kDraw = 0, kWin = 1 };  // for the starter

struct MatchOutcome {
  Outcome outcome = Outcome::kDraw;
  std::optional<unsigned> rounds;  // until one of them has lost; none: drawn
  bool operator==(const MatchOutcome&) const = default;
};

struct MatchState {
  unsigned stones = 0;  // of the starter
  Shape open;
  RoundFacts round;
  // Both always playing for most stones.
  MatchOutcome by_stones;
  // Both playing for the match: `rounds` is the least number that the winner can force.
  MatchOutcome best;
  // The match result does not fall as the round brings more stones, over all results that it can bring.
  bool monotone = false;
  // Playing this round for most stones is best for both: the winner wins in `best.rounds`, nobody loses a draw.
  bool stones_suffice = false;
  // The round's result when both play it for the match first, then for stones. round.stones, if they suffice.
  unsigned result = 0;
  // First moves that keep the match result and do not win later, or lose earlier, than `best.rounds`.
  std::vector<unsigned> best_moves;
};

struct MatchSolution {
  MatchRules rules;
  std::vector<MatchState>
      states;  // undecided ones that arise from the level start by any play, ascending
  // A perfect match: the stones of the starter before each round, the level start first; behind a match that ends,
  // what the next starter would own, too.
  std::vector<unsigned> line;
  std::vector<bool> first_starts;  // whether the player who started the match is that starter
  std::optional<std::size_t>
      cycle_begin;  // the match goes on for ever: the last place of the line stands here, too
  unsigned sets_solved = 0;  // sets of results that a round was solved for

  const MatchState* find(unsigned stones) const;
};

// Cost: a few thousand steps, and what the oracle takes: facts of at most 2k - 1 rounds, and a round solved for each
// set that is open.
// Fails: what the oracle throws.
MatchSolution solve_match(const MatchRules& rules, RoundOracle& oracle);

}  // namespace retrosow
