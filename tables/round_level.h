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
#include <span>
#include <vector>

#include "tables/round_positions.h"
#include "tables/values.h"

namespace retrosow {

// Of a level, by slot of its table of keys; slots without a key hold anything.
using SlotValues = std::vector<Value>;

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

// A key, by what it is ordered by: its narrow code, or the upper half of a wide one.
struct KeySlot {
  std::uint64_t order;
  KeyTable::Slot slot;
};

// Memory that levels use one after another: what is fresh has to be cleared by the system, which takes its time.
struct RoundWorkspace {
  HugeArray<std::uint16_t> words, distances;
  HugeArray<std::uint8_t> open;
  HugeArray<Value> exits;
  HugeArray<std::uint32_t> first;
  HugeArray<KeyTable::Slot> predecessors;
  HugeArray<KeySlot> sorted;

  // Room for the largest level of the round; more is taken where a level needs it.
  RoundWorkspace(const RoundPositions& round, bool with_distances);
};

// The level's values, unless known. The distances, where asked for, are left in `workspace.distances`, by slot;
// kNoDistance where there is none.
// Fails: corrupt error if a child is not among the keys, or a position of another value than 0 gets no
// distance: of keys and values from files; limit error without memory, and for distances of 65535 plies and
// more; interrupted error.
SlotValues solve_round_level(const RoundLevelTask& task, RoundWorkspace& workspace, const RunControl& control);

// The keys of a level in index order, in workspace.sorted.
std::span<const KeySlot> sort_keys(const RoundLevelKeys& level, RoundWorkspace& workspace, unsigned workers);

// What the keys and values of all levels take; what solving a level takes beside them, and what solving the round does
// with them.
std::uint64_t round_keys_memory(const RoundPositions& round);
std::uint64_t round_level_memory(const RoundLevelKeys& level, bool distances);
std::uint64_t round_solving_memory(const RoundPositions& round, bool distances);

}  // namespace retrosow
