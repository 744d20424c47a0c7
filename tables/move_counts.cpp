#include "tables/move_counts.h"

#include <algorithm>
#include <vector>

#include "bitboard/moves.h"
#include "bitboard/rank.h"
#include "tables/parallel.h"
#include "tables/round_key.h"

namespace retrosow {
namespace {

constexpr std::uint64_t kPiecesPerThread = 16;            // between two looks at whether to stop

void add_moves(const MoveGenerator& generator, const Position& position, Shape shape,
               MoveList& list, MoveCounts& counts) {
  generator.generate(position, shape, list);
  if (list.legal == 0) ++counts.over;
  for_each_move(list, [&](unsigned slot) {
    ++counts.legal;
    if (list.captured[slot] != 0 || list.captured_opponent[slot] != 0) ++counts.captures;
    counts.captured += list.captured[slot];
    counts.captured_opponent += list.captured_opponent[slot];
  });
}

// Calls piece(i, counts) for every i below `pieces` by up to `workers` threads, and after(pieces so far) now and then.
template <typename Piece, typename After>
MoveCounts add_pieces(unsigned workers, std::uint64_t pieces, const RunControl& control,
                      Piece&& piece, After&& after) {
  std::vector<MoveCounts> counts(workers);
  for (std::uint64_t first = 0; first < pieces;) {
    control.check_stop();
    const std::uint64_t count = std::min(pieces - first, kPiecesPerThread * workers);
    parallel_loop(workers, static_cast<std::size_t>(count), [&](unsigned worker, std::size_t i) {
      MoveCounts here;  // not in the vector: threads would write to one cache line
      piece(first + i, here);
      counts[worker] += here;
    });
    first += count;
    after(first);
  }
  MoveCounts sum;
  for (const MoveCounts& of_worker : counts) sum += of_worker;
  return sum;
}

// All rows of one side with so many seeds, in the order of their ranks.
std::vector<Position> rows_of(const HalfRanks& halves, unsigned seeds, unsigned first_lane) {
  std::vector<Position> rows(static_cast<std::size_t>(halves.count(seeds)));
  for (std::size_t i = 0; i < rows.size(); ++i) halves.unrank(i, seeds, rows[i], first_lane);
  return rows;
}

MoveCounts count_of_all_boards(const TableHeader& header, const MoveGenerator& generator,
                               unsigned workers, const RunControl& control,
                               const std::function<void(std::uint64_t)>& on_done) {
  const unsigned pits = header.shape.mover_pits;
  const HalfRanks halves(pits, header.rules.pit_limit, header.seeds);
  MoveCounts all;
  std::uint64_t done = 0;
  for (unsigned theirs = 0; theirs <= header.seeds; ++theirs) {
    const std::vector<Position> own_rows = rows_of(halves, header.seeds - theirs, 2 * pits - 1);
    const std::uint64_t their_rows = halves.count(theirs);
    if (own_rows.empty() || their_rows == 0) continue;
    const std::uint64_t per_piece = std::max<std::uint64_t>(1, kPositionsAtOnce / own_rows.size());
    const auto piece = [&](std::uint64_t i, MoveCounts& counts) {
      MoveList list;
      const std::uint64_t last = std::min(their_rows, (i + 1) * per_piece);
      for (std::uint64_t rank = i * per_piece; rank < last; ++rank) {
        Position board;
        halves.unrank(rank, theirs, board, pits - 1);
        for (const Position& own : own_rows) {
          std::copy_n(own.lanes.begin() + pits, pits, board.lanes.begin() + pits);
          add_moves(generator, board, header.shape, list, counts);
        }
      }
    };
    const auto after = [&](std::uint64_t pieces) {
      if (on_done) on_done(done + std::min(their_rows, pieces * per_piece) * own_rows.size());
    };
    all += add_pieces(workers, (their_rows + per_piece - 1) / per_piece, control, piece, after);
    done += their_rows * own_rows.size();
  }
  return all;
}

MoveCounts count_of_keys(const TableReader& values, const MoveGenerator& generator,
                         unsigned workers, const RunControl& control,
                         const std::function<void(std::uint64_t)>& on_done) {
  const TableHeader& header = values.header();
  const auto piece = [&](std::uint64_t i, MoveCounts& counts) {
    std::vector<Position> keys(
        static_cast<std::size_t>(std::min(kPositionsAtOnce, header.positions - i * kPositionsAtOnce)));
    values.copy_keys(i * kPositionsAtOnce, keys);
    MoveList list;
    for (const Position& key : keys) {
      const auto [position, shape] = position_of_key(key, header.shape);
      add_moves(generator, position, shape, list, counts);
    }
  };
  const auto after = [&](std::uint64_t pieces) {
    if (on_done) on_done(std::min(header.positions, pieces * kPositionsAtOnce));
  };
  return add_pieces(workers, (header.positions + kPositionsAtOnce - 1) / kPositionsAtOnce, control, piece, after);
}

}  // namespace

MoveCounts& MoveCounts::operator+=(const MoveCounts& other) {
  over += other.over;
  legal += other.legal;
  captures += other.captures;
  captured += other.captured;
  captured_opponent += other.captured_opponent;
  return *this;
}

MoveCounts count_moves(const TableReader& values, unsigned workers, const RunControl& control,
                       const std::function<void(std::uint64_t)>& on_done) {
  const TableHeader& header = values.header();
  const MoveGenerator generator(header.rules, header.shape);
  return header.index == IndexKind::kRanks
             ? count_of_all_boards(header, generator, workers, control, on_done)
             : count_of_keys(values, generator, workers, control, on_done);
}

}  // namespace retrosow
