#include "solver/solve.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>

#include "bitboard/notation.h"
#include "tables/build.h"
#include "tables/build_files.h"
#include "tables/parallel.h"
#include "tables/retrograde.h"
#include "tables/round_solver.h"
#include "tables/stopwatch.h"

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
                        std::to_string(kMaxLevelSeeds) + ", bounds are found for more by search with a limit");
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
    solution_.complete = true;
    solution_.bounds = {evaluation.value, evaluation.value};
    if (options_.value_only) return;
    solution_.evaluation = std::move(evaluation);
    solution_.moves_proved = true;
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
    const unsigned threads = worker_count(options_.threads);
    const std::uint64_t needed = build_levels_memory(rules_, pits, seeds, threads) +
                                 positions_of_levels(pits, rules_.pit_limit, 0, seeds);
    if (options_.memory_bytes != 0 && needed > options_.memory_bytes) {
      throw limit_error("solving " + format_position(position_, shape_) + " by tables needs all levels of 2x" +
                        std::to_string(pits) + " up to " + std::to_string(seeds) + " seeds, " +
                        mebibytes(needed) + " of memory; allowed are " + mebibytes(options_.memory_bytes));
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

// The highest level such that it and all below it are in the folder; nothing if level 0 is not.
std::optional<unsigned> levels_without_gap(const TableFolder& folder, const RuleSet& rules, Shape shape, unsigned most) {
  std::optional<unsigned> level;
  for (unsigned next = 0; next <= most && folder.find(rules, shape, next) != nullptr; ++next) level = next;
  return level;
}

class SearchSolver {
 public:
  SearchSolver(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options)
      : position_(position), shape_(shape), options_(options), generator_(rules, shape) {
    const unsigned seeds = total_seeds(position);
    SearchOptions search;
    if (options.tables) {
      folder_.emplace(*options.tables, rules, kTableCacheBytes);
      if (family_of(rules.game) == Family::kRioKadalis) {
        search.tables = &*folder_;
        search.table_seeds = seeds;
      } else if (const auto level = levels_without_gap(*folder_, rules, shape, seeds)) {
        search.tables = &*folder_;
        search.table_seeds = *level;
      }
    }
    search.memory_bytes = options.transposition_bytes;
    search.threads = options.threads;
    search.limit_nodes = options.limit_nodes;
    search.limit_seconds = options.limit_seconds;
    search.control = options.control;
    search_.emplace(rules, shape, seeds, search);
  }

  Solution run() {
    solution_.method = Method::kSearch;
    const ProvedBounds root = search_->solve(position_, shape_);
    solution_.bounds = {root.lower, root.upper};
    if (root.lower == root.upper) {
      solution_.value = root.lower;
      solution_.evaluation.value = root.lower;
      solution_.line.end = Line::End::kCut;
      solution_.complete = options_.value_only || (evaluate_moves() && follow_line());
    }
    solution_.search = search_->effort();
    solution_.nodes = solution_.search->nodes;
    solution_.seconds = solution_.search->seconds;
    return std::move(solution_);
  }

 private:
  static constexpr std::size_t kTableCacheBytes = std::size_t{1} << 30;
  static constexpr unsigned kMostPlies = 1000;
  static constexpr std::uint64_t kMostLinePositions = 20'000;

  static int gain_of(const MoveList& list, unsigned slot) {
    return int{list.captured[slot]} - int{list.captured_opponent[slot]};
  }
  static bool is_endless(const MoveList& list, unsigned slot) { return has_bit(list.endless, slot); }

  struct Step {
    unsigned slot;
    bool endless;
    int gain;
    Position child;
  };

  // The legal moves, those first that a line should try first: captures and ends of the game, then what the
  // search has proved the value by.
  std::vector<Step> steps(const Position& position, Shape shape) const {
    MoveList list;
    generator_.generate(position, shape, list);
    const std::optional<unsigned> remembered = search_->remembered_move(position, shape);
    std::vector<Step> steps;
    for_each_move(list, [&](unsigned slot) {
      steps.push_back({slot, is_endless(list, slot), gain_of(list, slot), list.result[slot]});
    });
    std::stable_sort(steps.begin(), steps.end(), [&](const Step& a, const Step& b) {
      const auto rank = [&](const Step& step) {
        if (step.endless || total_seeds(step.child) < total_seeds(position)) return 0;
        return remembered == step.slot ? 1 : 2;
      };
      return rank(a) < rank(b);
    });
    return steps;
  }

  // False if a limit was reached.
  bool evaluate_moves() {
    std::vector<MoveBounds>& proved = solution_.move_bounds;
    for (const Step& step : steps(position_, shape_)) {
      ProvedBounds child;
      if (!step.endless) {  // no move is worth more than the best one
        child = search_->solve(step.child, shape_.swapped(), {step.gain - *solution_.value, kMaxSearchValue});
      }
      proved.push_back({step.slot, {step.gain - child.upper, step.gain - child.lower}});
    }
    std::sort(proved.begin(), proved.end(), [](const MoveBounds& a, const MoveBounds& b) { return a.slot < b.slot; });
    solution_.moves_proved = std::all_of(proved.begin(), proved.end(), [](const MoveBounds& move) {
      return move.bounds.first == move.bounds.second;
    });
    if (!solution_.moves_proved) return false;
    for (const MoveBounds& move : proved) solution_.evaluation.moves.push_back({move.slot, move.bounds.first});
    proved.clear();
    return true;
  }

  // Values as the search proves them; none where a limit was reached.
  class SearchSource : public ValueSource {
   public:
    explicit SearchSource(Search& search) : search_(&search) {}
    std::optional<int> value(const Position& position, Shape shape) const override {
      const ProvedBounds bounds = search_->solve(position, shape);
      if (bounds.lower == bounds.upper) return bounds.lower;
      stopped_ = true;
      return std::nullopt;
    }
    bool stopped() const { return stopped_; }

   private:
    Search* search_;
    mutable bool stopped_ = false;
  };

  // The rest of a line, from a position behind `plies` of it, that makes progress with every move. Cost: the exact
  // values of all moves of every position that is met by keeping the value, up to the next capture.
  bool finish_line_by_distance(const Position& position, Shape shape, std::size_t plies) {
    solution_.line.slots.resize(plies);
    solution_.line.end = Line::End::kCut;
    const SearchSource source(*search_);
    try {
      const Line rest = perfect_line(generator_, source, position, shape,
                                     kMostPlies - static_cast<unsigned>(plies), kMostLinePositions);
      solution_.line.slots.insert(solution_.line.slots.end(), rest.slots.begin(), rest.slots.end());
      solution_.line.end = rest.end;
      return true;
    } catch (const Error& error) {
      if (error.error_class() != ErrorClass::kIo || !source.stopped()) throw;
      return false;
    }
  }

  // False if a limit was reached.
  bool follow_line() {
    Position position = position_;
    Shape shape = shape_;
    int value = *solution_.value;
    std::vector<Position> seen;  // since the last capture; every second one has the same player to move
    Shape first_shape = shape;   // of the first of them
    while (solution_.line.slots.size() < kMostPlies) {
      const std::vector<Step> candidates = steps(position, shape);
      if (candidates.empty()) {
        solution_.line.end = Line::End::kGameOver;
        return true;
      }
      seen.push_back(position);
      const auto occurred = [&](const Position& child) {
        for (std::size_t i = seen.size() % 2; i < seen.size(); i += 2) {
          if (seen[i] == child) return true;
        }
        return false;
      };
      std::optional<Step> next, repeating;
      for (const Step& step : candidates) {
        if (step.endless) {
          if (step.gain == value) next = step;
        } else if (repeating && occurred(step.child)) {
          continue;
        } else {
          const auto too_good = search_->at_least(step.child, shape.swapped(), step.gain - value + 1);
          if (!too_good) {
            solution_.line.end = Line::End::kCut;
            return false;
          }
          if (!*too_good) (occurred(step.child) ? repeating : next) = step;
        }
        if (next) break;
      }
      if (!next && value != 0) {
        return finish_line_by_distance(seen.front(), first_shape, solution_.line.slots.size() + 1 - seen.size());
      }
      const Step& step = next ? *next : repeating.value();
      solution_.line.slots.push_back(step.slot);
      if (!next || step.endless) {
        solution_.line.end = next ? Line::End::kGameOver : Line::End::kRepetition;
        return true;
      }
      if (total_seeds(step.child) < total_seeds(position)) {
        seen.clear();
        first_shape = shape.swapped();
      }
      value = step.gain - value;
      position = step.child;
      shape = shape.swapped();
    }
    solution_.line.end = Line::End::kCut;
    return true;
  }

  const Position& position_;
  Shape shape_;
  const SolveOptions& options_;
  MoveGenerator generator_;
  std::optional<TableFolder> folder_;
  std::optional<Search> search_;
  Solution solution_;
};

}  // namespace

