// build_round of build.h.
//
// Nothing says how many positions a round has, and no level can be enumerated without those above, while levels are
// solved from the lowest upwards. So an unfinished round is enumerated as a whole, whatever is finished; only
// where all values are there, and distances are missing, the keys come from the files.
#include <algorithm>
#include <cassert>

#include "tables/build_files.h"
#include "tables/leftovers.h"
#include "tables/round_level.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

Error contradiction(const TableReader& file, const std::string& what, const std::string& expected,
                    const std::string& found) {
  Error error(ErrorClass::kCorrupt, file.path().string() + ": " + what + ": expected " + expected + ", found " + found +
                                        "; remove the file or build with --force");
  error.path = file.path().string();
  error.expected = expected;
  error.found = found;
  return error;
}

// Pre: the folder is locked.
class RoundBuilder {
 public:
  RoundBuilder(const RuleSet& rules, const Position& root, Shape shape, const BuildOptions& options)
      : rules_(rules),
        root_(root),
        shape_(shape),
        options_(options),
        workers_(worker_count(options.threads)),
        manifest_(options.folder),
        generator_(rules, shape),
        round_(empty_round(rules, root, shape)) {}

  std::vector<BuiltLevel> build() {
    find_finished();
    const bool all_values = has_all_values();
    bool all = all_values && !options_.distances;
    if (all_values && options_.distances) all = find_distances();
    if (all) return report_finished();
    if (all_values) {
      read_positions();
    } else {
      const Stopwatch clock;
      round_ = enumerate_round(rules_, root_, shape_, options_.memory_bytes, workers_, options_.control);
      enumeration_seconds_ = clock.seconds();
      mask_ = 0;
      for (unsigned i = 0; i < round_.levels.size(); ++i) {
        if (round_.levels[i].positions != 0) mask_ |= std::uint32_t{1} << i;
      }
    }
    refuse_too_large();
    values_.resize(round_.levels.size());
    workspace_.emplace(round_, options_.distances);
    total_ = round_.positions();
    std::vector<BuiltLevel> built;
    for (unsigned level = static_cast<unsigned>(round_.levels.size()); level-- > 0;) {
      if (round_.levels[level].positions == 0) continue;
      built.push_back(build_level(level));
      if (options_.on_level) options_.on_level(built.back());
    }
    return built;
  }

 private:
  TableHeader header_of(unsigned level) const {
    TableHeader header = round_header(rules_, root_, shape_, round_.levels[level].seeds);
    header.round_levels = mask_;
    header.endless_moves = round_.levels[level].endless_moves;
    return header;
  }

  // Opens the files of values that are there.
  void find_finished() {
    files_.resize(round_.levels.size());
    for (unsigned level = 0; level < files_.size(); ++level) {
      files_[level] = finished_file(options_, header_of(level), options_.force);
    }
  }

  // Whether the files are those of all levels that the round has.
  bool has_all_values() {
    for (const std::optional<TableReader>& file : files_) {
      if (file) mask_ = file->header().round_levels;
    }
    if (mask_ == 0) return false;
    for (unsigned level = 0; level < files_.size(); ++level) {
      if (((mask_ >> level) & 1U) != (files_[level] ? 1U : 0U)) return false;
      if (files_[level] && files_[level]->header().round_levels != mask_) return false;
    }
    return true;
  }

  // Opens the distances that are there. Returns whether none are missing.
  bool find_distances() {
    bool all = true;
    distances_.resize(files_.size());
    for (unsigned level = 0; level < files_.size(); ++level) {
      if (!files_[level]) continue;
      distances_[level] = finished_file(options_, distance_header(files_[level]->header()), options_.force);
      if (!distances_[level]) all = false;
    }
    return all;
  }

  std::vector<BuiltLevel> report_finished() {
    std::vector<BuiltLevel> built;
    for (unsigned level = static_cast<unsigned>(files_.size()); level-- > 0;) {
      if (!files_[level]) continue;
      BuiltLevel record = record_of(*files_[level], true, 0);
      manifest_.finished(*files_[level]);
      if (options_.distances) {
        add_distances(record, *distances_[level], true, 0);
        manifest_.finished(*distances_[level]);
      }
      built.push_back(record);
      if (options_.on_level) options_.on_level(record);
    }
    return built;
  }

