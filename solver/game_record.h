// Game records: a game, or a match of Rio Kadalis, as a text that people can read and write.
//
//   retrosow record 1
//   game: urim
//   rules: pit-limit=17 pit-limit-rule=skip trigger=2,3 chain=2,3,4 grand-slam=capture starvation=feed remainder=row
//   start: 3,3,3,3,3,3/3,3,3,3,3,3
//   first: Ana
//
//   1. 3 4  2. 5 1
//   ; a comment on the move before it
//   3. 6
//
// RECORD.md is the specification. Reading plays every move (played_game.h), so what has been read is a game that the
// rules allow, with its positions: `record.game.rounds()`, and of each `start()`, `plies()` (board, pit, captured) and
// `board()` behind them.
#pragma once

#include <string>
#include <string_view>

#include "solver/played_game.h"

namespace retrosow {

inline constexpr unsigned kRecordVersion = 1;
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxRecordPlies = 20'000;  // of all rounds
inline constexpr std::size_t kMaxRecordRounds = 1'000;
inline constexpr std::size_t kMaxNameBytes = 100;

struct GameRecord {
  PlayedGame game;
  std::array<std::string, 2> players;  // names; empty: not said
  std::string date;                    // 2026-11-30; empty: not said
};

// Fails: usage error "line N: …" that says what is wrong and what would be right: a move that the rules do not allow, a
// wrong number, result or total included. Unsupported error for another version, limit error for a text that is larger
// than the limits above.
// Cost: a move generation a move.
GameRecord read_record(std::string_view text);

// Pre: names and comments pass check_record_text. Post: read_record gives the same record, and writing that the same text.
std::string write_record(const GameRecord& record);

// As `winner:` has it: "first", "second", "drawn"; "none" while the match goes on.
std::string_view winner_name(MatchEnd end);

// Fails: usage error if it holds control characters or is no UTF-8, or is longer than `most` bytes.
void check_record_text(std::string_view what, std::string_view text, std::size_t most);

}  // namespace retrosow
