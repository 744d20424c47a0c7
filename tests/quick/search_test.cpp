// Exact values by search, against brute force; what it does at its limits.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bitboard/notation.h"
#include "solver/search.h"
#include "solver/solve.h"
#include "tables/build.h"
#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/line_check.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/search_check.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

constexpr std::uint64_t kOneEntry = 1, kFewEntries = 32 * 16, kManyEntries = std::uint64_t{1} << 24;

SearchOptions with_table(std::uint64_t bytes) {
  SearchOptions options;
  options.memory_bytes = bytes;
  return options;
}

// ---- Values ----

TEST(Search, EqualsBruteForceOnEveryBoardUnderEveryOption) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const auto& [pits, seeds] : {std::pair{1U, 12}, {2U, 9}, {3U, 6}}) {
      const reference::UrimSolution expected(reference_rules(rules, pits), seeds);
      EXPECT_EQ(search_fault(rules, expected, with_table(kManyEntries), 1), "") << pits << " " << canonical_text(rules);
    }
  }
}

TEST(Search, EqualsBruteForceWithATableOfOneEntryAndOfFew) {
  for (const char* options : {"", "pit-limit=3 remainder=last-mover", "starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    const reference::UrimSolution narrow(reference_rules(rules, 2), 8);
    const reference::UrimSolution wide(reference_rules(rules, 3), 5);
    for (const std::uint64_t bytes : {kOneEntry, kFewEntries}) {
      EXPECT_EQ(search_fault(rules, narrow, with_table(bytes), 2), "") << options << " " << bytes;
      EXPECT_EQ(search_fault(rules, wide, with_table(bytes), 3), "") << options << " " << bytes;
    }
  }
  EXPECT_EQ(Search(urim_rules(), equal_rows(3), 5, with_table(kOneEntry)).table_entries(), 1U);
  EXPECT_EQ(Search(urim_rules(), equal_rows(3), 5, with_table(kFewEntries)).table_entries(), 32U);
}

TEST(Search, EqualsBruteForceOnBoardsOfTheFullSize) {
  const RuleSet rules = urim_rules();
  const reference::UrimSolution expected(reference_rules(rules, 6), 4);
  EXPECT_EQ(search_fault(rules, expected, with_table(kManyEntries), 4), "");
}

TEST(Search, EqualsBruteForceOnEverythingReachableInRounds) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    const RuleSet rules = rio_rules(endless);
    for (const char* start : {"4,4/4,4", "4,4,4/4,4,4", "x,x,4/4,4,4", "4,4,4/4,x,4"}) {
      const auto [position, shape] = placed(start);
      const reference::RioSolution expected(reference_rules(rules), rio_position_of(board_of(position, shape), shape));
      EXPECT_EQ(search_fault(rules, expected, with_table(kManyEntries), 5), "") << start;
      EXPECT_EQ(search_fault(rules, expected, with_table(kFewEntries), 6), "") << start;
    }
  }
}

// Boards whose value is 0 although every end of the game and every capture would decide it: play is endless.
TEST(Search, FindsValuesThatRestOnEndlessPlay) {
  const RuleSet rules = urim_rules();
  const Shape shape = equal_rows(3);
  const reference::UrimSolution expected(reference_rules(rules, 3), 5);
  Search search(rules, shape, 5, with_table(kManyEntries));
  std::size_t endless = 0;
  for (int seeds = 1; seeds <= 5; seeds += 2) {  // an odd number cannot be won evenly: 0 is endless play
    expected.for_each(seeds, [&](const std::vector<int>& board, reference::Solved solved) {
      if (solved.value != 0) return;
      ++endless;
      const ProvedBounds bounds = search.solve(position_of(board, shape), shape);
      EXPECT_EQ(bounds.lower, 0) << text_of(board, shape);
      EXPECT_EQ(bounds.upper, 0) << text_of(board, shape);
    });
  }
  EXPECT_GT(endless, 10U);
}

