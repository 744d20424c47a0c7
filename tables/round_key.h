// Keys: how the positions of a round of Rio Kadalis are told apart and ordered.
//
// A key is the position seen by the player to move and, where the rows differ in length, whether the
// sides have swapped against the root: then lane 15, which such boards leave free, is 1. Keys of one
// round compare by their swapped mark, then like positions.
#pragma once

#include "bitboard/position.h"

namespace retrosow {

struct RoundPosition {
  Position position;
  Shape shape;
};

Position round_key(const Position& position, Shape shape, Shape root_shape);
RoundPosition position_of_key(const Position& key, Shape root_shape);

}  // namespace retrosow
