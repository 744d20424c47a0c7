// Move generators by board size, made when first asked for: a batch may hold boards of many sizes.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "bitboard/moves.h"

namespace retrosow::cli {

class Generators {
 public:
  explicit Generators(const RuleSet& rules) : rules_(rules) {}

  const MoveGenerator& of(Shape shape) {
    // A generator serves both sides to move.
    const auto key = std::minmax(shape.mover_pits, shape.opponent_pits);
    const auto found = generators_.find(key);
    if (found != generators_.end()) return found->second;
    return generators_.emplace(key, MoveGenerator(rules_, shape)).first->second;
  }

 private:
  RuleSet rules_;
  std::map<std::pair<unsigned, unsigned>, MoveGenerator> generators_;
};

}  // namespace retrosow::cli
