// Solving one position by tables.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "bitboard/notation.h"
#include "solver/solve.h"
#include "tables/build.h"
#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/line_check.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

Solution solve(const RuleSet& rules, const std::string& position,
               const SolveOptions& options = {}) {
  const Board board = parse_board(rules, position, 0, 0);
  return solve_by_tables(rules, board.position, board.shape(), options);
}

// ---- Values ----

TEST(Solve, ReproducesTheValuesOfAnIndependentProgram) {
  std::size_t seen = 0;
  for (const PositionCase& known : read_position_cases()) {
    const Board board = parse_board(known.rules, known.position, 0, 0);
    if (board.position == placed("4,4,4,4,4/4,4,4,4,4").position) continue;  // see the full tests
    const Solution solution = solve(known.rules, known.position);
    EXPECT_EQ(solution.value, known.value) << known.position << " " << canonical_text(known.rules);
    EXPECT_EQ(solution.bounds, std::make_pair(known.value, known.value));
    EXPECT_EQ(solution.evaluation.value, known.value);
    std::map<unsigned, int> moves;
    for (const MoveValue& move : solution.evaluation.moves)
      moves[board.shown_pit(move.slot)] = move.value;
    EXPECT_EQ(moves, known.moves) << known.position << " " << canonical_text(known.rules);
    EXPECT_GT(solution.nodes, 0U);
    EXPECT_GE(solution.seconds, 0.0);
    ++seen;
  }
  EXPECT_EQ(seen, 23U);
}

TEST(Solve, GivesValueMovesAndLineOfUrimPositions) {
  for (const char* options :
       {"", "pit-limit=3", "pit-limit=5 pit-limit-rule=forbid", "starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    const reference::UrimSolution known(reference_rules(rules, 3), 7);
    const UrimOracle oracle(known);
    RandomNumbers random(19);
    for (int i = 0; i < 25; ++i) {
      std::vector<int> board(6);
      for (unsigned seeds = random.below(8); seeds > 0; --seeds) {
        int& pit = board[random.below(6)];
        pit += pit < 3;
      }
      const Position position = position_of(board, equal_rows(3));
      const Solution solution = solve_by_tables(rules, position, equal_rows(3), {});
      EXPECT_EQ(evaluation_fault(oracle, position, equal_rows(3), solution.evaluation), "");
      EXPECT_EQ(line_fault(oracle, position, equal_rows(3), solution.line), "");
      EXPECT_EQ(solution.value, known.at(board).value);
    }
  }
}

TEST(Solve, GivesValueMovesAndLineOfRounds) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    const RuleSet rules = rio_rules(endless);
    for (const char* text :
         {"4,4/4,4", "4,4,4/4,4,4", "x,4,4/4,4,4", "4,4,4/x,4,x", "0,1,0,1,2/0,1,0,2,1"}) {
      const auto [position, shape] = placed(text);
      const reference::RioSolution known(reference_rules(rules),
                                         rio_position_of(board_of(position, shape), shape));
      const RioOracle oracle(known);
      const Solution solution = solve(rules, text);
      EXPECT_EQ(evaluation_fault(oracle, position, shape, solution.evaluation), "");
      EXPECT_EQ(line_fault(oracle, position, shape, solution.line), "");
      EXPECT_EQ(solution.nodes, known.size());
    }
  }
}

TEST(Solve, TheAskedForValueOnlyComesAlone) {
  SolveOptions options;
  options.value_only = true;
  const Solution solution = solve(urim_rules(), "1,1,1/1,1,1", options);
  EXPECT_EQ(solution.value, solve(urim_rules(), "1,1,1/1,1,1").value);
  EXPECT_TRUE(solution.evaluation.moves.empty());
  EXPECT_TRUE(solution.line.slots.empty());
}

TEST(Solve, AGameThatIsOverIsWorthItsEnd) {
  const Solution solution = solve(urim_rules(), "0,0/2,1");
  EXPECT_EQ(solution.value, -3);
  EXPECT_TRUE(solution.evaluation.moves.empty());
  EXPECT_TRUE(solution.line.slots.empty());
  EXPECT_EQ(solve(urim_rules(), "0/0").value, 0);
  EXPECT_EQ(solve(rio_rules(EndlessSow::kForbid), "x,x/1,2").value, -3);
}

// ---- Limits ----

TEST(Solve, ANodeLimitLeavesBoundsInstead) {
  SolveOptions options;
  options.limit_nodes = 100;
  for (const auto& [rules, text, seeds] :
       {std::make_tuple(urim_rules(), "2,2,2/2,2,2", 12),
        std::make_tuple(rio_rules(EndlessSow::kForbid), "4,4,4,4,4/4,4,4,4,4", 40)}) {
    const Solution solution = solve(rules, text, options);
    EXPECT_FALSE(solution.value.has_value());
    EXPECT_EQ(solution.bounds, std::make_pair(-seeds, seeds));
    EXPECT_TRUE(solution.evaluation.moves.empty());
    EXPECT_TRUE(solution.line.slots.empty());
  }
  options.limit_nodes = 1'000'000;
  EXPECT_TRUE(solve(urim_rules(), "2,2,2/2,2,2", options).value.has_value());
}

