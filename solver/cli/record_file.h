// Game records as files: `play` saves and loads them, and `--record FILE` takes a position from one.
#pragma once

#include <string>

#include "solver/cli/arguments.h"
#include "solver/game_record.h"

namespace retrosow::cli {

// --record, --ply and --round.
OptionGroup record_option_group();

// Fails: as read_record, with the name of the file; io error if it cannot be read.
GameRecord read_record_file(const std::string& name);

// Follows a symbolic link. Fails: io error where something else than a file is there, or it cannot be written; limit error
// for a game that is longer than records may be (game_record.h), or a full disk.
void save_record_file(const std::string& name, const GameRecord& record);

// A game taken back to where it was.
struct RecordPlace {
  std::optional<std::size_t> round;  // from 1; the last
  std::optional<std::size_t> plies;  // of the round; all of them
};
// Fails: usage error.
RecordPlace read_record_place(const Arguments& arguments);
// Whether that takes anything back. Fails: usage error where the game has no such place.
bool go_to(PlayedGame& game, const RecordPlace& place);

// The record of --record, at the place of --ply and --round; nothing where --record is not given. `*cut`: whether the
// file holds more than that.
// Fails: usage error, also where --ply or --round is given without it; as read_record_file.
std::optional<GameRecord> read_record_option(const Arguments& arguments, bool* cut = nullptr);

}  // namespace retrosow::cli
