// Full move lists of Rio Kadalis on boards from play. Items are legal moves, each of one lap or of many.
// Endless moves, which the rules forbid, are found and left out; their cost is in, they are not counted.
#include <memory>

#include "bench/benchmarks.h"
#include "bench/inputs.h"

namespace retrosow::bench {
namespace {

struct Relays {
  Shape shape;
  std::vector<Position> boards;
  std::uint64_t moves = 0;
  std::uint64_t laps = 0;
  std::uint64_t expected = 0;
};

std::uint64_t relay_all(const MoveGenerator& generator, const Relays& relays) {
  MoveList list;
  std::uint64_t folded = 0;
  for (const Position& board : relays.boards) {
    generator.generate(board, relays.shape, list);
    folded += std::uint64_t{list.legal} << 48;
    for_each_move(list, [&](unsigned slot) {
      folded += fold_move(list, slot) + list.laps[slot] +
                (std::uint64_t{list.captured_opponent[slot]} << 32);
    });
  }
  return folded;
}

}  // namespace

void register_relay_benchmarks() {
  const RuleSet rules = preset(Game::kRioKadalis);
  for (const unsigned pits : {6U, 5U}) {
    const auto relays = std::make_shared<Relays>();
    const auto row = static_cast<std::uint8_t>(pits);
    relays->shape = {row, row};
    relays->boards = make_boards(rules, pits, Mix::kPlayed);
    const MoveGenerator portable(rules, relays->shape, KernelId::kPortable);
    relays->expected = relay_all(portable, *relays);
    for (const Position& board : relays->boards) {
      MoveList list;
      portable.generate(board, relays->shape, list);
      for_each_move(list, [&](unsigned slot) { relays->laps += list.laps[slot]; });
      relays->moves += list.count();
    }
    for (const KernelId kernel : available_kernels()) {
      const std::string name =
          "Relay/" + board_name(pits) + "/played/" + std::string(kernel_name(kernel));
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        const MoveGenerator generator(rules, relays->shape, kernel);
        run_passes(state, relays->expected, [&] { return relay_all(generator, *relays); });
        set_items(state, relays->moves);
        state.counters["laps_per_second"] = rate(state, relays->laps);
        state.counters["boards_per_second"] = rate(state, relays->boards.size());
      });
    }
  }
}

}  // namespace retrosow::bench
