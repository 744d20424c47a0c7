// Full move lists of the Urim family: all legal moves of a board, with their results. Items are boards.
#include <memory>

#include "bench/benchmarks.h"
#include "bench/inputs.h"

namespace retrosow::bench {
namespace {

struct Boards {
  Shape shape;
  std::vector<Position> boards;
  std::uint64_t moves = 0;
  std::uint64_t expected = 0;
};

// All slots under a mask, without a branch: a loop over the legal moves alone would be mispredicted
// about once a board, and that would be measured instead of the kernel.
std::uint64_t fold_list(const MoveList& list, unsigned pits) {
  std::uint64_t folded = std::uint64_t{list.legal} << 48;
  for (unsigned slot = 0; slot < pits; ++slot) {
    folded += fold_move(list, slot) & -std::uint64_t{(unsigned{list.legal} >> slot) & 1U};
  }
  return folded;
}

std::uint64_t generate_all(const MoveGenerator& generator, const Boards& boards) {
  MoveList list;
  std::uint64_t folded = 0;
  const Shape shape = boards.shape;  // a copy that the kernel cannot change
  for (const Position& board : boards.boards) {
    generator.generate(board, shape, list);
    folded += fold_list(list, shape.mover_pits);
  }
  return folded;
}

}  // namespace

void register_generate_benchmarks() {
  const RuleSet rules = preset(Game::kUrim);
  for (const unsigned pits : {6U, 7U}) {
    for (const Mix mix : kAllMixes) {
      const auto boards = std::make_shared<Boards>();
      const auto row = static_cast<std::uint8_t>(pits);
      boards->shape = {row, row};
      boards->boards = make_boards(rules, pits, mix);
      const MoveGenerator portable(rules, boards->shape, KernelId::kPortable);
      boards->expected = generate_all(portable, *boards);
      for (const Position& board : boards->boards) {
        MoveList list;
        portable.generate(board, boards->shape, list);
        boards->moves += list.count();
      }
      for (const KernelId kernel : available_kernels()) {
        const std::string name = "Generate/" + board_name(pits) + "/" + mix_name(mix) + "/" +
                                 std::string(kernel_name(kernel));
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          const MoveGenerator generator(rules, boards->shape, kernel);
          run_passes(state, boards->expected, [&] { return generate_all(generator, *boards); });
          set_items(state, boards->boards.size());
          state.counters["moves_per_second"] = rate(state, boards->moves);
        });
      }
    }
  }
}

}  // namespace retrosow::bench
