// How many links (level_graph.h) a level has at most: known before anything is built, for the memory bound of a build.
//
// A link is a quiet move of a board with an empty opponent's half, or a quiet move whose reception is coupled
// (bitboard/half_board.h). With k pits in a row, x seeds that cross are coupled with the opponent's half B
//
//   x <= k   if fewer than x pits of B have room
//   x > k    only if some pit of B holds more than the limit - ceil(x / k)
//
// and pit i of the mover's half with c seeds sends at most x = c - (pits behind i with room) across. So the pairs of a
// sowing and a half B that can be coupled are counted by rows with so many seeds and full pits. The count
// is above the links by the moves that capture, and by what sowings of more than a lap leave in the mover's row.
#pragma once

#include <cstdint>
#include <vector>

#include "bitboard/rules.h"

namespace retrosow {

class LinkBound {
 public:
  // Cost: (pits * max_seeds)^2 additions.
  LinkBound(const RuleSet& rules, unsigned pits, unsigned max_seeds);

  // Of the level of `seeds`. Pre: seeds <= max_seeds.
  std::uint64_t links(unsigned seeds) const { return links_[seeds]; }

 private:
  std::vector<std::uint64_t> links_;
};

}  // namespace retrosow
