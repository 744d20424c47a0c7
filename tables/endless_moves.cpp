#include "tables/endless_moves.h"

#include <algorithm>

#include "bitboard/moves.h"
#include "tables/parallel.h"

namespace retrosow {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{1} << 16;

}  // namespace

std::vector<EndlessMove> endless_moves(const TableReader& values, unsigned workers, const RunControl& control,
                                       const std::function<void(std::uint64_t)>& on_done) {
  const TableHeader& header = values.header();
  std::vector<EndlessMove> moves;
  if (header.endless_moves == 0) return moves;
  const MoveGenerator generator(header.rules, header.shape);
  const std::uint64_t pieces = (header.positions + kPiece - 1) / kPiece;
  std::vector<std::vector<EndlessMove>> found(workers);
  for (std::uint64_t first = 0; first < pieces; first += found.size()) {
    control.check_stop();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(found.size(), pieces - first));
    parallel_loop(workers, count, [&](unsigned, std::size_t i) {
      found[i].clear();
      const std::uint64_t at = (first + i) * kPiece;
      std::vector<Position> keys(static_cast<std::size_t>(std::min(kPiece, header.positions - at)));
      values.copy_keys(at, keys);
      MoveList list;
      for (const Position& key : keys) {
        const auto [position, shape] = position_of_key(key, header.shape);
        generator.generate(position, shape, list);
        for (unsigned slot = 0; slot < shape.mover_pits; ++slot) {
          if (((list.endless >> slot) & 1U) != 0) found[i].push_back({position, shape, slot, list.laps[slot]});
        }
      }
    });
    for (std::size_t i = 0; i < count; ++i) moves.insert(moves.end(), found[i].begin(), found[i].end());
    if (on_done) on_done(std::min(header.positions, (first + count) * kPiece));
  }
  if (moves.size() == header.endless_moves) return moves;
  Error error(ErrorClass::kCorrupt, values.path().string() + ": says that its positions have " +
                                        std::to_string(header.endless_moves) + " endless moves, and they have " +
                                        std::to_string(moves.size()));
  error.path = values.path().string();
  error.expected = std::to_string(header.endless_moves);
  error.found = std::to_string(moves.size());
  throw error;
}

}  // namespace retrosow
