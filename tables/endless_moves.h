// The relay moves of a round's level that stand out: the endless ones, holes whose sowing never ends, whether the
// rules let them be chosen or not; and the longest that ends.
#pragma once

#include <optional>
#include <vector>

#include "tables/run_control.h"
#include "tables/table_file.h"

namespace retrosow {

struct RelayMove {
  Position position;
  Shape shape;              // of the position
  unsigned slot = 0;        // the mover's open hole, 0-based
  std::uint32_t laps = 0;   // of an endless one: until the state repeats
};

// Plays all moves of the level's positions, unless the file says that none is endless. In index order, then by hole.
// Pre: values of kKeys. on_done(positions so far), if there, is called from this thread.
// Fails: corrupt error for a damaged block, or where there are not as many as the file says; interrupted error.
std::vector<RelayMove> endless_moves(const TableReader& values, unsigned workers, const RunControl& control,
                                     const std::function<void(std::uint64_t)>& on_done = {});

struct RelayMoves {
  std::vector<RelayMove> endless;
  std::optional<RelayMove> longest;  // of those that end, the first with so many laps; none: no position has a move
};

// Both. Plays all moves of the level's positions; the rest as above.
RelayMoves relay_moves(const TableReader& values, unsigned workers, const RunControl& control,
                       const std::function<void(std::uint64_t)>& on_done = {});

}  // namespace retrosow
