#include "solver/match.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <string>

namespace retrosow {
namespace {

class MatchSolver {
 public:
  MatchSolver(const MatchRules& rules, RoundOracle& oracle) : rules_(rules), oracle_(oracle) {}

  MatchSolution run() {
    solution_.rules = rules_;
    find_states();
    decide();
    std::vector<Question> questions;
    for (MatchState& state : solution_.states) {
      state.best = outcome_of(state.stones);
      state.by_stones = follow_stones(state.stones);
      state.monotone = is_monotone(state);
      for (Question& question : questions_of_play(state)) questions.push_back(std::move(question));
    }
    solve_open(questions);
    for (MatchState& state : solution_.states) find_play(state);
    follow_best();
    return std::move(solution_);
  }

 private:
  // What a result is worth for the starter of a round, as far as it is known.
  MatchOutcome worth(const MatchState& state, unsigned result) const {
    return for_starter(next_state(rules_, state.stones, result));
  }
  MatchOutcome for_starter(const NextState& next) const {
    MatchOutcome outcome = outcome_of(next.stones);
    if (!next.same_starter)
      outcome.outcome = static_cast<Outcome>(-static_cast<int>(outcome.outcome));
    return outcome;
  }
  MatchOutcome outcome_of(unsigned stones) const {
    const auto found = decided_.find(stones);
    return found == decided_.end() ? MatchOutcome{} : found->second;
  }

  template <typename F>
  static ResultSet results_where(const MatchState& state, F&& holds) {
    ResultSet set;
    for (unsigned x = 0; x < set.size(); ++x) set[x] = state.round.possible[x] && holds(x);
    return set;
  }
  // Results that win the match within so many more rounds, and those that do not lose it within them.
  ResultSet winning(const MatchState& state, unsigned rounds) const {
    return results_where(state, [&](unsigned x) {
      const MatchOutcome w = worth(state, x);
      return w.outcome == Outcome::kWin && *w.rounds <= rounds;
    });
  }
  ResultSet not_losing(const MatchState& state, unsigned rounds) const {
    return results_where(state, [&](unsigned x) {
      const MatchOutcome w = worth(state, x);
      return w.outcome != Outcome::kLoss || *w.rounds > rounds;
    });
  }

  void find_states() {
    std::set<unsigned> seen;
    std::vector<unsigned> work = {rules_.stones() / 2};
    while (!work.empty()) {
      const unsigned stones = work.back();
      work.pop_back();
      if (!seen.insert(stones).second) continue;
      const unsigned other = rules_.stones() - stones;
      if (stones < kHoleStones || other < kHoleStones) {
        decided_[stones] = {stones < kHoleStones ? Outcome::kLoss : Outcome::kWin, 0};
        continue;
      }
      MatchState state;
      state.stones = stones;
      state.open = rules_.open(stones);
      state.round = oracle_.facts(state.open);
      assert(state.round.possible[state.round.stones]);
      for (unsigned x = 0; x < state.round.possible.size(); ++x) {
        if (state.round.possible[x]) work.push_back(next_state(rules_, stones, x).stones);
      }
      solution_.states.push_back(std::move(state));
    }
    std::sort(solution_.states.begin(), solution_.states.end(),
              [](const MatchState& a, const MatchState& b) { return a.stones < b.stones; });
  }

  // Retrograde over rounds, see the header.
  void decide() {
    for (unsigned rounds = 0;; ++rounds) {
      std::vector<Question> questions;
      for (const MatchState& state : solution_.states) {
        if (decided_.contains(state.stones)) continue;
        questions.push_back({&state, winning(state, rounds)});
        questions.push_back({&state, not_losing(state, rounds)});
      }
      solve_open(questions);
      std::map<unsigned, MatchOutcome> found;
      for (const MatchState& state : solution_.states) {
        if (decided_.contains(state.stones)) continue;
        if (starter_forces(state, winning(state, rounds))) {
          found[state.stones] = {Outcome::kWin, rounds + 1};
        } else if (!starter_forces(state, not_losing(state, rounds))) {
          found[state.stones] = {Outcome::kLoss, rounds + 1};
        }
      }
      if (found.empty()) return;
      decided_.merge(found);
    }
  }

  enum class Proof : std::uint8_t { kForced, kNotForced, kOpen };
  // By playing for most stones, where that brings the starter `stones`.
  static Proof proof_by_stones(const RoundFacts& round, const ResultSet& wanted, unsigned stones) {
    bool all_above = true, any_below = false;
    for (unsigned x = 0; x < wanted.size(); ++x) {
      if (x >= stones && round.possible[x] && !wanted[x]) all_above = false;
      if (x <= stones && wanted[x]) any_below = true;
    }
    return all_above ? Proof::kForced : any_below ? Proof::kOpen : Proof::kNotForced;
  }

