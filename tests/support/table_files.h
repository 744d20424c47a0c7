// Table files to read, probe and damage.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tables/round_solver.h"
#include "tables/table_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {

// Writes a level and returns its path.
std::filesystem::path write_level(const ScratchFolder& folder, const RuleSet& rules, unsigned pits,
                                  unsigned seeds, const std::vector<Value>& values);

// Values that differ from block to block, for levels whose true values do not matter.
std::vector<Value> made_up_values(unsigned pits, unsigned limit, unsigned seeds);
// A level of Urim's default rules with such values.
std::filesystem::path write_made_up_level(const ScratchFolder& folder, unsigned pits,
                                          unsigned seeds);

// Distances of such a level: mostly short, some long, none where the value is 0.
std::vector<std::uint16_t> made_up_distances(unsigned pits, unsigned limit, unsigned seeds);
// Writes the distances, not the values.
std::filesystem::path write_made_up_distances(const ScratchFolder& folder, unsigned pits,
                                              unsigned seeds);
// Distances that go with the level of values that has this header.
std::filesystem::path write_distances(const ScratchFolder& folder, const TableHeader& values,
                                      const std::vector<std::uint16_t>& distances);

// Guarantees of such a level, some forced, and the file that holds them.
std::vector<Guarantee> made_up_guarantees(unsigned pits, unsigned limit, unsigned seeds);
std::filesystem::path write_made_up_guarantees(const ScratchFolder& folder, unsigned pits,
                                               unsigned seeds);

// The values of a solved round.
void write_round_files(const std::filesystem::path& folder, const Round& round);

// A small file of each kind: a level of fewer than 64 boards, whose values stand as they are, a level in
// the streams of contexts, distances, guarantees, and a level of a round with unequal rows.
std::vector<std::filesystem::path> small_files(const ScratchFolder& folder);

// Opens a file and reads everything there is in it.
void read_everything(const std::filesystem::path& path);

// What is wrong with how a file with these bytes is refused: it must be corrupt, with path, offset,
// expected and found.
std::string refusal_fault(const std::filesystem::path& path, const Bytes& bytes,
                          const std::string& what);

}  // namespace retrosow::test
