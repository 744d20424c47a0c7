// Ranks and boards of random indices of a level, under Urim's pit limit. Items are boards.
#include <memory>
#include <stdexcept>

#include "bench/benchmarks.h"
#include "bench/inputs.h"
#include "bitboard/rank.h"

namespace retrosow::bench {
namespace {

struct Level {
  Level(unsigned pits, unsigned pit_limit, unsigned seeds)
      : halves(pits, pit_limit, seeds),
        ranks(halves, seeds),
        indices(draw_numbers(ranks.size(), kBoards)) {
    for (const LevelIndex index : indices) {
      boards.push_back(ranks.unrank(index));
      sum_of_indices += index;
      sum_of_boards += fold(boards.back());
      if (ranks.rank(boards.back()) != index)
        throw std::logic_error("rank is not the inverse of unrank");
    }
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  HalfRanks halves;
  LevelRanks ranks;
  std::vector<LevelIndex> indices;
  std::vector<Position> boards;
  std::uint64_t sum_of_indices = 0, sum_of_boards = 0;
};

std::uint64_t rank_all(const Level& level) {
  std::uint64_t sum = 0;
  for (const Position& board : level.boards) sum += level.ranks.rank(board);
  return sum;
}

std::uint64_t unrank_all(const Level& level) {
  std::uint64_t sum = 0;
  for (const LevelIndex index : level.indices) sum += fold(level.ranks.unrank(index));
  return sum;
}

}  // namespace

void register_rank_benchmarks() {
  const RuleSet rules = preset(Game::kUrim);
  for (const unsigned pits : {6U, 7U}) {
    for (const unsigned seeds : {12U, 20U, 24U}) {
      const auto level = std::make_shared<const Level>(pits, rules.pit_limit, seeds);
      const std::string name = "/" + board_name(pits) + "/level" + std::to_string(seeds);
      benchmark::RegisterBenchmark(("Rank" + name).c_str(), [=](benchmark::State& state) {
        run_passes(state, level->sum_of_indices, [&] { return rank_all(*level); });
        set_items(state, level->boards.size());
      });
      benchmark::RegisterBenchmark(("Unrank" + name).c_str(), [=](benchmark::State& state) {
        run_passes(state, level->sum_of_boards, [&] { return unrank_all(*level); });
        set_items(state, level->indices.size());
      });
    }
  }
}

}  // namespace retrosow::bench
