// The transposition table: keys, probes that hit, probes that miss, stores, and the time to make a table
// and store as many positions as it has entries.
// Items are positions. Probes prefetch a batch ahead, as the search does with the results of a position's moves.
#include <memory>

#include "bench/benchmarks.h"
#include "bench/inputs.h"
#include "bitboard/rank.h"
#include "solver/transposition_table.h"

namespace retrosow::bench {
namespace {

constexpr unsigned kPits = 6, kSeeds = 24;
constexpr unsigned kPositions = 1U << 20;  // so that a probe of a large table is hardly ever in a cache
constexpr std::size_t kBatch = 6;          // about the moves of a position

struct Keys {
  Keys() {
    const HalfRanks halves(kPits, preset(Game::kUrim).pit_limit, kSeeds);
    const LevelRanks ranks(halves, kSeeds);
    for (const LevelIndex index : draw_numbers(ranks.size(), 2 * kPositions)) {
      const Position board = ranks.unrank(index);
      const SearchKey key = search_key(board, 2 * kPits, 0);
      (known.size() < kPositions ? known : unknown).push_back(key);
      if (boards.size() < kBoards) {
        boards.push_back(board);
        sum += key;
      }
    }
  }

  std::vector<SearchKey> known, unknown;
  std::vector<Position> boards;
  std::uint64_t sum = 0;
};

void fill(TranspositionTable& table, const std::vector<SearchKey>& keys) {
  for (const SearchKey key : keys) table.store(table.mix(key), {-1, 2}, {}, 1);
}

std::uint64_t hits(const TranspositionTable& table, const std::vector<SearchKey>& keys) {
  std::uint64_t hits = 0;
  for (std::size_t i = 0; i + kBatch <= keys.size(); i += kBatch) {
    for (std::size_t j = i; j < i + kBatch; ++j) table.prefetch(table.mix(keys[j]));
    for (std::size_t j = i; j < i + kBatch; ++j) hits += std::uint64_t{table.find(table.mix(keys[j])).hit};
  }
  return hits;
}

std::string size_name(std::uint64_t bytes) { return std::to_string(bytes >> 20) + "MiB"; }

}  // namespace

void register_transposition_benchmarks() {
  const auto keys = std::make_shared<const Keys>();
  benchmark::RegisterBenchmark("Transposition/key/2x6", [=](benchmark::State& state) {
    run_passes(state, keys->sum, [&] {
      std::uint64_t sum = 0;
      for (const Position& board : keys->boards) sum += search_key(board, 2 * kPits, 0);
      return sum;
    });
    set_items(state, keys->boards.size());
  });
  for (const std::uint64_t bytes : {std::uint64_t{64} << 20, std::uint64_t{256} << 20, std::uint64_t{1} << 30}) {
    const std::uint64_t entries = bytes / TranspositionTable::kEntryBytes;
    const auto table = std::make_shared<std::unique_ptr<TranspositionTable>>();  // made by the first that runs
    const auto filled = [=]() -> TranspositionTable& {
      if (!*table) {
        *table = std::make_unique<TranspositionTable>(kSeeds + 2 * kPits, bytes);
        fill(**table, keys->known);
      }
      return **table;
    };
    const auto probe = [=](const char* what, const std::vector<SearchKey>& probed) {
      benchmark::RegisterBenchmark(("Transposition/" + std::string(what) + "/" + size_name(bytes)).c_str(),
                                   [=, &probed](benchmark::State& state) {
                                     const TranspositionTable& there = filled();
                                     run_passes(state, hits(there, probed), [&] { return hits(there, probed); });
                                     set_items(state, probed.size() / kBatch * kBatch);
                                   });
    };
    probe("probe_known", keys->known);
    probe("probe_unknown", keys->unknown);
    benchmark::RegisterBenchmark(("Transposition/store/" + size_name(bytes)).c_str(), [=](benchmark::State& state) {
      TranspositionTable& there = filled();
      run_passes(state, keys->known.size(), [&] {
        fill(there, keys->known);
        return keys->known.size();
      });
      set_items(state, keys->known.size());
    });
    benchmark::RegisterBenchmark(("Transposition/fill_new/" + size_name(bytes)).c_str(), [=](benchmark::State& state) {
      run_passes(state, 1, [&]() -> std::uint64_t {
        TranspositionTable there(kSeeds + 2 * kPits, bytes);
        for (SearchKey key = 0; key < entries; ++key) there.store(there.mix(key), {-1, 2}, {}, 1);
        return there.find(there.mix(entries - 1)).hit ? 1 : 0;
      });
      set_items(state, entries);
    });
  }
}

}  // namespace retrosow::bench
