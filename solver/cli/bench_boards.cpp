#include "solver/cli/bench_boards.h"

#include <algorithm>

#include "solver/random.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kLeastSeeds = 8;
constexpr unsigned kMostSeeds = 36;

class Fnv1a {
 public:
  void add(unsigned byte) { hash_ = (hash_ ^ (byte & 0xffU)) * 0x100000001b3ULL; }
  void add_word(std::uint32_t word) {
    for (unsigned shift = 0; shift < 32; shift += 8) add(word >> shift);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

// One rule set and board size of the signature, in words of the command line.
struct Case {
  Game game;
  Shape shape;
  const char* option;  // null: the game's own rules
  const char* value;
  const char* second_option = nullptr;
  const char* second_value = nullptr;
};

constexpr Case kCases[] = {
    {Game::kUrim, {6, 6}, nullptr, nullptr},
    {Game::kUrim, {7, 7}, nullptr, nullptr},
    {Game::kUrim, {8, 8}, nullptr, nullptr},
    {Game::kUrim, {3, 3}, nullptr, nullptr},
    {Game::kUrim, {1, 1}, nullptr, nullptr},
    {Game::kUrim, {6, 6}, "pit-limit", "0"},
    {Game::kUrim, {6, 6}, "pit-limit", "5"},
    {Game::kUrim, {6, 6}, "pit-limit", "5", "pit-limit-rule", "forbid"},
    {Game::kUrim, {6, 6}, "trigger", "1,4"},
    {Game::kUrim, {6, 6}, "chain", "none"},
    {Game::kUrim, {3, 3}, "grand-slam", "leave"},
    {Game::kUrim, {3, 3}, "grand-slam", "forbid"},
    {Game::kUrim, {3, 3}, "starvation", "leave"},
    {Game::kUrim, {3, 3}, "pit-limit", "5", "remainder", "last-mover"},
    {Game::kOware, {6, 6}, nullptr, nullptr},
    {Game::kAwari, {6, 6}, nullptr, nullptr},
    {Game::kRioKadalis, {6, 6}, nullptr, nullptr},
    {Game::kRioKadalis, {5, 5}, "endless-sow", "draw"},
    {Game::kRioKadalis, {6, 4}, nullptr, nullptr},
    {Game::kRioKadalis, {2, 5}, "endless-sow", "draw"},
};
constexpr unsigned kBoardsOfCase = 1000;

void add_moves(Fnv1a& hash, const MoveGenerator& generator, const Position& position, Shape shape,
               const MoveList& list) {
  const bool relay = family_of(generator.rules().game) == Family::kRioKadalis;
  hash.add(list.legal);
  for_each_move(list, [&](unsigned slot) {
    hash.add(list.captured[slot]);
    hash.add(list.captured_opponent[slot]);
    if (relay) hash.add_word(list.laps[slot]);
    if (has_bit(list.endless, slot)) return;
    for (unsigned i = 0; i < shape.pits(); ++i)
      hash.add(seeds_in(list.result[slot], shape.swapped(), i));
  });
  // Kernels leave the bits of other slots undefined.
  hash.add(list.grand_slam & list.legal);
  hash.add(list.binikh & list.legal);
  hash.add(list.endless & list.legal);
  if (list.legal == 0) {
    const EndResult end = generator.end(position, shape);
    hash.add(end.mover);
    hash.add(end.opponent);
  }
}

}  // namespace

std::vector<Position> bench_boards(const RuleSet& rules, Shape shape, unsigned count,
                                   std::uint64_t seed) {
  SplitMix64 random(seed);
  const bool limited = family_of(rules.game) == Family::kUrim && rules.pit_limit != 0;
  const unsigned limit = limited ? rules.pit_limit : kMostSeeds;
  std::vector<Position> boards;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned pits = i % 4 == 3 ? shape.mover_pits : shape.pits();
    const unsigned most = std::max(1U, std::min(kMostSeeds, pits * limit / 2));
    const unsigned least = std::min(kLeastSeeds, most);
    const unsigned seeds = least + i % (most - least + 1);
    Position board;
    for (unsigned laid = 0; laid < seeds; ++laid) {
      unsigned pit = random.below(pits);
      while (seeds_in(board, shape, pit) >= limit) pit = (pit + 1) % pits;
      set_seeds(board, shape, pit, seeds_in(board, shape, pit) + 1);
    }
    boards.push_back(board);
  }
  return boards;
}

Signature move_signature(KernelId kernel) {
  Fnv1a hash;
  Signature signature;
  std::uint64_t seed = 1;
  for (const Case& c : kCases) {
    RuleSet rules = preset(c.game);
    if (c.option != nullptr) set_option(rules, c.option, c.value);
    if (c.second_option != nullptr) set_option(rules, c.second_option, c.second_value);
    const MoveGenerator generator(rules, c.shape, kernel);
    for (const Position& board : bench_boards(rules, c.shape, kBoardsOfCase, seed++)) {
      MoveList list;
      generator.generate(board, c.shape, list);
      add_moves(hash, generator, board, c.shape, list);
      ++signature.boards;
      signature.moves += list.count();
    }
  }
  signature.hash = hash.value();
  return signature;
}

}  // namespace retrosow::cli
