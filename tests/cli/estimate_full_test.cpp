// tests/cli/estimate_test.cpp, further: a level that is large enough to be held in batches (tables/distance.h).
#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

// Not under the sanitizers, which take memory of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(CliEstimateFull, DistancesInBatchesStayWithinTheLeastMemoryAndAreTheSame) {  // half a minute on two idle cores
  const TemporaryFolder folder;
  const std::string size = "--seeds 18 --distance --threads 2";
  const Outcome estimated = run(words_of("estimate --json " + size));
  ASSERT_EQ(estimated.exit_code, 0) << estimated;
  const Json needed = estimated.records().back();
  const auto least = needed["least_memory"].get<std::uint64_t>();
  ASSERT_LT(least, needed["comfortable_memory"].get<std::uint64_t>());

  const Outcome built =
      run(words_of("build --json --out " + folder / "t" + " " + size + " --memory " + std::to_string(least)));
  ASSERT_EQ(built.exit_code, 0) << built;
  EXPECT_LE(built.peak_memory, least);
  // The digest is that of a build that holds the level as a whole.
  EXPECT_EQ(built.records().back()["distance"]["digest"], "039e6bd13c244a888a27239624b52907");
  for (const auto& file : std::filesystem::directory_iterator(folder / "t")) {
    const std::string name = file.path().filename().string();
    EXPECT_FALSE(name.ends_with(".partial")) << name;
  }
}
#endif

}  // namespace
}  // namespace retrosow::test
