#include "tables/round_solver.h"

#include <algorithm>

#include "tables/parallel.h"
#include "tables/round_level.h"
#include "tables/stopwatch.h"

namespace retrosow {

Round solve_round(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes,
                  const RunControl& control, unsigned threads, bool distances) {
  const Stopwatch watch;
  const unsigned workers = worker_count(threads);
  const RoundPositions positions = enumerate_round(rules, root, shape, memory_bytes, workers, control);
  Round round{rules, shape, root, {}, positions.positions(), positions.moves()};
  const std::uint64_t needed = round_solving_memory(positions, distances) +
                               round.positions * (sizeof(Position) + sizeof(Value) + (distances ? 2 : 0));
  if (memory_bytes != 0 && needed > memory_bytes) {
    throw limit_error("solving the round of " + std::to_string(round.positions) + " positions needs " +
                      mebibytes(needed) + " of memory; allowed are " + mebibytes(memory_bytes));
  }
  const MoveGenerator generator(rules, shape);
  std::vector<SlotValues> values(positions.levels.size());
  RoundWorkspace workspace(positions, distances);
  std::uint64_t done = 0;
  for (unsigned level = static_cast<unsigned>(positions.levels.size()); level-- > 0;) {
    const RoundLevelKeys& keys = positions.levels[level];
    if (keys.positions == 0) continue;
    RoundLevelTask task{&positions, &generator, level, &values, false, distances, workers, {}};
    if (control.progress) {
      task.on_done = [&](double share) {
        const auto part = static_cast<std::uint64_t>(share * static_cast<double>(keys.positions));
        control.progress({"solve", keys.seeds, total_seeds(root), done + part, round.positions, watch.seconds()});
      };
    }
    values[level] = solve_round_level(task, workspace, control);
    RoundLevel made;
    made.seeds = keys.seeds;
    made.endless_moves = keys.endless_moves;
    made.keys.reserve(keys.positions);
    made.values.reserve(keys.positions);
    if (distances) made.distances.reserve(keys.positions);
    for (const KeySlot& entry : sort_keys(keys, workspace, workers)) {
      made.keys.push_back(positions.code.key(keys.keys.code(entry.slot)));
      made.values.push_back(values[level][entry.slot]);
      if (distances) made.distances.push_back(workspace.distances[entry.slot]);
    }
    round.levels.push_back(std::move(made));
    done += keys.positions;
  }
  return round;
}

std::optional<int> RoundSource::value(const Position& position, Shape shape) const {
  if (shape != round_->shape && shape != round_->shape.swapped()) return std::nullopt;
  const unsigned seeds = total_seeds(position);
  for (const RoundLevel& level : round_->levels) {
    if (level.seeds != seeds) continue;
    const Position key = round_key(position, shape, round_->shape);
    const auto at = std::lower_bound(level.keys.begin(), level.keys.end(), key);
    if (at == level.keys.end() || *at != key) return std::nullopt;
    return level.values[static_cast<std::size_t>(at - level.keys.begin())];
  }
  return std::nullopt;
}

}  // namespace retrosow
