// `estimate`: what a build will need, said before it is started.
#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

// The record of the whole, which is the last one.
Json whole(const std::string& options) {
  const Outcome r = run(words_of("estimate --json " + options));
  EXPECT_EQ(r.exit_code, 0) << options << "\n" << r;
  EXPECT_EQ(r.err, "");
  const std::vector<Json> records = r.records();
  return records.empty() ? Json::object() : records.back();
}

TEST(CliEstimate, HasARecordForEveryLevelAndOneForAll) {
  const Outcome r = run(words_of("estimate --pits 4 --seeds 10 --threads 1 --json"));
  EXPECT_EQ(r.exit_code, 0) << r;
  const std::vector<Json> records = r.records();
  ASSERT_EQ(records.size(), 12U);
  std::uint64_t positions = 0;
  for (std::size_t n = 0; n <= 10; ++n) {
    EXPECT_EQ(records[n]["seeds"], n);
    EXPECT_EQ(records[n]["pits"], 4);
    EXPECT_EQ(records[n]["rules"], kUrimRules);
    positions += records[n]["positions"].get<std::uint64_t>();
  }
  const Json& all = records.back();
  EXPECT_EQ(all["levels"], 11);
  EXPECT_EQ(all["positions"], positions);
  EXPECT_EQ(all["threads"], 1);
  EXPECT_FALSE(all.contains("seeds"));
}

TEST(CliEstimate, PositionsAndMemoryAreThoseOfTheBuild) {
  TemporaryFolder folder;
  const std::string size = "--pits 5 --seeds 9 --threads 2";
  const Json all = whole(size);
  const std::uint64_t memory = all["least_memory"].get<std::uint64_t>();
  const std::string build = "build " + size + " --out " + folder / "t" + " --json --memory ";
  EXPECT_EQ(run(words_of(build + std::to_string(memory - 1))).exit_code, 6);
  const Outcome built = run(words_of(build + std::to_string(memory)));
  EXPECT_EQ(built.exit_code, 0) << built;
  std::uint64_t positions = 0;
  for (const Json& level : built.records()) positions += level["positions"].get<std::uint64_t>();
  EXPECT_EQ(all["positions"], positions);
}

// Not under the sanitizers, which take memory of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(CliEstimate, ABuildStaysWithinTheMemoryItIsGranted) {
  // Many small levels, whose passes are short and many; by one thread and by several.
  for (const char* size : {"--pits 2 --seeds 90 --pit-limit 0 --distance", "--pits 5 --seeds 17 --pit-limit 4"}) {
    for (const char* threads : {"1", "2", "4"}) {
      const TemporaryFolder folder;
      const std::string what = std::string(size) + " --threads " + threads;
      const auto least = whole(what)["least_memory"].get<std::uint64_t>();
      const Outcome built =
          run(words_of("build " + what + " --quiet --out " + folder / "t" + " --memory " + std::to_string(least)));
      EXPECT_EQ(built.exit_code, 0) << built;
      EXPECT_LE(built.peak_memory, least) << what;
    }
  }
}
#endif

TEST(CliEstimate, SaysWhetherMemoryAndDiskHaveIt) {
  const Json fits = whole("--pits 3 --seeds 8 --memory 4GiB");
  EXPECT_EQ(fits["available_memory"], std::uint64_t{4} << 30);
  EXPECT_EQ(fits["fits_memory"], true);
  EXPECT_EQ(fits["fits_disk"], true);
  EXPECT_EQ(whole("--pits 3 --seeds 8 --memory 64KiB")["fits_memory"], false);
  EXPECT_EQ(whole("--pits 7 --seeds 50 --memory 64KiB")["fits_disk"], false);
  const Outcome text = run(words_of("estimate --pits 6 --seeds 36 --memory 1GiB"));
  EXPECT_EQ(text.exit_code, 0) << text;
  EXPECT_NE(text.out.find("does not fit; up to 2"), std::string::npos) << text;
  EXPECT_NE(text.out.find("\n  all  68,630,615,834  "), std::string::npos) << text;
  const Outcome small = run(words_of("estimate --pits 2 --seeds 3 --memory 4GiB"));
  EXPECT_NE(small.out.find("allowed are 4.00 GiB: fits\n"), std::string::npos) << small;
  EXPECT_NE(small.out.find(" are free: fits\n"), std::string::npos) << small;
  EXPECT_NE(run(words_of("estimate --pits 2 --seeds 3 --memory 1")).out.find("no level does"),
            std::string::npos);
}

