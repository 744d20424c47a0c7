// The C functions of retrosow.h over Prober: arguments in and out, and no exception past this file.
#include "solver/capi/retrosow.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "bitboard/error.h"
#include "tables/prober.h"
#include "tables/table_listing.h"

#define RETROSOW_TEXT_OF(number) #number
#define RETROSOW_TEXT(number) RETROSOW_TEXT_OF(number)
static_assert(std::string_view(RETROSOW_TEXT(RETROSOW_VERSION_MAJOR) "." RETROSOW_TEXT(
                  RETROSOW_VERSION_MINOR) "." RETROSOW_TEXT(RETROSOW_VERSION_PATCH)) ==
                  RETROSOW_VERSION,
              "retrosow.h and the project differ in version");
static_assert(RETROSOW_ABI == RETROSOW_ABI_OF_LIBRARY, "retrosow.h and libretrosow.so.N differ");
static_assert(RETROSOW_MAX_PITS == retrosow::kMaxPits);
static_assert(sizeof(retrosow_position) == 17 && sizeof(retrosow_move) == 44 &&
              sizeof(retrosow_evaluation) == 16 + 8 * 44 && sizeof(retrosow_level) == 24);

struct retrosow_tables {
  retrosow_tables(const char* folder, const retrosow::RuleSet& rules, std::size_t cache_bytes)
      : prober(folder, rules, cache_bytes),
        game(retrosow::game_name(rules.game)),
        canonical(retrosow::canonical_text(rules)) {
    for (const retrosow::TableFolder::Fault& fault : prober.folder().faults()) {
      faults.push_back(retrosow::printable(retrosow::faults_text({fault})));
    }
  }

  retrosow::Prober prober;
  std::string game;
  std::string canonical;
  std::vector<std::string> faults;
};

namespace retrosow {
namespace {

// What a caller wants to know about an error.
struct Report {
  char* message;
  std::size_t bytes;