TEST(Search, AnswersSingleQuestions) {
  const RuleSet rules = urim_rules();
  const reference::UrimSolution expected(reference_rules(rules, 2), 5);
  Search search(rules, equal_rows(2), 5, with_table(kManyEntries));
  for (int seeds = 0; seeds <= 5; ++seeds) {
    expected.for_each(seeds, [&](const std::vector<int>& board, reference::Solved solved) {
      for (int threshold = -7; threshold <= 7; ++threshold) {
        ASSERT_EQ(search.at_least(position_of(board, equal_rows(2)), equal_rows(2), threshold),
                  std::optional(solved.value >= threshold));
      }
    });
  }
}

TEST(Search, TakesBoardsThatHaveNoKey) {
  const RuleSet rules = preset(Game::kAwari);
  ASSERT_FALSE(has_search_key(70, equal_rows(6)));
  Search search(rules, equal_rows(6), 70, with_table(kManyEntries));
  EXPECT_EQ(search.table_entries(), 0U);
  // The mover's row is empty: the game is over.
  const ProvedBounds over = search.solve(placed("0,0,0,0,0,0/60,10,0,0,0,0").position, equal_rows(6));
  EXPECT_EQ(over.lower, -70);
  EXPECT_EQ(over.upper, -70);
  const ProvedBounds few = search.solve(placed("0,0,0,0,1,0/0,0,1,0,0,0").position, equal_rows(6));
  Search keyed(rules, equal_rows(6), 2, with_table(kManyEntries));
  const ProvedBounds same = keyed.solve(placed("0,0,0,0,1,0/0,0,1,0,0,0").position, equal_rows(6));
  EXPECT_EQ(few.lower, same.lower);
  EXPECT_EQ(few.upper, same.upper);
  EXPECT_EQ(few.lower, few.upper);
}

// ---- Tables ----

// Worth `value` to whoever is to move, wherever it is asked.
class OneValue : public ValueSource {
 public:
  explicit OneValue(int value) : value_(value) {}
  std::optional<int> value(const Position&, Shape) const override { return value_; }

 private:
  int value_;
};

TEST(SearchControl, ValuesThatAreReadFromWrongTablesAreTaken) {
  const RuleSet rules = urim_rules();
  const reference::UrimSolution expected(reference_rules(rules, 2), 6);
  const OneValue wrong(1);
  SearchOptions options = with_table(kManyEntries);
  options.tables = &wrong;
  options.table_seeds = 3;
  EXPECT_NE(search_fault(rules, expected, options, 1), "");
}

TEST(Search, ReadsTheLevelsThatAreThere) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  BuildOptions build;
  build.folder = folder.path();
  build_levels(rules, 3, 6, build);
  const reference::UrimSolution known(reference_rules(rules, 3), 9);
  const UrimOracle oracle(known);
  RandomNumbers random(8);
  for (int i = 0; i < 20; ++i) {
    std::vector<int> board(6);
    for (unsigned seeds = 0; seeds < 9; ++seeds) ++board[random.below(6)];
    SolveOptions options;
    options.method = Method::kSearch;
    const Solution alone = solve_by_search(rules, position_of(board, equal_rows(3)), equal_rows(3), options);
    options.tables = folder.path();
    const Solution with = solve_by_search(rules, position_of(board, equal_rows(3)), equal_rows(3), options);
    EXPECT_EQ(evaluation_fault(oracle, position_of(board, equal_rows(3)), equal_rows(3), alone.evaluation), "");
    EXPECT_EQ(evaluation_fault(oracle, position_of(board, equal_rows(3)), equal_rows(3), with.evaluation), "");
    EXPECT_EQ(alone.search->table_values, 0U);
    EXPECT_LT(with.nodes, alone.nodes);
  }
}

// ---- Lines ----

