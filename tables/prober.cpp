#include "tables/prober.h"

#include <algorithm>
#include <cassert>

#include "tables/table_listing.h"

namespace retrosow {
namespace {

Error contradiction(const TableReader& file, const std::string& what) {
  Error error(ErrorClass::kCorrupt,
              "table file " + file.path().string() + " contradicts its neighbours: " + what);
  error.path = file.path().string();
  return error;
}

// Those whose names are not the ones that a build gives to files of other rules.
std::vector<TableFolder::Fault> faults_of(const TableFolder& folder, const RuleSet& rules) {
  // It stands in such a name (table_file_name).
  const std::string digest = "-" + rules_digest(rules).hex().substr(0, 12) + "-";
  std::vector<TableFolder::Fault> faults;
  for (const TableFolder::Fault& fault : folder.faults()) {
    const std::string name = fault.path.filename().string();
    const bool built = name.starts_with("urim-") || name.starts_with("rio-kadalis-");
    if (!built || name.find(digest) != std::string::npos) faults.push_back(fault);
  }
  return faults;
}

std::string plies_text(std::uint16_t distance) {
  return distance == kNoDistance ? "none" : std::to_string(distance);
}

}  // namespace

std::vector<std::size_t> progress_moves(int value, const Evaluation& moves,
                                        const PlyDistances& plies) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < moves.moves.size(); ++i) {
    const bool best = moves.moves[i].value == value;
    if (best && (value == 0 || plies.moves[i] == plies.position)) list.push_back(i);
  }
  return list;
}

Prober::RuleTables::RuleTables(const TableFolder& folder, const RuleSet& rules) {
  const Digest digest = rules_digest(rules);
  for (const TableReader& table : folder.files()) {
    const TableHeader& header = table.header();
    if (header.rules_digest != digest || header.kind != TableKind::kValues) continue;
    all_.push_back(&table);
    of_level_[header.seeds].push_back(&table);
  }
}

template <typename F>
void Prober::RuleTables::find(const Position& position, Shape shape, F&& f) const {
  const unsigned seeds = total_seeds(position);
  if (seeds > kMaxLevelSeeds) return;
  for (const TableReader* table : of_level_[seeds]) {
    const Shape rows = table->header().shape;
    if ((rows == shape || rows == shape.swapped()) && f(*table)) return;
  }
}

std::optional<int> Prober::RuleTables::value(const Position& position, Shape shape) const {
  std::optional<int> value;
  find(position, shape, [&](const TableReader& table) {
    value = table.value(position, shape);
    return value.has_value();
  });
  return value;
}

Prober::Prober(const std::filesystem::path& path, const RuleSet& rules, std::size_t cache_bytes)
    : rules_(rules),
      canonical_(canonical_text(rules)),
      path_(path),
      own_folder_(std::in_place, path, cache_bytes),
      folder_(&*own_folder_),
      tables_(*folder_, rules),
      generators_(generators_of(tables_.all(), rules)),
      own_faults_(faults_of(*folder_, rules)) {}

Prober::Prober(const std::filesystem::path& path, const TableFolder& folder, const RuleSet& rules)
    : rules_(rules),
      canonical_(canonical_text(rules)),
      path_(path),
      folder_(&folder),
      tables_(folder, rules),
      generators_(generators_of(tables_.all(), rules)),
      own_faults_(faults_of(folder, rules)) {}

std::vector<Prober::ShapeMoves> Prober::generators_of(const std::vector<const TableReader*>& tables,
                                                      const RuleSet& rules) {
  std::vector<ShapeMoves> generators;
  for (const TableReader* table : tables) {
    const Shape shape = table->header().shape;
    const bool known = std::ranges::any_of(generators, [&](const ShapeMoves& entry) {
      return entry.shape == shape || entry.shape == shape.swapped();
    });
    if (!known) generators.push_back({shape, MoveGenerator(rules, shape)});
  }
  return generators;
}

std::optional<int> Prober::value(const Board& board) const {
  return tables_.value(board.position, board.shape());
}

std::optional<std::uint16_t> Prober::distance(const Board& board) const {
  const Shape shape = board.shape();
  std::optional<std::uint16_t> distance;
  tables_.find(board.position, shape, [&](const TableReader& table) {
    const TableReader* distances = folder_->distances_of(table);
    if (distances == nullptr) return false;
    const std::optional<LevelIndex> index = table.index_of(board.position, shape);
    if (index) distance = distances->distance_at(*index);
    return index.has_value();
  });
  return distance;
}

bool Prober::should_know(const Board& board) const {
  const Shape shape = board.shape();
  const unsigned seeds = total_seeds(board.position);
  if (seeds > kMaxLevelSeeds) return false;
  if (value(board)) return true;
  // Of a round's file nothing but its name may be known, and that names the round, not the position.
  if (folder_->faults().empty() || family_of(rules_.game) != Family::kUrim) return false;
  const std::string name = table_file_name(level_header(rules_, shape.mover_pits, seeds));
  return std::ranges::any_of(folder_->faults(),
                             [&](const TableFolder::Fault& fault) { return fault.path.filename() == name; });
}

const MoveGenerator& Prober::generator(Shape shape) const {
  const auto found = std::ranges::find_if(generators_, [&](const ShapeMoves& entry) {
    return entry.shape == shape || entry.shape == shape.swapped();
  });
  assert(found != generators_.end());
  return found->generator;
}

