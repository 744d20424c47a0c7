#include "tests/reference/match_reference.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace retrosow::reference {

RoundGame::RoundGame(const RioRules& rules, const RioPosition& start) : rules_(rules) {
  number_of({start, true, 0});
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node node = nodes_[i];
    const int board = stones(node.position);
    std::vector<Move> moves;
    for (const RioMove& move : legal_moves(rules_, node.position)) {
      const int taken = node.taken + (node.starter_moves ? move.captured : move.captured_opponent);
      if (move.ends == RioEnd::kEndless) {
        const int left = board - move.captured - move.captured_opponent;
        moves.push_back({move.hole, -1, taken + left / 2});
        results_.insert(moves.back().result);
      } else {
        moves.push_back({move.hole, number_of({move.result, !node.starter_moves, taken}), -1});
      }
    }
    over_.resize(nodes_.size(), -1);
    moves_.resize(nodes_.size());
    if (moves.empty()) {
      const auto [mover, other] = end_result(node.position);
      over_[i] = node.taken + (node.starter_moves ? mover : other);
      results_.insert(over_[i]);
    }
    moves_[i] = std::move(moves);
    if (static_cast<int>(by_stones_.size()) <= board) by_stones_.resize(board + 1);
    by_stones_[board].push_back(static_cast<int>(i));
  }
  // Endless play: nodes that are left when those without a move among the others have been struck out.
  for (const std::vector<int>& level : by_stones_) {
    std::set<int> left(level.begin(), level.end());
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = left.begin(); at != left.end();) {
        const bool goes_on = std::any_of(moves_[*at].begin(), moves_[*at].end(),
                                         [&](const Move& move) { return left.contains(move.to); });
        if (!goes_on) changed = true;
        at = goes_on ? std::next(at) : left.erase(at);
      }
    }
    for (const int node : left)
      results_.insert(nodes_[node].taken + stones(nodes_[node].position) / 2);
  }
}

int RoundGame::number_of(const Node& node) {
  const auto [at, fresh] = numbers_.emplace(node, static_cast<int>(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return at->second;
}

std::vector<int> RoundGame::forced(const std::set<int>& wanted) const {
  std::vector<int> known(nodes_.size(), -1);
  const auto worth = [&](const Move& move) {
    return move.to < 0 ? int{wanted.contains(move.result)} : known[move.to];
  };
  for (const std::vector<int>& level : by_stones_) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const int node : level) {
        if (known[node] >= 0) continue;
        // One move that is good for the mover settles it, and so do moves that are all bad for him.
        const int good = nodes_[node].starter_moves ? 1 : 0;
        bool all_bad = true;
        for (const Move& move : moves_[node]) {
          if (worth(move) == good) known[node] = good;
          if (worth(move) != 1 - good) all_bad = false;
        }
        if (moves_[node].empty()) {
          known[node] = int{wanted.contains(over_[node])};
        } else if (known[node] < 0 && all_bad) {
          known[node] = 1 - good;
        }
        changed = changed || known[node] >= 0;
      }
    }
    // Neither can settle the rest, so it goes on for ever.
    for (const int node : level) {
      if (known[node] < 0)
        known[node] = int{wanted.contains(nodes_[node].taken + stones(nodes_[node].position) / 2)};
    }
  }
  return known;
}

bool RoundGame::forces(const std::set<int>& wanted) const { return forced(wanted).front() == 1; }

std::map<int, bool> RoundGame::forces_by_move(const std::set<int>& wanted) const {
  const std::vector<int> known = forced(wanted);
  std::map<int, bool> by_move;
  for (const Move& move : moves_.front()) {
    by_move[move.hole] = move.to < 0 ? wanted.contains(move.result) : known[move.to] == 1;
  }
  return by_move;
}

std::map<int, MatchResult> solve_match(const RioRules& rules, int holes, NextStarter starter) {
  const int all = 8 * holes;
  struct State {
    const RoundGame* round = nullptr;
    std::map<int, std::pair<int, bool>>
        next;  // by result: stones of the next starter, whether he is the same
  };
  std::map<std::pair<int, int>, std::unique_ptr<RoundGame>> rounds;
  std::map<int, State> states;
  std::map<int, MatchResult> solved;
  std::vector<int> work = {all / 2};
  while (!work.empty()) {
    const int own = work.back(), other = all - own;
    work.pop_back();
    if (states.contains(own) || solved.contains(own)) continue;
    if (own < 4 || other < 4) {
      solved[own] = {own < 4 ? -1 : 1, 0};
      continue;
    }
    const int own_holes = std::min(holes, own / 4), other_holes = std::min(holes, other / 4);
    auto& round = rounds[{own_holes, other_holes}];
    if (!round) {
      const RioPosition start{std::vector<int>(own_holes, 4), std::vector<int>(other_holes, 4)};
      round = std::make_unique<RoundGame>(rules, start);
    }
    State state{round.get(), {}};
    const int board = 4 * (own_holes + other_holes);
    for (const int result : round->results()) {
      const int others_result = board - result;
      const int own_after = own - 4 * own_holes + result,
                other_after = other - 4 * other_holes + others_result;
      bool same = false;
      if (starter == NextStarter::kWinner) same = result > others_result;
      if (starter == NextStarter::kLoser) same = result < others_result;
      state.next[result] = {same ? own_after : other_after, same};
      work.push_back(state.next[result].first);
    }
    states[own] = state;
  }

  for (int rounds_more = 1;; ++rounds_more) {
    std::map<int, MatchResult> fresh;
    for (const auto& [own, state] : states) {
      if (solved.contains(own)) continue;
      std::set<int> won, not_lost;
      for (const auto& [result, next] : state.next) {
        const auto known = solved.find(next.first);
        const int outcome = known == solved.end() ? 0
                            : next.second         ? known->second.outcome
                                                  : -known->second.outcome;
        if (outcome == 1) won.insert(result);
        if (outcome != -1) not_lost.insert(result);
      }
      if (state.round->forces(won)) {
        fresh[own] = {1, rounds_more};
      } else if (!state.round->forces(not_lost)) {
        fresh[own] = {-1, rounds_more};
      }
    }
    if (fresh.empty()) break;
    solved.merge(fresh);
  }
  for (const auto& [own, state] : states) solved.emplace(own, MatchResult{});
  return solved;
}

}  // namespace retrosow::reference
