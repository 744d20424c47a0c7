#include "solver/cli/record_file.h"

#include <filesystem>

#include "bitboard/error.h"
#include "solver/cli/numbers.h"
#include "tables/atomic_file.h"

namespace retrosow::cli {

OptionGroup record_option_group() {
  return {"Game record",
          {{"record", "FILE",
            "Take rules and position from a game record (solver/cli/RECORD.md), as `play` saves "
            "it, in place of POS and "
            "the rule options."},
           {"ply", "N", "The position after N moves of its round. Default: the last one."},
           {"round", "N", "The round of a match, from 1. Default: the last one."}}};
}

GameRecord read_record_file(const std::string& name) {
  std::error_code ignored;
  const std::uintmax_t bytes = std::filesystem::file_size(name, ignored);
  if (!ignored && bytes > kMaxRecordBytes) {
    throw limit_error("record " + name + " has " + std::to_string(bytes) + " bytes; at most " +
                      std::to_string(kMaxRecordBytes) + " are read");
  }
  const std::optional<std::string> text = read_text_file(name);
  if (!text) throw Error(ErrorClass::kIo, "there is no record " + name);
  try {
    return read_record(*text);
  } catch (const Error& error) {
    throw Error(error.error_class(), "record " + name + ", " + error.what());
  }
}

RecordPlace read_record_place(const Arguments& arguments) {
  RecordPlace place;
  if (const std::string* ply = arguments.find("ply")) {
    place.plies = static_cast<std::size_t>(parse_count("option --ply", *ply, 0, kMaxRecordPlies));
  }
  if (const std::string* round = arguments.find("round")) {
    place.round =
        static_cast<std::size_t>(parse_count("option --round", *round, 1, kMaxRecordRounds));
  }
  return place;
}

void go_to(PlayedGame& game, const RecordPlace& place) {
  const std::size_t round = place.round.value_or(game.rounds().size());
  if (round > game.rounds().size()) {
    throw usage_error("option --round: " + std::to_string(round) + ", but the record has " +
                      std::to_string(game.rounds().size()) +
                      (game.rounds().size() == 1 ? " round" : " rounds"));
  }
  while (game.rounds().size() > round) game.undo();
  if (!place.plies) return;
  const std::size_t plies = game.round().plies().size();
  if (*place.plies > plies) {
    throw usage_error("option --ply: " + std::to_string(*place.plies) + ", but the round has " +
                      std::to_string(plies) + (plies == 1 ? " move" : " moves"));
  }
  while (game.round().plies().size() > *place.plies) game.undo();
}

std::optional<GameRecord> read_record_option(const Arguments& arguments) {
  const RecordPlace place = read_record_place(arguments);
  const std::string* name = arguments.find("record");
  if (name == nullptr) {
    if (!place.plies && !place.round) return std::nullopt;
    throw usage_error(std::string(place.plies ? "--ply" : "--round") +
                      " is a place in a game record; give --record FILE, too");
  }
  GameRecord record = read_record_file(*name);
  go_to(record.game, place);
  return record;
}

}  // namespace retrosow::cli