  static BuiltLevel record_of(const TableReader& file, bool reused, double seconds) {
    const TableHeader& header = file.header();
    return {header.seeds, header.positions, file.file_bytes(), header.digest, reused, seconds, {}};
  }

  static void add_distances(BuiltLevel& record, const TableReader& file, bool reused, double seconds) {
    record.distances = {file.file_bytes(), file.header().digest, reused, seconds};
  }

  // The keys of finished files, as they would be enumerated.
  void read_positions() {
    std::uint64_t needed = 0;
    for (const std::optional<TableReader>& file : files_) {
      if (file) needed += KeyTable::memory_bytes(round_.code, file->header().positions);
    }
    refuse(needed);
    for (unsigned level = 0; level < files_.size(); ++level) {
      if (!files_[level]) continue;
      RoundLevelKeys& keys = round_.levels[level];
      keys.positions = files_[level]->header().positions;
      keys.endless_moves = files_[level]->header().endless_moves;
      keys.keys = KeyTable(round_.code, keys.positions);
      for_entries(*files_[level], [&](std::span<const Position> block, std::span<const Value>) {
        for (const Position& key : block) {
          const KeyTable::Code code = round_.code.code(key);
          if (round_.code.key(code) != key || !keys.keys.insert(code, keys.keys.home(code))) {
            throw contradiction(*files_[level], "holds a position", "boards of the round", "something else");
          }
        }
      });
      // Not known without playing them; no position has more.
      keys.quiet_moves = keys.positions * std::max(shape_.mover_pits, shape_.opponent_pits);
    }
  }

  // Calls f(keys, values) for pieces of a file, from all workers.
  template <typename F>
  void for_entries(const TableReader& file, F&& f) const {
    const std::uint64_t positions = file.header().positions;
    parallel_loop(workers_, static_cast<std::size_t>((positions + kPositionsAtOnce - 1) / kPositionsAtOnce), [&](unsigned, std::size_t i) {
      options_.control.check_stop();
      const std::uint64_t first = i * kPositionsAtOnce;
      std::vector<Position> keys(static_cast<std::size_t>(std::min(kPositionsAtOnce, positions - first)));
      std::vector<Value> values(keys.size());
      file.copy_entries(first, keys, values);
      f(std::span<const Position>(keys), std::span<const Value>(values));
    });
  }

  void refuse(std::uint64_t needed) const {
    if (options_.memory_bytes == 0 || needed <= options_.memory_bytes) return;
    throw limit_error("the round of " + std::to_string(round_.positions()) + " positions needs " + mebibytes(needed) +
                      " of memory; allowed are " + mebibytes(options_.memory_bytes));
  }

  void refuse_too_large() const { refuse(build_round_memory(round_, options_.distances, workers_)); }

  BuiltLevel build_level(unsigned level) {
    const Stopwatch clock;
    const RoundLevelKeys& keys = round_.levels[level];
    std::optional<TableReader>& file = files_[level];
    const bool known = file.has_value();
    if (known) values_[level] = values_of(*file, level);
    std::optional<TableReader> distances;
    if (known && options_.distances) {
      distances = finished_file(options_, distance_header(file->header()), options_.force);
    }
    const bool distances_known = distances.has_value();
    std::span<const KeySlot> sorted;
    if (!known || (options_.distances && !distances_known)) {
      SlotValues solved = solve(level, known);
      if (!known) values_[level] = std::move(solved);
      sorted = sort_keys(keys, *workspace_, workers_);
    }
    if (!known) {
      const TableHeader header = header_of(level);
      manifest_.begin(header);
      write_contents<Value>(options_, header, keys.positions,
                            [&](LevelIndex first, std::span<Position> keys_out, std::span<Value> out) {
                              for (std::size_t i = 0; i < out.size(); ++i) {
                                keys_out[i] = round_.code.key(keys.keys.code(sorted[first + i].slot));
                                out[i] = values_[level][sorted[first + i].slot];
                              }
                            });
      file.emplace(options_.folder / table_file_name(header), 0);
    }
    manifest_.finished(*file);
    const double values_seconds = clock.seconds();
    BuiltLevel record = record_of(*file, known, values_seconds);
    if (options_.distances) {
      // Distances that were there before their values were built again.
      if (!distances) distances = finished_file(options_, distance_header(file->header()), options_.force);
      const bool reused = distances.has_value();
      if (!distances) {
        const TableHeader header = distance_header(file->header());
        manifest_.begin(header);
        write_contents<std::uint16_t>(options_, header, keys.positions,
                                      [&](LevelIndex first, auto, std::span<std::uint16_t> out) {
                                        for (std::size_t i = 0; i < out.size(); ++i) {
                                          out[i] = workspace_->distances[sorted[first + i].slot];
                                        }
                                      });
        distances.emplace(options_.folder / table_file_name(header), 0);
      }
      manifest_.finished(*distances);
      add_distances(record, *distances, reused, clock.seconds() - values_seconds);
    }
    done_ += keys.positions;
    if (known && (!options_.distances || distances_known)) found_ += keys.positions;
    if (level == 0) record.seconds += enumeration_seconds_;
    return record;
  }

