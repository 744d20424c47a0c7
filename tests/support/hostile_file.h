// What a reader makes of any bytes whatever: one function for the fuzzer and for its replay in the quick tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "tests/support/table_bytes.h"

namespace retrosow::test {

// Which checksums are made right before the file is read, so that what stands behind them is reached.
enum Repair : std::uint8_t {
  kRepairHeader = 1,
  kRepairIndex = 2,
  kRepairBlocks = 4,   // their checksums in the index
  kRepairLayout = 8,   // offsets of the blocks: one behind the other, the last up to the end of the file
  kRepairRules = 16,   // the rules digest, to that of the rules' text
  kRepairCounts = 32,  // positions and blocks, to those of the rules, pits and seeds
};

// Repairs what it can of any bytes. Never reads or writes out of bounds.
void repair(Bytes& file, std::uint8_t what);

// Input: a byte of Repair bits, then a file. Writes the repaired file to `path`, opens it, reads all of it and
// probes it. Returns what is wrong with the reader: an error that names no file, a file that is accepted
// but whose probes are not what read_all() gives. Empty if nothing is; a crash is for the sanitizers.
std::string hostile_file_fault(const std::filesystem::path& path, std::span<const std::uint8_t> input,
                               bool* accepted = nullptr);

}  // namespace retrosow::test
