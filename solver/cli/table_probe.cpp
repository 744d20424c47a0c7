#include "solver/cli/table_probe.h"

#include <algorithm>

#include "solver/cli/output.h"
#include "solver/cli/table_listing.h"

namespace retrosow::cli {
namespace {

Error contradiction(const TableReader& file, const std::string& what) {
  Error error(ErrorClass::kCorrupt,
              "table file " + file.path().string() + " contradicts its neighbours: " + what);
  error.path = file.path().string();
  return error;
}

// A file name as a shell reads it.
std::string shell_word(const std::string& name) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  // One that begins like an option is given by a path that does not.
  const std::string word = name.starts_with('-') ? "./" + name : name;
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string plies_text(std::uint16_t distance) {
  return distance == kNoDistance ? "none" : std::to_string(distance);
}

}  // namespace

TableProbe::TableProbe(const Arguments& arguments, const RuleChoice& choice)
    : choice_(&choice),
      path_(arguments.require("tables")),
      folder_(path_, choice.rules),
      contents_(contents_text(folder_.files())),
      generators_(choice.rules) {
  const Digest digest = rules_digest(choice.rules);
  for (const TableReader& table : folder_.files()) {
    const TableHeader& header = table.header();
    if (header.rules_digest == digest && header.kind == TableKind::kValues) {
      tables_.push_back(&table);
    }
  }
  if (arguments.verbose()) complain("rules " + choice.canonical + ", folder " + path_.string());
  if (!folder_.faults().empty() && !arguments.quiet()) {
    complain("left out: " + faults_text(folder_.faults()));
  }
}

Probed TableProbe::probe(const Board& board) {
  const unsigned seeds = total_seeds(board.position);
  if (seeds > kMaxLevelSeeds) {
    throw limit_error(std::to_string(seeds) + " " + std::string(unit_of(choice_->rules)) +
                      " on the board; levels above " + std::to_string(kMaxLevelSeeds) +
                      " are not built");
  }
  Probed found;
  find_value(board, found);
  found.moves = look_ahead(board);
  if (found.moves.value != found.value) {
    throw contradiction(*found.table, format_board(board) + " has value " +
                                          std::to_string(found.value) + ", but its best move " +
                                          std::to_string(found.moves.value));
  }
  find_distances(board, found);
  find_guarantees(board, found);
  return found;
}

// The first file that holds the position. There may be several of one level where rounds from different
// starts lie in one folder; one with distances is preferred.
void TableProbe::find_value(const Board& board, Probed& found) const {
  const Shape shape = board.shape();
  const unsigned seeds = total_seeds(board.position);
  bool level_there = false;
  for (const TableReader* table : tables_) {
    const TableHeader& header = table->header();
    const bool rows_fit = header.shape == shape || header.shape == shape.swapped();
    if (header.seeds != seeds || !rows_fit) continue;
    level_there = true;
    const std::optional<int> value = table->value(board.position, shape);
    if (!value) continue;
    const TableReader* distances = folder_.distances_of(*table);
    if (found.table != nullptr && distances == nullptr) continue;
    found.table = table;
    found.value = *value;
    found.distances = distances;
    if (distances != nullptr) return;
  }
  if (found.table == nullptr) throw missing(board, level_there);
  // Distances that are there, but damaged, are not the same as none.
  for (const TableFolder::Fault& fault : folder_.faults()) {
    if (fault.path.filename() == table_file_name(distance_header(found.table->header()))) {
      throw Error(fault.error);
    }
  }
}

void TableProbe::find_distances(const Board& board, Probed& found) {
  if (found.distances == nullptr) return;
  const Shape shape = board.shape();
  MoveList list;
  generator(shape).generate(board.position, shape, list);
  for (const MoveValue& move : found.moves.moves) {
    if (move.value == 0) {
      found.plies.moves.push_back(kNoDistance);
      continue;
    }
    const bool endless = ((list.endless >> move.slot) & 1U) != 0;
    const bool exits = endless || list.captured[move.slot] + list.captured_opponent[move.slot] != 0;
    found.plies.moves.push_back(
        exits ? std::uint16_t{1}
              : static_cast<std::uint16_t>(1 + distance_behind(found, list.result[move.slot],
                                                               shape.swapped(), -move.value)));
  }
  const LevelIndex index = found.table->index_of(board.position, shape).value();
  found.plies.position = found.distances->distance_at(index);

  std::uint16_t expected = found.value == 0 ? kNoDistance : std::uint16_t{0};
  bool first = true;
  for (std::size_t i = 0; found.value != 0 && i < found.moves.moves.size(); ++i) {
    if (found.moves.moves[i].value != found.value) continue;
    const std::uint16_t plies = found.plies.moves[i];
    const bool better = found.value > 0 ? plies < expected : plies > expected;
    if (first || better) expected = plies;
    first = false;
  }
  if (found.plies.position != expected) {
    throw contradiction(*found.distances, format_board(board) + " of value " +
                                              std::to_string(found.value) + " has distance " +
                                              plies_text(found.plies.position) +
                                              ", but by its moves " + plies_text(expected));
  }
}

void TableProbe::find_guarantees(const Board& board, Probed& found) {
  const Shape shape = board.shape();
  const unsigned seeds = total_seeds(board.position);
  found.guarantees = folder_.find(choice_->rules, shape, seeds, TableKind::kGuarantees);
  if (found.guarantees == nullptr) {
    // One that is there, but damaged, is not the same as none.
    if (family_of(choice_->rules.game) != Family::kUrim) return;
    const std::string name = table_file_name(guarantee_header(choice_->rules, shape.mover_pits, seeds));
    for (const TableFolder::Fault& fault : folder_.faults()) {
      if (fault.path.filename() == name) throw Error(fault.error);
    }
    return;
  }
  MoveList list;
  generator(shape).generate(board.position, shape, list);
  const Guarantee pair = found.guarantees->guarantee(board.position, shape).value();
  Guarantee expected;
  for (const MoveValue& move : found.moves.moves) {
    const Position& child = list.result[move.slot];
    const std::optional<Guarantee> behind = folder_.guarantee(child, shape.swapped());
    if (!behind) {
      throw Error(ErrorClass::kIo, "no guarantees of level " + std::to_string(total_seeds(child)) + " in " +
                                       path_.string() + ", to which a move leads; there: " + contents_);
    }
    const auto mover = static_cast<std::uint8_t>(list.captured[move.slot] + behind->opponent);
    found.sure.moves.push_back({mover, behind->mover});
    expected.mover = std::max(expected.mover, mover);
    expected.opponent = found.sure.moves.size() == 1 ? behind->mover : std::min(expected.opponent, behind->mover);
  }
  if (list.legal == 0) {
    const EndResult end = generator(shape).end(board.position, shape);
    expected = {static_cast<std::uint8_t>(end.mover), static_cast<std::uint8_t>(end.opponent)};
  }
  const auto text = [](Guarantee g) { return std::to_string(g.mover) + " and " + std::to_string(g.opponent); };
  if (pair != expected) {
    throw contradiction(*found.guarantees, format_board(board) + " has guarantees " + text(pair) +
                                               ", but by its moves " + text(expected));
  }
  if (found.value < least_difference(pair, seeds) || found.value > greatest_difference(pair, seeds)) {
    throw contradiction(*found.guarantees, format_board(board) + " has guarantees " + text(pair) + ", but value " +
                                               std::to_string(found.value));
  }
  found.sure.position = pair;
}

std::uint16_t TableProbe::distance_behind(const Probed& found, const Position& child, Shape shape,
                                          int child_value) const {
  // A position that a quiet move leads to is in the same level, and of a round in the same file.
  const std::optional<LevelIndex> index = found.table->index_of(child, shape);
  if (!index) {
    throw contradiction(*found.table, "there is no " + format_position(child, shape) +
                                          ", to which a move of a position in it leads");
  }
  const std::uint16_t distance = found.distances->distance_at(*index);
  if (distance == kNoDistance) {
    throw contradiction(*found.distances, format_position(child, shape) + " has value " +
                                              std::to_string(child_value) + ", but no distance");
  }
  return distance;
}

Evaluation TableProbe::look_ahead(const Board& board) {
  try {
    return evaluate(generators_.of(board.shape()), folder_, board.position, board.shape());
  } catch (const Error& error) {
    // A level below is not there: perhaps because its file is damaged.
    if (error.error_class() != ErrorClass::kIo || folder_.faults().empty()) throw;
    throw Error(worst_class(folder_.faults()),
                std::string(error.what()) + "; faulty files: " + faults_text(folder_.faults()));
  }
}

Error TableProbe::missing(const Board& board, bool level_there) const {
  const std::string level = std::to_string(total_seeds(board.position));
  std::string text =
      level_there
          ? format_board(board) + " is not among the positions of level " + level + " in "
          : "no table of level " + level + " of " + std::string(game_name(choice_->rules.game)) +
                " " + rows_text(board.shape()) + " (" + choice_->canonical + ") in ";
  text += path_.string() + "; there: " + contents_;
  if (folder_.faults().empty()) return {ErrorClass::kIo, text};
  return {worst_class(folder_.faults()), text + "; faulty files: " + faults_text(folder_.faults())};
}

Error TableProbe::missing_distances(const Board& board, const Probed& found) const {
  const TableHeader& header = found.table->header();
  const std::string game(game_name(choice_->rules.game));
  std::string text = "no distances of level " + std::to_string(header.seeds) + " of " + game + " " +
                     rows_text(board.shape()) + " (" + choice_->canonical + ") in " +
                     path_.string() + ", so play could go round; ";
  text += "`retrosow build --distance --out " + shell_word(path_.string()) + " --game " + game +
          options_text(choice_->rules);
  if (header.index == IndexKind::kKeys) {
    text += " " + format_board(board_of(header.root, header.shape));
  } else {
    text += " --pits " + std::to_string(header.shape.mover_pits) + " --seeds " +
            std::to_string(header.seeds);
  }
  text += "` adds them";
  return {ErrorClass::kIo, text};
}

}  // namespace retrosow::cli
