// The extension's second file: table folders and levels as arrays, index orders, solving, matches, building.
//
// Arrays of boards come checked by the package: two dimensions, bytes, rows one after the other.

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/rank.h"
#include "solver/match_rounds.h"
#include "solver/python/module.h"
#include "solver/solve.h"
#include "tables/build.h"
#include "tables/prober.h"
#include "tables/table_listing.h"

namespace retrosow::python {
namespace {

using Boards = py::array_t<std::uint8_t, py::array::c_style>;
using Indices = py::array_t<std::int64_t, py::array::c_style>;

constexpr std::size_t kChunk = 1U << 10;  // boards between two looks at the stop flag

// Calls f(i) for every i below `count`, without the GIL. Few boards are not worth a thread.
template <typename F>
void for_each_row(std::size_t count, F&& f) {
  if (count <= kChunk) {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) f(i);
    return;
  }
  run_long(py::none(), [&](const RunControl& control) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i % kChunk == 0) control.check_stop();
      f(i);
    }
  });
}

struct BoardRows {
  const std::uint8_t* data;
  std::size_t count;
  unsigned pits;

  explicit BoardRows(const Boards& boards)
      : data(boards.data()),
        count(static_cast<std::size_t>(boards.shape(0))),
        pits(static_cast<unsigned>(boards.shape(1) / 2)) {}

  // Fails: as board_of_row, and says which row.
  Board board(const RuleSet& rules, std::size_t i) const {
    try {
      return board_of_row(rules, data + i * 2 * pits, pits);
    } catch (const Error& error) {
      throw Error(error.error_class(), "board " + std::to_string(i) + ": " + error.what());
    }
  }
};

// ---- Folders and levels ----

Error closed_error() { return usage_error("these tables are closed"); }

std::shared_ptr<const TableFolder> open_folder(const std::weak_ptr<const TableFolder>& folder) {
  std::shared_ptr<const TableFolder> open = folder.lock();
  if (open == nullptr) throw closed_error();
  return open;
}

// A level of a folder: one file of values, and the distances that go with it.
class Level {
 public:
  Level(const std::shared_ptr<const TableFolder>& folder, const TableReader& values)
      : folder_(folder), values_(&values), distances_(folder->distances_of(values)) {}

  const TableHeader& header() const { return header_; }
  bool has_distances() const { return distances_ != nullptr; }
  unsigned pits() const { return std::max(header_.shape.mover_pits, header_.shape.opponent_pits); }

  py::object info() const {
    const auto folder = open_folder(folder_);
    const bool round = header_.index == IndexKind::kKeys;
    const Shape shape = header_.shape;
    py::object start = py::none(), keys_digest = py::none(), endless_moves = py::none(),
               distance_digest = py::none();
    if (round) {
      start = py::str(format_board(board_of(header_.root, shape)));
      keys_digest = py::str(header_.keys_digest.hex());
      endless_moves = py::int_(header_.endless_moves);
    }
    if (distances_ != nullptr) distance_digest = py::str(distances_->header().digest.hex());
    return record("LevelInfo", std::string(game_name(header_.rules.game)),
                  canonical_text(header_.rules), pits(),
                  std::make_pair(unsigned{shape.mover_pits}, unsigned{shape.opponent_pits}),
                  header_.seeds, round ? "reachable" : "all", start, header_.positions,
                  header_.digest.hex(), distance_digest, keys_digest, endless_moves,
                  values_->path().string(), values_->file_bytes());
  }

  py::array_t<std::int8_t> values(std::uint64_t first, std::uint64_t count) const {
    return read<std::int8_t>(
        first, count, [&] { return values_->read_all(); },
        [&](LevelIndex at, std::span<Value> out) { values_->copy_values(at, out); });
  }

  py::array_t<std::uint16_t> distances(std::uint64_t first, std::uint64_t count) const {
    const auto folder = open_folder(folder_);
    if (distances_ == nullptr) {
      throw Error(ErrorClass::kIo, "there are no distances of " + values_->path().string() +
                                       "; `retrosow build --distance` adds them");
    }
    return read<std::uint16_t>(
        first, count, [&] { return distances_->read_all_distances(); },
        [&](LevelIndex at, std::span<std::uint16_t> out) { distances_->copy_distances(at, out); });
  }

