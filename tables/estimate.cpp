#include "tables/estimate.h"

#include <algorithm>
#include <cmath>

#include "bitboard/half_board.h"
#include "tables/distance.h"
#include "tables/guarantee.h"
#include "tables/parallel.h"
#include "tables/retrograde.h"
#include "tables/round_level.h"
#include "tables/stopwatch.h"
#include "tables/value_packing.h"

namespace retrosow {
namespace {

// The trial builds all levels up to this many positions together: 2x6 up to 10 seeds.
constexpr std::uint64_t kTrialPositions = 700'000;
// A level's files are opened, flushed twice and renamed, however small they are.
constexpr double kSecondsPerFile = 0.004;
// Header, its three texts, and the checksums of an empty file; 48 bytes of index for each block.
constexpr double kHeaderBytes = 320, kIndexBytesPerPosition = 48.0 / TableWriter::kBlockValues;

// The rate of a level against that of the trial, by the binary logarithm of its size: very large levels cost more cache
// misses. 2x6, an AMD EPYC with two threads and no other work: 13.2 M positions/s at 24 seeds (2^28.6) where a trial made 14.3
// (results/urim, commit 0e10299), 10.7 at 26 (2^29.7) with an older builder. Drawn lower than that: a forecast that is too
// long does no harm, and trials swing with what else the machine does.
double relative_rate(double log2_size) {
  constexpr double kBend = 23, kPerDoubling = 0.04, kLeast = 0.6;
  return std::clamp(1 - kPerDoubling * (log2_size - kBend), kLeast, 1.0);
}

// How bytes a position grow with the seeds: values spread. The trial gives the factor for the board and the rules;
// with that the forecast is within 8 % of 2x4 at 22 seeds (0.516), 2x5 at 18 (0.427), 2x6 at 18 (0.387) and 2x7 at
// 12 (0.283). 2x6, commit 50cc315: 0.334 at 12 seeds, 0.372 at 13, 0.359 at 14, 0.376 at 15, 0.373 at 16, 0.385 at 17.
double relative_bytes(unsigned seeds) {
  return 0.387 + 0.09 * std::log2(std::max(4U, seeds) / 18.0);
}

// Distances need less with more seeds, since more of them are small. Commit 3ec3d2f: 2x6 0.621 at 12 seeds, 0.590 at
// 13 and 14, 0.552 at 15, 0.570 at 16, 0.541 at 17; 2x5 0.571 at 16; 2x4 0.576 at 20.
double relative_distance_bytes(unsigned seeds) {
  return 0.555 - 0.06 * std::log2(std::max(4U, seeds) / 18.0);
}

// Both numbers of a pair spread as values do. Oware 2x6: 0.490 at 10 seeds, 0.546 at 11, 0.524 at 12, 0.546 at 13.
double relative_guarantee_bytes(unsigned seeds) {
  return 0.575 + 0.09 * std::log2(std::max(4U, seeds) / 18.0);
}

// Rounds. Bytes a position of values and keys, by the level's share of the root's stones: 2x6 0.33 at a quarter, 0.71 at
// half, 1.07 at three quarters; 2x5 0.44 at 0.3, 0.87, 1.34 at 0.8. Distances: 0.21 to 0.49.
double round_bytes(double share) { return std::clamp(0.40 + 1.5 * (share - 0.25), 0.35, 1.4); }
constexpr double kRoundDistanceBytes = 0.40;
// Time for values, and for distances, against that of the enumeration.
constexpr double kRoundValues = 1.5, kRoundDistances = 0.4;

// What the trial finds of values, and of distances.
struct Measured {
  double seconds = 0, packed_bytes = 0, reference_bytes = 0;
  std::uint64_t positions = 0;