  bool starter_forces(const MatchState& state, const ResultSet& wanted) const {
    const Proof proof = proof_by_stones(state.round, wanted, state.round.stones);
    return proof == Proof::kOpen ? solved(state, wanted).from_start : proof == Proof::kForced;
  }
  bool move_forces(const MatchState& state, const ResultSet& wanted,
                   const RoundFacts::FirstMove& move) const {
    const Proof proof = proof_by_stones(state.round, wanted, move.stones);
    return proof == Proof::kOpen ? bool{solved(state, wanted).after_move[move.slot]}
                                 : proof == Proof::kForced;
  }

  // Whether a set is forced from a state's start or, `moves`, behind each first move.
  struct Question {
    const MatchState* state = nullptr;
    ResultSet wanted;
    bool moves = false;

    bool is_open() const {
      const RoundFacts& round = state->round;
      if (!moves) return proof_by_stones(round, wanted, round.stones) == Proof::kOpen;
      return std::any_of(round.moves.begin(), round.moves.end(), [&](const auto& move) {
        return proof_by_stones(round, wanted, move.stones) == Proof::kOpen;
      });
    }
  };

  using SolvedKey = std::pair<std::pair<unsigned, unsigned>, std::string>;
  static SolvedKey key_of(const MatchState& state, const ResultSet& wanted) {
    return {{state.open.mover_pits, state.open.opponent_pits}, wanted.to_string()};
  }

  // Solves what is open and not known, all sets of a round at once.
  void solve_open(const std::vector<Question>& questions) {
    struct Task {
      Shape open;
      std::vector<SolvedKey> keys;
      std::vector<ResultSet> wanted;
    };
    std::map<std::pair<unsigned, unsigned>, Task> tasks;
    for (const Question& question : questions) {
      const SolvedKey key = key_of(*question.state, question.wanted);
      if (!question.is_open() || !solved_.emplace(key, ForcedResults{}).second) continue;
      Task& task = tasks[key.first];
      task.open = question.state->open;
      task.keys.push_back(key);
      task.wanted.push_back(question.wanted);
    }
    for (auto& [pits, task] : tasks) {
      std::vector<ForcedResults> forced = oracle_.forces(task.open, task.wanted);
      for (std::size_t i = 0; i < task.keys.size(); ++i) {
        solved_[task.keys[i]] = std::move(forced[i]);
      }
      solution_.sets_solved += static_cast<unsigned>(task.keys.size());
    }
  }
  // Pre: it has been a question.
  const ForcedResults& solved(const MatchState& state, const ResultSet& wanted) const {
    return solved_.at(key_of(state, wanted));
  }

  MatchOutcome follow_stones(unsigned stones) const {
    bool same = true;
    std::set<unsigned> seen;
    for (unsigned rounds = 0; seen.insert(stones).second; ++rounds) {
      const MatchState* state = solution_.find(stones);
      if (state == nullptr) {
        MatchOutcome outcome = for_starter({stones, same});
        outcome.rounds = rounds;
        return outcome;
      }
      const NextState next = next_state(rules_, stones, state->round.stones);
      stones = next.stones;
      same = same == next.same_starter;
    }
    return {};
  }

  bool is_monotone(const MatchState& state) const {
    int last = -1;
    for (unsigned x = 0; x < state.round.possible.size(); ++x) {
      if (!state.round.possible[x]) continue;
      const int now = static_cast<int>(worth(state, x).outcome);
      if (now < last) return false;
      last = now;
    }
    return true;
  }

  // The results of a round in three classes: `better` than the state is worth, as good (`good`), and worse. Both
  // can force that it is no worse for them than `good`; within it they play for stones.
  struct Classes {
    ResultSet better, good;
  };
  Classes classes_of(const MatchState& state) const {
    const unsigned rounds = state.best.rounds.value_or(0);
    switch (state.best.outcome) {
      case Outcome::kWin: return {{}, winning(state, rounds - 1)};
      case Outcome::kLoss: {
        const ResultSet better = not_losing(state, rounds - 1);
        return {better, state.round.possible & ~better};
      }
      case Outcome::kDraw: break;
    }
    const auto with = [&](Outcome outcome) {
      return results_where(state, [&](unsigned x) { return worth(state, x).outcome == outcome; });
    };
    return {with(Outcome::kWin), with(Outcome::kDraw)};
  }