  Boards boards(std::uint64_t first, std::uint64_t count) const {
    const auto folder = open_folder(folder_);
    check_range(first, count);
    Boards out({static_cast<py::ssize_t>(count), py::ssize_t{2 * pits()}});
    std::uint8_t* const rows = out.mutable_data();
    const std::size_t width = 2 * pits();
    if (header_.index == IndexKind::kRanks) {
      const HalfRanks halves(header_.shape.mover_pits, header_.rules.pit_limit, header_.seeds);
      const LevelRanks ranks(halves, header_.seeds);
      for_each_row(count, [&](std::size_t i) {
        write_row(board_of(ranks.unrank(first + i), header_.shape), rows + i * width);
      });
      return out;
    }
    run_long(py::none(), [&](const RunControl& control) {
      std::vector<Position> keys;
      for (std::size_t done = 0; done < count; done += keys.size()) {
        control.check_stop();
        keys.resize(std::min<std::size_t>(count - done, kBlock));
        values_->copy_keys(first + done, keys);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          const RoundPosition at = position_of_key(keys[i], header_.shape);
          write_row(board_of(at.position, at.shape), rows + (done + i) * width);
        }
      }
    });
    return out;
  }

  // -1 where the level does not hold the board.
  Indices index_of(const Boards& boards) const {
    const auto folder = open_folder(folder_);
    const BoardRows rows(boards);
    Indices out(boards.shape(0));
    std::int64_t* const indices = out.mutable_data();
    for_each_row(rows.count, [&](std::size_t i) {
      const Board board = rows.board(header_.rules, i);
      const Shape shape = board.shape();
      const bool fits = (shape == header_.shape || shape == header_.shape.swapped()) &&
                        total_seeds(board.position) == header_.seeds;
      const std::optional<LevelIndex> index =
          fits ? values_->index_of(board.position, shape) : std::nullopt;
      indices[i] = index ? static_cast<std::int64_t>(*index) : -1;
    });
    return out;
  }

 private:
  void check_range(std::uint64_t first, std::uint64_t count) const {
    if (first <= header_.positions && count <= header_.positions - first) return;
    throw usage_error("positions " + std::to_string(first) + " to " +
                      std::to_string(first + count) + " (exclusive): the level has " +
                      std::to_string(header_.positions));
  }

  // The whole level is compared with its digest, a part block by block with the checksums.
  template <typename T, typename ReadAll, typename Copy>
  py::array_t<T> read(std::uint64_t first, std::uint64_t count, ReadAll&& read_all,
                      Copy&& copy) const {
    const auto folder = open_folder(folder_);
    check_range(first, count);
    auto contents = std::make_unique<std::vector<T>>();
    run_long(py::none(), [&](const RunControl& control) {
      if (count == header_.positions) {
        *contents = read_all();
        return;
      }
      contents->resize(count);
      // Whole blocks at a time, so that none is decoded twice.
      for (LevelIndex at = first; at < first + count;) {
        control.check_stop();
        const LevelIndex end = std::min<LevelIndex>(first + count, (at / kBlock + 1) * kBlock);
        copy(at, std::span<T>(contents->data() + (at - first), end - at));
        at = end;
      }
    });
    // The array takes the memory over.
    std::vector<T>* const kept = contents.release();
    const py::capsule owner(kept,
                            [](void* memory) { delete static_cast<std::vector<T>*>(memory); });
    return py::array_t<T>({static_cast<py::ssize_t>(kept->size())}, kept->data(), owner);
  }

  static constexpr LevelIndex kBlock = LevelIndex{TableWriter::kBlockValues} * 64;

  std::weak_ptr<const TableFolder> folder_;  // the files below live as long as it does
  const TableReader* values_;
  const TableReader* distances_;
  TableHeader header_ = values_->header();
};

class Folder {
 public:
  Folder(const std::string& path, const RuleSet& rules, std::size_t cache_bytes) : rules_(rules) {
    const py::gil_scoped_release release;
    prober_ = std::make_shared<const Prober>(path, rules, cache_bytes);
  }

  void close() { prober_.reset(); }
  bool closed() const { return prober_ == nullptr; }

  // The tables of values of the rules.
  py::list levels() const {
    const auto prober = open();
    const std::shared_ptr<const TableFolder> folder(prober, &prober->folder());
    py::list levels;
    for (const TableReader* table : prober->tables()) levels.append(Level(folder, *table));
    return levels;
  }

  py::list faults() const { return fault_records(open()->folder()); }
  std::string contents() const { return contents_text(open()->folder().files()); }

