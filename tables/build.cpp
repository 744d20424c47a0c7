#include "tables/build.h"

#include <algorithm>

#include "tables/build_files.h"
#include "tables/distance.h"
#include "tables/forward.h"
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

std::uint64_t links_memory(const LinkBound& links, unsigned level) {
  return sizeof(Link) * links.links(level);
}

// What a build needs beside the decoded blocks of lower levels. With a pit limit the largest level is not the last.
struct BuildMemory {
  std::uint64_t level = 0;        // of the level in work: its positions and links
  std::uint64_t whole_level = 0;  // the same, with distances that are held as a whole (distance.h)
  std::uint64_t others = 0;

  std::uint64_t least() const { return level + others; }
};

BuildMemory memory_without_lower(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads, bool distances,
                                 bool guarantees) {
  const unsigned workers = worker_count(threads);
  const LinkBound links(rules, pits, seeds);
  BuildMemory memory;
  std::uint64_t all = 0, largest = 0, readers = 0;
  for (unsigned s = 0; s <= seeds; ++s) {
    readers += (guarantees ? 2U : 1U) * PackingShape::memory_bytes(pits, s);
    const std::uint64_t size = level_size(pits, rules.pit_limit, s);
    all += size;
    largest = std::max(largest, size);
    std::uint64_t words = RetrogradeLevel::memory_bytes(pits, s, size, workers);
    if (guarantees) words = std::max(words, GuaranteeLevel::memory_bytes(size, workers));
    std::uint64_t whole = words;
    if (distances) {
      words = std::max(words, DistanceLevel::memory_bytes(size, workers));
      whole = std::max(whole, DistanceLevel::whole_memory_bytes(size, workers));
    }
    memory.level = std::max(memory.level, words + links_memory(links, s));
    memory.whole_level = std::max(memory.whole_level, whole + links_memory(links, s));
  }
  // Of a block of each file that can be read, and of one that is being written, whose list may have twice the room.
  constexpr std::uint64_t kIndexBytes = 48;
  constexpr std::uint64_t kProgramBytes = std::uint64_t{12} << 20;  // with its libraries; resident 9 MiB at its start
  constexpr std::uint64_t kPackerBytes = std::uint64_t{2} << 20;
  const std::uint64_t blocks = ((guarantees ? 2U : 1U) * all + 2 * largest) / TableWriter::kBlockValues;
  memory.others = HalfBoard::memory_bytes(rules, pits, seeds) + readers + blocks * kIndexBytes +
                  workers * (kLinkPageBytes + kBlocksInFlight * 4 * TableWriter::kBlockValues + kPackerBytes +
                             std::min(all, kTaskLowerBytes)) +
                  kProgramBytes;
  return memory;
}

// Which lower levels a build reads: their values, and of the guarantees both sides'.
constexpr std::uint64_t lower_kinds(bool guarantees) { return guarantees ? 3 : 1; }

std::uint64_t positions_below(const RuleSet& rules, unsigned pits, unsigned seeds) {
  return seeds == 0 ? 0 : positions_of_levels(pits, rules.pit_limit, 0, seeds - 1);
}

// How the memory that is granted is shared out. 0 each: no limit.
struct MemoryShares {
  std::uint64_t level = 0;  // as BuildMemory
  std::uint64_t lower = 0;  // decoded blocks of one kind
};

// Pre: build_levels_memory() is granted. What is granted beyond it goes to the level in work and to lower levels by halves,
// as far as they have a use for it.
MemoryShares shares_of(const BuildMemory& memory, const RuleSet& rules, unsigned pits, unsigned seeds,
                       const BuildOptions& options) {
  if (options.memory_bytes == 0) return {};
  const std::uint64_t lower_kind = positions_below(rules, pits, seeds), kinds = lower_kinds(options.guarantees);
  const std::uint64_t spare = options.memory_bytes - memory.least();
  const std::uint64_t left_by_lower = spare - std::min(spare, kinds * lower_kind);
  const std::uint64_t more = std::min(memory.whole_level - memory.level,
                                      std::max(left_by_lower, (spare - std::min(spare, kinds * kLeastLowerBytes)) / 2));
  return {memory.level + more, (spare - more) / kinds};
}

