// Levels 19 and 20 of Urim 2x6, where the pit limit of 17 counts: built, with distances, and proved.
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
  const BuiltLevel last = build_levels(rules, 6, 20, options).back();
  EXPECT_EQ(last.digest.hex(), "6217fef01a378164ff84e9b090e48eb8");
  const Verification verification = verify_levels(TableFolder(folder.path()), rules, 6, {});
  EXPECT_TRUE(verification.proved);
  EXPECT_EQ(verification.fault_count, 0U);
  EXPECT_EQ(verification.levels.size(), 21U);
}

}  // namespace
}  // namespace retrosow::test