  static py::list fault_records(const TableFolder& folder) {
    py::list faults;
    for (const TableFolder::Fault& fault : folder.faults()) {
      faults.append(record("TableFault", fault.path.string(), fault.error.what()));
    }
    return faults;
  }

  py::object probe(const GamePosition& position) const {
    const Board board = board_of_rules(position);
    const Probed found = probed(*open(), board);
    const auto plies = [&](std::uint16_t distance) {
      return found.distances == nullptr || distance == kNoDistance ? py::object(py::none())
                                                                   : py::int_(distance);
    };
    py::list moves;
    for (std::size_t i = 0; i < found.moves.moves.size(); ++i) {
      const MoveValue& move = found.moves.moves[i];
      const std::uint16_t distance =
          found.distances == nullptr ? kNoDistance : found.plies.moves[i];
      moves.append(record("ProbedMove", board.shown_pit(move.slot), move.value, plies(distance)));
    }
    py::object progress = py::none();
    if (found.distances != nullptr) {
      py::list pits;
      for (const std::size_t i : progress_moves(found.value, found.moves, found.plies)) {
        pits.append(board.shown_pit(found.moves.moves[i].slot));
      }
      progress = pits;
    }
    return record("Probe", found.value, plies(found.plies.position), moves, progress);
  }

  // Values, and whether a table has the board; 0 where none has.
  py::tuple values(const Boards& boards) const {
    return look_up<std::int8_t>(
        boards, [](const Prober& prober, const Board& board) { return prober.value(board); });
  }

  py::tuple distances(const Boards& boards) const {
    return look_up<std::uint16_t>(
        boards, [](const Prober& prober, const Board& board) { return prober.distance(board); });
  }

  // Throws what is missing for a board that values() or distances() did not find.
  void explain_missing(const GamePosition& position) const {
    const auto prober = open();
    const Board board = board_of_rules(position);
    throw prober->missing_distances(board, probed(*prober, board));
  }

 private:
  std::shared_ptr<const Prober> open() const {
    if (prober_ == nullptr) throw closed_error();
    return prober_;
  }

  static Probed probed(const Prober& prober, const Board& board) {
    const py::gil_scoped_release release;
    return prober.probe(board);
  }

  Board board_of_rules(const GamePosition& position) const {
    if (same_rules(position.rules(), rules_)) return position.board();
    throw usage_error("the position is played by other rules (" + canonical_text(position.rules()) +
                      ") than these tables (" + canonical_text(rules_) + ")");
  }

  template <typename T, typename Find>
  py::tuple look_up(const Boards& boards, Find&& find) const {
    const auto prober = open();
    const BoardRows rows(boards);
    py::array_t<T> out(boards.shape(0));
    py::array_t<bool> there(boards.shape(0));
    T* const found = out.mutable_data();
    bool* const known = there.mutable_data();
    for_each_row(rows.count, [&](std::size_t i) {
      const auto answer = find(*prober, rows.board(rules_, i));
      known[i] = answer.has_value();
      found[i] = static_cast<T>(answer.value_or(0));
    });
    return py::make_tuple(out, there);
  }

  RuleSet rules_;
  std::shared_ptr<const Prober> prober_;
};

// Every level in a folder, whatever its rules, and the files that cannot be used.
py::tuple list_folder(const std::string& path) {
  std::shared_ptr<const TableFolder> folder;
  {
    const py::gil_scoped_release release;
    folder = std::make_shared<const TableFolder>(path);
  }
  py::list levels;
  for (const TableReader& file : folder->files()) {
    if (file.header().kind == TableKind::kValues) levels.append(Level(folder, file).info());
  }
  return py::make_tuple(levels, Folder::fault_records(*folder));
}

void bind_tables(py::module_& module) {
  py::class_<Level>(module, "Level")
      .def("info", &Level::info)
      .def("values", &Level::values, py::arg("first"), py::arg("count"))
      .def("distances", &Level::distances, py::arg("first"), py::arg("count"))
      .def("boards", &Level::boards, py::arg("first"), py::arg("count"))
      .def("index_of", &Level::index_of, py::arg("boards").noconvert());
  py::class_<Folder>(module, "Folder")
      .def(py::init<const std::string&, const RuleSet&, std::size_t>(), py::arg("path"),
           py::arg("rules"), py::arg("cache_bytes"))
      .def("close", &Folder::close)
      .def_property_readonly("closed", &Folder::closed)
      .def("levels", &Folder::levels)
      .def("faults", &Folder::faults)
      .def("contents", &Folder::contents)
      .def("probe", &Folder::probe, py::arg("position"))
      .def("values", &Folder::values, py::arg("boards").noconvert())
      .def("distances", &Folder::distances, py::arg("boards").noconvert())
      .def("explain_missing", &Folder::explain_missing, py::arg("position"));
  module.def("list_folder", &list_folder, py::arg("path"));
  module.attr("DEFAULT_CACHE_BYTES") = std::size_t{BlockCache::kDefaultBytes};
  module.attr("NO_DISTANCE") = unsigned{kNoDistance};
  module.attr("CLOSED") = unsigned{kClosedHole};
  module.attr("MAX_LEVEL_SEEDS") = kMaxLevelSeeds;
}

