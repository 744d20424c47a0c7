#include "tables/build.h"

#include <algorithm>

#include "tables/build_files.h"
#include "tables/distance.h"
#include "tables/guarantee.h"
#include "tables/leftovers.h"
#include "tables/link_bound.h"
#include "tables/retrograde.h"
#include "tables/stopwatch.h"
#include "tables/value_packing.h"

namespace retrosow {
namespace {

constexpr std::uint64_t kLeastLowerBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kTaskLowerBytes = std::uint64_t{32} << 20;  // decoded blocks that one task may hold

// What a build needs beside the decoded blocks of lower levels. With a pit limit the largest level is not the last.
std::uint64_t memory_without_lower(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                   bool distances, bool guarantees) {
  const unsigned workers = worker_count(threads);
  const LinkBound links(rules, pits, seeds);
  std::uint64_t level = 0, all = 0, readers = 0;
  for (unsigned s = 0; s <= seeds; ++s) {
    readers += (guarantees ? 2U : 1U) * PackingShape::memory_bytes(pits, s);
    const std::uint64_t size = level_size(pits, rules.pit_limit, s);
    all += size;
    std::uint64_t words = RetrogradeLevel::memory_bytes(pits, s, size, workers);
    if (distances) words = std::max(words, DistanceLevel::memory_bytes(size, workers));
    if (guarantees) words = std::max(words, GuaranteeLevel::memory_bytes(size, workers));
    // The workers' links, and all of them in one list.
    level = std::max(level, words + 2 * sizeof(Link) * links.links(s));
  }
  constexpr std::uint64_t kIndexBytes = 2 * 48;  // of a block, while it is written and once it can be read
  constexpr std::uint64_t kProgramBytes = std::uint64_t{12} << 20;  // with its libraries; resident 9 MiB at its start
  constexpr std::uint64_t kPackerBytes = std::uint64_t{2} << 20;
  return HalfBoard::memory_bytes(rules, pits, seeds) + level + readers + all / TableWriter::kBlockValues * kIndexBytes +
         workers * (kBlocksInFlight * 4 * TableWriter::kBlockValues + kPackerBytes + std::min(all, kTaskLowerBytes)) +
         kProgramBytes;
}

// Which lower levels a build reads: their values, and of the guarantees both sides'.
constexpr std::uint64_t lower_kinds(bool guarantees) { return guarantees ? 3 : 1; }

// Builds the levels of one size in ascending order. Pre: the folder is locked.
class LevelBuilder {
 public:
  LevelBuilder(const RuleSet& rules, unsigned pits, unsigned seeds, const BuildOptions& options)
      : rules_(rules),
        pits_(pits),
        seeds_(seeds),
        options_(options),
        manifest_(options.folder),
        total_((1U + (options.distances ? 1U : 0U) + (options.guarantees ? 1U : 0U)) *
               positions_of_levels(pits, rules.pit_limit, 0, seeds)),
        lower_([this](unsigned level, LevelIndex first, std::span<Value> out) { files_[level].copy_values(first, out); },
               lower_bytes()),
        least_([this](unsigned level, LevelIndex first,
                      std::span<Value> out) { copy_differences(level, first, out, least_difference); },
               lower_bytes()),
        greatest_([this](unsigned level, LevelIndex first,
                         std::span<Value> out) { copy_differences(level, first, out, greatest_difference); },
                  lower_bytes()) {}

  BuiltLevel build(unsigned level) {
    BuiltLevel record;
    record.seeds = level;
    build_values(level, record);
    if (options_.distances) build_distances(level, record);
    if (options_.guarantees) build_guarantees(level, record);
    lower_.add_level(record.positions);
    return record;
  }

 private:
  // For the decoded blocks of one kind.
  std::uint64_t lower_bytes() const {
    if (options_.memory_bytes == 0) return 0;
    return (options_.memory_bytes - memory_without_lower(rules_, pits_, seeds_, options_.threads, options_.distances,
                                                         options_.guarantees)) /
           lower_kinds(options_.guarantees);
  }

  void copy_differences(unsigned level, LevelIndex first, std::span<Value> out,
                        int (*difference)(Guarantee, unsigned)) const {
    thread_local std::vector<Guarantee> guarantees;
    guarantees.resize(out.size());
    guarantee_files_[level].copy_guarantees(first, guarantees);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Value>(difference(guarantees[i], level));
  }

  const HalfBoard& half_board() {
    if (!half_board_) half_board_.emplace(rules_, pits_, seeds_, [this] { options_.control.check_stop(); });
    return *half_board_;
  }

  // Reports shares of a level of `size`.
  std::function<void(double)> reporter(const char* phase, unsigned level, LevelIndex size) const {
    if (!options_.control.progress) return {};
    return [this, phase, level, size](double share) {
      const auto part = static_cast<std::uint64_t>(share * static_cast<double>(size));
      options_.control.progress({phase, level, seeds_, done_ + part, total_, run_.seconds()});
    };
  }

  void end_of(const char* phase, unsigned level, LevelIndex size) {
    done_ += size;
    if (options_.control.progress) options_.control.progress({phase, level, seeds_, done_, total_, run_.seconds()});
  }

