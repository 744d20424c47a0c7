// What is known of a position in play: proved values from tables, a solution in memory or a search; else an estimate.
//
//   tables     where the folder holds the position and all that its moves lead to
//   solved     where all that can arise from it is at most `limit_nodes` positions (solve.h); a round of Rio Kadalis is
//              kept, and serves the positions behind
//   search     else, where that seems within reach, a search of as many
//   estimate   else: plain alpha-beta to a fixed depth, what has been captured by then being the value
//
// The first three are exact. The answer depends on position, tables, options and what was asked before (a search that has
// given up is not tried again with as many seeds), not on time or threads.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solver/random.h"
#include "solver/solve.h"
#include "tables/round_solver.h"

namespace retrosow {

struct AdvisorOptions {
  std::optional<std::filesystem::path> tables;
  std::uint64_t limit_nodes = 6'000'000;
  std::uint64_t memory_bytes = 0;  // 0: no limit
  RunControl control;
};

struct Advice {
  enum class Source : std::uint8_t { kTables, kSolved, kSearch, kEstimate };
  Source source = Source::kEstimate;
  Evaluation evaluation;     // never empty
  unsigned depth_plies = 0;  // of an estimate
  unsigned slot = 0;         // the move to play: of the best, one that makes progress where proved
  Line line;  // Urim family solved or searched, and estimates: the play that is expected
  bool proved() const { return source != Source::kEstimate; }
};

inline constexpr unsigned kMaxStrength = 10;

// Thread: none of it is safe for several.
class Advisor {
 public:
  // Fails: io error if the folder of tables cannot be read.
  Advisor(const RuleSet& rules, const AdvisorOptions& options);
  ~Advisor();

  // Pre: there is a legal move. Post: valid until the next call. Cost: what asking costs, once for a position.
  // Fails: corrupt error where a table is damaged; interrupted error when told to stop.
  const Advice& advise(const Position& position, Shape shape);
  // A line of best play, of at most so many plies; cut where tables end.
  Line line(const Position& position, Shape shape, unsigned max_plies);

  // Null without tables.
  const TableFolder* folder() const { return folder_ ? &*folder_ : nullptr; }

 private:
  // Of a source that may know distances, too: a folder, else null. Fails: io error where it does not know what is behind.
  std::optional<Advice> from_source(const ValueSource& source, const TableFolder* distances,
                                    const Position& position, Shape shape);
  std::optional<Advice> from_solver(const Position& position, Shape shape);
  std::optional<Advice> from_round(const Position& position, Shape shape);
  bool given_up(const Position& position, Shape shape) const;
  const MoveGenerator& generator(Shape shape);

  using Rows = std::pair<unsigned, unsigned>;
  RuleSet rules_;
  AdvisorOptions options_;
  std::optional<TableFolder> folder_;
  std::map<Rows, std::unique_ptr<MoveGenerator>> generators_;
  std::map<Rows, unsigned> too_many_seeds_;  // the least that the solver has given up at
  std::optional<Round> round_;               // the last one solved
  std::optional<std::pair<Position, Shape>> asked_;
  Advice advice_;
};

// Of ten moves, `strength` are the advised one, the others any legal move.
unsigned choose_slot(const Advice& advice, unsigned strength, SplitMix64& random);

}  // namespace retrosow
