// Solves a single position: its perfect-play value, the value of every move, a line of perfect play.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/search.h"
#include "tables/table_file.h"

namespace retrosow {

enum class Method : std::uint8_t {
  kAuto,    // tables where they are there or quickly solved, else search: see chosen_method
  kTables,  // solve everything that can arise
  kSearch,  // search.h
};

// auto, tables or search. Fails: usage error that names `what`.
Method parse_method(std::string_view what, std::string_view text);

struct SolveOptions {
  Method method = Method::kAuto;
  unsigned threads = 0;  // 0: all cores
  std::optional<std::filesystem::path> tables;  // levels found there are used, the others solved in memory
  bool value_only = false;                      // no line, no values of moves
  std::optional<std::uint64_t> limit_nodes;     // by tables: positions to solve at most; by search: to enter
  std::optional<double> limit_seconds;
  std::uint64_t memory_bytes = 0;               // by tables: limit error if it would take more
  std::uint64_t transposition_bytes = std::uint64_t{256} << 20;  // by search, at most
  RunControl control;
};

struct MoveBounds {
  unsigned slot = 0;
  std::pair<int, int> bounds;  // proved, of the value of the move for the player who makes it
};

struct Solution {
  Method method = Method::kTables;   // the one that was used
  std::optional<int> value;          // absent: stopped by limit_nodes or limit_seconds
  std::pair<int, int> bounds{0, 0};  // proved bounds of the value; both equal to it when it is there
  bool complete = false;             // false: stopped by a limit, perhaps after the value was proved; by search also by
                                     // a line of more than kMaxSearchPlies
  bool moves_proved = false;         // evaluation.moves has all of them
  Evaluation evaluation;             // moves, unless value_only or a limit left some of them open
  std::vector<MoveBounds> move_bounds;  // of every legal move, where a limit left some of them open behind a proved value
  Line line;                         // unless value_only
  std::uint64_t nodes = 0;           // by tables: positions solved; by search: entered by a move
  double seconds = 0;
  std::optional<SearchEffort> search;
};

// Exact, endless play included: by the method that the options name. Of a round of Rio Kadalis kAuto tries up to
// kQuickRound positions by tables, then kQuickPositions by search, then tables as far as memory_bytes go, then search.
Solution solve(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options);

// Urim family: every level up to the position's; Rio Kadalis: everything reachable from it. Levels already in
// `options.tables` are read from there.
// Fails: limit error if it would need more than options.memory_bytes, with what it would need.
Solution solve_by_tables(const RuleSet& rules, const Position& position, Shape shape,
                         const SolveOptions& options);

// Of `options.tables`, what is there is read: Urim family, the levels without a gap from 0 on. The line keeps the
// value with every move and comes to the end of the game or, at value 0, perhaps to a repetition; it is cut where
// progress would take too long to find.
Solution solve_by_search(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options);

// What kAuto begins with. Rio Kadalis: search if a limit ends it and tables do not have the position, else tables.
// Urim family: search if levels are missing and solving all up to the position's would take more than memory_bytes or
// more than kQuickPositions positions. More seeds than a level may have: search if a limit ends it, else tables, which
// refuse them.
Method chosen_method(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options);
inline constexpr std::uint64_t kQuickPositions = 20'000'000;
inline constexpr std::uint64_t kQuickRound = 2'000'000;

// The default memory limit of builds and solves: 80 % of the memory available now.
std::uint64_t default_memory_bytes();

}  // namespace retrosow
