// Solves a level of a round: values, and distances, of all its positions.
//
// A position has a slot of the level's KeyTable, and everything here is by slot. One pass plays all moves:
// exits are looked up in the lower levels, quiet moves are kept as lists of predecessors. An exit is a
// move that takes stones, whichever side gets them, worth what it brings net minus the value of where it
// leads; and, where the rules allow it, an endless sow, worth what it won net before the loop.
//
// Values. `best` is the best of the moves known so far, `open` the number of quiet moves whose child is
// not known. For t = n, n - 1, ... 1 a position becomes final
//
//   with value t     if best = t: no child that is not final can bring more, since its value is above -t - 1;
//   with value best  if open = 0;
//
// and tells its predecessors, of which some become final in turn. What never becomes final is 0: endless play.
//
// Distances (FORMAT.md), in waves d = 0, 1, 2, ...: a position at distance d tells the predecessors that it is
// best for. One that is won gets d + 1 with the first that tells it, one that is lost with the last. Positions
// with an exit that keeps the value (lost ones: and no quiet move that does) have distance 1, ends have 0.
//
// Thread: all workers share the work. A word is written by several, each change in one atomic step; the
// values and distances that come out do not depend on the order.
// Cost: every move is played once, every quiet move followed twice, with distances four times.
#pragma once

#include <functional>
#include <vector>

#include "tables/round_positions.h"
#include "tables/values.h"

namespace retrosow {

// Of a level, by slot of its table of keys; slots without a key hold anything.
using SlotValues = std::vector<Value>;
using SlotDistances = std::vector<std::uint16_t>;

struct RoundLevelTask {
  const RoundPositions* round = nullptr;
  const MoveGenerator* generator = nullptr;
  unsigned level = 0;                              // its number
  const std::vector<SlotValues>* values = nullptr;  // by level number: of the levels below; with `known` of this one, too
  bool known = false;                              // the level's values are there, it is about distances only
  bool distances = false;
  unsigned workers = 1;
  std::function<void(double)> on_done;  // the share of the level that is done; may be empty
};

struct SolvedRoundLevel {
  SlotValues values;        // unless known
  SlotDistances distances;  // where asked for; kNoDistance where there is none
};

// Fails: corrupt error if a child is not among the keys, or a position of another value than 0 gets no
// distance: of keys and values from files; limit error without memory, and for distances of 65535 plies and
// more; interrupted error.
SolvedRoundLevel solve_round_level(const RoundLevelTask& task, const RunControl& control);

// What solving the level takes beside its keys and the values of all levels.
std::uint64_t round_level_memory(const RoundLevelKeys& level, bool distances);

}  // namespace retrosow