  void write(std::string_view text) const noexcept {
    if (message == nullptr || bytes == 0) return;
    std::size_t length = std::min(text.size(), bytes - 1);
    if (length < text.size()) {
      // 10xxxxxx goes on with a character of UTF-8.
      while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;
    }
    std::memcpy(message, text.data(), length);
    message[length] = '\0';
  }
  // What text() returns.
  template <typename Text>
  void tell(Text&& text) const noexcept {
    try {
      write(text());
    } catch (...) {
      write("out of memory while saying what is wrong");
    }
  }
};

int status_of(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kUsage: return RETROSOW_USAGE;
    case ErrorClass::kIo: return RETROSOW_IO;
    case ErrorClass::kCorrupt: return RETROSOW_CORRUPT;
    case ErrorClass::kUnsupported: return RETROSOW_UNSUPPORTED;
    case ErrorClass::kLimit: return RETROSOW_LIMIT;
    case ErrorClass::kInterrupted: break;  // nothing here asks to be stopped
  }
  return RETROSOW_INTERNAL;
}

// Runs `step`, and turns what it throws into a status and a message.
template <typename Step>
int guarded(char* message, std::size_t message_bytes, Step&& step) noexcept {
  const Report report{message, message_bytes};
  try {
    report.write("");
    step();
    return RETROSOW_OK;
  } catch (const Error& error) {
    report.tell([&] { return error_text(error); });
    return status_of(error.error_class());
  } catch (const std::bad_alloc&) {
    report.write("out of memory");
    return RETROSOW_LIMIT;
  } catch (const std::filesystem::filesystem_error& error) {
    report.tell([&] { return printable(error.what()); });
    return RETROSOW_IO;
  } catch (const std::exception& error) {
    report.tell([&] { return printable(error.what()); });
    return RETROSOW_INTERNAL;
  } catch (...) {
    report.write("an unknown exception");
    return RETROSOW_INTERNAL;
  }
}

template <typename T>
T& needed(T* pointer, const char* name) {
  if (pointer == nullptr) throw usage_error(std::string(name) + " is a null pointer");
  return *pointer;
}

// Without a look at the rules. Fails: usage error.
Board unchecked_board(const retrosow_position& given) {
  if (given.pits < 1 || given.pits > kMaxPits) {
    throw usage_error("the position has " + std::to_string(given.pits) +
                      " pits in a row, not 1 to " + std::to_string(kMaxPits));
  }
  Board board;
  board.pits = given.pits;
  const auto closed_in = [&](unsigned first) {
    std::uint8_t closed = 0;
    for (unsigned i = 0; i < board.pits; ++i) {
      if (given.seeds[first + i] == RETROSOW_CLOSED)
        closed = static_cast<std::uint8_t>(closed | 1U << i);
    }
    return closed;
  };
  board.mover_closed = closed_in(0);
  board.opponent_closed = closed_in(board.pits);
  const Shape shape = board.shape();
  unsigned open = 0;
  for (unsigned i = 0; i < 2 * board.pits; ++i) {
    if (given.seeds[i] != RETROSOW_CLOSED) set_seeds(board.position, shape, open++, given.seeds[i]);
  }
  return board;
}

// Fails: usage or limit error for a board that the rules do not allow.
Board board_of(const retrosow_position& given, const RuleSet& rules) {
  const Board board = unchecked_board(given);
  if ((board.mover_closed | board.opponent_closed) != 0 && family_of(rules.game) == Family::kUrim) {
    throw usage_error("position " + format_board(board) +
                      ": a hole is closed (x), which only rio-kadalis knows");
  }
  validate_position(rules, board.position, board.shape());
  return board;
}

// Fails: limit error for a pit of 255, which would read as a closed hole.
retrosow_position position_of(const Board& board) {
  retrosow_position out{};
  out.pits = static_cast<std::uint8_t>(board.pits);
  const Shape shape = board.shape();
  unsigned open = 0;
  for (unsigned i = 0; i < 2 * board.pits; ++i) {
    const bool movers = i < board.pits;
    const unsigned closed = movers ? board.mover_closed : board.opponent_closed;
    const bool is_closed = ((closed >> (movers ? i : i - board.pits)) & 1U) != 0;
    const unsigned seeds = is_closed ? RETROSOW_CLOSED : seeds_in(board.position, shape, open++);
    if (!is_closed && seeds >= RETROSOW_CLOSED) {
      throw limit_error("a pit of " + std::to_string(seeds) + " seeds; at most " +
                        std::to_string(RETROSOW_CLOSED - 1) + " are handled");
    }
    out.seeds[i] = static_cast<std::uint8_t>(seeds);
  }
  return out;
}

std::int32_t distance_of(std::uint16_t distance) {
  return distance == kNoDistance ? RETROSOW_NO_DISTANCE : distance;
}

std::int32_t value_of(const Prober& prober, const Board& board) {
  if (const std::optional<int> value = prober.value(board)) return *value;
  return prober.probe(board).value;  // knows why there is none
}

retrosow_evaluation evaluation_of(const Prober& prober, const Board& board) {
  const Probed found = prober.probe(board);
  retrosow_evaluation out{};
  out.value = found.value;
  out.has_distances = found.distances == nullptr ? 0 : 1;
  out.distance = distance_of(found.plies.position);
  MoveList list;
  prober.generator(board.shape()).generate(board.position, board.shape(), list);
  for (std::size_t i = 0; i < found.moves.moves.size(); ++i) {
    const auto [slot, value] = found.moves.moves[i];
    retrosow_move& move = out.moves[out.move_count++];
    move.pit = static_cast<std::int32_t>(board.shown_pit(slot));
    move.value = value;
    move.distance =
        found.distances == nullptr ? RETROSOW_NO_DISTANCE : distance_of(found.plies.moves[i]);
    move.captured = list.captured[slot];
    move.captured_opponent = list.captured_opponent[slot];
    if (value == found.value) move.flags |= RETROSOW_BEST;
    if (has_bit(list.endless, slot)) {
      move.flags |= RETROSOW_ENDLESS;
    } else {
      move.result = position_of(board.after(list.result[slot]));
    }
  }
  if (found.distances != nullptr) {
    for (const std::size_t i : progress_moves(found.value, found.moves, found.plies)) {
      out.moves[i].flags |= RETROSOW_PROGRESS;
    }
  }
  return out;
}

}  // namespace
}  // namespace retrosow

using namespace retrosow;

int retrosow_open(const char* folder, const char* game, const char* options, size_t cache_bytes,
                  retrosow_tables** tables, char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    needed(tables, "tables") = nullptr;
    needed(folder, "folder");
    const RuleSet rules =
        parse_canonical_text(parse_game(&needed(game, "game")), options == nullptr ? "" : options);
    *tables = new retrosow_tables(folder, rules,
                                  cache_bytes == 0 ? BlockCache::kDefaultBytes : cache_bytes);
  });
}

void retrosow_close(retrosow_tables* tables) { delete tables; }

const char* retrosow_game(const retrosow_tables* tables) {
  return tables == nullptr ? "" : tables->game.c_str();
}

const char* retrosow_rules(const retrosow_tables* tables) {
  return tables == nullptr ? "" : tables->canonical.c_str();
}

size_t retrosow_level_count(const retrosow_tables* tables) {
  return tables == nullptr ? 0 : tables->prober.tables().size();
}

int retrosow_level_at(const retrosow_tables* tables, size_t index, retrosow_level* level,
                      char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const Prober& prober = needed(tables, "tables").prober;
    needed(level, "level");
    if (index >= prober.tables().size()) {
      throw usage_error("there is no level " + std::to_string(index) + ", but " +
                        std::to_string(prober.tables().size()) + ", counted from 0");
    }
    const TableReader& table = *prober.tables()[index];
    const TableHeader& header = table.header();
    level->pits = std::max(header.shape.mover_pits, header.shape.opponent_pits);
    level->seeds = static_cast<std::int32_t>(header.seeds);
    level->positions = header.positions;
    level->has_distances = prober.folder().distances_of(table) == nullptr ? 0 : 1;
    level->reachable = header.index == IndexKind::kKeys ? 1 : 0;
  });
}