TEST(Solve, TheNodeLimitIsExact) {
  // All boards of 2x2 with up to 4 seeds are C(8, 4) = 70.
  SolveOptions options;
  options.limit_nodes = 70;
  EXPECT_TRUE(solve(urim_rules(), "1,1/1,1", options).value.has_value());
  EXPECT_EQ(solve(urim_rules(), "1,1/1,1", options).nodes, 70U);
  options.limit_nodes = 69;
  EXPECT_FALSE(solve(urim_rules(), "1,1/1,1", options).value.has_value());
  const std::uint64_t reachable = solve(rio_rules(EndlessSow::kForbid), "4,4/4,4").nodes;
  options.limit_nodes = reachable;
  EXPECT_TRUE(solve(rio_rules(EndlessSow::kForbid), "4,4/4,4", options).value.has_value());
  options.limit_nodes = reachable - 1;
  EXPECT_FALSE(solve(rio_rules(EndlessSow::kForbid), "4,4/4,4", options).value.has_value());
}

TEST(Solve, ATimeLimitLeavesBoundsInstead) {
  SolveOptions options;
  options.limit_seconds = 0.0;
  for (const auto& [rules, text, seeds] :
       {std::make_tuple(urim_rules(), "2,2,2,2,2,2/0,0,0,0,0,0", 12),
        std::make_tuple(rio_rules(EndlessSow::kForbid), "4,4,4,4,4/4,4,4,4,4", 40)}) {
    const Solution solution = solve(rules, text, options);
    EXPECT_FALSE(solution.value.has_value()) << text;
    EXPECT_EQ(solution.bounds, std::make_pair(-seeds, seeds));
  }
  options.limit_seconds = 3600.0;
  EXPECT_TRUE(solve(urim_rules(), "1,1,1/1,1,1", options).value.has_value());
}

TEST(Solve, AStopFromOutsideIsAnInterruption) {
  SolveOptions options;
  options.control.stop = [] { return true; };
  for (const char* text : {"1,1,1/1,1,1", "4,4,4/4,4,4"}) {
    for (const RuleSet& rules : {urim_rules(), rio_rules(EndlessSow::kForbid)}) {
      const auto error = error_from([&] { solve(rules, text, options); });
      ASSERT_TRUE(error.has_value());
      EXPECT_EQ(error->error_class(), ErrorClass::kInterrupted);
    }
  }
}

TEST(Solve, TooLittleMemoryIsRefusedWithWhatItWouldTake) {
  SolveOptions options;
  options.memory_bytes = 1U << 20;
  for (const auto& [rules, text] :
       {std::make_pair(urim_rules(), "3,3,3,3,3,3/3,3,3,3,3,3"),
        std::make_pair(rio_rules(EndlessSow::kForbid), "4,4,4,4,4,4/4,4,4,4,4,4")}) {
    const auto error = error_from([&] { solve(rules, text, options); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error->what()).find("MiB"), std::string::npos) << error->what();
  }
}

