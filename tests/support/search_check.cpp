#include "tests/support/search_check.h"

#include <utility>
#include <vector>

#include "bitboard/notation.h"
#include "tests/support/boards.h"

namespace retrosow::test {
namespace {

struct Known {
  Position position;
  Shape shape;
  int value;
};

void shuffle(std::vector<Known>& known, std::uint64_t seed) {
  RandomNumbers random(seed);
  for (std::size_t i = known.size(); i > 1; --i) std::swap(known[i - 1], known[random.next() % i]);
}

std::string fault_text(const Known& known, ProvedBounds bounds) {
  return format_position(known.position, known.shape) + " is worth " + std::to_string(known.value) + ", not " +
         std::to_string(bounds.lower) + " to " + std::to_string(bounds.upper);
}

std::vector<Known> all_boards(const reference::UrimSolution& expected, Shape shape) {
  std::vector<Known> known;
  for (int seeds = 0; seeds <= expected.max_seeds(); ++seeds) {
    expected.for_each(seeds, [&](const std::vector<int>& board, reference::Solved solved) {
      known.push_back({position_of(board, shape), shape, solved.value});
    });
  }
  return known;
}

std::string fault_of(const RuleSet& rules, Shape shape, unsigned seeds, std::vector<Known> known,
                     const SearchOptions& options, std::uint64_t seed) {
  shuffle(known, seed);
  Search search(rules, shape, seeds, options);
  for (const Known& k : known) {
    const ProvedBounds bounds = search.solve(k.position, k.shape);
    if (bounds.lower != k.value || bounds.upper != k.value) return fault_text(k, bounds);
  }
  return known.empty() ? "no position to compare" : "";
}

}  // namespace

std::string search_fault(const RuleSet& rules, const reference::UrimSolution& expected, const SearchOptions& options,
                         std::uint64_t seed) {
  const Shape shape = equal_rows(static_cast<unsigned>(expected.rules().pits));
  return fault_of(rules, shape, static_cast<unsigned>(expected.max_seeds()), all_boards(expected, shape), options, seed);
}

std::string search_fault(const RuleSet& rules, const reference::RioSolution& expected, const SearchOptions& options,
                         std::uint64_t seed) {
  const Shape shape = shape_of(expected.start());
  const unsigned seeds = total_seeds(position_of(expected.start()));
  std::vector<Known> known;
  for (unsigned stones = 0; stones <= seeds; ++stones) {
    expected.for_each(static_cast<int>(stones), [&](const reference::RioPosition& position, reference::Solved solved) {
      known.push_back({position_of(position), shape_of(position), solved.value});
    });
  }
  return fault_of(rules, shape, seeds, std::move(known), options, seed);
}

std::string bounds_fault(const RuleSet& rules, const reference::UrimSolution& expected, const SearchOptions& options,
                         std::uint64_t seed, std::uint64_t& decided) {
  const Shape shape = equal_rows(static_cast<unsigned>(expected.rules().pits));
  std::vector<Known> known = all_boards(expected, shape);
  shuffle(known, seed);
  for (const Known& k : known) {
    Search search(rules, shape, total_seeds(k.position), options);
    const ProvedBounds bounds = search.solve(k.position, k.shape);
    if (k.value < bounds.lower || k.value > bounds.upper) return fault_text(k, bounds);
    decided += bounds.lower == bounds.upper;
  }
  return known.empty() ? "no position to compare" : "";
}

}  // namespace retrosow::test