Solution solve_by_tables(const RuleSet& rules, const Position& position, Shape shape,
                         const SolveOptions& options) {
  return Solver(rules, position, shape, options).run();
}

Solution solve_by_search(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options) {
  return SearchSolver(rules, position, shape, options).run();
}

Method parse_method(std::string_view what, std::string_view text) {
  if (text == "auto") return Method::kAuto;
  if (text == "tables") return Method::kTables;
  if (text == "search") return Method::kSearch;
  throw usage_error(std::string(what) + ": '" + std::string(text) + "' is not one of auto, tables, search");
}

Method chosen_method(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options) {
  if (options.method != Method::kAuto) return options.method;
  const unsigned seeds = total_seeds(position);
  const bool limited = options.limit_nodes || options.limit_seconds;
  if (seeds > kMaxLevelSeeds) return limited ? Method::kSearch : Method::kTables;
  if (family_of(rules.game) == Family::kRioKadalis) {
    // Of a search that a limit ends there are bounds.
    return limited && !(options.tables && TableFolder(*options.tables, rules).value(position, shape)) ? Method::kSearch
                                                                                                     : Method::kTables;
  }
  if (options.tables) {
    const TableFolder folder(*options.tables, rules);
    if (levels_without_gap(folder, rules, shape, seeds) == seeds) return Method::kTables;
  }
  const std::uint64_t positions = positions_of_levels(shape.mover_pits, rules.pit_limit, 0, seeds);
  if (positions > kQuickPositions) return Method::kSearch;
  const std::uint64_t needed =
      build_levels_memory(rules, shape.mover_pits, seeds, worker_count(options.threads)) + positions;
  return options.memory_bytes != 0 && needed > options.memory_bytes ? Method::kSearch : Method::kTables;
}

