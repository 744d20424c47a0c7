// Reads a table from the first position to the last, a block at a time: memory does not grow with the level.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "bitboard/notation.h"
#include "tables/table_file.h"

namespace retrosow::cli {

// Calls visit(index of the first, contents) block by block and compares the digest at the end.
// Fails: corrupt error where a block or the digest is wrong, interrupted error.
void stream_values(const TableReader& table,
                   const std::function<void(LevelIndex, std::span<const Value>)>& visit);
void stream_distances(const TableReader& table,
                      const std::function<void(LevelIndex, std::span<const std::uint16_t>)>& visit);
void stream_guarantees(const TableReader& table,
                       const std::function<void(LevelIndex, std::span<const Guarantee>)>& visit);

// The positions of a table in index order.
class PositionLister {
 public:
  // Pre: `values` holds values and outlives this.
  explicit PositionLister(const TableReader& values);

  // The board at an index; missing holes are closed at the end of a row.
  // Cost: cheap for an index in the block of the last one. Fails: corrupt error (kKeys).
  Board at(LevelIndex index);

 private:
  const TableReader* values_;
  std::unique_ptr<HalfRanks> halves_;  // kRanks
  std::unique_ptr<LevelRanks> ranks_;
  std::vector<Position> keys_;  // kKeys: those of one block
  LevelIndex first_key_ = 0;    // the index of the first of them
};

}  // namespace retrosow::cli
