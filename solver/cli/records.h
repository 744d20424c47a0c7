// Records that a verb prints with --json and the explorer answers with, too. JSON.md documents their keys.
#pragma once

#include <optional>

#include "bitboard/moves.h"
#include "bitboard/notation.h"
#include "solver/cli/output.h"

namespace retrosow::cli {

// Of `rules`: a game, its options and their defaults.
Json game_record(Game game);

// Of `version`: this binary, and which kernel it uses here.
Json version_record();

// Of `moves`: one object for each legal move.
Json moves_json(Family family, const Board& board, const MoveList& list);
// What each side takes where the game is over; null where it is not.
Json end_json(const std::optional<EndResult>& end);

}  // namespace retrosow::cli
