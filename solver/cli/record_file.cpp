#include "solver/cli/record_file.h"

#include <filesystem>

#include "bitboard/error.h"
#include "solver/cli/numbers.h"
#include "tables/atomic_file.h"

namespace retrosow::cli {
namespace {

namespace fs = std::filesystem;

// The file that a name stands for, through symbolic links, whether it is there or not: what is renamed to the name of a
// link, or of a device, would take its place. Fails: io error.
fs::path file_behind(const std::string& name) {
  constexpr unsigned kMaxLinks = 40;  // as the system follows
  std::error_code code;
  const fs::file_status status = fs::status(name, code);
  if (status.type() == fs::file_type::none) throw Error(ErrorClass::kIo, name + ": " + code.message());
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(ErrorClass::kIo, name + " is " + (fs::is_directory(status) ? "a folder" : "no regular file") +
                                     "; a record is not saved there");
  }
  fs::path file = name;
  for (unsigned links = 0; fs::is_symlink(fs::symlink_status(file, code)); ++links) {
    const fs::path next = fs::read_symlink(file, code);
    if (code || links == kMaxLinks) throw Error(ErrorClass::kIo, name + ": a link that leads nowhere");
    file = file.parent_path() / next;
  }
  return file;
}

}  // namespace

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

void save_record_file(const std::string& name, const GameRecord& record) {
  const fs::path file = file_behind(name);
  const std::string text = write_record(record);
  std::size_t plies = 0;
  for (const PlayedRound& round : record.game.rounds()) plies += round.plies().size();
  const auto check = [](std::size_t number, std::size_t most, const char* unit) {
    if (number <= most) return;
    throw limit_error("the game is too long for a record: " + std::to_string(number) + " " + unit + ", at most " +
                      std::to_string(most));
  };
  check(plies, kMaxRecordPlies, "moves");
  check(record.game.rounds().size(), kMaxRecordRounds, "rounds");
  check(text.size(), kMaxRecordBytes, "bytes");
  write_text_file(file, text);
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

bool go_to(PlayedGame& game, const RecordPlace& place) {
  const std::size_t round = place.round.value_or(game.rounds().size());
  if (round > game.rounds().size()) {
    throw usage_error("option --round: " + std::to_string(round) + ", but the record has " +
                      std::to_string(game.rounds().size()) +
                      (game.rounds().size() == 1 ? " round" : " rounds"));
  }
  bool back = false;
  for (; game.rounds().size() > round; back = true) game.undo();
  if (!place.plies) return back;
  const std::size_t plies = game.round().plies().size();
  if (*place.plies > plies) {
    throw usage_error("option --ply: " + std::to_string(*place.plies) + ", but the round has " +
                      std::to_string(plies) + (plies == 1 ? " move" : " moves"));
  }
  for (; game.round().plies().size() > *place.plies; back = true) game.undo();
  return back;
}

std::optional<GameRecord> read_record_option(const Arguments& arguments, bool* cut) {
  const RecordPlace place = read_record_place(arguments);
  const std::string* name = arguments.find("record");
  if (name == nullptr) {
    if (!place.plies && !place.round) return std::nullopt;
    throw usage_error(std::string(place.plies ? "--ply" : "--round") +
                      " is a place in a game record; give --record FILE, too");
  }
  GameRecord record = read_record_file(*name);
  const bool back = go_to(record.game, place);
  if (cut != nullptr) *cut = back;
  return record;
}

}  // namespace retrosow::cli
