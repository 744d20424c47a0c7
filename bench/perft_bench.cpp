// Perft from the start: move lists, results and the walk over them. Items are nodes: move sequences of
// all lengths up to the depth.
#include <memory>

#include "bench/benchmarks.h"
#include "bench/inputs.h"
#include "bitboard/notation.h"
#include "bitboard/perft.h"

namespace retrosow::bench {
namespace {

struct Walk {
  Game game;
  unsigned pits;
  unsigned depth;
};
// About half a million nodes each.
constexpr Walk kWalks[] = {
    {Game::kUrim, 6, 8}, {Game::kUrim, 7, 7}, {Game::kRioKadalis, 6, 8}, {Game::kRioKadalis, 5, 8}};

std::uint64_t fold_counts(const std::vector<PerftCounts>& counts) {
  std::uint64_t folded = 0;
  for (const PerftCounts& c : counts) {
    for (const std::uint64_t column :
         {c.nodes, c.captures, c.captured, c.captured_opponent, c.ends}) {
      folded = folded * 0x100000001b3ULL + column;
    }
  }
  return folded;
}

}  // namespace

void register_perft_benchmarks() {
  for (const Walk& walk : kWalks) {
    const RuleSet rules = preset(walk.game);
    const auto row = static_cast<std::uint8_t>(walk.pits);
    const Shape shape{row, row};
    const Position start = start_board(rules, walk.pits, default_seeds_per_pit(walk.game)).position;
    const auto count = [=](const MoveGenerator& generator) {
      return perft(generator, start, shape, walk.depth);
    };
    const auto counts = count(MoveGenerator(rules, shape, KernelId::kPortable));
    const std::uint64_t expected = fold_counts(counts);
    std::uint64_t nodes = 0;
    for (const PerftCounts& c : counts) nodes += c.nodes;
    for (const KernelId kernel : available_kernels()) {
      const std::string name = "Perft/" + board_name(walk.pits) + "/" +
                               std::string(game_name(walk.game)) + "-depth" +
                               std::to_string(walk.depth) + "/" + std::string(kernel_name(kernel));
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        const MoveGenerator generator(rules, shape, kernel);
        run_passes(state, expected, [&] { return fold_counts(count(generator)); });
        set_items(state, nodes);
      });
    }
  }
}

}  // namespace retrosow::bench
