// retrosow_build_bench: how fast levels of 2x6 Urim are built, end to end, beside a plain counter builder.
//
// usage: retrosow_build_bench FOLDER [SEEDS [REPETITIONS [PLAIN_SEEDS [PLAIN_REPETITIONS]]]]
//
// Builds the levels below SEEDS (default 20) into FOLDER, then in turn, REPETITIONS times (default 3): level SEEDS by one
// thread and by two, half-board tables, compression and writing of the file included; and level PLAIN_SEEDS (default SEEDS;
// 0: none) by the plain counter builder in memory, PLAIN_REPETITIONS times (default 1). All must have the same digests.
// Writes a JSON object to standard output, progress to standard error. scripts/bench_builder keeps it under
// results/builder, scripts/baselines under results/baselines.
// Exit code 1: digests differ, or an error; 2: usage.
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "bench/builder/plain_counters.h"
#include "tables/build.h"

namespace retrosow::bench {
namespace {

constexpr unsigned kPits = 6;

struct Run {
  double seconds = 0;
  std::uint64_t positions = 0, file_bytes = 0;
  Digest digest;
};

// The last level of a folder that has those below; it is removed first.
Run build_last(const std::filesystem::path& folder, unsigned seeds, unsigned threads) {
  const RuleSet rules = preset(Game::kUrim);
  std::filesystem::remove(folder / table_file_name(level_header(rules, kPits, seeds)));
  BuildOptions options;
  options.folder = folder;
  options.threads = threads;
  const BuiltLevel last = build_levels(rules, kPits, seeds, options).back();
  return {last.seconds, last.positions, last.file_bytes, last.digest};
}

Run build_plain(const std::filesystem::path& folder, unsigned seeds) {
  const RuleSet rules = preset(Game::kUrim);
  std::vector<std::vector<Value>> lower;
  for (unsigned s = 0; s < seeds; ++s) {
    lower.push_back(TableReader(folder / table_file_name(level_header(rules, kPits, s))).read_all());
  }
  const auto begin = std::chrono::steady_clock::now();
  const PlainCounters plain(rules, kPits, seeds);
  const std::vector<Value> values = plain.solve(seeds, lower);
  Run run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.positions = values.size();
  run.digest = digest_of(std::as_bytes(std::span(values)));
  return run;
}

// {"seconds": [..], "median_rate": positions per second}
std::string json_of(const std::vector<Run>& runs) {
  std::vector<double> seconds;
  std::string list;
  for (const Run& run : runs) {
    seconds.push_back(run.seconds);
    list += (list.empty() ? "" : ", ") + std::to_string(run.seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  return "{\"seconds\": [" + list + "], \"median_seconds\": " + std::to_string(median) + ", \"positions_per_second\": " +
         std::to_string(static_cast<double>(runs.front().positions) / median) + "}";
}

constexpr const char* kUsage =
    "usage: retrosow_build_bench FOLDER [SEEDS [REPETITIONS [PLAIN_SEEDS [PLAIN_REPETITIONS]]]]\n"
    "\n"
    "Builds levels of 2x6 Urim into FOLDER and prints, as JSON, how long the last of them takes.\n"
    "\n"
    "  SEEDS              the level that is measured, 1 to 48; default 20, of minutes\n"
    "  REPETITIONS        by one thread and by two, so often each; default 3\n"
    "  PLAIN_SEEDS        level for the plain counter builder, up to SEEDS; 0: none; default SEEDS\n"
    "  PLAIN_REPETITIONS  default 1\n";

struct UsageError {
  std::string message;
};

unsigned number(int argc, char** argv, int at, const char* name, unsigned least, unsigned most, unsigned otherwise) {
  if (argc <= at) return otherwise;
  const std::string_view text = argv[at];
  unsigned value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw UsageError{std::string(name) + ": '" + std::string(text) + "' is no number from " + std::to_string(least) +
                     " to " + std::to_string(most)};
  }
  return value;
}

int run(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (word.starts_with("-")) throw UsageError{"'" + std::string(word) + "' is no option"};
  }
  if (argc < 2 || argc > 6) throw UsageError{"one to five words are expected"};
  const std::filesystem::path folder = argv[1];
  if (folder.empty()) throw UsageError{"FOLDER is empty"};
  const unsigned seeds = number(argc, argv, 2, "SEEDS", 1, 48, 20);
  const unsigned repetitions = number(argc, argv, 3, "REPETITIONS", 1, 1000, 3);
  const unsigned plain_seeds = number(argc, argv, 4, "PLAIN_SEEDS", 0, seeds, seeds);
  const unsigned plain_repetitions = number(argc, argv, 5, "PLAIN_REPETITIONS", 1, 1000, 1);
  const RuleSet rules = preset(Game::kUrim);
  std::fprintf(stderr, "levels 0 to %u\n", seeds);
  BuildOptions options;
  options.folder = folder;
  build_levels(rules, kPits, seeds, options);

  std::vector<Run> one, two, plain;
  for (unsigned i = 0; i < repetitions; ++i) {
    one.push_back(build_last(folder, seeds, 1));
    two.push_back(build_last(folder, seeds, 2));
    std::fprintf(stderr, "level %u: %.2f s by one thread, %.2f s by two\n", seeds, one.back().seconds, two.back().seconds);
  }
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  bool same = true;
  for (std::size_t i = 0; i < one.size(); ++i) {
    same = same && one[i].digest == one[0].digest && two[i].digest == one[0].digest;
  }
  std::string json = "{\"seeds\": " + std::to_string(seeds) + ", \"positions\": " + std::to_string(one[0].positions) +
                     ", \"file_bytes\": " + std::to_string(one[0].file_bytes) + ", \"digest\": \"" + one[0].digest.hex() +
                     "\",\n \"peak_resident_kib\": " + std::to_string(usage.ru_maxrss) + ",\n \"one_thread\": " +
                     json_of(one) + ",\n \"two_threads\": " + json_of(two);
  if (plain_seeds != 0) {
    for (unsigned i = 0; i < plain_repetitions; ++i)
      plain.push_back(build_plain(folder, plain_seeds));
    const Digest wanted = TableReader(folder / table_file_name(level_header(rules, kPits, plain_seeds))).header().digest;
    for (const Run& run : plain) same = same && run.digest == wanted;
    json += ",\n \"plain_counters\": {\"seeds\": " + std::to_string(plain_seeds) + ", \"positions\": " +
            std::to_string(plain[0].positions) + ", \"one_thread\": " + json_of(plain) + "}";
  }
  json += ",\n \"digests_agree\": " + std::string(same ? "true" : "false") + "}\n";
  std::fputs(json.c_str(), stdout);
  return same ? 0 : 1;
}

}  // namespace
}  // namespace retrosow::bench

int main(int argc, char** argv) {
  try {
    return retrosow::bench::run(argc, argv);
  } catch (const retrosow::bench::UsageError& error) {
    std::fprintf(stderr, "error: %s\n%s", error.message.c_str(), retrosow::bench::kUsage);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