// Every move is legal and keeps the value, and the line ends as it says: with a repetition at value 0 only.
std::string keeping_line_fault(const Oracle& oracle, Position position, Shape shape, const Line& line) {
  std::vector<Position> seen{position};
  for (std::size_t ply = 0; ply < line.slots.size(); ++ply) {
    const int value = oracle.solved(position, shape).value;
    std::optional<KnownMove> played;
    for (const KnownMove& move : oracle.moves(position, shape)) {
      if (move.slot == line.slots[ply]) played = move;
    }
    if (!played) return "ply " + std::to_string(ply) + " is not legal";
    if (played->value != value) return "ply " + std::to_string(ply) + " does not keep the value";
    const bool last = ply + 1 == line.slots.size();
    if (played->endless) return last && line.end == Line::End::kGameOver ? "" : "an endless sow does not end the line";
    position = played->result;
    shape = shape.swapped();
    bool repeats = false;
    for (std::size_t i = seen.size() % 2; i < seen.size(); i += 2) repeats = repeats || seen[i] == position;
    if (repeats != (last && line.end == Line::End::kRepetition)) return "a repetition where none is said, or none";
    seen.push_back(position);
  }
  if (line.end == Line::End::kRepetition && oracle.solved(position, shape).value != 0) return "a won game goes round";
  if (line.end == Line::End::kGameOver && !oracle.moves(position, shape).empty()) return "the game is not over";
  return line.end == Line::End::kCut ? "cut" : "";
}

TEST(Search, GivesLinesThatKeepTheValue) {
  for (const char* options : {"", "pit-limit=3", "starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    const reference::UrimSolution known(reference_rules(rules, 3), 8);
    const UrimOracle oracle(known);
    RandomNumbers random(10);
    for (int i = 0; i < 40; ++i) {
      std::vector<int> board(6);
      for (unsigned seeds = random.below(9); seeds > 0; --seeds) {
        int& pit = board[random.below(6)];
        pit += pit < 3;
      }
      const Position position = position_of(board, equal_rows(3));
      const Solution solution = solve_by_search(rules, position, equal_rows(3), {});
      EXPECT_TRUE(solution.complete);
      EXPECT_EQ(evaluation_fault(oracle, position, equal_rows(3), solution.evaluation), "");
      EXPECT_EQ(keeping_line_fault(oracle, position, equal_rows(3), solution.line), "") << text_of(board, equal_rows(3));
    }
  }
}

TEST(Search, GivesValuesMovesAndLinesOfRounds) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    const RuleSet rules = rio_rules(endless);
    for (const char* text : {"4,4/4,4", "x,4,4/4,4,4", "0,1,0,1,2/0,1,0,2,1"}) {
      const auto [position, shape] = placed(text);
      const reference::RioSolution known(reference_rules(rules), rio_position_of(board_of(position, shape), shape));
      const RioOracle oracle(known);
      const Solution solution = solve_by_search(rules, position, shape, {});
      EXPECT_EQ(evaluation_fault(oracle, position, shape, solution.evaluation), "") << text;
      EXPECT_EQ(keeping_line_fault(oracle, position, shape, solution.line), "") << text;
    }
  }
}

TEST(Search, ReproducesTheValuesOfAnIndependentProgram) {
  std::size_t seen = 0;
  for (const PositionCase& known : read_position_cases()) {
    const Board board = parse_board(known.rules, known.position, 0, 0);
    if (total_seeds(board.position) > 12) continue;
    const Solution solution = solve_by_search(known.rules, board.position, board.shape(), {});
    EXPECT_EQ(solution.value, known.value) << known.position << " " << canonical_text(known.rules);
    ++seen;
  }
  EXPECT_GE(seen, 10U);
}

// ---- Limits ----

TEST(Search, StopsAtLimitsWithBoundsThatHold) {
  const RuleSet rules = urim_rules();
  const auto [position, shape] = placed("2,2,2,2/2,2,2,2");
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{10'000}, std::uint64_t{50'000}}) {
    SolveOptions options;
    options.threads = 1;
    options.limit_nodes = limit;
    const Solution solution = solve_by_search(rules, position, shape, options);
    EXPECT_FALSE(solution.complete);
    EXPECT_FALSE(solution.value.has_value());
    EXPECT_LE(solution.bounds.first, 0);
    EXPECT_GE(solution.bounds.second, 0);
    EXPECT_LE(solution.nodes, limit + 5000);
    if (limit == 0) {
      EXPECT_EQ(solution.bounds, std::make_pair(-16, 16));
    } else {
      EXPECT_LT(solution.bounds.second - solution.bounds.first, 32);
    }
  }
  SolveOptions options;
  options.limit_seconds = 0;
  EXPECT_FALSE(solve_by_search(rules, position, shape, options).value.has_value());
}

