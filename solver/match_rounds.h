// The rounds of a match: what solve_match asks about them, from table files where they are there, else solved.
#pragma once

#include <map>

#include "solver/match.h"
#include "tables/table_file.h"

namespace retrosow {

struct MatchRoundsOptions {
  // Rounds found here whole, from the same start, are read; the others are solved and kept in memory.
  const TableFolder* tables = nullptr;
  std::uint64_t memory_bytes = 0;  // for all of it; 0: no limit
  unsigned threads = 0;            // 0: all cores
  RunControl control;
};

// Thread: none of it is safe for several.
class MatchRounds : public RoundOracle {
 public:
  // Pre: rules of Rio Kadalis.
  MatchRounds(const RuleSet& rules, const MatchRoundsOptions& options)
      : rules_(rules), options_(options) {}

  // Cost: solving the round, or reading it, and possible_results.
  // Fails: limit error where the memory does not suffice; what reading tables throws.
  const RoundFacts& facts(Shape open) override;
  // Fails: limit error, before any work, where the memory does not suffice.
  std::vector<ForcedResults> forces(Shape open, std::span<const ResultSet> wanted) override;

  // The round played for most stones by both, from its start: perfect for the match, too, in a state whose
  // stones_suffice. Its result is facts(open).stones. Pre: facts(open) has been asked for.
  Line most_stones(Shape open) const;

  std::uint64_t rounds_read() const { return rounds_read_; }
  std::uint64_t positions() const { return positions_; }  // of all rounds asked for

 private:
  struct Key {
    unsigned mover_pits = 0, opponent_pits = 0;
    auto operator<=>(const Key&) const = default;
  };

  // The round from tables, or nothing where they do not have all of it.
  std::optional<Round> read(Shape open) const;
  Round solve(Shape open) const;
  // Beside the rounds that are kept, and one that is not.
  std::uint64_t memory_left(const std::optional<Round>& read = {}) const;

  RuleSet rules_;
  MatchRoundsOptions options_;
  std::map<Key, RoundFacts> facts_;
  std::map<Key, Round> solved_;
  std::uint64_t rounds_read_ = 0;
  std::uint64_t positions_ = 0;
};

// 4 stones in every open hole.
Position round_start(Shape open);

}  // namespace retrosow