// ---- Index order without tables ----

class Ranks {
 public:
  Ranks(const RuleSet& rules, unsigned pits, unsigned seeds)
      : rules_(rules), shape_{static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)} {
    if (family_of(rules.game) != Family::kUrim) {
      throw usage_error(
          "levels of rio-kadalis hold what can be reached from a start, which only tables know");
    }
    if (pits < 1 || pits > kMaxPits)
      throw usage_error(std::to_string(pits) + " pits; 1 to " + std::to_string(kMaxPits) +
                        " are possible");
    if (seeds > kMaxLevelSeeds) throw too_many_seeds(seeds);
    halves_ = std::make_unique<HalfRanks>(pits, rules.pit_limit, seeds);
    ranks_ = std::make_unique<LevelRanks>(*halves_, seeds);
    if (ranks_->size() >> 63 != 0)
      throw limit_error("the level has more boards than an int64 counts");
  }

  LevelIndex size() const { return ranks_->size(); }

  Indices rank(const Boards& boards) const {
    const BoardRows rows(boards);
    if (rows.pits != shape_.mover_pits) {
      throw usage_error("boards of 2x" + std::to_string(rows.pits) + " pits; the level has 2x" +
                        std::to_string(shape_.mover_pits));
    }
    Indices out(boards.shape(0));
    std::int64_t* const indices = out.mutable_data();
    for_each_row(rows.count, [&](std::size_t i) {
      const Position position = rows.board(rules_, i).position;
      const unsigned seeds = total_seeds(position);
      if (seeds != ranks_->seeds()) {
        throw usage_error("board " + std::to_string(i) + " has " + std::to_string(seeds) +
                          " seeds; the level has " + std::to_string(ranks_->seeds()));
      }
      indices[i] = static_cast<std::int64_t>(ranks_->rank(position));
    });
    return out;
  }

  Boards unrank(const Indices& given) const {
    const std::int64_t* const indices = given.data();
    const auto count = static_cast<std::size_t>(given.shape(0));
    const std::size_t width = shape_.pits();
    Boards out({given.shape(0), static_cast<py::ssize_t>(width)});
    std::uint8_t* const rows = out.mutable_data();
    for_each_row(count, [&](std::size_t i) {
      if (indices[i] < 0 || static_cast<LevelIndex>(indices[i]) >= size()) {
        throw usage_error("index " + std::to_string(indices[i]) + "; the level has " +
                          std::to_string(size()) + " positions");
      }
      write_row(board_of(ranks_->unrank(static_cast<LevelIndex>(indices[i])), shape_),
                rows + i * width);
    });
    return out;
  }

 private:
  RuleSet rules_;
  Shape shape_;
  std::unique_ptr<HalfRanks> halves_;
  std::unique_ptr<LevelRanks> ranks_;
};

// ---- Solving ----

