// Single sowings with capture: one drawn pit of each board.
#include <memory>

#include "bench/benchmarks.h"
#include "bench/inputs.h"

namespace retrosow::bench {
namespace {

struct Sowings {
  Shape shape;
  std::vector<Position> boards;
  std::vector<std::uint8_t> pits;
  std::uint64_t expected = 0;
};

std::uint64_t sow_all(const MoveGenerator& generator, const Sowings& sowings) {
  MoveList list;
  std::uint64_t folded = 0;
  // Copies that the kernel cannot change, so that nothing is loaded anew after each call.
  const Position* const boards = sowings.boards.data();
  const std::uint8_t* const pits = sowings.pits.data();
  const std::size_t count = sowings.boards.size();
  const Shape shape = sowings.shape;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned pit = pits[i];
    generator.sow(boards[i], shape, pit, list);
    folded += fold_move(list, pit) + list.legal;
  }
  return folded;
}

}  // namespace

void register_sow_benchmarks() {
  const RuleSet rules = preset(Game::kUrim);
  for (const unsigned pits : {6U, 7U}) {
    for (const Mix mix : kAllMixes) {
      const auto sowings = std::make_shared<Sowings>();
      const auto row = static_cast<std::uint8_t>(pits);
      sowings->shape = {row, row};
      sowings->boards = make_boards(rules, pits, mix);
      sowings->pits = draw_pits(rules, pits, sowings->boards);
      sowings->expected =
          sow_all(MoveGenerator(rules, sowings->shape, KernelId::kPortable), *sowings);
      for (const KernelId kernel : available_kernels()) {
        const std::string name = "Sow/" + board_name(pits) + "/" + mix_name(mix) + "/" +
                                 std::string(kernel_name(kernel));
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          const MoveGenerator generator(rules, sowings->shape, kernel);
          run_passes(state, sowings->expected, [&] { return sow_all(generator, *sowings); });
          set_items(state, sowings->boards.size());
        });
      }
    }
  }
}

}  // namespace retrosow::bench
