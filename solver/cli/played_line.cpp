#include "solver/cli/played_line.h"

#include <unordered_map>

#include "solver/cli/signals.h"

namespace retrosow::cli {
namespace {

std::string key_of(const Board& board, std::size_t ply) {
  return format_board(board) + (ply % 2 == 0 ? "+" : "-");
}

// Since the last capture: plies made before a position stood, by the position and whose ply it is.
using Stood = std::unordered_map<std::string, std::size_t>;

// Appends the move to the line. Returns whether the line ends with it: an endless sow, or a position that stood before.
bool play_move(const MoveGenerator& generator, unsigned slot, int value, std::uint16_t distance, Score& score,
               Stood& stood, PlayedLine& line) {
  const Board here = line.last;
  MoveList list;
  generator.generate(here.position, here.shape(), list);
  stood.emplace(key_of(here, line.plies.size()), line.plies.size());
  LinePly ply{here, here.shown_pit(slot), list.captured[slot], list.captured_opponent[slot], {}, value, distance};
  score.add(line.plies.size() % 2 == 0, ply.captured, ply.captured_opponent);
  ply.score = score;
  line.plies.push_back(ply);
  if (has_bit(list.endless, slot)) {
    line.end = LineEnd::kEndlessSow;
    return true;
  }
  line.last = here.after(list.result[slot]);
  if (ply.captured + ply.captured_opponent != 0) {
    stood.clear();
    return false;
  }
  // While the value is not 0 every ply brings the distance down, so only play of value 0 repeats.
  const auto first = stood.find(key_of(line.last, line.plies.size()));
  if (first == stood.end()) return false;
  line.end = LineEnd::kRepetition;
  line.first_ply = first->second;
  return true;
}

}  // namespace

const char* line_end_name(LineEnd end) {
  switch (end) {
    case LineEnd::kGameOver: return "game-over";
    case LineEnd::kEndlessSow: return "endless-sow";
    case LineEnd::kRepetition: return "repetition";
    case LineEnd::kMaxPlies: return "max-plies";
    case LineEnd::kCut: return "cut";
  }
  return "";
}

PlayedLine play_line(TableProbe& tables, const Board& board, const Captured& captured,
                     std::size_t max_plies) {
  PlayedLine line;
  line.last = board;
  Score score{captured.mover, captured.opponent};
  Stood stood;
  while (true) {
    check_interrupted();
    const Board here = line.last;
    const Probed found = tables.probe(here);
    if (found.distances == nullptr) throw tables.missing_distances(here, found);
    if (line.plies.empty()) {
      line.value = found.value;
      line.distance = found.plies.position;
    }
    const Shape shape = here.shape();
    if (found.moves.moves.empty()) {
      line.end = LineEnd::kGameOver;
      line.rest = tables.generator(shape).end(here.position, shape);
      return line;
    }
    if (line.plies.size() == max_plies) {
      line.end = LineEnd::kMaxPlies;
      return line;
    }
    const std::size_t choice = progress_moves(found.value, found.moves, found.plies).front();
    if (play_move(tables.generator(shape), found.moves.moves[choice].slot, found.value, found.plies.position,
                  score, stood, line)) {
      return line;
    }
  }
}

PlayedLine play_moves(const RuleSet& rules, const Board& board, const Captured& captured, int value,
                      const Line& line, std::size_t max_plies) {
  PlayedLine played;
  played.last = board;
  played.value = value;
  Score score{captured.mover, captured.opponent};
  Stood stood;
  const MoveGenerator generator(rules, board.shape());
  for (const unsigned slot : line.slots) {
    if (played.plies.size() == max_plies) {
      played.end = LineEnd::kMaxPlies;
      return played;
    }
    if (play_move(generator, slot, value, kNoDistance, score, stood, played)) return played;
    const LinePly& ply = played.plies.back();
    value = static_cast<int>(ply.captured) - static_cast<int>(ply.captured_opponent) - value;
  }
  const Shape shape = played.last.shape();
  MoveList list;
  generator.generate(played.last.position, shape, list);
  if (list.legal == 0) {
    played.rest = generator.end(played.last.position, shape);
  } else {
    played.end = LineEnd::kCut;
  }
  return played;
}

Json line_record(const RuleChoice& choice, const Board& board, const PlayedLine& line,
                 const std::optional<Captured>& captured) {
  Json record = position_record(choice, board);
  record["value"] = line.value;
  record["outcome"] = outcome_name(line.value);
  record["distance"] = distance_json(line.distance);
  Json plies = Json::array();
  for (const LinePly& ply : line.plies) {
    plies.push_back({{"position", format_board(ply.board)},
                     {"pit", ply.pit},
                     {"captured", ply.captured},
                     {"captured_opponent", ply.captured_opponent},
                     {"score", {{"mover", ply.score.mover}, {"opponent", ply.score.opponent}}},
                     {"value", ply.value},
                     {"distance", distance_json(ply.distance)}});
  }
  record["line"] = std::move(plies);
  record["plies"] = line.plies.size();
  record["end"] = line_end_name(line.end);
  if (line.end != LineEnd::kEndlessSow) record["end_position"] = format_board(line.last);
  if (line.end == LineEnd::kRepetition) record["first_ply"] = line.first_ply;
  add_final(record, choice, board, line.value, captured.value_or(Captured{}));
  if (!captured) record.erase("match_points");
  return record;
}

}  // namespace retrosow::cli