TEST(Search, KeepsWhatIsProvedOfMovesWhenALimitStopsIt) {
  const RuleSet rules = urim_rules();
  const auto [position, shape] = placed("2,2,2/2,2,2");
  const std::map<unsigned, int> values = {{0, -2}, {1, 3}, {2, 0}};  // solver/cli/JSON.md
  SolveOptions options;
  options.threads = 1;
  bool some = false;
  for (std::uint64_t limit = 1000; limit < 30'000; limit += 1000) {
    options.limit_nodes = limit;
    const Solution solution = solve_by_search(rules, position, shape, options);
    EXPECT_EQ(solution.evaluation.moves.size(), solution.moves_proved ? 3U : 0U);
    ASSERT_EQ(solution.move_bounds.size(), solution.value && !solution.moves_proved ? 3U : 0U) << limit;
    unsigned exact = 0;
    for (const MoveBounds& move : solution.move_bounds) {
      EXPECT_LE(move.bounds.first, values.at(move.slot));
      EXPECT_GE(move.bounds.second, values.at(move.slot));
      EXPECT_LE(move.bounds.second, 3);
      exact += move.bounds.first == move.bounds.second;
    }
    some = some || exact > 0;
  }
  EXPECT_TRUE(some);
}

TEST(Search, StopsAtALineOfTooManyPliesWithBoundsThatHold) {
  const auto [position, shape] = placed("2,2,2/2,2,2");  // worth 3 (retrosow bench)
  SearchOptions options;
  options.threads = 1;
  options.limit_plies = 6;
  Search search(urim_rules(), shape, total_seeds(position), options);
  const ProvedBounds bounds = search.solve(position, shape);
  EXPECT_TRUE(search.effort().too_deep);
  EXPECT_LE(bounds.lower, 3);
  EXPECT_GE(bounds.upper, 3);
  EXPECT_LT(bounds.lower, bounds.upper);
  // That says nothing of another position.
  const ProvedBounds small = search.solve(placed("0,0,1/0,0,0").position, shape);
  EXPECT_EQ(small.lower, small.upper);
  EXPECT_FALSE(search.effort().too_deep);
}

TEST(Search, TheSameSearchByOneThreadEntersTheSamePositions) {
  const auto [position, shape] = placed("2,2,2/2,2,2");
  SolveOptions options;
  options.threads = 1;
  const Solution first = solve_by_search(urim_rules(), position, shape, options);
  const Solution second = solve_by_search(urim_rules(), position, shape, options);
  EXPECT_EQ(first.nodes, second.nodes);
  EXPECT_EQ(first.line.slots, second.line.slots);
  EXPECT_EQ(first.value, 3);
}

// ---- Method ----

TEST(Search, IsTheMethodWhereTablesAreTooLarge) {
  SolveOptions options;
  options.memory_bytes = std::uint64_t{1} << 40;
  const auto method = [&](const RuleSet& rules, const char* text) {
    const auto [position, shape] = placed(text);
    return chosen_method(rules, position, shape, options);
  };
  EXPECT_EQ(method(urim_rules(), "1,1,1,1,1,1/1,1,1,1,1,1"), Method::kTables);
  EXPECT_EQ(method(urim_rules(), "2,2,2,2,2,2/2,2,2,2,2,2"), Method::kSearch);
  EXPECT_EQ(method(rio_rules(EndlessSow::kForbid), "4,4,4,4/4,4,4,4"), Method::kTables);
  options.memory_bytes = 1 << 20;
  EXPECT_EQ(method(urim_rules(), "1,1,1,1,1,1/1,1,1,1,1,1"), Method::kSearch);
  options.method = Method::kTables;
  EXPECT_EQ(method(urim_rules(), "2,2,2,2,2,2/2,2,2,2,2,2"), Method::kTables);
}

}  // namespace
}  // namespace retrosow::test
