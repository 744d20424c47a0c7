#include "tables/round_key.h"

namespace retrosow {
namespace {

constexpr unsigned kSwappedLane = 15;

}  // namespace

Position round_key(const Position& position, Shape shape, Shape root_shape) {
  Position key = position;
  if (shape != root_shape) key.lanes[kSwappedLane] = 1;
  return key;
}

RoundPosition position_of_key(const Position& key, Shape root_shape) {
  if (root_shape.mover_pits == root_shape.opponent_pits) return {key, root_shape};
  RoundPosition at{key, key.lanes[kSwappedLane] != 0 ? root_shape.swapped() : root_shape};
  at.position.lanes[kSwappedLane] = 0;
  return at;
}

}  // namespace retrosow
