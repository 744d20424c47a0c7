// tests/cli/estimate_test.cpp, further: a level that is large enough to be held in batches (tables/distance.h).
#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

// Not under the sanitizers, which take memory of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(CliEstimateFull, DistancesInBatchesStayWithinTheLeastMemoryAndAreTheSame) {
  const TemporaryFolder folder;
  const std::string size = "--seeds 18 --distance --threads 2";
  const Outcome estimated = run(words_of("estimate --json " + size));
  ASSERT_EQ(estimated.exit_code, 0) << estimated;
  const Json needed = estimated.records().back();
  const auto least = needed["least_memory"].get<std::uint64_t>();
  ASSERT_LT(least, needed["comfortable_memory"].get<std::uint64_t>());

  const std::string build = "build --json --out " + folder / "t" + " " + size + " --memory ";
  const Outcome in_batches = run(words_of(build + std::to_string(least)));
  ASSERT_EQ(in_batches.exit_code, 0) << in_batches;
  EXPECT_LE(in_batches.peak_memory, least);
  const Json level = in_batches.records().back();
  for (const auto& file : std::filesystem::directory_iterator(folder / "t")) {
    const std::string name = file.path().filename().string();
    EXPECT_FALSE(name.ends_with(".partial")) << name;
    if (name.ends_with("-018-distance.rsow")) std::filesystem::remove(file.path());
  }
  const Outcome whole = run(words_of(build + std::to_string(2 * needed["comfortable_memory"].get<std::uint64_t>())));
  ASSERT_EQ(whole.exit_code, 0) << whole;
  EXPECT_GT(whole.peak_memory, in_batches.peak_memory);
  EXPECT_EQ(whole.records().back()["distance"]["digest"], level["distance"]["digest"]);
  EXPECT_EQ(level["distance"]["digest"], "039e6bd13c244a888a27239624b52907");  // of builds that held all in memory
}
#endif

}  // namespace
}  // namespace retrosow::test