  double rate() const { return static_cast<double>(positions) / std::max(1e-6, seconds); }
  // Packed bytes over what relative_bytes, or relative_distance_bytes, says.
  double bytes_factor() const { return packed_bytes / reference_bytes; }
};

struct Trial {
  Measured values, distances, guarantees;
  double half_board_seconds = 0;
  std::uint64_t half_board_bytes = 1;
};

// Packs `size` contents as a build does, block by block; gives the bytes.
template <typename Pack>
std::uint64_t packed_bytes(std::uint64_t size, unsigned workers, Pack&& pack) {
  constexpr std::uint64_t kBlock = TableWriter::kBlockValues;
  std::vector<std::uint64_t> bytes(static_cast<std::size_t>((size + kBlock - 1) / kBlock));
  parallel_loop(workers, bytes.size(), [&](unsigned, std::size_t i) {
    std::vector<std::byte> packed;
    pack(static_cast<std::size_t>(i * kBlock),
         static_cast<std::size_t>(std::min(kBlock, size - i * kBlock)), packed);
    bytes[i] = packed.size();
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t n : bytes) sum += n;
  return sum;
}

Trial run_trial(const RuleSet& rules, unsigned pits, unsigned threads, bool with_distances, bool with_guarantees) {
  unsigned last = 0;
  while (last < kMaxLevelSeeds &&
         positions_of_levels(pits, rules.pit_limit, 0, last + 1) <= kTrialPositions) {
    ++last;
  }
  const unsigned workers = worker_count(threads);
  Trial trial;
  const Stopwatch half_board_clock;
  const HalfBoard half_board(rules, pits, last);
  trial.half_board_seconds = half_board_clock.seconds();
  trial.half_board_bytes = std::max<std::uint64_t>(1, HalfBoard::memory_bytes(rules, pits, last));

  const HalfRanks halves(pits, rules.pit_limit, last);
  std::vector<std::vector<Value>> levels;
  const auto copy = [&](unsigned seeds, LevelIndex first, std::span<Value> out) {
    std::copy_n(levels[seeds].begin() + static_cast<std::ptrdiff_t>(first), out.size(),
                out.begin());
  };
  LowerLevels lower(copy, 0);
  std::vector<std::vector<Guarantee>> pairs;
  const auto differences = [&](int (*difference)(Guarantee, unsigned)) {
    return [&pairs, difference](unsigned seeds, LevelIndex first, std::span<Value> out) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<Value>(difference(pairs[seeds][static_cast<std::size_t>(first) + i], seeds));
      }
    };
  };
  LowerLevels least(differences(least_difference), 0), greatest(differences(greatest_difference), 0);
  for (unsigned seeds = 0; seeds <= last; ++seeds) {
    const Stopwatch clock;
    RetrogradeLevel level(rules, half_board, seeds, lower, workers);
    level.solve({}, {});
    std::vector<Value>& values = levels.emplace_back(static_cast<std::size_t>(level.size()));
    level.copy_values(0, values);
    const PackingShape shape(halves, seeds);
    trial.values.packed_bytes += static_cast<double>(
        packed_bytes(level.size(), workers,
                     [&](std::size_t first, std::size_t count, std::vector<std::byte>& out) {
                       thread_local ValuePacker packer;
                       packer.pack(shape, first, std::span(values).subspan(first, count), out);
                     }));
    trial.values.reference_bytes += static_cast<double>(level.size()) * relative_bytes(seeds);
    trial.values.positions += level.size();
    trial.values.seconds += clock.seconds();
    if (with_distances) {
      const Stopwatch distance_clock;
      DistanceLevel solved(
          rules, half_board, seeds, lower,
          [&](LevelIndex first, std::span<Value> out) { copy(seeds, first, out); }, workers);
      solved.solve({}, {});
      std::vector<std::uint16_t> distances(values.size());
      solved.copy_distances(0, distances);
      trial.distances.packed_bytes += static_cast<double>(
          packed_bytes(level.size(), workers,
                       [&](std::size_t first, std::size_t count, std::vector<std::byte>& out) {
                         thread_local DistancePacker packer;
                         packer.pack(std::span(distances).subspan(first, count), out);
                       }));
      trial.distances.reference_bytes +=
          static_cast<double>(level.size()) * relative_distance_bytes(seeds);
      trial.distances.positions += level.size();
      trial.distances.seconds += distance_clock.seconds();
    }
    lower.add_level(level.size());
    if (with_guarantees) {
      const Stopwatch guarantee_clock;
      GuaranteeLevel solved(rules, half_board, seeds, least, greatest, workers);
      solved.solve({}, {});
      std::vector<Guarantee>& level_pairs = pairs.emplace_back(values.size());
      solved.copy_guarantees(0, level_pairs);
      trial.guarantees.packed_bytes += static_cast<double>(
          packed_bytes(level.size(), workers,
                       [&](std::size_t first, std::size_t count, std::vector<std::byte>& out) {
                         thread_local ValuePacker packer;
                         pack_guarantees(packer, shape, first, std::span(level_pairs).subspan(first, count), out);
                       }));
      trial.guarantees.reference_bytes += static_cast<double>(level.size()) * relative_guarantee_bytes(seeds);
      trial.guarantees.positions += level.size();
      trial.guarantees.seconds += guarantee_clock.seconds();
      least.add_level(level.size());
      greatest.add_level(level.size());
    }
  }
  return trial;
}

}  // namespace