  void build_values(unsigned level, BuiltLevel& record) {
    const Stopwatch clock;
    const TableHeader header = level_header(rules_, pits_, level);
    std::optional<TableReader> file = finished_file(options_, header, options_.force);
    record.reused = file.has_value();
    if (!file) {
      manifest_.begin(header);
      RetrogradeLevel solved(rules_, half_board(), level, lower_, worker_count(options_.threads));
      solved.solve(reporter("solve", level, solved.size()), options_.control);
      write_contents<Value>(options_, header, solved.size(),
                            [&](LevelIndex first, auto, std::span<Value> out) { solved.copy_values(first, out); });
      file.emplace(options_.folder / table_file_name(header), 0);
    }
    manifest_.finished(*file);
    record.positions = file->header().positions;
    record.file_bytes = file->file_bytes();
    record.digest = file->header().digest;
    record.seconds = clock.seconds();
    files_.push_back(std::move(*file));
    end_of("solve", level, record.positions);
  }

  void build_distances(unsigned level, BuiltLevel& record) {
    const Stopwatch clock;
    const TableHeader header = distance_header(files_[level].header());
    std::optional<TableReader> file = finished_file(options_, header, options_.force);
    record.distances.emplace();
    record.distances->reused = file.has_value();
    if (!file) {
      manifest_.begin(header);
      DistanceLevel solved(
          rules_, half_board(), level, lower_,
          [&](LevelIndex first, std::span<Value> out) { files_[level].copy_values(first, out); },
          worker_count(options_.threads));
      solved.solve(reporter("distances", level, solved.size()), options_.control);
      write_contents<std::uint16_t>(
          options_, header, solved.size(),
          [&](LevelIndex first, auto, std::span<std::uint16_t> out) { solved.copy_distances(first, out); });
      file.emplace(options_.folder / table_file_name(header), 0);
    }
    manifest_.finished(*file);
    record.distances->file_bytes = file->file_bytes();
    record.distances->digest = file->header().digest;
    record.distances->seconds = clock.seconds();
    end_of("distances", level, record.positions);
  }

  void build_guarantees(unsigned level, BuiltLevel& record) {
    const Stopwatch clock;
    const TableHeader header = guarantee_header(rules_, pits_, level);
    std::optional<TableReader> file = finished_file(options_, header, options_.force);
    record.guarantees.emplace();
    record.guarantees->reused = file.has_value();
    if (!file) {
      manifest_.begin(header);
      GuaranteeLevel solved(rules_, half_board(), level, least_, greatest_, worker_count(options_.threads));
      solved.solve(reporter("guarantees", level, solved.size()), options_.control);
      write_contents<Guarantee>(
          options_, header, solved.size(),
          [&](LevelIndex first, auto, std::span<Guarantee> out) { solved.copy_guarantees(first, out); });
      file.emplace(options_.folder / table_file_name(header), 0);
    }
    manifest_.finished(*file);
    record.guarantees->file_bytes = file->file_bytes();
    record.guarantees->digest = file->header().digest;
    record.guarantees->seconds = clock.seconds();
    guarantee_files_.push_back(std::move(*file));
    least_.add_level(record.positions);
    greatest_.add_level(record.positions);
    end_of("guarantees", level, record.positions);
  }

  const RuleSet& rules_;
  unsigned pits_, seeds_;
  const BuildOptions& options_;
  const Stopwatch run_;
  ManifestKeeper manifest_;
  std::uint64_t done_ = 0, total_;
  std::optional<HalfBoard> half_board_;  // made when the first level has to be built
  std::vector<TableReader> files_;       // of values
  std::vector<TableReader> guarantee_files_;
  LowerLevels lower_;
  LowerLevels least_, greatest_;  // of guarantees, as differences
};

}  // namespace

std::uint64_t build_levels_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                  bool distances, bool guarantees) {
  const std::uint64_t lower = seeds == 0 ? 0 : positions_of_levels(pits, rules.pit_limit, 0, seeds - 1);
  return memory_without_lower(rules, pits, seeds, threads, distances, guarantees) +
         lower_kinds(guarantees) * std::min(lower, kLeastLowerBytes);
}

std::uint64_t build_levels_comfortable_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                              bool distances, bool guarantees) {
  const std::uint64_t lower = seeds == 0 ? 0 : positions_of_levels(pits, rules.pit_limit, 0, seeds - 1);
  return memory_without_lower(rules, pits, seeds, threads, distances, guarantees) + lower_kinds(guarantees) * lower;
}

std::vector<BuiltLevel> build_levels(const RuleSet& rules, unsigned pits, unsigned seeds,
                                     const BuildOptions& options) {
  if (seeds > kMaxLevelSeeds) throw too_many_seeds(seeds);
  HalfBoard::refuse_too_large(rules, pits, seeds);
  const std::uint64_t needed =
      build_levels_memory(rules, pits, seeds, options.threads, options.distances, options.guarantees);
  if (options.memory_bytes != 0 && needed > options.memory_bytes) {
    throw limit_error("2x" + std::to_string(pits) + " up to " + std::to_string(seeds) + " seeds needs " +
                      mebibytes(needed) + " of memory; allowed are " + mebibytes(options.memory_bytes));
  }
  const FolderLock lock(options.folder);
  remove_leftovers(options.folder);
  LevelBuilder builder(rules, pits, seeds, options);
  std::vector<BuiltLevel> built;
  for (unsigned level = 0; level <= seeds; ++level) {
    options.control.check_stop();
    built.push_back(builder.build(level));
  }
  return built;
}

}  // namespace retrosow
