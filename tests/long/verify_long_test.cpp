// Levels 18 to 20 of Urim 2x6, where the pit limit of 17 counts: built, with distances, and proved.
#include <gtest/gtest.h>

#include "tables/build.h"
#include "tables/verify.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"

namespace retrosow::test {
namespace {

TEST(VerifyLong, Urim2x6IsProvedUpTo20Seeds) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  options.distances = true;
  const std::vector<BuiltLevel> levels = build_levels(rules, 6, 20, options);
  EXPECT_EQ(levels[16].digest.hex(), "63d74449998eabc890153ae3664b2a77");  // as the plain level solver has it
  EXPECT_EQ(levels[18].digest.hex(), "5d263744d3f755e8a85a024e2c57df3b");
  EXPECT_EQ(levels[20].digest.hex(), "6217fef01a378164ff84e9b090e48eb8");
  EXPECT_LT(levels[18].file_bytes, levels[18].positions * 2 / 5) << "more than 0.40 bytes a position";
  const Verification verification = verify_levels(TableFolder(folder.path()), rules, 6, {});
  EXPECT_TRUE(verification.proved);
  EXPECT_EQ(verification.fault_count, 0U);
  EXPECT_EQ(verification.levels.size(), 21U);
}

}  // namespace
}  // namespace retrosow::test
