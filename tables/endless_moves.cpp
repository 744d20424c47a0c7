#include "tables/endless_moves.h"

#include <algorithm>

#include "bitboard/moves.h"
#include "tables/parallel.h"

namespace retrosow {

std::vector<RelayMove> endless_moves(const TableReader& values, unsigned workers, const RunControl& control,
                                     const std::function<void(std::uint64_t)>& on_done) {
  if (values.header().endless_moves == 0) return {};
  return relay_moves(values, workers, control, on_done).endless;
}

RelayMoves relay_moves(const TableReader& values, unsigned workers, const RunControl& control,
                       const std::function<void(std::uint64_t)>& on_done) {
  const TableHeader& header = values.header();
  RelayMoves all;
  const auto keep_longest = [](std::optional<RelayMove>& longest, const RelayMove& move) {
    if (!longest || move.laps > longest->laps) longest = move;
  };
  const MoveGenerator generator(header.rules, header.shape);
  const std::uint64_t pieces = (header.positions + kPositionsAtOnce - 1) / kPositionsAtOnce;
  std::vector<RelayMoves> found(workers);
  for (std::uint64_t first = 0; first < pieces; first += found.size()) {
    control.check_stop();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(found.size(), pieces - first));
    parallel_loop(workers, count, [&](unsigned, std::size_t i) {
      found[i] = {};
      const std::uint64_t at = (first + i) * kPositionsAtOnce;
      std::vector<Position> keys(static_cast<std::size_t>(std::min(kPositionsAtOnce, header.positions - at)));
      values.copy_keys(at, keys);
      MoveList list;
      for (const Position& key : keys) {
        const auto [position, shape] = position_of_key(key, header.shape);
        generator.generate(position, shape, list);
        for (unsigned slot = 0; slot < shape.mover_pits; ++slot) {
          const RelayMove move{position, shape, slot, list.laps[slot]};
          if (has_bit(list.endless, slot)) {
            found[i].endless.push_back(move);
          } else if (has_bit(list.legal, slot)) {
            keep_longest(found[i].longest, move);
          }
        }
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      all.endless.insert(all.endless.end(), found[i].endless.begin(), found[i].endless.end());
      if (found[i].longest) keep_longest(all.longest, *found[i].longest);
    }
    if (on_done) on_done(std::min(header.positions, (first + count) * kPositionsAtOnce));
  }
  if (all.endless.size() == header.endless_moves) return all;
  Error error(ErrorClass::kCorrupt, values.path().string() + ": says that its positions have " +
                                        std::to_string(header.endless_moves) + " endless moves, and they have " +
                                        std::to_string(all.endless.size()));
  error.path = values.path().string();
  error.expected = std::to_string(header.endless_moves);
  error.found = std::to_string(all.endless.size());
  throw error;
}

}  // namespace retrosow
