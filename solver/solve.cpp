#include "solver/solve.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>

#include "bitboard/notation.h"
#include "tables/build.h"
#include "tables/parallel.h"
#include "tables/retrograde.h"
#include "tables/round_solver.h"

namespace retrosow {
namespace {

class Solver {
 public:
  Solver(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options)
      : rules_(rules), position_(position), shape_(shape), options_(options), control_(options.control) {
    control_.stop = [this] {
      if (options_.limit_seconds && seconds() > *options_.limit_seconds) limit_reached_ = true;
      return limit_reached_ || (options_.control.stop && options_.control.stop());
    };
  }

  Solution run() {
    const unsigned seeds = total_seeds(position_);
    if (seeds > kMaxLevelSeeds) {
      throw limit_error(std::to_string(seeds) + " seeds on the board; values are solved for at most " +
                        std::to_string(kMaxLevelSeeds));
    }
    try {
      if (family_of(rules_.game) == Family::kUrim) {
        solve_levels(seeds);
      } else {
        solve_reachable();
      }
    } catch (const Error& error) {
      if (error.error_class() != ErrorClass::kInterrupted || !limit_reached_) throw;
      solution_.bounds = {-static_cast<int>(seeds), static_cast<int>(seeds)};
    }
    solution_.seconds = seconds();
    return std::move(solution_);
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  // Stops before a number of positions is solved that is above the limit.
  void allow_nodes(std::uint64_t nodes) {
    if (!options_.limit_nodes || nodes <= *options_.limit_nodes) return;
    limit_reached_ = true;
    control_.check_stop();
  }

  void finish(const ValueSource& source) {
    const MoveGenerator generator(rules_, shape_);
    Evaluation evaluation = evaluate(generator, source, position_, shape_);
    solution_.value = evaluation.value;
    solution_.bounds = {evaluation.value, evaluation.value};
    if (options_.value_only) return;
    solution_.evaluation = std::move(evaluation);
    solution_.line = perfect_line(generator, source, position_, shape_);
  }

  void solve_levels(unsigned seeds) {
    const unsigned pits = shape_.mover_pits;
    std::optional<TableFolder> folder;
    if (options_.tables) folder.emplace(*options_.tables, rules_);
    if (folder && folder->find(rules_, shape_, seeds) != nullptr && has_all_levels(*folder, seeds)) {
      finish(*folder);
      return;
    }
    const unsigned threads = worker_count(0);
    const std::uint64_t needed = build_levels_memory(rules_, pits, seeds, threads) +
                                 positions_of_levels(pits, rules_.pit_limit, 0, seeds);
    if (options_.memory_bytes != 0 && needed > options_.memory_bytes) {
      throw limit_error("solving " + format_position(position_, shape_) + " by tables needs all levels of 2x" +
                        std::to_string(pits) + " up to " + std::to_string(seeds) + " seeds, " +
                        std::to_string((needed >> 20) + 1) + " MiB of memory; allowed are " +
                        std::to_string(options_.memory_bytes >> 20) + " MiB");
    }
    const std::uint64_t total = positions_of_levels(pits, rules_.pit_limit, 0, seeds);
    if (options_.control.progress) options_.control.progress({"solve", 0, seeds, 0, total, seconds()});
    const HalfBoard half_board(rules_, pits, seeds, [this] { control_.check_stop(); });
    std::uint64_t done = 0;
    LevelValues levels;
    const auto copy = [&](unsigned level, LevelIndex first, std::span<Value> out) {
      std::copy_n(levels[level].begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
    };
    LowerLevels lower(copy, 0);
    for (unsigned level = 0; level <= seeds; ++level) {
      control_.check_stop();
      const TableReader* file = folder ? folder->find(rules_, shape_, level) : nullptr;
      if (file != nullptr) {
        levels.push_back(file->read_all());
        lower.add_level(levels.back().size());
        done += levels.back().size();
        continue;
      }
      allow_nodes(solution_.nodes + level_size(pits, rules_.pit_limit, level));
      RetrogradeLevel solved(rules_, half_board, level, lower, threads);
      const auto on_done = [&](double share) {
        if (!options_.control.progress) return;
        const auto part = static_cast<std::uint64_t>(share * static_cast<double>(solved.size()));
        options_.control.progress({"solve", level, seeds, done + part, total, seconds()});
      };
      solved.solve(on_done, control_);
      levels.emplace_back(solved.size());
      solved.copy_values(0, levels.back());
      lower.add_level(solved.size());
      solution_.nodes += solved.size();
      done += solved.size();
    }
    finish(LevelSource(half_board.ranks(), levels));
  }

  bool has_all_levels(const TableFolder& folder, unsigned seeds) const {
    for (unsigned level = 0; level < seeds; ++level) {
      if (folder.find(rules_, shape_, level) == nullptr) return false;
    }
    return true;
  }

  void solve_reachable() {
    if (options_.tables) {
      const TableFolder folder(*options_.tables, rules_);
      if (folder.value(position_, shape_)) {
        finish(folder);
        return;
      }
    }
    RunControl control = control_;
    control.progress = [this](const Progress& progress) {
      allow_nodes(progress.done);
      if (options_.control.progress) options_.control.progress(progress);
    };
    const Round round = solve_round(rules_, position_, shape_, options_.memory_bytes, control);
    allow_nodes(round.positions);
    solution_.nodes = round.positions;
    finish(RoundSource(round));
  }

  const RuleSet& rules_;
  const Position& position_;
  Shape shape_;
  const SolveOptions& options_;
  RunControl control_;
  std::atomic<bool> limit_reached_{false};
  Solution solution_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Solution solve_by_tables(const RuleSet& rules, const Position& position, Shape shape,
                         const SolveOptions& options) {
  return Solver(rules, position, shape, options).run();
}

std::uint64_t default_memory_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kibibytes = 0;
  while (meminfo >> key >> kibibytes) {
    std::getline(meminfo, unit);
    if (key == "MemAvailable:") return kibibytes * 1024 / 5 * 4;
  }
  return std::uint64_t{2} << 30;  // unknown: assume a small machine
}

}  // namespace retrosow
