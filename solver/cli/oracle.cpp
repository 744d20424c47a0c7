#include "solver/cli/oracle.h"

#include "solver/cli/signals.h"
#include "tables/level_solver.h"

namespace retrosow::cli {
namespace {

constexpr std::uint64_t kSearchMemoryBytes = std::uint64_t{256} << 20;
constexpr unsigned kPerfectLinePlies = 1000;
constexpr std::uint64_t kTranspositionBytes = std::uint64_t{32} << 20;

Method quick_method(const RuleSet& rules, const Board& board) {
  if (family_of(rules.game) == Family::kRioKadalis) return Method::kTables;
  const std::uint64_t positions =
      positions_of_levels(board.pits, rules.pit_limit, 0, total_seeds(board.position));
  return positions <= Oracle::kSearchNodes ? Method::kTables : Method::kSearch;
}

// What f finds, or which damaged table it met.
template <typename F>
Knowledge or_damage(F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.error_class() != ErrorClass::kCorrupt) throw;
    Knowledge known;
    known.damage = error;
    return known;
  }
}

}  // namespace

Oracle::Oracle(const std::optional<std::filesystem::path>& tables) {
  if (!tables) return;
  path_ = std::filesystem::weakly_canonical(*tables);
  folder_.emplace(*path_);
}

Knowledge Oracle::ask(const RuleChoice& choice, const Board& board, bool with_line) {
  return or_damage([&] { return find(choice, board, with_line); });
}

Knowledge Oracle::search(const RuleChoice& choice, const Board& board) {
  return or_damage([&] { return search_below(choice, board); });
}

Knowledge Oracle::find(const RuleChoice& choice, const Board& board, bool with_line) {
  if (folder_) {
    TableProbe tables(*path_, *folder_, choice);
    if (tables.should_know(board)) {
      try {
        Probed found = tables.probe(board);
        Knowledge known;
        known.from = Knowledge::From::kTables;
        known.value = found.value;
        known.moves = std::move(found.moves);
        if (found.distances != nullptr) {
          known.plies = std::move(found.plies);
        } else if (with_line) {
          const Turn turn(*this);
          known.busy = !turn.is_mine();
          if (known.busy) return known;
          known.line = perfect_line(tables.generator(board.shape()), tables.values(), board.position, board.shape(),
                                    kPerfectLinePlies, kLineNodes);
        }
        return known;
      } catch (const Error& error) {
        // A level below, to which a capture leads, may not be there.
        if (error.error_class() != ErrorClass::kIo) throw;
      }
    }
  }
  return search_below(choice, board);
}

Knowledge Oracle::search_below(const RuleChoice& choice, const Board& board) {
  Knowledge known;
  const unsigned seeds = total_seeds(board.position);
  const std::string level =
      "no table with " + std::to_string(seeds) + " " + std::string(unit_of(choice.rules));
  if (seeds > kMaxLevelSeeds) {
    known.why = level + ", and too many to search";
    return known;
  }
  const Turn turn(*this);
  if (!turn.is_mine()) {
    known.why = level + ", and too many other positions are being searched; ask again";
    known.busy = true;
    return known;
  }
  check_interrupted();

  SolveOptions options;
  options.method = quick_method(choice.rules, board);
  options.tables = path_;
  options.threads = 1;
  options.limit_nodes = kSearchNodes;
  options.limit_seconds = kSearchSeconds;
  options.memory_bytes = kSearchMemoryBytes;
  options.transposition_bytes = kTranspositionBytes;
  options.control.stop = interrupted;
  known.why = level + ", and not solved by a short search";
  known.busy = true;  // with more time than this one gets it may be
  try {
    Solution solution = solve(choice.rules, board.position, board.shape(), options);
    if (!solution.value) return known;
    known.value = solution.value;
    if (solution.moves_proved) {
      known.moves = std::move(solution.evaluation);
      known.line = std::move(solution.line);
    }
  } catch (const Error& error) {
    if (error.error_class() != ErrorClass::kLimit) throw;
    return known;
  }
  known.from = Knowledge::From::kSearch;
  known.why.clear();
  known.busy = false;
  return known;
}

}  // namespace retrosow::cli