py::dict solve_position(const GamePosition& position, const std::string& method,
                        const std::optional<std::string>& tables, bool value_only,
                        std::optional<std::uint64_t> limit_nodes,
                        std::optional<double> limit_seconds, unsigned threads,
                        std::optional<std::uint64_t> memory_bytes, const py::object& progress) {
  SolveOptions options;
  options.method = parse_method("method", method);
  options.tables = tables;
  options.value_only = value_only;
  options.limit_nodes = limit_nodes;
  options.limit_seconds = limit_seconds;
  options.threads = threads;
  options.memory_bytes = memory_bytes.value_or(default_memory_bytes());
  if (memory_bytes) options.transposition_bytes = *memory_bytes;
  const Board board = position.board();
  const RuleSet rules = position.rules();
  Solution solution;
  run_long(progress, [&](const RunControl& control) {
    options.control = control;
    solution = solve(rules, board.position, board.shape(), options);
  });

  py::dict out;
  out["value"] = solution.value;
  out["bounds"] = solution.bounds;
  out["complete"] = solution.complete;
  out["moves"] = py::none();
  out["move_bounds"] = py::none();
  out["line"] = py::none();
  out["line_end"] = py::none();
  if (solution.moves_proved) {
    py::list moves;
    for (const MoveValue& move : solution.evaluation.moves) {
      moves.append(record("MoveValue", board.shown_pit(move.slot), move.value));
    }
    out["moves"] = moves;
    out["line"] = shown_pits(board, solution.line);
    out["line_end"] = line_end_name(solution.line.end);
  }
  if (!solution.move_bounds.empty()) {
    py::list moves;
    for (const MoveBounds& move : solution.move_bounds) {
      moves.append(record("MoveBounds", board.shown_pit(move.slot), move.bounds));
    }
    out["move_bounds"] = moves;
  }
  out["method"] = solution.search ? "search" : "tables";
  out["nodes"] = solution.nodes;
  out["seconds"] = solution.seconds;
  const auto effort = [&](auto field) {
    return solution.search ? py::object(py::int_((*solution.search).*field)) : py::none();
  };
  out["hash_hits"] = effort(&SearchEffort::hash_hits);
  out["table_values"] = effort(&SearchEffort::table_values);
  out["depth"] = effort(&SearchEffort::depth_plies);
  return out;
}

// ---- Matches ----

const char* outcome_name(Outcome outcome) {
  return outcome == Outcome::kWin ? "win" : outcome == Outcome::kLoss ? "loss" : "draw";
}

py::list pits_of_slots(const Board& board, const std::vector<unsigned>& slots) {
  py::list pits;
  for (const unsigned slot : slots) pits.append(board.shown_pit(slot));
  return pits;
}

// A round of a match that brings its starter `result` stones.
py::object round_play(const MatchRules& match, const MatchState& state, const Board& board,
                      unsigned result, const std::vector<unsigned>& slots,
                      const MatchOutcome& outcome) {
  const NextState next = next_state(match, state.stones, result);
  const unsigned all = match.stones(), total = state.stones - 4 * state.open.mover_pits + result;
  return record("RoundPlay", 2 * static_cast<int>(result) - 4 * static_cast<int>(state.open.pits()),
                pits_of_slots(board, slots), std::make_pair(total, all - total),
                std::make_pair(next.stones, all - next.stones), next.same_starter,
                outcome_name(outcome.outcome), outcome.rounds);
}

py::object state_record(const RuleSet& rules, const MatchRules& match, const MatchState& state) {
  const Board board = board_of(round_start(state.open), state.open);
  const unsigned other = match.stones() - state.stones;
  std::vector<unsigned> most_stones;
  for (const RoundFacts::FirstMove& move : state.round.moves) {
    if (move.stones == state.round.stones) most_stones.push_back(move.slot);
  }
  const std::pair<unsigned, unsigned> open{state.open.mover_pits, state.open.opponent_pits};
  return record("MatchState", std::make_pair(state.stones, other), open,
                std::make_pair(state.stones - 4 * open.first, other - 4 * open.second),
                GamePosition(rules, board), outcome_name(state.best.outcome), state.best.rounds,
                state.monotone, state.stones_suffice,
                round_play(match, state, board, state.result, state.best_moves, state.best),
                round_play(match, state, board, state.round.stones, most_stones, state.by_stones));
}

