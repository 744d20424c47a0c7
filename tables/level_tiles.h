// All boards of a level, in tiles of halves of the same numbers of seeds, so that the children of the boards of a tile lie
// close together: how the verifiers go through a level. It is the order alone that this decides.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "bitboard/rank.h"

namespace retrosow {

inline constexpr LevelIndex kTileMovers = 64, kTileOpponents = 2048;

struct Tile {
  unsigned opponent_seeds;
  LevelIndex first_mover, first_opponent;  // ranks
  LevelIndex first;      // index of the board of the first halves
  LevelIndex opponents;  // halves of the opponent
  LevelIndex stride;     // between boards whose opponent's halves follow each other
  LevelIndex movers;     // halves of the mover, next to each other

  LevelIndex boards() const { return opponents * movers; }
};

inline std::vector<Tile> tiles_of(const HalfRanks& halves, unsigned seeds) {
  std::vector<Tile> tiles;
  LevelIndex base = 0;
  for (unsigned b = 0; b <= seeds; ++b) {
    const LevelIndex opponents = halves.count(b), movers = halves.count(seeds - b);
    for (LevelIndex first = 0; first < movers; first += kTileMovers) {
      for (LevelIndex row = 0; row < opponents; row += kTileOpponents) {
        tiles.push_back({b, first, row, base + row * movers + first, std::min(kTileOpponents, opponents - row), movers,
                         std::min(kTileMovers, movers - first)});
      }
    }
    base += opponents * movers;
  }
  return tiles;
}

// Calls visit(index) for the boards of a tile, which says whether it wants the board; then use(index, position).
template <typename Visit, typename Use>
void for_boards_of(const Tile& tile, const HalfRanks& halves, unsigned pits, unsigned seeds, Visit&& visit, Use&& use) {
  std::array<Position, kTileMovers> boards;
  for (LevelIndex i = 0; i < tile.movers; ++i) {
    halves.unrank(tile.first_mover + i, seeds - tile.opponent_seeds, boards[i], 2 * pits - 1);
  }
  for (LevelIndex row = 0; row < tile.opponents; ++row) {
    Position opponent;
    halves.unrank(tile.first_opponent + row, tile.opponent_seeds, opponent, pits - 1);
    for (LevelIndex i = 0; i < tile.movers; ++i) {
      const LevelIndex index = tile.first + row * tile.stride + i;
      if (!visit(index)) continue;
      Position position = boards[i];
      std::copy_n(opponent.lanes.begin(), pits, position.lanes.begin());
      use(index, position);
    }
  }
}

}  // namespace retrosow
