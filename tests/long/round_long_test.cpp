// The whole round of 2x6: built, counted, proved.
#include <gtest/gtest.h>

#include "tables/build.h"
#include "tables/verify.h"
#include "tests/support/boards.h"
#include "tests/support/building.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"

namespace retrosow::test {
namespace {

TEST(RoundLong, TheRoundOf2x6IsBuiltAndProved) {
  const ScratchFolder folder;
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  const Placed start = placed("4,4,4,4,4,4/4,4,4,4,4,4");
  BuildOptions options = options_for(folder.path(), 0);
  options.distances = true;
  options.memory_bytes = std::uint64_t{4} << 30;
  std::uint64_t positions = 0;
  for (const BuiltLevel& level : build_round(rules, start.position, start.shape, options)) positions += level.positions;
  EXPECT_EQ(positions, 46'789'168U);
  const TableFolder tables(folder.path(), rules);
  EXPECT_EQ(tables.value(start.position, start.shape), -8);
  const Verification verification = verify_round(tables, rules, start.position, start.shape, {});
  EXPECT_TRUE(verification.proved);
  EXPECT_EQ(verification.fault_count, 0U);
}

}  // namespace
}  // namespace retrosow::test
