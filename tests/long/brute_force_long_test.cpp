// Levels of 2x6 as the builder makes them against brute force (tests/reference), further than the full tests go.
// Cost: four minutes and 1.5 GiB.
#include <gtest/gtest.h>

#include "tables/build.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

std::string fault_of_built(const RuleSet& rules, unsigned seeds, std::string* last_digest = nullptr) {
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  const std::vector<BuiltLevel> built = build_levels(rules, 6, seeds, options);
  LevelValues levels;
  for (const BuiltLevel& level : built) {
    levels.push_back(TableReader(folder / table_file_name(level_header(rules, 6, level.seeds))).read_all());
  }
  if (last_digest != nullptr) *last_digest = built.back().digest.hex();
  return levels_fault(reference::UrimSolution(reference_rules(rules, 6), static_cast<int>(seeds)), levels);
}

TEST(BruteForceLong, Urim2x6IsRightTo12Seeds) {
  std::string digest;
  EXPECT_EQ(fault_of_built(urim_rules(), 12, &digest), "");
  EXPECT_EQ(digest, "f91f5c253b75498341949589c027b1d3") << "the last of the golden ones (full/build_full_test.cpp)";
}

TEST(BruteForceLong, PitLimit5IsMetAndRightTo14SeedsOn2x6) {
  EXPECT_EQ(fault_of_built(urim_rules("pit-limit=5"), 14), "");
  EXPECT_EQ(fault_of_built(urim_rules("pit-limit=5 pit-limit-rule=forbid"), 14), "");
}

}  // namespace
}  // namespace retrosow::test
