// The plain reference of the tests (tests/reference) on the same boards as the kernels: what they are measured against.
//
//   Generate/2x6/played/reference    beside Generate of the kernels; items are boards
//   Relay/2x6/played/reference       beside Relay; items are legal moves
//
// Boards are turned into the reference's rows beforehand, its results into packed positions in the pass, to be folded
// as those of the kernels are.
#include <memory>

#include "bench/benchmarks.h"
#include "bench/inputs.h"
#include "tests/reference/rio_reference.h"
#include "tests/reference/urim_reference.h"

namespace retrosow::bench {
namespace {

constexpr unsigned kPits = 6;
constexpr Shape kShape{kPits, kPits};

std::vector<int> row_of(const Position& board, unsigned first, unsigned pits) {
  std::vector<int> row;
  for (unsigned i = 0; i < pits; ++i)
    row.push_back(static_cast<int>(seeds_in(board, kShape, first + i)));
  return row;
}

void set_row(Position& board, const std::vector<int>& row, unsigned first) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    set_seeds(board, kShape, first + static_cast<unsigned>(i), static_cast<unsigned>(row[i]));
  }
}

// What is folded of a list of moves: as in generate_bench.cpp.
std::uint64_t fold_of(const std::vector<reference::UrimMove>& moves) {
  std::uint64_t folded = 0;
  for (const reference::UrimMove& move : moves) {
    Position result;
    set_row(result, move.result, 0);
    folded += (std::uint64_t{1} << (48 + move.pit - 1)) + fold(result) +
              (static_cast<std::uint64_t>(move.captured) << 40);
  }
  return folded;
}

// As in relay_bench.cpp.
std::uint64_t fold_of(const std::vector<reference::RioMove>& moves) {
  std::uint64_t folded = 0;
  for (const reference::RioMove& move : moves) {
    Position result;
    set_row(result, move.result.mover, 0);
    set_row(result, move.result.opponent, kPits);
    folded += (std::uint64_t{1} << (48 + move.hole - 1)) + fold(result) +
              (static_cast<std::uint64_t>(move.captured) << 40) +
              static_cast<std::uint64_t>(move.laps) +
              (static_cast<std::uint64_t>(move.captured_opponent) << 32);
  }
  return folded;
}

// The fold of all lists by the portable kernel, and how many moves they hold.
template <typename FoldMove>
std::pair<std::uint64_t, std::uint64_t> fold_by_kernel(Game game,
                                                       const std::vector<Position>& boards,
                                                       FoldMove&& fold_one) {
  const MoveGenerator generator(preset(game), kShape, KernelId::kPortable);
  std::uint64_t folded = 0, moves = 0;
  MoveList list;
  for (const Position& board : boards) {
    generator.generate(board, kShape, list);
    folded += std::uint64_t{list.legal} << 48;
    for_each_move(list, [&](unsigned slot) { folded += fold_one(list, slot); });
    moves += list.count();
  }
  return {folded, moves};
}

void register_generate() {
  const std::vector<Position> packed = make_boards(preset(Game::kUrim), kPits, Mix::kPlayed);
  const auto boards = std::make_shared<std::vector<std::vector<int>>>();
  for (const Position& board : packed) boards->push_back(row_of(board, 0, 2 * kPits));
  const auto [expected, moves] = fold_by_kernel(Game::kUrim, packed, fold_move);
  benchmark::RegisterBenchmark("Generate/2x6/played/reference", [=](benchmark::State& state) {
    const reference::UrimRules rules;
    run_passes(state, expected, [&] {
      std::uint64_t folded = 0;
      for (const std::vector<int>& board : *boards)
        folded += fold_of(reference::legal_moves(rules, board));
      return folded;
    });
    set_items(state, boards->size());
    state.counters["moves_per_second"] = rate(state, moves);
  });
}

void register_relay() {
  const std::vector<Position> packed = make_boards(preset(Game::kRioKadalis), kPits, Mix::kPlayed);
  const auto boards = std::make_shared<std::vector<reference::RioPosition>>();
  for (const Position& board : packed)
    boards->push_back({row_of(board, 0, kPits), row_of(board, kPits, kPits)});
  const auto fold_relay = [](const MoveList& list, unsigned slot) {
    return fold_move(list, slot) + list.laps[slot] +
           (std::uint64_t{list.captured_opponent[slot]} << 32);
  };
  const auto [expected, moves] = fold_by_kernel(Game::kRioKadalis, packed, fold_relay);
  benchmark::RegisterBenchmark("Relay/2x6/played/reference", [=](benchmark::State& state) {
    const reference::RioRules rules;
    run_passes(state, expected, [&] {
      std::uint64_t folded = 0;
      for (const reference::RioPosition& board : *boards)
        folded += fold_of(reference::legal_moves(rules, board));
      return folded;
    });
    set_items(state, moves);
    state.counters["boards_per_second"] = rate(state, boards->size());
  });
}

}  // namespace

void register_reference_benchmarks() {
  register_generate();
  register_relay();
}

}  // namespace retrosow::bench
