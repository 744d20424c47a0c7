// Solves sampled positions of tables again, by search without tables: a check that shares no code with the
// builders of tables beyond the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/transposition_table.h"
#include "tables/run_control.h"
#include "tables/table_file.h"

namespace retrosow {

struct SampleOptions {
  std::uint64_t positions = 100;  // to draw; one may be drawn more than once
  std::uint64_t seed = 1;         // the same seed draws the same positions
  unsigned threads = 0;           // 0: all cores
  std::uint64_t transposition_bytes = std::uint64_t{256} << 20;
  std::optional<double> limit_seconds;
  RunControl control;
};

struct SampleFault {
  unsigned seeds = 0;
  LevelIndex index = 0;
  Position position;
  Shape shape;
  int value = 0;     // by the table
  ProvedBounds searched;  // by search; not equal where it was stopped, but without the table's value
};

struct SampleCheck {
  std::uint64_t positions = 0;  // that were decided or disproved
  std::uint64_t nodes = 0;
  std::vector<SampleFault> faults;
  std::optional<Error> error;  // the sample ends there: a table could not be read, or a limit error: limit_seconds are
                               // over, or a line was too long (search.h)
  double seconds = 0;
};

// Draws from all positions of `tables` alike. Pre: tables of values under the same rules, on the same rows.
// Cost: that of a search without tables for every position: on 2x6 milliseconds to 8 seeds, seconds at 12.
// Fails: interrupted error when told to stop.
SampleCheck check_by_search(const std::vector<const TableReader*>& tables, const SampleOptions& options);

}  // namespace retrosow