TEST(CliEstimate, TheDiskIsTheOneOfTheFolderWhetherItIsThereOrNot) {
  TemporaryFolder folder;
  const auto free = [](const std::string& out) {
    return whole("--pits 2 --seeds 2 --out " + out)["available_disk"];
  };
  const auto expected = static_cast<double>(std::filesystem::space(folder.path()).available);
  for (const char* name : {"", "/not", "/not/yet/there"}) {
    EXPECT_NEAR(free(folder.path().string() + name).get<double>() / expected, 1, 0.1);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "not"));  // nothing is made
  EXPECT_EQ(free("/proc/self"), 0);
}

TEST(CliEstimate, DistancesAreCountedWhereTheyAreAskedFor) {
  const Json without = whole("--pits 4 --seeds 12"), with = whole("--pits 4 --seeds 12 --distance");
  EXPECT_GT(with["bytes"], without["bytes"]);
  EXPECT_GE(with["least_memory"], without["least_memory"]);
  EXPECT_EQ(with["positions"], without["positions"]);
}

TEST(CliEstimate, SizesThatNobodyCanBuildAreAnsweredOrRefused) {
  EXPECT_EQ(whole("--seeds 36")["positions"], 68'630'615'834U);
  EXPECT_EQ(whole("--pits 7 --seeds 42 --distance")["levels"], 43);
  EXPECT_EQ(whole("--pits 6 --seeds 127")["levels"], 128);
  expect_error("estimate --seeds 128", 6, {"127", "128"});
  expect_error("estimate --seeds 99999999999999", 6, {"127", "99999999999999"});
  expect_error("estimate --seeds 99999999999999999999999", 6, {"99999999999999999999999"});
  expect_error("estimate --pits 8 --seeds 127 --pit-limit 0", 6, {"halves", "2x8"});
}

TEST(CliEstimate, RoundsAreEnumeratedAndTheirBuildNeedsWhatIsSaid) {
  TemporaryFolder folder;
  const std::string round = "--game rio-kadalis x,4,4,4/4,4,4,4 --distance --threads 2";
  const Json all = whole(round);
  EXPECT_EQ(all["start"], "x,4,4,4/4,4,4,4");
  EXPECT_EQ(all["pits"], 4);
  const auto memory = all["least_memory"].get<std::uint64_t>();
  const std::string build = "build " + round + " --out " + folder / "t" + " --json --memory ";
  const Outcome refused = run(words_of(build + std::to_string(memory - 1)));
  EXPECT_EQ(refused.exit_code, 6) << refused;
  EXPECT_NE(refused.err.find("MiB"), std::string::npos) << refused;
  const Outcome built = run(words_of(build + std::to_string(memory)));
  EXPECT_EQ(built.exit_code, 0) << built;
  std::uint64_t positions = 0;
  for (const Json& level : built.records()) positions += level["positions"].get<std::uint64_t>();
  EXPECT_EQ(all["positions"], positions);
  EXPECT_EQ(all["levels"], built.records().size());
  expect_error("estimate --game rio-kadalis --seeds 40", 2, {"--seeds", "rio-kadalis"});
  expect_error("estimate --game rio-kadalis --memory 1MiB", 6, {"MiB"});
}

TEST(CliEstimate, WrongWordsAreRefused) {
  expect_error("estimate", 2, {"`estimate` needs --seeds"});
  expect_error("estimate --seeds x", 2, {"--seeds", "'x'"});
  expect_error("estimate --seeds 4 --threads 0", 2, {"--threads"});
  expect_error("estimate --seeds 4 --memory 1XiB", 2, {"--memory"});
  expect_error("estimate --seeds 4 --out ''", 2, {"--out"});
  expect_error("estimate start --seeds 4", 2, {"'start'"});
  expect_error("estimate --seeds 4 --seeds-per-pit 3", 2, {"--seeds-per-pit"});
}

}  // namespace
}  // namespace retrosow::test
