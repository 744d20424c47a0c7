#include "bitboard/position.h"

namespace retrosow {

unsigned mover_seeds(const Position& p, Shape shape) {
  unsigned sum = 0;
  for (unsigned i = 0; i < shape.mover_pits; ++i) sum += seeds_in(p, shape, i);
  return sum;
}

unsigned opponent_seeds(const Position& p, Shape shape) {
  return total_seeds(p) - mover_seeds(p, shape);
}

Position swap_sides(const Position& p, Shape shape) {
  const unsigned pits = shape.pits();
  Position swapped;
  for (unsigned i = 0; i < pits; ++i) {
    set_seeds(swapped, shape, (i + shape.opponent_pits) % pits, seeds_in(p, shape, i));
  }
  return swapped;
}

}  // namespace retrosow
