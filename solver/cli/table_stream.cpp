#include "solver/cli/table_stream.h"

#include <algorithm>

#include "solver/cli/signals.h"
#include "tables/table_listing.h"

namespace retrosow::cli {
namespace {

constexpr std::uint64_t kDigestOffset = 40;  // in the header; FORMAT.md

template <typename T, typename Copy>
void stream(const TableReader& table,
            const std::function<void(LevelIndex, std::span<const T>)>& visit, Copy&& copy) {
  const TableHeader& header = table.header();
  StreamingDigest digest;
  std::vector<T> block;
  for (LevelIndex first = 0; first < header.positions; first += block.size()) {
    check_interrupted();
    block.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(header.block_values, header.positions - first)));
    copy(first, std::span<T>(block));
    digest.add(std::as_bytes(std::span(block)));
    visit(first, block);
  }
  if (digest.digest() == header.digest) return;
  Error error(ErrorClass::kCorrupt, table.path().string() +
                                        ": damaged: digest of the contents at offset " +
                                        std::to_string(kDigestOffset) + ": expected " +
                                        header.digest.hex() + ", found " + digest.digest().hex());
  error.path = table.path().string();
  error.offset = kDigestOffset;
  error.expected = header.digest.hex();
  error.found = digest.digest().hex();
  throw error;
}

}  // namespace

void stream_values(const TableReader& table,
                   const std::function<void(LevelIndex, std::span<const Value>)>& visit) {
  stream<Value>(table, visit,
                [&](LevelIndex first, std::span<Value> out) { table.copy_values(first, out); });
}

void stream_distances(
    const TableReader& table,
    const std::function<void(LevelIndex, std::span<const std::uint16_t>)>& visit) {
  stream<std::uint16_t>(table, visit, [&](LevelIndex first, std::span<std::uint16_t> out) {
    table.copy_distances(first, out);
  });
}

void stream_guarantees(
    const TableReader& table,
    const std::function<void(LevelIndex, std::span<const Guarantee>)>& visit) {
  stream<Guarantee>(table, visit, [&](LevelIndex first, std::span<Guarantee> out) {
    table.copy_guarantees(first, out);
  });
}

PositionLister::PositionLister(const TableReader& values) : values_(&values) {
  const TableHeader& header = values.header();
  if (header.index != IndexKind::kRanks) return;
  halves_ =
      std::make_unique<HalfRanks>(header.shape.mover_pits, header.rules.pit_limit, header.seeds);
  ranks_ = std::make_unique<LevelRanks>(*halves_, header.seeds);
}

Board PositionLister::at(LevelIndex index) {
  const TableHeader& header = values_->header();
  if (ranks_) return board_of(ranks_->unrank(index), header.shape);
  const LevelIndex first = index - index % header.block_values;
  if (keys_.empty() || first != first_key_) {
    keys_.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(header.block_values, header.positions - first)));
    values_->copy_keys(first, keys_);
    first_key_ = first;
  }
  const RoundPosition found =
      position_of_key(keys_[static_cast<std::size_t>(index - first)], header.shape);
  return board_of(found.position, found.shape);
}

}  // namespace retrosow::cli