TEST(Solve, ByAutoARoundThatMemoryDoesNotHoldIsSearched) {
  const Board board = parse_board(rio_rules(EndlessSow::kForbid), "4,4,4,4/4,4,4,4", 0, 0);
  SolveOptions options;
  options.memory_bytes = 1U << 16;
  const Solution solution = retrosow::solve(rio_rules(EndlessSow::kForbid), board.position, board.shape(), options);
  EXPECT_EQ(solution.method, Method::kSearch);
  EXPECT_EQ(solution.value, 4);
  // A limit leaves what a search has proved by then, however much memory there is.
  SolveOptions limited;
  limited.limit_nodes = 3000;
  const Solution stopped = retrosow::solve(rio_rules(EndlessSow::kForbid), board.position, board.shape(), limited);
  EXPECT_EQ(stopped.method, Method::kSearch);
  EXPECT_LE(stopped.bounds.first, 4);
  EXPECT_GE(stopped.bounds.second, 4);
  EXPECT_LT(stopped.bounds.second - stopped.bounds.first, 64);
  options.method = Method::kTables;
  const auto error = error_from([&] { retrosow::solve(rio_rules(EndlessSow::kForbid), board.position, board.shape(), options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
}

TEST(Solve, ByAutoMoreSeedsThanALevelMayHaveGiveBounds) {
  const Board board = parse_board(preset(Game::kAwari), "64/64", 0, 0);
  SolveOptions options;
  options.limit_nodes = 1000;
  const Solution solution = retrosow::solve(preset(Game::kAwari), board.position, board.shape(), options);
  EXPECT_EQ(solution.method, Method::kSearch);
  EXPECT_LE(solution.bounds.first, solution.bounds.second);
  options.limit_nodes.reset();
  EXPECT_TRUE(error_from([&] { retrosow::solve(preset(Game::kAwari), board.position, board.shape(), options); }).has_value());
}

TEST(Solve, MoreThan127SeedsAreRefused) {
  for (const RuleSet& rules : {urim_rules("pit-limit=0"), rio_rules(EndlessSow::kForbid)}) {
    const auto error = error_from([&] { solve(rules, "64/64"); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error->what()).find("128"), std::string::npos) << error->what();
    EXPECT_TRUE(solve(rules, "64/63").value.has_value());
  }
}

TEST(Solve, TheDefaultMemoryIsSomeOfWhatThereIs) {
  EXPECT_GT(default_memory_bytes(), std::uint64_t{16} << 20);
  EXPECT_LT(default_memory_bytes(), std::uint64_t{1} << 50);
}

// ---- Tables that are there already ----

BuildOptions options_for(const fs::path& folder) {
  BuildOptions options;
  options.folder = folder;
  options.threads = 1;
  return options;
}

TEST(Solve, UsesTheTablesOfAFolderAndSolvesTheRest) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules("pit-limit=5");
  const Solution alone = solve(rules, "1,1,1/1,1,2");
  build_levels(rules, 3, 7, options_for(folder.path()));
  SolveOptions options;
  options.tables = folder.path();
  // All there: nothing is solved.
  const Solution all = solve(rules, "1,1,1/1,1,2", options);
  EXPECT_EQ(all.nodes, 0U);
  EXPECT_EQ(all.value, alone.value);
  EXPECT_EQ(all.line.slots, alone.line.slots);
  // The top level and one below missing: only these are solved.
  for (const unsigned seeds : {7U, 4U}) {
    fs::remove(folder / table_file_name(level_header(rules, 3, seeds)));
  }
  const Solution some = solve(rules, "1,1,1/1,1,2", options);
  EXPECT_EQ(some.nodes, level_size(3, 5, 7) + level_size(3, 5, 4));
  EXPECT_EQ(some.value, alone.value);
  EXPECT_EQ(some.line.slots, alone.line.slots);
  // Other rules do not use them.
  EXPECT_EQ(solve(urim_rules(), "1,1,1/1,1,2", options).nodes, positions_of_levels(3, 17, 0, 7));
}

TEST(Solve, UsesTheTablesOfARound) {
  const ScratchFolder folder;
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  const auto [root, shape] = placed("x,4,4/4,4,4");
  build_round(rules, root, shape, options_for(folder.path()));
  SolveOptions options;
  options.tables = folder.path();
  const Round round = solve_round_of(rules, root, shape);
  const reference::RioSolution known(reference_rules(rules),
                                     rio_position_of(board_of(root, shape), shape));
  const RioOracle oracle(known);
  for (const RoundLevel& level : round.levels) {
    const auto [position, side] = position_of_key(level.keys[level.keys.size() / 2], shape);
    const Solution solution = solve_by_tables(rules, position, side, options);
    EXPECT_EQ(solution.nodes, 0U);
    EXPECT_EQ(evaluation_fault(oracle, position, side, solution.evaluation), "");
    EXPECT_EQ(line_fault(oracle, position, side, solution.line), "");
  }
  // A position that the round does not reach is solved.
  const Solution other = solve(rules, "x,5,4/4,4,3", options);
  EXPECT_GT(other.nodes, 0U);
  EXPECT_EQ(other.value, solve(rules, "x,5,4/4,4,3").value);
}

TEST(Solve, ADamagedTableIsAnErrorAndNoValue) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  build_levels(rules, 2, 5, options_for(folder.path()));
  const fs::path path = folder / table_file_name(level_header(rules, 2, 4));
  Bytes bytes = read_bytes(path);
  bytes.back() ^= 1;
  write_bytes(path, bytes);
  SolveOptions options;
  options.tables = folder.path();
  // Into the damaged level: an error. Beside it: none.
  const auto error = error_from([&] { solve(rules, "1,1/1,1", options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
  EXPECT_EQ(error->path, path.string());
  EXPECT_EQ(solve(rules, "1,0/1,1", options).value, solve(rules, "1,0/1,1").value);
}

TEST(Solve, AFolderThatIsNotThereIsAnInputError) {
  SolveOptions options;
  options.tables = "/nowhere/at/all";
  const auto error = error_from([&] { solve(urim_rules(), "1/1", options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kIo);
}

}  // namespace
}  // namespace retrosow::test
