#include "tests/support/solving.h"

#include "bitboard/notation.h"
#include "tables/table_file.h"
#include "tests/support/boards.h"

namespace retrosow::test {

LevelValues solve_levels(const LevelSolver& solver, unsigned max_seeds) {
  LevelValues levels;
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    levels.push_back(solver.solve(seeds, levels, {}, {}));
  }
  return levels;
}

LevelValues solve_levels(const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  return solve_levels(LevelSolver(rules, pits, max_seeds), max_seeds);
}

ValueCounts counts_of(const std::vector<Value>& values) {
  ValueCounts counts;
  for (const Value value : values) ++counts[value];
  return counts;
}

std::string levels_fault(const reference::UrimSolution& expected, const LevelValues& levels) {
  const auto pits = static_cast<unsigned>(expected.rules().pits);
  const auto max_seeds = static_cast<unsigned>(expected.max_seeds());
  const Shape shape = equal_rows(pits);
  if (levels.size() != max_seeds + 1) return "another number of levels";
  const HalfRanks halves(pits, static_cast<unsigned>(expected.rules().pit_limit), max_seeds);
  std::string fault;
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    const LevelRanks ranks(halves, seeds);
    std::size_t boards = 0;
    expected.for_each(
        static_cast<int>(seeds), [&](const std::vector<int>& board, reference::Solved solved) {
          ++boards;
          const LevelIndex index = ranks.rank(position_of(board, shape));
          const int found = index < levels[seeds].size() ? levels[seeds][index] : -1000;
          if (fault.empty() && found != solved.value) {
            fault = text_of(board, shape) + ": expected " + std::to_string(solved.value) +
                    ", found " + std::to_string(found);
          }
        });
    if (!fault.empty()) return fault;
    if (boards != levels[seeds].size()) return "another number of boards";
  }
  return "";
}

Round solve_round_of(const RuleSet& rules, const Position& root, Shape shape, unsigned threads) {
  return solve_round(rules, root, shape, 0, {}, threads, true);
}

std::string round_fault(const reference::RioSolution& expected, const Round& round) {
  std::uint64_t positions = 0, moves = 0;
  for (std::size_t i = 0; i < round.levels.size(); ++i) {
    const RoundLevel& level = round.levels[i];
    if (i > 0 && level.seeds <= round.levels[i - 1].seeds) return "levels do not ascend";
    if (level.keys.empty() || level.keys.size() != level.values.size()) return "an empty level";
    if (level.distances.size() != level.keys.size()) return "no distances";
    std::uint64_t endless = 0;
    for (std::size_t at = 0; at < level.keys.size(); ++at) {
      if (at > 0 && !(level.keys[at - 1] < level.keys[at])) return "keys do not ascend";
      const auto [position, shape] = position_of_key(level.keys[at], round.shape);
      if (round_key(position, shape, round.shape) != level.keys[at]) return "a key is not its own";
      const std::string text = format_position(position, shape);
      if (total_seeds(position) != level.seeds) return text + " is in the wrong level";
      const reference::RioPosition there = rio_position_of(board_of(position, shape), shape);
      if (!expected.contains(there)) return text + " cannot be reached";
      const reference::Solved solved = expected.at(there);
      if (solved.value != level.values[at]) {
        return text + ": expected " + std::to_string(solved.value) + ", found " +
               std::to_string(level.values[at]);
      }
      const int distance = level.distances[at] == kNoDistance ? reference::kNoDistance : level.distances[at];
      if (distance != solved.distance) {
        return text + ": expected distance " + std::to_string(solved.distance) + ", found " + std::to_string(distance);
      }
      for (int hole = 1; hole <= static_cast<int>(there.mover.size()); ++hole) {
        if (there.mover[hole - 1] != 0 && reference::sow(there, hole).ends == reference::RioEnd::kEndless) ++endless;
      }
      moves += reference::legal_moves(expected.rules(), there).size();
    }
    if (level.endless_moves != endless) return "the number of endless moves is wrong";
    positions += level.keys.size();
  }
  if (positions != expected.size()) {
    return std::to_string(positions) + " positions, not " + std::to_string(expected.size());
  }
  if (round.positions != positions) return "the number of positions is wrong";
  if (round.moves != moves) return "the number of moves is wrong";
  return "";
}

}  // namespace retrosow::test
