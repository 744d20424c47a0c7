// scripts/decode_table.py and scripts/prove_table.py under every rule set, and on larger levels.
#include "tests/cli/python.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

using PythonTablesFull = PythonTables;

void expect_proved(const fs::path& folder, std::size_t levels) {
  const Outcome r = prove({folder, "--json"});
  EXPECT_EQ(r.exit_code, 0) << r;
  const std::vector<Json> records = r.records();
  EXPECT_EQ(records.size(), levels);
  for (const Json& level : records) EXPECT_EQ(level["proved"], true) << level;
}

TEST_F(PythonTablesFull, TablesUnderEveryRuleSetAreReadAndProved) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const auto& [pits, max_seeds] : {std::pair{1U, 5U}, {2U, 8U}, {3U, 7U}}) {
      const ScratchFolder folder;
      write_levels(folder.path(), rules, pits, solved_levels(rules, pits, max_seeds));
      expect_read_alike(tables_in(folder.path()));
      expect_proved(folder.path(), max_seeds + 1);
    }
  }
}

TEST_F(PythonTablesFull, BruteForceLevelsOf2x3To12SeedsAnd2x6To7AreProved) {
  for (const auto& [pits, max_seeds] : {std::pair{3U, 12U}, {6U, 7U}, {7U, 5U}}) {
    const ScratchFolder folder;
    write_levels(folder.path(), urim_rules(), pits, solved_levels(urim_rules(), pits, max_seeds));
    expect_read_alike(tables_in(folder.path()));
    expect_proved(folder.path(), max_seeds + 1);
  }
}

TEST_F(PythonTablesFull, TablesOf2x6To8SeedsThatBuildWroteAreProved) {
  const Outcome r =
      run(words_of("build --distance --quiet --seeds 8 --out " + folder_.path().string()));
  ASSERT_EQ(r.exit_code, 0) << r;
  expect_read_alike(tables_in(folder_.path()));
  expect_proved(folder_.path(), 9);
}

TEST_F(PythonTablesFull, TheReaderFindsEveryValueOfLargerLevelsThatBuildWrote) {
  for (const char* options : {"--pits 6 --seeds 9", "--pits 7 --seeds 8",
                              "--game rio-kadalis --pits 4", "--game awari --seeds 8"}) {
    const ScratchFolder folder;
    const Outcome r =
        run(words_of("build --quiet --out " + folder.path().string() + " " + options));
    ASSERT_EQ(r.exit_code, 0) << r;
    expect_read_alike(tables_in(folder.path()));
  }
}

}  // namespace
}  // namespace retrosow::test
