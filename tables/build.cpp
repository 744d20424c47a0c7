#include "tables/build.h"

#include <chrono>

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

// Whether a finished file of that name is there; damage in it is an error that says how to go on.
std::optional<TableReader> finished_file(const std::filesystem::path& path, bool force) {
  if (force || !std::filesystem::exists(path)) return std::nullopt;
  return TableReader(path);
}

TableHeader level_header(const RuleSet& rules, unsigned pits, unsigned seeds) {
  TableHeader header;
  header.rules = rules;
  header.shape = {static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)};
  header.seeds = seeds;
  return header;
}

}  // namespace

std::vector<BuiltLevel> build_levels(const RuleSet& rules, unsigned pits, unsigned seeds,
                                     const BuildOptions& options) {
  const LevelSolver solver(rules, pits, seeds);
  const std::uint64_t needed = level_solver_memory(pits, rules.pit_limit, seeds);
  if (options.memory_bytes != 0 && needed > options.memory_bytes) {
    throw limit_error("2x" + std::to_string(pits) + " up to " + std::to_string(seeds) + " seeds needs " +
                      mebibytes(needed) + " of memory; allowed are " + mebibytes(options.memory_bytes - 1));
  }
  const FolderLock lock(options.folder);
  remove_partial_files(options.folder);
  const Clock run;
  const std::uint64_t total = positions_of_levels(pits, rules.pit_limit, 0, seeds);
  std::uint64_t done = 0;
  LevelValues levels;
  std::vector<BuiltLevel> built;
  for (unsigned level = 0; level <= seeds; ++level) {
    options.control.check_stop();
    const Clock clock;
    const std::filesystem::path path = options.folder / table_file_name(level_header(rules, pits, level));
    BuiltLevel record;
    record.seeds = level;
    std::optional<TableReader> file = finished_file(path, options.force);
    record.reused = file.has_value();
    if (file) {
      levels.push_back(file->read_all());
    } else {
      const auto on_swept = [&](std::uint64_t settled) {
        if (options.control.progress) {
          options.control.progress({"solve", level, seeds, done + settled, total, run.seconds()});
        }
      };
      levels.push_back(solver.solve(level, levels, on_swept, options.control));
      write_level_file(options.folder, rules, pits, level, levels.back());
      file.emplace(path);
    }
    record.positions = file->header().positions;
    record.file_bytes = file->file_bytes();
    record.digest = file->header().digest;
    record.seconds = clock.seconds();
    done += record.positions;
    built.push_back(record);
  }
  return built;
}

std::vector<BuiltLevel> build_round(const RuleSet& rules, const Position& root, Shape shape,
                                    const BuildOptions& options) {
  const FolderLock lock(options.folder);
  remove_partial_files(options.folder);
  const Clock clock;
  const auto header_of = [&](unsigned seeds) {
    TableHeader header;
    header.index = IndexKind::kKeys;
    header.rules = rules;
    header.shape = shape;
    header.root = root;
    header.seeds = seeds;
    return header;
  };
  // The root's level is written last, so it stands for the whole round.
  const std::filesystem::path last = options.folder / table_file_name(header_of(total_seeds(root)));
  const bool reused = finished_file(last, options.force).has_value();
  std::uint64_t positions = 0;
  if (!reused) {
    const Round round = solve_round(rules, root, shape, options.memory_bytes, options.control);
    write_round_files(options.folder, round);
    positions = round.positions;
  }
  std::vector<BuiltLevel> built;
  for (unsigned seeds = 0; seeds <= total_seeds(root); ++seeds) {
    const std::filesystem::path path = options.folder / table_file_name(header_of(seeds));
    if (!std::filesystem::exists(path)) continue;
    const TableReader file(path);
    if (reused) file.read_all();
    built.push_back({seeds, file.header().positions, file.file_bytes(), file.header().digest, reused, clock.seconds()});
  }
  if (options.control.progress && !reused) {
    options.control.progress({"write", total_seeds(root), total_seeds(root), positions, positions, clock.seconds()});
  }
  return built;
}

}  // namespace retrosow
