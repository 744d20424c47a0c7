#include "tables/build.h"

#include <algorithm>
#include <fstream>

#include "tables/atomic_file.h"
#include "tables/check.h"
#include "tables/distance.h"
#include "tables/leftovers.h"
#include "tables/link_bound.h"
#include "tables/manifest.h"
#include "tables/parallel.h"
#include "tables/retrograde.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; }

// Adds to the error of a damaged finished file how to go on.
template <typename F>
void with_advice(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    if (error.error_class() != ErrorClass::kCorrupt && error.error_class() != ErrorClass::kUnsupported) throw;
    Error advised(error.error_class(), std::string(error.what()) + "; remove the file or build with --force");
    advised.path = error.path;
    advised.offset = error.offset;
    advised.expected = error.expected;
    advised.found = error.found;
    throw advised;
  }
}

// The finished file of a level, if it is there, every block checked. Damage in it, or a table of something else under its name, is
// an error.
std::optional<TableReader> finished_file(const BuildOptions& options, const TableHeader& wanted, bool force) {
  const std::filesystem::path path = options.folder / table_file_name(wanted);
  if (force || !std::filesystem::exists(path)) return std::nullopt;
  std::optional<TableReader> reader;
  with_advice([&] {
    reader.emplace(path, 0);
    check_file(*reader, worker_count(options.threads), options.control);
  });
  const TableHeader& found = reader->header();
  if (found.index != wanted.index || found.kind != wanted.kind || found.shape != wanted.shape || found.seeds != wanted.seeds ||
      found.root != wanted.root || found.rules_digest != rules_digest(wanted.rules)) {
    Error error(ErrorClass::kCorrupt, path.string() + ": holds another table than its name says (" +
                                          table_file_name(found) + "); remove it or build with --force");
    error.path = path.string();
    error.expected = table_file_name(wanted);
    error.found = table_file_name(found);
    throw error;
  }
  if (found.values_digest != wanted.values_digest) {
    Error error(ErrorClass::kCorrupt,
                path.string() + ": holds distances of other values; remove it or build with --force");
    error.path = path.string();
    error.expected = wanted.values_digest.hex();
    error.found = found.values_digest.hex();
    throw error;
  }
  return reader;
}

// The levels of a finished round, ascending, one number a line; nothing if the list is not there or broken, since
// then the round is simply built again.
std::vector<unsigned> read_level_list(const std::filesystem::path& path) {
  std::vector<unsigned> levels;
  std::ifstream file(path);
  for (unsigned seeds = 0; file >> seeds;) {
    if (seeds > kMaxLevelSeeds) return {};
    levels.push_back(seeds);
  }
  return file.eof() ? levels : std::vector<unsigned>{};
}

void write_level_list(const std::filesystem::path& path, const std::vector<unsigned>& levels) {
  std::string text;
  for (const unsigned seeds : levels) text += std::to_string(seeds) + '\n';
  write_text_file(path, text);
}

// The folder's manifest, kept true while files are built.
class ManifestKeeper {
 public:
  // Pre: the folder is locked.
  explicit ManifestKeeper(const std::filesystem::path& folder) : folder_(folder), manifest_(folder) {
    manifest_.keep_missing(folder);
  }

  // Before a file is built: one that stands there is not the one that will.
  void begin(const TableHeader& header) {
    manifest_.remove(table_file_name(header));
    manifest_.write(folder_);
  }
  void finished(const TableReader& file) {
    manifest_.set(manifest_entry(file));
    manifest_.write(folder_);
  }

 private:
  std::filesystem::path folder_;
  Manifest manifest_;
};

constexpr std::uint64_t kLeastLowerBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kTaskLowerBytes = std::uint64_t{32} << 20;  // decoded blocks that one task may hold
constexpr std::size_t kBlocksInFlight = 128;                        // for each worker, while a level is written

// What a build needs beside the decoded blocks of lower levels. With a pit limit the largest level is not the last.
std::uint64_t memory_without_lower(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                   bool distances) {
  const unsigned workers = worker_count(threads);
  const LinkBound links(rules, pits, seeds);
  std::uint64_t level = 0, all = 0;
  for (unsigned s = 0; s <= seeds; ++s) {
    const std::uint64_t size = level_size(pits, rules.pit_limit, s);
    all += size;
    const std::uint64_t words =
        distances ? DistanceLevel::memory_bytes(size, workers) : RetrogradeLevel::memory_bytes(size, workers);
    // The workers' links, and all of them in one list.
    level = std::max(level, words + 2 * sizeof(Link) * links.links(s));
  }
  constexpr std::uint64_t kIndexBytes = 2 * 48;  // of a block, while it is written and once it can be read
  constexpr std::uint64_t kPackerBytes = std::uint64_t{2} << 20;
  return HalfBoard::memory_bytes(rules, pits, seeds) + level + all / TableWriter::kBlockValues * kIndexBytes +
         workers * (kBlocksInFlight * 4 * TableWriter::kBlockValues + kPackerBytes + std::min(all, kTaskLowerBytes)) +
         (std::uint64_t{4} << 20);
}

