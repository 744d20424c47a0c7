#include "solver/sample_check.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "bitboard/rank.h"
#include "solver/random.h"
#include "solver/search.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

RoundPosition position_at(const TableReader& table, LevelIndex index) {
  const TableHeader& header = table.header();
  if (header.index == IndexKind::kRanks) {
    const HalfRanks halves(header.shape.mover_pits, header.rules.pit_limit, header.seeds);
    return {LevelRanks(halves, header.seeds).unrank(index), header.shape};
  }
  Position key;
  table.copy_keys(index, {&key, 1});
  return position_of_key(key, header.shape);
}

}  // namespace

SampleCheck check_by_search(const std::vector<const TableReader*>& tables, const SampleOptions& options) {
  assert(!tables.empty());
  const Stopwatch watch;
  std::uint64_t total = 0;
  unsigned seeds = 0;
  for (const TableReader* table : tables) {
    total += table->header().positions;
    seeds = std::max(seeds, table->header().seeds);
  }
  SampleCheck check;
  SearchOptions search_options;
  search_options.memory_bytes = options.transposition_bytes;
  search_options.threads = options.threads;
  search_options.limit_seconds = options.limit_seconds;
  search_options.control = options.control;
  if (options.control.progress) {
    search_options.control.progress = [&](const Progress& progress) {
      Progress shown = progress;
      shown.phase = "sample, " + progress.phase;
      shown.done = check.positions;
      shown.total = options.positions;
      shown.elapsed_seconds = watch.seconds();
      options.control.progress(shown);
    };
  }
  const TableHeader& header = tables.front()->header();
  Search search(header.rules, header.shape, seeds, search_options);
  SplitMix64 random(options.seed);
  for (; check.positions < options.positions; ++check.positions) {
    LevelIndex index = random.next() % total;
    auto table = tables.begin();
    for (; index >= (*table)->header().positions; ++table) index -= (*table)->header().positions;
    RoundPosition drawn;
    Value value = 0;
    try {
      drawn = position_at(**table, index);
      (*table)->copy_values(index, {&value, 1});
    } catch (const Error& error) {
      check.error = error;
      break;
    }
    const ProvedBounds bounds = search.solve(drawn.position, drawn.shape);
    if (value < bounds.lower || value > bounds.upper) {
      check.faults.push_back({(*table)->header().seeds, index, drawn.position, drawn.shape, value, bounds});
    } else if (bounds.lower < bounds.upper) {
      check.error = limit_error(search.effort().too_deep
                                    ? "the search met a line of more than " + std::to_string(kMaxSearchPlies) + " plies"
                                    : "stopped by --limit-seconds after " + std::to_string(check.positions) + " of " +
                                          std::to_string(options.positions) + " positions");
      break;
    }
  }
  check.nodes = search.effort().nodes;
  check.seconds = watch.seconds();
  return check;
}

}  // namespace retrosow