BuildEstimate estimate_levels(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                              bool with_distances, bool with_guarantees) {
  if (seeds > kMaxLevelSeeds) throw too_many_seeds(seeds);
  HalfBoard::refuse_too_large(rules, pits, seeds);
  const Trial trial = run_trial(rules, pits, threads, with_distances, with_guarantees);
  BuildEstimate estimate;
  estimate.threads = worker_count(threads);
  estimate.trial_rate = trial.values.rate();
  for (unsigned n = 0; n <= seeds; ++n) {
    LevelEstimate level;
    level.seeds = n;
    level.positions = level_size(pits, rules.pit_limit, n);
    level.memory_bytes = build_levels_memory(rules, pits, n, threads, with_distances, with_guarantees);
    const auto size = static_cast<double>(level.positions);
    const double slowness = 1 / relative_rate(std::log2(std::max(1.0, size)));
    double file_bytes = 0;
    const auto add = [&](const Measured& measured, double bytes_per_position) {
      const double bytes =
          kHeaderBytes + size * (kIndexBytesPerPosition + measured.bytes_factor() * bytes_per_position);
      file_bytes += bytes;
      level.seconds += kSecondsPerFile + size / measured.rate() * slowness;
      return bytes;
    };
    add(trial.values, relative_bytes(n));
    if (with_distances) {
      const double bytes = add(trial.distances, relative_distance_bytes(n));
      if (DistanceLevel::memory_bytes(level.positions, estimate.threads) <
          DistanceLevel::whole_memory_bytes(level.positions, estimate.threads)) {
        estimate.scratch_bytes = std::max(estimate.scratch_bytes, static_cast<std::uint64_t>(bytes));
      }
    }
    if (with_guarantees) add(trial.guarantees, relative_guarantee_bytes(n));
    level.file_bytes = static_cast<std::uint64_t>(file_bytes);
    estimate.positions += level.positions;
    estimate.file_bytes += level.file_bytes;
    estimate.seconds += level.seconds;
    estimate.least_memory_bytes = std::max(estimate.least_memory_bytes, level.memory_bytes);
    estimate.levels.push_back(level);
  }
  // The half-board tables are made once, for the whole run.
  const double half_board = trial.half_board_seconds *
                            static_cast<double>(HalfBoard::memory_bytes(rules, pits, seeds)) /
                            static_cast<double>(trial.half_board_bytes);
  estimate.levels.back().seconds += half_board;
  estimate.seconds += half_board;
  estimate.comfortable_memory_bytes =
      build_levels_comfortable_memory(rules, pits, seeds, threads, with_distances, with_guarantees);
  return estimate;
}

BuildEstimate estimate_round(const RuleSet& rules, const Position& root, Shape shape, unsigned threads,
                             std::uint64_t memory_bytes, bool with_distances, const RunControl& control) {
  const Stopwatch clock;
  const unsigned workers = worker_count(threads);
  const RoundPositions round = enumerate_round(rules, root, shape, memory_bytes, workers, control);
  const double enumeration = clock.seconds();
  BuildEstimate estimate;
  estimate.threads = workers;
  estimate.positions = round.positions();
  estimate.trial_rate = static_cast<double>(estimate.positions) / std::max(1e-6, enumeration);
  estimate.least_memory_bytes = estimate.comfortable_memory_bytes =
      build_round_memory(round, with_distances, workers);
  const std::uint64_t keys = round_keys_memory(round);
  const unsigned top = round.levels.front().seeds;
  for (unsigned number = static_cast<unsigned>(round.levels.size()); number-- > 0;) {
    const RoundLevelKeys& keys_of_level = round.levels[number];
    if (keys_of_level.positions == 0) continue;
    const auto size = static_cast<double>(keys_of_level.positions);
    const double share = top == 0 ? 0 : static_cast<double>(keys_of_level.seeds) / top;
    LevelEstimate level;
    level.seeds = keys_of_level.seeds;
    level.positions = keys_of_level.positions;
    level.memory_bytes = keys + round_level_memory(keys_of_level, with_distances);
    const double files = with_distances ? 2 : 1;
    level.file_bytes = static_cast<std::uint64_t>(
        kHeaderBytes * files +
        size * (kIndexBytesPerPosition * files + round_bytes(share) + (with_distances ? kRoundDistanceBytes : 0)));
    level.seconds = kSecondsPerFile * files + size / estimate.trial_rate *
                                                  (1 + kRoundValues + (with_distances ? kRoundDistances : 0));
    estimate.file_bytes += level.file_bytes;
    estimate.seconds += level.seconds;
    estimate.levels.push_back(level);
  }
  return estimate;
}

}  // namespace retrosow
