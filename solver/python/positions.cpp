// The extension `retrosow._native`: errors, rules, positions.

#include <pybind11/operators.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/perft.h"
#include "solver/python/module.h"
#include "tables/digest.h"

namespace retrosow::python {
namespace {

// ---- Errors ----

const char* exception_name(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kUsage: return "UsageError";
    case ErrorClass::kIo: return "IoError";
    case ErrorClass::kCorrupt: return "CorruptError";
    case ErrorClass::kUnsupported: return "UnsupportedError";
    case ErrorClass::kLimit: return "LimitError";
    case ErrorClass::kInterrupted: return "Interrupted";
  }
  return "Error";
}

py::object text_or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::str(text);
}

void set_python_error(const Error& error) {
  const py::object type =
      py::module_::import("retrosow.errors").attr(exception_name(error.error_class()));
  const py::object exception =
      type(error.what(), py::arg("path") = text_or_none(error.path),
           py::arg("offset") = error.offset, py::arg("expected") = text_or_none(error.expected),
           py::arg("found") = text_or_none(error.found));
  PyErr_SetObject(type.ptr(), exception.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    set_python_error(error);
  } catch (const std::filesystem::filesystem_error& error) {
    Error io(ErrorClass::kIo, error.what());
    io.path = error.path1().string();
    set_python_error(io);
  }
}

// ---- Rules ----

// pit_limit and pit-limit are the same option.
std::string option_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// A value as the command line takes it: a sequence of counts is written with commas, an empty one is `none`.
std::string option_text(const py::handle& value) {
  if (py::isinstance<py::str>(value) || !py::isinstance<py::iterable>(value)) return py::str(value);
  std::string text;
  for (const py::handle& item : value)
    text += (text.empty() ? "" : ",") + std::string(py::str(item));
  return text.empty() ? "none" : text;
}

RuleSet make_rules(const std::string& game, const py::kwargs& options) {
  RuleSet rules = preset(parse_game(game));
  for (const auto& [name, value] : options) {
    if (!value.is_none()) set_option(rules, option_name(py::str(name)), option_text(value));
  }
  return rules;
}

py::dict options_dict(const RuleSet& rules) {
  py::dict options;
  for (const RuleOption& option : options_of(rules.game)) {
    options[py::str(std::string(option.name))] = option_value(rules, option.name);
  }
  return options;
}