Probed Prober::probe(const Board& board) const {
  const unsigned seeds = total_seeds(board.position);
  if (seeds > kMaxLevelSeeds) {
    throw limit_error(std::to_string(seeds) + " " + std::string(unit_of(rules_)) +
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
  return found;
}

// The first file that holds the position. There may be several of one level where rounds from different
// starts lie in one folder; one with distances is preferred.
void Prober::find_value(const Board& board, Probed& found) const {
  const Shape shape = board.shape();
  bool level_there = false;
  tables_.find(board.position, shape, [&](const TableReader& table) {
    level_there = true;
    const std::optional<int> value = table.value(board.position, shape);
    if (!value) return false;
    const TableReader* distances = folder_->distances_of(table);
    if (found.table != nullptr && distances == nullptr) return false;
    found.table = &table;
    found.value = *value;
    found.distances = distances;
    return distances != nullptr;
  });
  if (found.table == nullptr) throw missing(board, level_there);
  if (found.distances != nullptr || folder_->faults().empty()) return;
  // Distances that are there, but damaged, are not the same as none.
  const std::string name = table_file_name(distance_header(found.table->header()));
  for (const TableFolder::Fault& fault : folder_->faults()) {
    if (fault.path.filename() == name) throw Error(fault.error);
  }
}

void Prober::find_distances(const Board& board, Probed& found) const {
  if (found.distances == nullptr) return;
  const Shape shape = board.shape();
  MoveList list;
  generator(shape).generate(board.position, shape, list);
  for (const MoveValue& move : found.moves.moves) {
    if (move.value == 0) {
      found.plies.moves.push_back(kNoDistance);
      continue;
    }
    const bool endless = has_bit(list.endless, move.slot);
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

ProbedGuarantees Prober::guarantees(const Board& board, const Probed& found) const {
  ProbedGuarantees known;
  const Shape shape = board.shape();
  const unsigned seeds = total_seeds(board.position);
  const auto of_level = [&](unsigned level) {
    return folder_->find(rules_, shape, level, TableKind::kGuarantees);
  };
  known.table = of_level(seeds);
  if (known.table == nullptr) {
    // One that is there, but damaged, is not the same as none.
    if (family_of(rules_.game) != Family::kUrim) return known;
    const std::string name = table_file_name(guarantee_header(rules_, shape.mover_pits, seeds));
    for (const TableFolder::Fault& fault : folder_->faults()) {
      if (fault.path.filename() == name) throw Error(fault.error);
    }
    return known;
  }
  MoveList list;
  generator(shape).generate(board.position, shape, list);
  const Guarantee pair = known.table->guarantee(board.position, shape).value();
  Guarantee expected;
  for (const MoveValue& move : found.moves.moves) {
    const Position& child = list.result[move.slot];
    const TableReader* level = of_level(total_seeds(child));
    if (level == nullptr) {
      throw not_there("no guarantees of level " + std::to_string(total_seeds(child)) + " in " + path_.string() +
                      ", to which a move leads; there: " + contents_text(folder_->files()));
    }
    const Guarantee behind = level->guarantee(child, shape.swapped()).value();
    const auto mover = static_cast<std::uint8_t>(list.captured[move.slot] + behind.opponent);
    known.sure.moves.push_back({mover, behind.mover});
    expected.mover = std::max(expected.mover, mover);
    expected.opponent = known.sure.moves.size() == 1 ? behind.mover : std::min(expected.opponent, behind.mover);
  }
  if (list.legal == 0) {
    const EndResult end = generator(shape).end(board.position, shape);
    expected = {static_cast<std::uint8_t>(end.mover), static_cast<std::uint8_t>(end.opponent)};
  }
  const auto text = [](Guarantee g) { return std::to_string(g.mover) + " and " + std::to_string(g.opponent); };
  if (pair != expected) {
    throw contradiction(*known.table, format_board(board) + " has guarantees " + text(pair) +
                                          ", but by its moves " + text(expected));
  }
  if (found.value < least_difference(pair, seeds) || found.value > greatest_difference(pair, seeds)) {
    throw contradiction(*known.table, format_board(board) + " has guarantees " + text(pair) +
                                          ", but value " + std::to_string(found.value));
  }
  known.sure.position = pair;
  return known;
}

std::uint16_t Prober::distance_behind(const Probed& found, const Position& child, Shape shape,
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

Evaluation Prober::look_ahead(const Board& board) const {
  try {
    return evaluate(generator(board.shape()), tables_, board.position, board.shape());
  } catch (const Error& error) {
    // A level below is not there: perhaps because its file is damaged.
    if (error.error_class() != ErrorClass::kIo || own_faults_.empty()) throw;
    throw not_there(error.what());
  }
}

Error Prober::missing(const Board& board, bool level_there) const {
  const std::string level = std::to_string(total_seeds(board.position));
  std::string text =
      level_there ? format_board(board) + " is not among the positions of level " + level + " in "
                  : "no table of level " + level + " of " + std::string(game_name(rules_.game)) +
                        " " + rows_text(board.shape()) + " (" + canonical_ + ") in ";
  text += path_.string() + "; there: " + contents_text(folder_->files());
  return not_there(text);
}

Error Prober::not_there(const std::string& text) const {
  if (own_faults_.empty()) return {ErrorClass::kIo, text};
  return {worst_class(own_faults_), text + "; faulty files: " + faults_text(own_faults_)};
}

Error Prober::missing_distances(const Board& board, const Probed& found) const {
  const TableHeader& header = found.table->header();
  return {ErrorClass::kIo, "no distances of level " + std::to_string(header.seeds) + " of " +
                               std::string(game_name(rules_.game)) + " " +
                               rows_text(board.shape()) + " (" + canonical_ + ") in " +
                               path_.string() + ", so play could go round"};
}

}  // namespace retrosow
