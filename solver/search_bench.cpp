#include "solver/search_bench.h"

#include <iterator>
#include <stdexcept>
#include <string>

#include "bitboard/notation.h"
#include "solver/search.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

// A start with so many seeds in each pit, and its value by tables (tests/quick/search_test.cpp).
struct Case {
  Game game;
  unsigned pits;
  unsigned seeds_per_pit;
  int value;
};

constexpr Case kCases[] = {
    {Game::kUrim, 2, 3, 0},  {Game::kUrim, 3, 2, 3},  {Game::kUrim, 4, 1, 0},       {Game::kUrim, 5, 1, 0},
    {Game::kOware, 4, 1, 0}, {Game::kAwari, 4, 1, 0}, {Game::kRioKadalis, 3, 4, -4},
};
static_assert(std::size(kCases) == kSearchBenchPositions);
constexpr std::uint64_t kTableBytes = std::uint64_t{16} << 20;

}  // namespace

SearchBench run_search_bench() {
  SearchBench bench;
  for (const Case& c : kCases) {
    const Shape shape{static_cast<std::uint8_t>(c.pits), static_cast<std::uint8_t>(c.pits)};
    Position start;
    for (unsigned i = 0; i < shape.pits(); ++i) set_seeds(start, shape, i, c.seeds_per_pit);
    SearchOptions options;
    options.memory_bytes = kTableBytes;
    Search search(preset(c.game), shape, total_seeds(start), options);
    const Stopwatch watch;
    const ProvedBounds bounds = search.solve(start, shape);
    bench.seconds += watch.seconds();
    bench.nodes += search.effort().nodes;
    ++bench.positions;
    if (bounds.lower != c.value || bounds.upper != c.value) {
      throw std::logic_error(std::string(game_name(c.game)) + " " + format_position(start, shape) + ": searched value " +
                             std::to_string(bounds.lower) + " to " + std::to_string(bounds.upper) + ", known " +
                             std::to_string(c.value));
    }
  }
  return bench;
}

}  // namespace retrosow
