// Compares a search with brute force on many positions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "solver/search.h"
#include "tests/reference/solve_reference.h"

namespace retrosow::test {

// Searches every board of every level of a solution, in random order with one transposition table. The first
// fault as a text, or an empty string.
std::string search_fault(const RuleSet& rules, const reference::UrimSolution& expected, const SearchOptions& options,
                         std::uint64_t seed);
std::string search_fault(const RuleSet& rules, const reference::RioSolution& expected, const SearchOptions& options,
                         std::uint64_t seed);

// Searches every board of every level, in random order, each with a table and `options.limit_nodes` of its own: bounds
// that leave the value out are a fault. How many boards were decided is added to `decided`.
std::string bounds_fault(const RuleSet& rules, const reference::UrimSolution& expected, const SearchOptions& options,
                         std::uint64_t seed, std::uint64_t& decided);

}  // namespace retrosow::test
