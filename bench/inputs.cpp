#include "bench/inputs.h"

#include <bit>
#include <random>
#include <set>
#include <utility>

#include "bitboard/notation.h"
#include "bitboard/rank.h"

namespace retrosow::bench {
namespace {

constexpr unsigned kLongestPlayout = 300;  // plies; play in the Urim family may go round for ever

Shape square(unsigned pits) {
  const auto row = static_cast<std::uint8_t>(pits);
  return {row, row};
}

// The standard fixes the engine's numbers but not those of its distributions, hence by hand. The bias
// is at most bound / 2^64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  // One of the set bits. Pre: bits != 0.
  unsigned bit_of(unsigned bits) {
    for (auto skip = below(static_cast<unsigned>(std::popcount(bits))); skip != 0; --skip) {
      bits &= bits - 1;
    }
    return static_cast<unsigned>(std::countr_zero(bits));
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<Position> mixed_boards(const RuleSet& rules, unsigned pits) {
  const MoveGenerator generator(rules, square(pits), KernelId::kPortable);
  const HalfRanks halves(pits, rules.pit_limit, kMostSeeds);
  std::vector<LevelRanks> levels;
  for (unsigned seeds = kLeastSeeds; seeds <= kMostSeeds; ++seeds) {
    levels.emplace_back(halves, seeds);
  }
  Random random(kInputSeed);
  std::vector<Position> boards;
  MoveList list;
  while (boards.size() < kBoards) {
    const LevelRanks& level = levels[boards.size() % levels.size()];
    const Position board = level.unrank(random.below(level.size()));
    generator.generate(board, square(pits), list);
    if (list.legal != 0) boards.push_back(board);
  }
  return boards;
}

std::vector<Position> played_boards(const RuleSet& rules, unsigned pits) {
  const Shape shape = square(pits);
  const MoveGenerator generator(rules, shape, KernelId::kPortable);
  const Position start = start_board(rules, pits, default_seeds_per_pit(rules.game)).position;
  Random random(kInputSeed);
  std::set<Position> seen;
  std::vector<Position> boards;
  MoveList list;
  while (boards.size() < kBoards) {
    Position board = start;
    for (unsigned ply = 0; ply < kLongestPlayout && boards.size() < kBoards; ++ply) {
      generator.generate(board, shape, list);
      const unsigned playable = list.legal & ~unsigned{list.endless};
      if (playable == 0) break;
      if (seen.insert(board).second) boards.push_back(board);
      board = list.result[random.bit_of(playable)];
    }
  }
  for (std::size_t i = boards.size() - 1; i > 0; --i) {
    std::swap(boards[i], boards[random.below(i + 1)]);
  }
  return boards;
}

}  // namespace

const char* mix_name(Mix mix) { return mix == Mix::kMixed ? "mixed" : "played"; }

std::string board_name(unsigned pits) { return "2x" + std::to_string(pits); }

std::vector<Position> make_boards(const RuleSet& rules, unsigned pits, Mix mix) {
  return mix == Mix::kMixed ? mixed_boards(rules, pits) : played_boards(rules, pits);
}

std::vector<std::uint8_t> draw_pits(const RuleSet& rules, unsigned pits,
                                    const std::vector<Position>& boards) {
  const MoveGenerator generator(rules, square(pits), KernelId::kPortable);
  Random random(kInputSeed);
  std::vector<std::uint8_t> drawn;
  MoveList list;
  for (const Position& board : boards) {
    generator.generate(board, square(pits), list);
    drawn.push_back(static_cast<std::uint8_t>(random.bit_of(list.legal)));
  }
  return drawn;
}

std::vector<std::uint64_t> draw_numbers(std::uint64_t bound, unsigned count) {
  Random random(kInputSeed);
  std::vector<std::uint64_t> numbers(count);
  for (std::uint64_t& number : numbers) number = random.below(bound);
  return numbers;
}

}  // namespace retrosow::bench