// Writes a table whose contents `copy(first, out)` gives, from any thread.
template <typename T, typename Copy>
void write_contents(const BuildOptions& options, const TableHeader& header, LevelIndex size, Copy&& copy) {
  TableWriter writer(options.folder, header, size);
  struct Packed {
    std::vector<T> contents;
    TableWriter::Block block;
  };
  const unsigned workers = worker_count(options.threads);
  const std::size_t blocks =
      static_cast<std::size_t>((size + TableWriter::kBlockValues - 1) / TableWriter::kBlockValues);
  std::vector<Packed> batch(std::min<std::size_t>(blocks, kBlocksInFlight * workers));
  for (std::size_t first = 0; first < blocks; first += batch.size()) {
    options.control.check_stop();
    const std::size_t count = std::min(batch.size(), blocks - first);
    parallel_loop(workers, count, [&](unsigned, std::size_t i) {
      const LevelIndex at = (first + i) * LevelIndex{TableWriter::kBlockValues};
      batch[i].contents.resize(static_cast<std::size_t>(std::min<LevelIndex>(TableWriter::kBlockValues, size - at)));
      copy(at, std::span<T>(batch[i].contents));
      if constexpr (std::is_same_v<T, Value>) {
        batch[i].block = writer.pack(at, batch[i].contents, {});
      } else {
        batch[i].block = writer.pack(batch[i].contents);
      }
    });
    for (std::size_t i = 0; i < count; ++i) writer.append(batch[i].block, std::span<const T>(batch[i].contents));
  }
  writer.finish();
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
        total_((options.distances ? 2 : 1) * positions_of_levels(pits, rules.pit_limit, 0, seeds)),
        lower_([this](unsigned level, LevelIndex first, std::span<Value> out) { files_[level].copy_values(first, out); },
               options.memory_bytes == 0
                   ? 0
                   : options.memory_bytes -
                         memory_without_lower(rules, pits, seeds, options.threads, options.distances)) {}

  BuiltLevel build(unsigned level) {
    BuiltLevel record;
    record.seeds = level;
    build_values(level, record);
    if (options_.distances) build_distances(level, record);
    lower_.add_level(record.positions);
    return record;
  }

 private:
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
                            [&](LevelIndex first, std::span<Value> out) { solved.copy_values(first, out); });
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
      write_contents<std::uint16_t>(options_, header, solved.size(), [&](LevelIndex first, std::span<std::uint16_t> out) {
        solved.copy_distances(first, out);
      });
      file.emplace(options_.folder / table_file_name(header), 0);
    }
    manifest_.finished(*file);
    record.distances->file_bytes = file->file_bytes();
    record.distances->digest = file->header().digest;
    record.distances->seconds = clock.seconds();
    end_of("distances", level, record.positions);
  }

  const RuleSet& rules_;
  unsigned pits_, seeds_;
  const BuildOptions& options_;
  const Stopwatch run_;
  ManifestKeeper manifest_;
  std::uint64_t done_ = 0, total_;
  std::optional<HalfBoard> half_board_;  // made when the first level has to be built
  std::vector<TableReader> files_;       // of values
  LowerLevels lower_;
};

}  // namespace

std::uint64_t build_levels_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                  bool distances) {
  const std::uint64_t lower = seeds == 0 ? 0 : positions_of_levels(pits, rules.pit_limit, 0, seeds - 1);
  return memory_without_lower(rules, pits, seeds, threads, distances) + std::min(lower, kLeastLowerBytes);
}

std::uint64_t build_levels_comfortable_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                              bool distances) {
  const std::uint64_t lower = seeds == 0 ? 0 : positions_of_levels(pits, rules.pit_limit, 0, seeds - 1);
  return build_levels_memory(rules, pits, seeds, threads, distances) - std::min(lower, kLeastLowerBytes) + lower;
}

std::vector<BuiltLevel> build_levels(const RuleSet& rules, unsigned pits, unsigned seeds,
                                     const BuildOptions& options) {
  if (seeds > kMaxLevelSeeds) throw too_many_seeds(seeds);
  HalfBoard::refuse_too_large(rules, pits, seeds);
  const std::uint64_t needed = build_levels_memory(rules, pits, seeds, options.threads, options.distances);
  if (options.memory_bytes != 0 && needed > options.memory_bytes) {
    throw limit_error("2x" + std::to_string(pits) + " up to " + std::to_string(seeds) + " seeds needs " +
                      mebibytes(needed) + " of memory; allowed are " + mebibytes(options.memory_bytes - 1));
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

std::vector<BuiltLevel> build_round(const RuleSet& rules, const Position& root, Shape shape,
                                    const BuildOptions& options) {
  const FolderLock lock(options.folder);
  remove_leftovers(options.folder);
  ManifestKeeper manifest(options.folder);
  const Stopwatch clock;
  const auto header_of = [&](unsigned seeds) { return round_header(rules, root, shape, seeds); };
  const unsigned all = total_seeds(root);
  // Which levels a round has is known once it is solved. A round whose levels are all there lists their
  // number in no place, so it is taken as finished only with the mark that is written last.
  const std::filesystem::path mark =
      options.folder / (std::filesystem::path(table_file_name(header_of(all))).stem().string() + ".levels");
  std::vector<unsigned> levels;
  if (!options.force) levels = read_level_list(mark);
  bool reused = !levels.empty();
  for (const unsigned seeds : levels) {
    if (!finished_file(options, header_of(seeds), false)) reused = false;
  }
  if (!reused) {
    const Round round = solve_round(rules, root, shape, options.memory_bytes, options.control);
    levels.clear();
    for (const RoundLevel& level : round.levels) {
      const TableHeader header = header_of(level.seeds);
      manifest.begin(header);
      write_table(options.folder, header, level.values, level.keys);
      manifest.finished(TableReader(options.folder / table_file_name(header)));
      levels.push_back(level.seeds);
    }
    write_level_list(mark, levels);
    if (options.control.progress) {
      options.control.progress({"write", all, all, round.positions, round.positions, clock.seconds()});
    }
  }
  std::vector<BuiltLevel> built;
  for (const unsigned seeds : levels) {
    const TableReader file(options.folder / table_file_name(header_of(seeds)));
    manifest.finished(file);
    built.push_back({seeds, file.header().positions, file.file_bytes(), file.header().digest, reused, clock.seconds(), {}});
  }
  return built;
}

}  // namespace retrosow
