#include "tests/support/reference_perft.h"

#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

void visit(const reference::UrimRules& rules, const std::vector<int>& board, unsigned length,
           std::vector<PerftCounts>& counts) {
  const std::vector<reference::UrimMove> moves = reference::legal_moves(rules, board);
  if (moves.empty()) ++counts[length].ends;
  if (length + 1 == counts.size()) return;
  for (const reference::UrimMove& move : moves) {
    PerftCounts& here = counts[length + 1];
    ++here.nodes;
    here.captures += move.captured > 0;
    here.captured += static_cast<std::uint64_t>(move.captured);
    visit(rules, move.result, length + 1, counts);
  }
}

void visit(const reference::RioRules& rules, const reference::RioPosition& position,
           unsigned length, std::vector<PerftCounts>& counts) {
  const std::vector<reference::RioMove> moves = reference::legal_moves(rules, position);
  if (moves.empty()) ++counts[length].ends;
  if (length + 1 == counts.size()) return;
  for (const reference::RioMove& move : moves) {
    PerftCounts& here = counts[length + 1];
    ++here.nodes;
    here.captures += move.captured + move.captured_opponent > 0;
    here.captured += static_cast<std::uint64_t>(move.captured);
    here.captured_opponent += static_cast<std::uint64_t>(move.captured_opponent);
    if (move.ends == reference::RioEnd::kEndless) {
      ++here.ends;
    } else {
      visit(rules, move.result, length + 1, counts);
    }
  }
}

template <typename Rules, typename Start>
std::vector<PerftCounts> count(const Rules& rules, const Start& start, unsigned depth) {
  std::vector<PerftCounts> counts(depth + 1);
  counts[0].nodes = 1;
  visit(rules, start, 0, counts);
  return counts;
}

}  // namespace

std::vector<PerftCounts> reference_perft(const reference::UrimRules& rules,
                                         const std::vector<int>& board, unsigned depth) {
  return count(rules, board, depth);
}

std::vector<PerftCounts> reference_perft(const reference::RioRules& rules,
                                         const reference::RioPosition& position, unsigned depth) {
  return count(rules, position, depth);
}

std::vector<PerftCounts> reference_perft(const RuleSet& rules, const Position& position,
                                         Shape shape, unsigned depth) {
  const std::vector<int> board = board_of(position, shape);
  if (family_of(rules.game) == Family::kUrim) {
    return reference_perft(reference_rules(rules, shape.mover_pits), board, depth);
  }
  return reference_perft(reference_rules(rules), rio_position_of(board, shape), depth);
}

}  // namespace retrosow::test