  // Whether play for most stones keeps both in the class that they can force.
  static bool stones_suffice(const MatchState& state, const Classes& classes) {
    const unsigned stones = state.round.stones;
    return proof_by_stones(state.round, classes.better | classes.good, stones) == Proof::kForced &&
           proof_by_stones(state.round, classes.better, stones) == Proof::kNotForced;
  }

  // What the starter's first move must keep within reach.
  ResultSet results_kept(const MatchState& state, const Classes& classes) const {
    if (state.best.outcome != Outcome::kLoss) return classes.better | classes.good;
    return *state.best.rounds < 2 ? state.round.possible
                                  : not_losing(state, *state.best.rounds - 2);
  }

  // The good results, and for each the set that the starter wants if he is to have it at least.
  static std::vector<std::pair<unsigned, ResultSet>> thresholds(const Classes& classes) {
    std::vector<std::pair<unsigned, ResultSet>> list;
    ResultSet wanted = classes.better;
    for (unsigned x = kMaxRoundStones + 1; x-- > 0;) {
      if (!classes.good[x]) continue;
      wanted.set(x);
      list.emplace_back(x, wanted);
    }
    return list;
  }

  std::vector<Question> questions_of_play(const MatchState& state) const {
    const Classes classes = classes_of(state);
    std::vector<Question> questions = {{&state, results_kept(state, classes), true}};
    if (stones_suffice(state, classes)) return questions;
    for (const auto& [x, wanted] : thresholds(classes)) questions.push_back({&state, wanted});
    return questions;
  }

  void find_play(MatchState& state) {
    const Classes classes = classes_of(state);
    state.stones_suffice = stones_suffice(state, classes);
    state.result = state.round.stones;
    if (!state.stones_suffice) {
      const auto list = thresholds(classes);
      const auto most = std::find_if(list.begin(), list.end(), [&](const auto& threshold) {
        return starter_forces(state, threshold.second);
      });
      assert(most != list.end());  // the last holds all that is no worse than good: see Classes
      state.result = most->first;
    }
    const ResultSet kept = results_kept(state, classes);
    for (const RoundFacts::FirstMove& move : state.round.moves) {
      if (move_forces(state, kept, move)) state.best_moves.push_back(move.slot);
    }
  }

  void follow_best() {
    unsigned stones = rules_.stones() / 2;
    bool first = true;
    std::map<std::pair<unsigned, bool>, std::size_t> seen;
    while (true) {
      const auto [place, fresh] = seen.emplace(std::pair(stones, first), solution_.line.size());
      if (!fresh) {
        solution_.cycle_begin = place->second;
        return;
      }
      solution_.line.push_back(stones);
      solution_.first_starts.push_back(first);
      const MatchState* state = solution_.find(stones);
      if (state == nullptr) return;
      const NextState next = next_state(rules_, stones, state->result);
      stones = next.stones;
      first = first == next.same_starter;
    }
  }

  MatchRules rules_;
  RoundOracle& oracle_;
  MatchSolution solution_;
  std::map<unsigned, MatchOutcome> decided_;  // by stones of the starter, for him
  std::map<SolvedKey, ForcedResults> solved_;
};

}  // namespace

Shape MatchRules::open(unsigned starters_stones) const {
  const auto holes = [&](unsigned stones) {
    return static_cast<std::uint8_t>(std::min(pits, stones / kHoleStones));
  };
  return {holes(starters_stones), holes(stones() - starters_stones)};
}

NextState next_state(const MatchRules& rules, unsigned stones, unsigned result) {
  const Shape open = rules.open(stones);
  const unsigned board = kHoleStones * open.pits();
  assert(open.mover_pits > 0 && open.opponent_pits > 0 && result <= board);
  const unsigned after = stones - kHoleStones * open.mover_pits + result;
  const bool won = 2 * result > board, lost = 2 * result < board;
  const bool same =
      (rules.starter == Starter::kWinner && won) || (rules.starter == Starter::kLoser && lost);
  return {same ? after : rules.stones() - after, same};
}

const MatchState* MatchSolution::find(unsigned stones) const {
  const auto found =
      std::lower_bound(states.begin(), states.end(), stones,
                       [](const MatchState& state, unsigned s) { return state.stones < s; });
  return found == states.end() || found->stones != stones ? nullptr : &*found;
}

MatchSolution solve_match(const MatchRules& rules, RoundOracle& oracle) {
  return MatchSolver(rules, oracle).run();
}

}  // namespace retrosow
