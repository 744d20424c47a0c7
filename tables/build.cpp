#include "tables/build.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include "tables/atomic_file.h"
#include "tables/manifest.h"
#include "tables/parallel.h"
#include "tables/retrograde.h"

namespace retrosow {
namespace {

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; }

// Removes what an interrupted run left under temporary names. Pre: the folder is locked.
void remove_partial_files(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".partial") std::filesystem::remove(entry.path());
  }
}

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
std::optional<TableReader> finished_file(const std::filesystem::path& folder, const TableHeader& wanted, bool force) {
  const std::filesystem::path path = folder / table_file_name(wanted);
  if (force || !std::filesystem::exists(path)) return std::nullopt;
  std::optional<TableReader> reader;
  with_advice([&] {
    reader.emplace(path);
    reader->check();
  });
  const TableHeader& found = reader->header();
  if (found.index != wanted.index || found.shape != wanted.shape || found.seeds != wanted.seeds ||
      found.root != wanted.root || found.rules_digest != rules_digest(wanted.rules)) {
    Error error(ErrorClass::kCorrupt, path.string() + ": holds another table than its name says (" +
                                          table_file_name(found) + "); remove it or build with --force");
    error.path = path.string();
    error.expected = table_file_name(wanted);
    error.found = table_file_name(found);
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
  explicit ManifestKeeper(const std::filesystem::path& folder) : folder_(folder), manifest_(folder) {}

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
constexpr std::size_t kBlocksInFlight = 128;  // for each worker, while a level is written

// What a build needs beside the decoded blocks of lower levels.
std::uint64_t memory_without_lower(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads) {
  const std::uint64_t largest = level_size(pits, rules.pit_limit, seeds);
  const HalfRanks halves(pits, rules.pit_limit, seeds);
  const std::uint64_t links = 16 * pits * halves.count(seeds) + (rules.pit_limit != 0 ? largest / 32 : 0);
  return HalfBoard::memory_bytes(rules, pits, seeds) + RetrogradeLevel::memory_bytes(largest) + links +
         worker_count(threads) * kBlocksInFlight * 4 * TableWriter::kBlockValues + (std::uint64_t{4} << 20);
}

void write_level(const BuildOptions& options, const RuleSet& rules, unsigned pits, const RetrogradeLevel& level,
                 unsigned seeds) {
  TableWriter writer(options.folder, level_header(rules, pits, seeds), level.size());
  struct Packed {
    std::vector<Value> values;
    TableWriter::Block block;
  };
  const unsigned workers = worker_count(options.threads);
  const std::size_t blocks =
      static_cast<std::size_t>((level.size() + TableWriter::kBlockValues - 1) / TableWriter::kBlockValues);
  std::vector<Packed> batch(std::min<std::size_t>(blocks, kBlocksInFlight * workers));
  for (std::size_t first = 0; first < blocks; first += batch.size()) {
    options.control.check_stop();
    const std::size_t count = std::min(batch.size(), blocks - first);
    parallel_loop(workers, count, [&](unsigned, std::size_t i) {
      const LevelIndex at = (first + i) * LevelIndex{TableWriter::kBlockValues};
      batch[i].values.resize(
          static_cast<std::size_t>(std::min<LevelIndex>(TableWriter::kBlockValues, level.size() - at)));
      level.copy_values(at, batch[i].values);
      batch[i].block = writer.pack(at, batch[i].values, {});
    });
    for (std::size_t i = 0; i < count; ++i) writer.append(batch[i].block, batch[i].values);
  }
  writer.finish();
}

}  // namespace

std::uint64_t build_levels_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                  bool distances) {
  static_cast<void>(distances);
  const std::uint64_t lower = seeds == 0 ? 0 : positions_of_levels(pits, rules.pit_limit, 0, seeds - 1);
  return memory_without_lower(rules, pits, seeds, threads) + std::min(lower, kLeastLowerBytes);
}

std::uint64_t build_levels_comfortable_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                              bool distances) {
  const std::uint64_t lower = seeds == 0 ? 0 : positions_of_levels(pits, rules.pit_limit, 0, seeds - 1);
  return build_levels_memory(rules, pits, seeds, threads, distances) - std::min(lower, kLeastLowerBytes) + lower;
}

std::vector<BuiltLevel> build_levels(const RuleSet& rules, unsigned pits, unsigned seeds,
                                     const BuildOptions& options) {
  if (seeds > kMaxLevelSeeds) throw too_many_seeds(seeds);
  const std::uint64_t needed = build_levels_memory(rules, pits, seeds, options.threads);
  if (options.memory_bytes != 0 && needed > options.memory_bytes) {
    throw limit_error("2x" + std::to_string(pits) + " up to " + std::to_string(seeds) + " seeds needs " +
                      mebibytes(needed) + " of memory; allowed are " + mebibytes(options.memory_bytes - 1));
  }
  const FolderLock lock(options.folder);
  remove_partial_files(options.folder);
  ManifestKeeper manifest(options.folder);
  const Clock run;
  const std::uint64_t total = positions_of_levels(pits, rules.pit_limit, 0, seeds);
  std::uint64_t done = 0;
  std::optional<HalfBoard> half_board;  // made when the first level has to be built
  std::vector<TableReader> files;
  LowerLevels lower([&](unsigned level, LevelIndex first, std::span<Value> out) { files[level].copy_values(first, out); },
                    options.memory_bytes == 0
                        ? 0
                        : options.memory_bytes - memory_without_lower(rules, pits, seeds, options.threads));
  std::vector<BuiltLevel> built;
  for (unsigned level = 0; level <= seeds; ++level) {
    options.control.check_stop();
    const Clock clock;
    const TableHeader header = level_header(rules, pits, level);
    BuiltLevel record;
    record.seeds = level;
    std::optional<TableReader> file = finished_file(options.folder, header, options.force);
    record.reused = file.has_value();
    if (!file) {
      manifest.begin(header);
      if (!half_board) half_board.emplace(rules, pits, seeds);
      RetrogradeLevel solved(rules, *half_board, level, lower, worker_count(options.threads));
      const auto on_done = [&](double share) {
        if (!options.control.progress) return;
        const auto part = static_cast<std::uint64_t>(share * static_cast<double>(solved.size()));
        options.control.progress({"solve", level, seeds, done + part, total, run.seconds()});
      };
      solved.solve(on_done, options.control);
      write_level(options, rules, pits, solved, level);
      file.emplace(options.folder / table_file_name(header));
    }
    manifest.finished(*file);
    record.positions = file->header().positions;
    record.file_bytes = file->file_bytes();
    record.digest = file->header().digest;
    record.seconds = clock.seconds();
    done += record.positions;
    if (options.control.progress) options.control.progress({"solve", level, seeds, done, total, run.seconds()});
    lower.add_level(record.positions);
    files.push_back(std::move(*file));
    built.push_back(record);
  }
  return built;
}

std::vector<BuiltLevel> build_round(const RuleSet& rules, const Position& root, Shape shape,
                                    const BuildOptions& options) {
  const FolderLock lock(options.folder);
  remove_partial_files(options.folder);
  ManifestKeeper manifest(options.folder);
  const Clock clock;
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
    if (!finished_file(options.folder, header_of(seeds), false)) reused = false;
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