size_t retrosow_fault_count(const retrosow_tables* tables) {
  return tables == nullptr ? 0 : tables->faults.size();
}

const char* retrosow_fault(const retrosow_tables* tables, size_t index) {
  return index < retrosow_fault_count(tables) ? tables->faults[index].c_str() : nullptr;
}

int retrosow_parse(const retrosow_tables* tables, const char* text, retrosow_position* position,
                   char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const RuleSet& rules = needed(tables, "tables").prober.rules();
    needed(position, "position") = position_of(
        parse_board(rules, &needed(text, "text"), 0, default_seeds_per_pit(rules.game)));
  });
}

int retrosow_start(const retrosow_tables* tables, int pits, int seeds_per_pit,
                   retrosow_position* position, char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const RuleSet& rules = needed(tables, "tables").prober.rules();
    const unsigned seeds =
        seeds_per_pit == -1
            ? default_seeds_per_pit(rules.game)
            : parse_number("seeds_per_pit", std::to_string(seeds_per_pit), 0, kMaxBoardSeeds);
    needed(position, "position") = position_of(parse_board(
        rules, "start", parse_number("pits", std::to_string(pits), 1, kMaxPits), seeds));
  });
}

int retrosow_format(const retrosow_position* position, char* text, size_t text_bytes, char* message,
                    size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const std::string written = format_board(unchecked_board(needed(position, "position")));
    needed(text, "text");
    if (written.size() >= text_bytes) {
      throw usage_error("the position takes " + std::to_string(written.size() + 1) +
                        " bytes, not " + std::to_string(text_bytes));
    }
    std::memcpy(text, written.c_str(), written.size() + 1);
  });
}

int retrosow_value(const retrosow_tables* tables, const retrosow_position* position, int32_t* value,
                   char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const Prober& prober = needed(tables, "tables").prober;
    const Board board = board_of(needed(position, "position"), prober.rules());
    needed(value, "value") = value_of(prober, board);
  });
}

int retrosow_value_of(const retrosow_tables* tables, const char* text, int32_t* value,
                      char* message, size_t message_bytes) {
  retrosow_position position;
  const int status = retrosow_parse(tables, text, &position, message, message_bytes);
  if (status != RETROSOW_OK) return status;
  return retrosow_value(tables, &position, value, message, message_bytes);
}

int retrosow_values(const retrosow_tables* tables, const retrosow_position* positions, size_t count,
                    int32_t* values, size_t* done, char* message, size_t message_bytes) {
  if (done != nullptr) *done = 0;
  return guarded(message, message_bytes, [&] {
    const Prober& prober = needed(tables, "tables").prober;
    if (count == 0) return;
    needed(positions, "positions");
    needed(values, "values");
    for (size_t i = 0; i < count; ++i) {
      values[i] = value_of(prober, board_of(positions[i], prober.rules()));
      if (done != nullptr) *done = i + 1;
    }
  });
}

int retrosow_distance(const retrosow_tables* tables, const retrosow_position* position,
                      int32_t* distance, char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const Prober& prober = needed(tables, "tables").prober;
    const Board board = board_of(needed(position, "position"), prober.rules());
    needed(distance, "distance");
    if (const auto plies = prober.distance(board)) {
      *distance = distance_of(*plies);
      return;
    }
    throw prober.missing_distances(board, prober.probe(board));
  });
}

int retrosow_probe(const retrosow_tables* tables, const retrosow_position* position,
                   retrosow_evaluation* evaluation, char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const Prober& prober = needed(tables, "tables").prober;
    const Board board = board_of(needed(position, "position"), prober.rules());
    needed(evaluation, "evaluation") = evaluation_of(prober, board);
  });
}

int retrosow_best_move(const retrosow_tables* tables, const retrosow_position* position,
                       int32_t* pit, char* message, size_t message_bytes) {
  return guarded(message, message_bytes, [&] {
    const Prober& prober = needed(tables, "tables").prober;
    const Board board = board_of(needed(position, "position"), prober.rules());
    needed(pit, "pit");
    const Probed found = prober.probe(board);
    if (found.moves.moves.empty()) {
      *pit = 0;
      return;
    }
    if (found.distances == nullptr && found.value != 0)
      throw prober.missing_distances(board, found);
    const std::size_t best = progress_moves(found.value, found.moves, found.plies).front();
    *pit = static_cast<std::int32_t>(board.shown_pit(found.moves.moves[best].slot));
  });
}

const char* retrosow_version(void) { return RETROSOW_VERSION; }

void retrosow_format_versions(int* first, int* last) {
  if (first != nullptr) *first = int{kRanksVersion};
  if (last != nullptr) *last = int{kFormatVersion};
}

const char* retrosow_status_name(int status) {
  switch (status) {
    case RETROSOW_OK: return "ok";
    case RETROSOW_USAGE: return "usage";
    case RETROSOW_IO: return "io";
    case RETROSOW_CORRUPT: return "corrupt";
    case RETROSOW_UNSUPPORTED: return "unsupported";
    case RETROSOW_LIMIT: return "limit";
    case RETROSOW_INTERNAL: return "internal";
    default: return "unknown";
  }
}