namespace {

// How many positions a round has is not known before, nor what a search will take. So each is tried with a limit first.
Solution solve_round_by_auto(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options) {
  const Stopwatch watch;
  const auto attempt = [&](const auto& solver, std::optional<std::uint64_t> limit_nodes) -> std::optional<Solution> {
    SolveOptions limited = options;
    limited.limit_nodes = limit_nodes;
    try {
      Solution solution = solver(rules, position, shape, limited);
      if (solution.complete) return solution;
    } catch (const Error& error) {
      if (error.error_class() != ErrorClass::kLimit) throw;
    }
    return std::nullopt;
  };
  std::optional<Solution> solution = attempt(solve_by_tables, kQuickRound);
  if (!solution) solution = attempt(solve_by_search, kQuickPositions);
  if (!solution) solution = attempt(solve_by_tables, std::nullopt);
  if (!solution) solution = solve_by_search(rules, position, shape, options);
  solution->seconds = watch.seconds();
  return *std::move(solution);
}

}  // namespace

Solution solve(const RuleSet& rules, const Position& position, Shape shape, const SolveOptions& options) {
  if (chosen_method(rules, position, shape, options) == Method::kSearch) {
    return solve_by_search(rules, position, shape, options);
  }
  const bool round_by_auto = options.method == Method::kAuto && family_of(rules.game) == Family::kRioKadalis;
  return round_by_auto && total_seeds(position) <= kMaxLevelSeeds ? solve_round_by_auto(rules, position, shape, options)
                                                                  : solve_by_tables(rules, position, shape, options);
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
