// A match of Rio Kadalis and its rounds, written plainly from the rules: every round is a list of nodes
// (position, who moves, what the starter has taken), every question about it is answered by going over
// them until nothing changes, and the match is solved by asking about every state again for one round more.
//
// Shares nothing with the project but the other references.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "tests/reference/rio_reference.h"

namespace retrosow::reference {

enum class NextStarter { kAlternate, kWinner, kLoser };

// A round from a position, for one side: the starter, who moves first.
class RoundGame {
 public:
  RoundGame(const RioRules& rules, const RioPosition& start);

  // Stones that the starter can end with, by any play, endless play included.
  const std::set<int>& results() const { return results_; }
  // Whether the starter can force a result of `wanted`.
  bool forces(const std::set<int>& wanted) const;
  // The same by his first move, a hole (1..A) each; only legal ones.
  std::map<int, bool> forces_by_move(const std::set<int>& wanted) const;

 private:
  struct Node {
    RioPosition position;
    bool starter_moves = true;
    int taken = 0;  // by the starter
    auto operator<=>(const Node&) const = default;
  };
  struct Move {
    int hole = 0;
    int to = -1;      // a node, or
    int result = -1;  // where the round is over
  };

  int number_of(const Node& node);
  std::vector<int> forced(const std::set<int>& wanted) const;  // by node: 0 or 1

  RioRules rules_;
  std::map<Node, int> numbers_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Move>> moves_;     // by node; none where the round is over
  std::vector<int> over_;                    // by node without a move: the result
  std::vector<std::vector<int>> by_stones_;  // nodes by stones on the board
  std::set<int> results_;
};

struct MatchResult {
  int outcome = 0;  // for the starter: 1, 0, -1
  int rounds = -1;  // least number that the winner can force; -1: drawn
  bool operator==(const MatchResult&) const = default;
};

// By stones of the starter: all states that arise from a level start on 2 x `holes`, decided ones included.
std::map<int, MatchResult> solve_match(const RioRules& rules, int holes, NextStarter starter);

}  // namespace retrosow::reference