  SlotValues solve(unsigned level, bool known) {
    const RoundLevelKeys& keys = round_.levels[level];
    RoundLevelTask task{&round_, &generator_, level, &values_, known, options_.distances, workers_, {}};
    if (options_.control.progress) {
      task.on_done = [&](double share) {
        const auto part = static_cast<std::uint64_t>(share * static_cast<double>(keys.positions));
        options_.control.progress({"solve", keys.seeds, round_.levels[0].seeds, done_ + part, total_, run_.seconds(), found_});
      };
    }
    return solve_round_level(task, *workspace_, options_.control);
  }

  // The values of a finished level, by slot.
  SlotValues values_of(const TableReader& file, unsigned level) const {
    const RoundLevelKeys& level_keys = round_.levels[level];
    const TableHeader& header = file.header();
    if (header.positions != level_keys.positions) {
      throw contradiction(file, "holds another number of positions than can be reached",
                          std::to_string(level_keys.positions), std::to_string(header.positions));
    }
    if (header.round_levels != mask_ || header.endless_moves != level_keys.endless_moves) {
      throw contradiction(file, "says something else about the round than can be reached",
                          std::to_string(mask_) + ", " + std::to_string(level_keys.endless_moves),
                          std::to_string(header.round_levels) + ", " + std::to_string(header.endless_moves));
    }
    SlotValues values(level_keys.keys.slots());
    for_entries(file, [&](std::span<const Position> keys, std::span<const Value> block) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const KeyTable::Code code = round_.code.code(keys[i]);
        const KeyTable::Slot slot = level_keys.keys.find(code);
        if (slot == KeyTable::kNone || round_.code.key(code) != keys[i]) throw contradiction(file, "holds a position", "what can be reached", "another one");
        values[slot] = block[i];
      }
    });
    return values;
  }

  const RuleSet& rules_;
  const Position& root_;
  Shape shape_;
  const BuildOptions& options_;
  unsigned workers_;
  const Stopwatch run_;
  ManifestKeeper manifest_;
  MoveGenerator generator_;
  RoundPositions round_;
  std::uint32_t mask_ = 0;                             // levels of the round
  std::vector<std::optional<TableReader>> files_;      // of values, by level number
  std::vector<std::optional<TableReader>> distances_;  // where all values were there
  std::vector<SlotValues> values_;
  std::optional<RoundWorkspace> workspace_;
  std::uint64_t done_ = 0, total_ = 0;
  std::uint64_t found_ = 0;                            // of done_: in files that were there
  double enumeration_seconds_ = 0;
};

}  // namespace

std::uint64_t build_round_memory(const RoundPositions& round, bool distances, unsigned workers) {
  constexpr std::uint64_t kEntryBytes = 2 * (sizeof(Position) + sizeof(std::uint16_t));
  std::uint64_t in_flight = 0;
  for (const RoundLevelKeys& level : round.levels) in_flight = std::max(in_flight, level.positions);
  in_flight = std::min<std::uint64_t>(in_flight, workers * kBlocksInFlight * TableWriter::kBlockValues);
  return std::max(round.peak_bytes, round_solving_memory(round, distances) + in_flight * kEntryBytes);
}

std::vector<BuiltLevel> build_round(const RuleSet& rules, const Position& root, Shape shape,
                                    const BuildOptions& options) {
  if (options.guarantees) throw Error(ErrorClass::kUnsupported, "there are no guarantees of rounds");
  (void)empty_round(rules, root, shape);  // refuses what has too many stones before the folder is made
  const FolderLock lock(options.folder);
  remove_leftovers(options.folder);
  return RoundBuilder(rules, root, shape, options).build();
}

}  // namespace retrosow