py::dict solve_whole_match(const RuleSet& rules, unsigned pits,
                           const std::optional<std::string>& tables, unsigned threads,
                           std::optional<std::uint64_t> memory_bytes, const py::object& progress) {
  if (family_of(rules.game) != Family::kRioKadalis) {
    throw usage_error("a match of several rounds is played in rio-kadalis, not in " +
                      std::string(game_name(rules.game)));
  }
  if (pits < 1 || pits > kMaxPits)
    throw usage_error(std::to_string(pits) + " pits; 1 to " + std::to_string(kMaxPits) +
                      " are possible");
  const MatchRules match{pits, rules.starter};
  MatchSolution solution;
  std::vector<std::optional<Line>> moves;  // of the rounds of its line
  run_long(progress, [&](const RunControl& control) {
    std::optional<TableFolder> folder;
    if (tables) folder.emplace(*tables, rules);
    MatchRoundsOptions options;
    options.tables = folder ? &*folder : nullptr;
    options.memory_bytes = memory_bytes.value_or(default_memory_bytes());
    options.threads = threads;
    options.control = control;
    MatchRounds rounds(rules, options);
    solution = solve_match(match, rounds);
    for (std::size_t i = 0; i < solution.line.size(); ++i) {
      const bool over = i + 1 == solution.line.size() && !solution.cycle_begin;
      const MatchState* state = over ? nullptr : solution.find(solution.line[i]);
      moves.push_back(state != nullptr && state->stones_suffice ? std::optional(rounds.most_stones(state->open))
                                                                : std::nullopt);
    }
  });

  py::list states, line;
  for (const MatchState& state : solution.states) states.append(state_record(rules, match, state));
  const auto first_players = [&](std::size_t i) {
    return solution.first_starts[i] ? solution.line[i] : match.stones() - solution.line[i];
  };
  for (std::size_t i = 0; i < solution.line.size(); ++i) {
    py::object sown = py::none(), end = py::none();
    if (moves[i]) {
      const Shape open = match.open(solution.line[i]);
      sown = py::cast(shown_pits(board_of(round_start(open), open), *moves[i]));
      end = py::cast(std::string(line_end_name(moves[i]->end)));
    }
    line.append(record("MatchRound", solution.first_starts[i] ? "first" : "second",
                       first_players(i), match.stones() - first_players(i), sown, end));
  }
  py::dict out;
  out["states"] = states;
  out["line"] = line;
  out["line_end"] = solution.cycle_begin                          ? "cycle"
                    : first_players(solution.line.size() - 1) < 4 ? "second"
                                                                  : "first";
  out["cycle_begin"] = solution.cycle_begin;
  out["sets_solved"] = solution.sets_solved;
  return out;
}

// ---- Building ----

// All levels up to `seeds` of 2xpits boards, or the round from `start`.
py::list build_tables(const std::string& folder, const RuleSet& rules, unsigned pits,
                      unsigned seeds, const GamePosition* start, bool distance, unsigned threads,
                      std::optional<std::uint64_t> memory_bytes, bool force,
                      const py::object& progress) {
  BuildOptions options;
  options.folder = folder;
  options.memory_bytes = memory_bytes.value_or(default_memory_bytes());
  options.threads = threads;
  options.force = force;
  options.distances = distance;
  std::optional<Board> root;
  if (start != nullptr) root = start->board();
  std::vector<BuiltLevel> levels;
  run_long(progress, [&](const RunControl& control) {
    options.control = control;
    levels = root ? build_round(rules, root->position, root->shape(), options)
                  : build_levels(rules, pits, seeds, options);
  });
  py::list records;
  for (const BuiltLevel& level : levels) {
    py::object digest = py::none();
    if (level.distances) digest = py::str(level.distances->digest.hex());
    const std::uint64_t bytes =
        level.file_bytes + (level.distances ? level.distances->file_bytes : 0);
    const double seconds = level.seconds + (level.distances ? level.distances->seconds : 0);
    records.append(record("BuiltLevel", level.seeds, level.positions, bytes, level.digest.hex(),
                          digest, level.reused, seconds));
  }
  return records;
}

}  // namespace

void bind_tables_and_solving(py::module_& module) {
  bind_tables(module);
  py::class_<Ranks>(module, "Ranks")
      .def(py::init<const RuleSet&, unsigned, unsigned>(), py::arg("rules"), py::arg("pits"),
           py::arg("seeds"))
      .def_property_readonly("size", &Ranks::size)
      .def("rank", &Ranks::rank, py::arg("boards").noconvert())
      .def("unrank", &Ranks::unrank, py::arg("indices").noconvert());
  module.def("solve", &solve_position, py::arg("position"), py::arg("method"), py::arg("tables"),
             py::arg("value_only"), py::arg("limit_nodes"), py::arg("limit_seconds"),
             py::arg("threads"), py::arg("memory_bytes"), py::arg("progress"));
  module.def("solve_match", &solve_whole_match, py::arg("rules"), py::arg("pits"),
             py::arg("tables"), py::arg("threads"), py::arg("memory_bytes"), py::arg("progress"));
  module.def("build", &build_tables, py::arg("folder"), py::arg("rules"), py::arg("pits"),
             py::arg("seeds"), py::arg("start"), py::arg("distance"), py::arg("threads"),
             py::arg("memory_bytes"), py::arg("force"), py::arg("progress"));
}

}  // namespace retrosow::python
