#include "solver/match_rounds.h"

#include <algorithm>

#include "solver/possible_results.h"

namespace retrosow {
namespace {

constexpr unsigned kStartStones = 4;

std::uint64_t bytes_of(const Round& round) {
  return round.positions * (sizeof(Position) + sizeof(Value));
}

}  // namespace

Position round_start(Shape open) {
  Position start;
  for (unsigned i = 0; i < open.pits(); ++i) set_seeds(start, open, i, kStartStones);
  return start;
}

const RoundFacts& MatchRounds::facts(Shape open) {
  const Key key{open.mover_pits, open.opponent_pits};
  const auto known = facts_.find(key);
  if (known != facts_.end()) return known->second;

  std::optional<Round> from_tables = read(open);
  const Round& round = from_tables ? *from_tables : solved_.emplace(key, solve(open)).first->second;
  if (from_tables) ++rounds_read_;
  positions_ += round.positions;

  const unsigned board = total_seeds(round.root);
  const auto stones = [&](int value) {
    return static_cast<unsigned>((static_cast<int>(board) + value) / 2);
  };
  const MoveGenerator generator(rules_, open);
  const Evaluation start = evaluate(generator, RoundSource(round), round.root, open);
  RoundFacts facts;
  facts.stones = stones(start.value);
  for (const MoveValue& move : start.moves) facts.moves.push_back({move.slot, stones(move.value)});
  facts.possible =
      possible_results(round, memory_left(from_tables), options_.threads, options_.control);
  return facts_.emplace(key, std::move(facts)).first->second;
}

std::vector<ForcedResults> MatchRounds::forces(Shape open, std::span<const ResultSet> wanted) {
  const auto solved = solved_.find({open.mover_pits, open.opponent_pits});
  std::optional<Round> from_tables;
  if (solved == solved_.end()) from_tables = read(open);
  const Round& round = solved == solved_.end() ? from_tables.value() : solved->second;
  return solve_for_results(round, wanted, memory_left(from_tables), options_.threads,
                           options_.control);
}

Line MatchRounds::most_stones(Shape open) const {
  const MoveGenerator generator(rules_, open);
  const auto solved = solved_.find({open.mover_pits, open.opponent_pits});
  return solved == solved_.end()
             ? perfect_line(generator, *options_.tables, round_start(open), open)
             : perfect_line(generator, RoundSource(solved->second), round_start(open), open);
}

std::optional<Round> MatchRounds::read(Shape open) const {
  if (options_.tables == nullptr) return std::nullopt;
  Round round;
  round.rules = rules_;
  round.shape = open;
  round.root = round_start(open);
  const Digest digest = rules_digest(rules_);
  std::vector<const TableReader*> files;  // by seeds, ascending
  for (const TableReader& file : options_.tables->files()) {
    const TableHeader& header = file.header();
    if (header.index != IndexKind::kKeys || header.kind != TableKind::kValues ||
        header.rules_digest != digest || header.shape != open || header.root != round.root) {
      continue;
    }
    files.push_back(&file);
    round.positions += header.positions;
  }
  if (files.empty() || files.size() != levels_of_round(files.front()->header()).size()) {
    return std::nullopt;
  }
  if (const std::uint64_t left = memory_left(); left != 0 && bytes_of(round) > left) {
    throw limit_error("reading a round of the match takes " + mebibytes(bytes_of(round)) + " of memory; left are " +
                      mebibytes(left));
  }
  for (const TableReader* file : files) {
    options_.control.check_stop();
    RoundLevel level;
    level.seeds = file->header().seeds;
    level.keys.resize(file->header().positions);
    level.values.resize(file->header().positions);
    file->copy_entries(0, level.keys, level.values);
    level.endless_moves = file->header().endless_moves;
    round.levels.push_back(std::move(level));
  }
  return round;
}

Round MatchRounds::solve(Shape open) const {
  return solve_round(rules_, round_start(open), open, memory_left(), options_.control,
                     options_.threads);
}

// At least 1 where there is a limit, which 0 would lift.
std::uint64_t MatchRounds::memory_left(const std::optional<Round>& read) const {
  if (options_.memory_bytes == 0) return 0;
  std::uint64_t used = read ? bytes_of(*read) : 0;
  for (const auto& [key, round] : solved_) used += bytes_of(round);
  return std::max<std::uint64_t>(1, options_.memory_bytes - std::min(options_.memory_bytes, used));
}

}  // namespace retrosow