// Options that are not those of the game's preset, as keyword arguments.
std::string rules_repr(const RuleSet& rules) {
  const RuleSet usual = preset(rules.game);
  std::string text = "RuleSet('" + std::string(game_name(rules.game)) + "'";
  for (const RuleOption& option : options_of(rules.game)) {
    const std::string value = option_value(rules, option.name);
    if (value == option_value(usual, option.name)) continue;
    std::string name(option.name);
    std::replace(name.begin(), name.end(), '-', '_');
    const bool number = std::all_of(value.begin(), value.end(),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
    text += ", " + name + "=" + (number ? value : "'" + value + "'");
  }
  return text + ")";
}

void bind_rules(py::module_& module) {
  py::class_<RuleSet>(module, "RuleSet",
                      R"(The rules of a game: a preset and its options. Immutable, hashable.

RuleSet(game="urim", **options): game is 'urim', 'oware', 'awari' or 'rio-kadalis'; options have the names of
the command line with `_` for `-` (pit_limit=16, grand_slam='leave', trigger=[2, 3]); None leaves the default.
A function that takes rules takes the name of a game as well.

Raises UsageError for a game, option or value that there is not.)")
      .def(py::init(&make_rules), py::arg("game") = "urim")
      .def_static(
          "from_text",
          [](const std::string& game, const std::string& text) {
            return parse_canonical_text(parse_game(game), text);
          },
          py::arg("game"), py::arg("text"),
          "The rules with a canonical text, as `text` gives it and records and files hold it; what "
          "it leaves out has its "
          "default. Raises UsageError.")
      .def_property_readonly(
          "game", [](const RuleSet& rules) { return std::string(game_name(rules.game)); },
          "'urim', 'oware', 'awari' or 'rio-kadalis'.")
      .def_property_readonly(
          "family",
          [](const RuleSet& rules) {
            return family_of(rules.game) == Family::kUrim ? "urim" : "rio-kadalis";
          },
          "'urim' or 'rio-kadalis': which options there are.")
      .def_property_readonly(
          "options", &options_dict,
          "All options of the game and their values, as text, by name (with `-`).")
      .def_property_readonly(
          "text", &canonical_text,
          "The canonical text: the options that bear on moves and values, in a fixed order.")
      .def_property_readonly(
          "digest", [](const RuleSet& rules) { return rules_digest(rules).hex(); },
          "XXH3-128 of family and canonical text, 32 hex digits: what table files are told apart "
          "by.")
      .def("plays_like", &same_rules, py::arg("other"),
           "Whether both have the same moves and values: one family and one canonical text.")
      .def(py::self == py::self)
      .def("__hash__", [](const RuleSet& rules) { return py::hash(py::str(rules_repr(rules))); })
      .def("__repr__", &rules_repr)
      .def(py::pickle(
          [](const RuleSet& rules) {
            return py::make_tuple(std::string(game_name(rules.game)), options_dict(rules));
          },
          [](const py::tuple& state) {
            return make_rules(state[0].cast<std::string>(),
                              py::kwargs(py::reinterpret_borrow<py::kwargs>(state[1])));
          }));
}

// ---- Positions ----

GamePosition read_position(const std::string& notation, const py::object& game_or_rules,
                           std::optional<unsigned> pits, std::optional<unsigned> seeds_per_pit) {
  const RuleSet rules = rules_of(game_or_rules);
  const unsigned seeds = seeds_per_pit.value_or(default_seeds_per_pit(rules.game));
  if (pits && (*pits < 1 || *pits > kMaxPits)) {
    throw usage_error("pits=" + std::to_string(*pits) + ": 1 to " + std::to_string(kMaxPits) +
                      " are possible");
  }
  return {rules, parse_board(rules, notation, pits.value_or(0), seeds)};
}

GamePosition position_of_counts(const py::object& counts, const py::object& game_or_rules) {
  const RuleSet rules = rules_of(game_or_rules);
  std::vector<std::uint8_t> row;
  // Two rows, one after the other or as a list or array of two.
  const auto add = [&row](const py::handle& items) {
    for (const py::handle& item : items) {
      const auto index = py::reinterpret_steal<py::object>(
          PyNumber_Index(item.ptr()));  // no number with a fraction
      if (!index) throw py::error_already_set();
      const py::ssize_t count =
          PyNumber_AsSsize_t(index.ptr(), nullptr);  // what is too large stays too large
      if (count < 0 || count > kClosedHole) {
        throw usage_error("a pit with " + std::to_string(count) +
                          " seeds; 0 to 254 are possible, or 255 for a closed hole");
      }
      row.push_back(static_cast<std::uint8_t>(count));
    }
  };
  const py::list list(counts);
  const bool two_rows = list.size() == 2 && py::isinstance<py::iterable>(list[0]);
  if (two_rows) {
    if (py::len(list[0]) != py::len(list[1])) throw usage_error("the two rows differ in length");
    for (const py::handle& items : list) add(items);
  } else {
    add(list);
  }
  if (row.empty() || row.size() % 2 != 0 || row.size() > 2 * kMaxPits) {
    throw usage_error(std::to_string(row.size()) + " counts; two rows of 1 to " +
                      std::to_string(kMaxPits) + " pits are needed");
  }
  return {rules, board_of_row(rules, row.data(), static_cast<unsigned>(row.size() / 2))};
}

MoveList moves_of(const GamePosition& position) {
  MoveList list;
  position.generator()->generate(position.board().position, position.shape(), list);
  return list;
}

py::list move_records(const GamePosition& position) {
  const MoveList list = moves_of(position);
  const Family family = family_of(position.rules().game);
  py::list moves;
  for_each_move(list, [&](unsigned slot) {
    const bool endless = has_bit(list.endless, slot);
    const py::object result =
        endless ? py::object(py::none()) : py::cast(position.after(list.result[slot]));
    const py::object laps =
        family == Family::kRioKadalis ? py::object(py::int_(list.laps[slot])) : py::none();
    moves.append(record("Move", position.board().shown_pit(slot), list.captured[slot],
                        list.captured_opponent[slot], end_of_move(family, list, slot), laps,
                        result));
  });
  return moves;
}

py::object end_record(const GamePosition& position) {
  if (moves_of(position).legal != 0) return py::none();
  const EndResult end = position.generator()->end(position.board().position, position.shape());
  return record("End", end.mover, end.opponent);
}

GamePosition play(const GamePosition& position, unsigned pit) {
  const MoveList list = moves_of(position);
  std::string legal;
  std::optional<unsigned> played;
  for_each_move(list, [&](unsigned slot) {
    const unsigned shown = position.board().shown_pit(slot);
    if (shown == pit) played = slot;
    legal += (legal.empty() ? "" : ", ") + std::to_string(shown);
  });
  if (!played) {
    throw usage_error("pit " + std::to_string(pit) + " of " + format_board(position.board()) +
                      " cannot be played; " +
                      (legal.empty() ? "there is no legal move" : "legal are " + legal));
  }
  if (has_bit(list.endless, *played)) {
    throw usage_error("the sowing of pit " + std::to_string(pit) + " of " +
                      format_board(position.board()) +
                      " never ends: the round is over, and there is no position behind it");
  }
  return position.after(list.result[*played]);
}

py::list perft_records(const GamePosition& position, unsigned depth) {
  const std::shared_ptr<const MoveGenerator> generator = position.generator();
  const Board board = position.board();
  std::vector<PerftCounts> counts;
  run_long(py::none(), [&](const RunControl& control) {
    counts = perft(*generator, board.position, board.shape(), depth, control.stop);
  });
  py::list records;
  for (unsigned length = 0; length < counts.size(); ++length) {
    const PerftCounts& c = counts[length];
    records.append(record("PerftCounts", length, c.nodes, c.captures, c.captured,
                          c.captured_opponent, c.ends));
  }
  return records;
}

py::array_t<std::uint8_t> counts_array(const GamePosition& position) {
  py::array_t<std::uint8_t> counts(py::ssize_t{2 * position.board().pits});
  write_row(position.board(), counts.mutable_data());
  return counts;
}

std::string position_repr(const GamePosition& position) {
  return "Position('" + format_board(position.board()) + "', " + rules_repr(position.rules()) + ")";
}

void bind_positions(py::module_& module) {
  py::class_<GamePosition>(
      module, "Position",
      R"(A board with its rules, seen by the player to move. Immutable, hashable.

Position(notation="start", rules="urim", *, pits=None, seeds_per_pit=None)

notation       'a1,..,ak/b1,..,bk': the row of the player to move, then the opponent's, each in its own sowing
               order; 'x' is a closed hole (Rio Kadalis); or 'start'
pits           pits in a row: of 'start' (default 6), else a check
seeds_per_pit  of 'start' (default: the game's)

Raises UsageError for what is no position of the rules, LimitError above 255 seeds on the board.)")
      .def(py::init(&read_position), py::arg("notation") = "start", py::arg("rules") = "urim",
           py::kw_only(), py::arg("pits") = py::none(), py::arg("seeds_per_pit") = py::none())
      .def_static("from_counts", &position_of_counts, py::arg("counts"), py::arg("rules") = "urim",
                  "The position with these seeds in its pits: 2k integers, the pits of the player "
                  "to move first, or two "
                  "rows of k, as list or array; CLOSED (255) is a closed hole. Raises UsageError, "
                  "LimitError.")
      .def_property_readonly("rules", &GamePosition::rules, "The rules that it is played by.")
      .def_property_readonly(
          "pits", [](const GamePosition& p) { return p.board().pits; },
          "Pits in a row, closed ones included.")
      .def_property_readonly(
          "rows",
          [](const GamePosition& p) {
            return std::make_pair(unsigned{p.shape().mover_pits},
                                  unsigned{p.shape().opponent_pits});
          },
          "Open pits of the player to move and of his opponent.")
      .def_property_readonly(
          "seeds", [](const GamePosition& p) { return total_seeds(p.board().position); },
          "Seeds on the board: its level.")
      .def_property_readonly("counts", &counts_array,
                             "Seeds in each pit: uint8 array of shape (2 * pits,), the pits of the "
                             "player to move first; CLOSED "
                             "(255) is a closed hole. A new array each time.")
      .def("moves", &move_records,
           "The legal moves as a list of Move, by pit; empty where the game (round) is over.")
      .def("end", &end_record,
           "What each side takes as End where there is no legal move, else None.")
      .def("play", &play, py::arg("pit"),
           "The position after the move of a pit (1 to pits, as written), seen by the opponent, "
           "who is to move. Raises UsageError "
           "if it is no legal move, or an endless sow, behind which there is no position.")
      .def("perft", &perft_records, py::arg("depth"),
           "Counts all move sequences of lengths 0 to depth: a list of PerftCounts by length. "
           "Without the GIL; Ctrl-C stops it.")
      .def("__str__", [](const GamePosition& p) { return format_board(p.board()); })
      .def("__repr__", &position_repr)
      .def(
          "__eq__",
          [](const GamePosition& a, const GamePosition& b) {
            return a.board() == b.board() && a.rules() == b.rules();
          },
          py::is_operator())
      .def("__hash__", [](const GamePosition& p) { return py::hash(py::str(position_repr(p))); })
      .def(py::pickle(
          [](const GamePosition& p) { return py::make_tuple(format_board(p.board()), p.rules()); },
          [](const py::tuple& state) {
            return read_position(state[0].cast<std::string>(), state[1], {}, {});
          }));
}

}  // namespace

RuleSet rules_of(const py::object& game_or_rules) {
  if (py::isinstance<py::str>(game_or_rules))
    return preset(parse_game(game_or_rules.cast<std::string>()));
  if (py::isinstance<RuleSet>(game_or_rules)) return game_or_rules.cast<RuleSet>();
  throw py::type_error("rules must be a RuleSet or the name of a game");
}

Board board_of_row(const RuleSet& rules, const std::uint8_t* row, unsigned pits) {
  Board board;
  board.pits = pits;
  for (unsigned i = 0; i < 2 * pits; ++i) {
    if (row[i] != kClosedHole) continue;
    if (family_of(rules.game) != Family::kRioKadalis) {
      throw usage_error(
          "a pit holds 255, which stands for a closed hole and only rio-kadalis knows");
    }
    std::uint8_t& closed = i < pits ? board.mover_closed : board.opponent_closed;
    closed = static_cast<std::uint8_t>(closed | (1U << (i % pits)));
  }
  const Shape shape = board.shape();
  unsigned open = 0;
  for (unsigned i = 0; i < 2 * pits; ++i) {
    if (row[i] != kClosedHole) set_seeds(board.position, shape, open++, row[i]);
  }
  validate_position(rules, board.position, shape);
  return board;
}

void write_row(const Board& board, std::uint8_t* row) {
  const Shape shape = board.shape();
  unsigned open = 0;
  for (unsigned i = 0; i < 2 * board.pits; ++i) {
    const bool closed = i < board.pits ? has_bit(board.mover_closed, i)
                                       : has_bit(board.opponent_closed, i - board.pits);
    row[i] =
        closed ? kClosedHole : static_cast<std::uint8_t>(seeds_in(board.position, shape, open++));
    if (!closed && row[i] == kClosedHole)
      throw limit_error("a hole with 255 stones has no place in an array");
  }
}

}  // namespace retrosow::python

PYBIND11_MODULE(_native, module) {
  using namespace retrosow::python;
  module.doc() = "The compiled part of retrosow; import retrosow instead.";
  module.attr("__version__") = RETROSOW_VERSION;
  py::register_exception_translator(&translate);
  bind_rules(module);
  bind_positions(module);
  bind_tables_and_solving(module);
}