// Builds the levels of one size in ascending order. Pre: the folder is locked.
class LevelBuilder {
 public:
  LevelBuilder(const RuleSet& rules, unsigned pits, unsigned seeds, const BuildOptions& options)
      : rules_(rules),
        pits_(pits),
        seeds_(seeds),
        options_(options),
        manifest_(options.folder),
        links_(rules, pits, seeds),
        shares_(shares_of(memory_without_lower(rules, pits, seeds, options.threads, options.distances, options.guarantees),
                          rules, pits, seeds, options)),
        total_((1U + (options.distances ? 1U : 0U) + (options.guarantees ? 1U : 0U)) *
               positions_of_levels(pits, rules.pit_limit, 0, seeds)),
        lower_([this](unsigned level, LevelIndex first, std::span<Value> out) { files_[level].copy_values(first, out); },
               shares_.lower),
        least_([this](unsigned level, LevelIndex first,
                      std::span<Value> out) { copy_differences(level, first, out, least_difference); },
               shares_.lower),
        greatest_([this](unsigned level, LevelIndex first,
                         std::span<Value> out) { copy_differences(level, first, out, greatest_difference); },
                  shares_.lower) {}

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
      options_.control.progress({phase, level, seeds_, done_ + part, total_, run_.seconds(), found_});
    };
  }

  void end_of(const char* phase, unsigned level, LevelIndex size, bool reused) {
    done_ += size;
    if (reused) found_ += size;
    if (options_.control.progress) options_.control.progress({phase, level, seeds_, done_, total_, run_.seconds(), found_});
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
    end_of("solve", level, record.positions, record.reused);
  }

  // Distances of batches are put aside under the temporary name of the table, which is not there yet.
  DistanceSpace distance_space(unsigned level, const TableHeader& header) const {
    if (options_.memory_bytes == 0) return {};
    const std::uint64_t links = links_memory(links_, level);
    const LevelIndex size = level_size(pits_, rules_.pit_limit, level);
    return {DistanceLevel::members_within(shares_.level - links, shares_.lower, size, worker_count(options_.threads)),
            options_.folder / table_file_name(header)};
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
          worker_count(options_.threads), distance_space(level, header));
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
    end_of("distances", level, record.positions, record.distances->reused);
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
    end_of("guarantees", level, record.positions, record.guarantees->reused);
  }

  const RuleSet& rules_;
  unsigned pits_, seeds_;
  const BuildOptions& options_;
  const Stopwatch run_;
  ManifestKeeper manifest_;
  LinkBound links_;
  MemoryShares shares_;
  std::uint64_t done_ = 0, total_;
  std::uint64_t found_ = 0;              // of done_: in files that were there
  std::optional<HalfBoard> half_board_;  // made when the first level has to be built
  std::vector<TableReader> files_;       // of values
  std::vector<TableReader> guarantee_files_;
  LowerLevels lower_;
  LowerLevels least_, greatest_;  // of guarantees, as differences
};

}  // namespace

std::uint64_t build_levels_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                  bool distances, bool guarantees) {
  return memory_without_lower(rules, pits, seeds, threads, distances, guarantees).least() +
         lower_kinds(guarantees) * std::min(positions_below(rules, pits, seeds), kLeastLowerBytes);
}

std::uint64_t build_levels_comfortable_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                              bool distances, bool guarantees) {
  const BuildMemory memory = memory_without_lower(rules, pits, seeds, threads, distances, guarantees);
  return memory.whole_level + memory.others + lower_kinds(guarantees) * positions_below(rules, pits, seeds);
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
    if (options.on_level) options.on_level(built.back());
  }
  return built;
}

}  // namespace retrosow
