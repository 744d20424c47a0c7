// Distance tables made by brute force: the reference solves each level again, from the rules alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tables/table_file.h"

namespace retrosow::test {

// Writes the distances that go with a table of values, whatever they are.
void write_distances(const std::filesystem::path& folder, const TableHeader& values,
                     const std::vector<std::uint16_t>& distances);

// Of all positions of a table of values, in index order.
// Cost: solves all levels up to the table's, or the whole round, by brute force.
// Fails: std::runtime_error if the reference has another value.
std::vector<std::uint16_t> reference_distances(const TableReader& values);

// Adds distances to the tables of values in a folder whose levels are from `first` to `last`.
void add_distances(const std::filesystem::path& folder, unsigned first = 0, unsigned last = 127);

}  // namespace retrosow::test
