// The endless moves of a round's level: holes whose sowing never ends, whether the rules let them be chosen or not.
#pragma once

#include <vector>

#include "tables/run_control.h"
#include "tables/table_file.h"

namespace retrosow {

struct EndlessMove {
  Position position;
  Shape shape;              // of the position
  unsigned slot = 0;        // the mover's open hole, 0-based
  std::uint32_t laps = 0;   // until the state repeats
};

// Plays all moves of the level's positions, unless the file says that none is endless. In index order, then by hole.
// Pre: values of kKeys. on_done(positions so far), if there, is called from this thread.
// Fails: corrupt error for a damaged block, or where there are not as many as the file says; interrupted error.
std::vector<EndlessMove> endless_moves(const TableReader& values, unsigned workers, const RunControl& control,
                                       const std::function<void(std::uint64_t)>& on_done = {});

}  // namespace retrosow
