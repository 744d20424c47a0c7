// Distances of a level of the Urim family: plies to the next capture or the end, under play that keeps the value, the
// winner hurrying and the loser delaying (FORMAT.md). Values come first; this is a second pass, in waves by ply.
//
// 1. The forward pass again: its best capture says whether a won position has a capture that keeps the
//    value (distance 1), and which games are over (distance 0).
// 2. Every won position counts up `open` in its predecessors that it is the best for. A lost position that none
//    counted up, and that is not over, keeps its value by capturing alone: distance 1.
// 3. Wave d = 0, 1, 2 ...: the positions at distance d tell the predecessors they are best for. One that is won
//    and has no distance gets d + 1, since all shorter ones are known; one that is lost has one open move less, and
//    gets d + 1 with the last.
//
// Waves go through the update queues, so what they write is written by one worker at a time and the result does not depend
// on their number. A region is looked through only for waves that have left something in it. See distance_waves.h.
//
// Batches. A move that keeps the value v leads to a position of value -v, or out of the level. So the distances of all
// positions of value v or -v depend on no others, and a level that memory does not hold is done a few |v| at a time:
//
//   whole      value and state of every position: 3 bytes a position
//   batches    2 bits of a start mark for every position, by one forward pass for all; then for each batch the members'
//              values and states, 3 bytes a member, and what numbers them, 10 bits for 8 positions (member_ranks.h).
//              Their distances are packed into a file without a name, and merged by value as they are read.
//
// During the forward pass of the latter the values of one part of the level (boards with one number of seeds in the
// opponent's half) are held, a byte each, instead of members. That is less: a tenth of the level for 36 seeds on 2x6.
//
// The least that a build asks for holds a quarter of the level as members, a third as far as that is 2^28, and in any case
// 2^24; and what blocks of lower levels took during the forward pass is there for members behind it. No |v| was more
// frequent than that in levels of more than 2^24 positions, among tables of 2x6 to 22 seeds, 2x7 to 16, 2x5 to 23 and
// several rules: at most 30.0 % (value 2 of 16 seeds on 2x7), 22.9 % on 2x6 (value 1 of Awari with 19 seeds), 28.4 % with
// chain=none (value 1 of 17 seeds), and less with more seeds (19.0 % with 22). But with trigger=1,2,3,4,5,6,7 chain=none
// 37.9 % of 19 seeds on 2x6 are 1 or -1. Where memory does not suffice, solve() says how much more does.
// Cost: level 20 of 2x6 in batches takes 29 s of processor time where it takes 19 s as a whole, the check of other levels
// included (AMD EPYC, `build --seeds 20 --distance`).
// Memory: see memory_bytes().
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "tables/huge_array.h"
#include "tables/level_graph.h"
#include "tables/lower_levels.h"
#include "tables/run_control.h"

namespace retrosow {

class ScratchFile;

struct DistanceStats {
  double forward_seconds = 0, count_seconds = 0, wave_seconds = 0;
  unsigned longest = 0;      // plies
  unsigned batches = 0;      // 1 for a level that is held as a whole
  std::uint64_t rounds = 0;  // of the update queues
};

// What a level may take. The distances are the same.
struct DistanceSpace {
  LevelIndex members = 0;         // of a batch, at most; 0: the level is held as a whole
  std::filesystem::path scratch;  // what distances of batches are kept in (ScratchFile)
};

class DistanceLevel {
 public:
  using ValueReader = std::function<void(LevelIndex first, std::span<Value> out)>;

  // As RetrogradeLevel. `values` gives the values of the level itself, from any thread, until this is gone.
  DistanceLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds, LowerLevels& lower,
                ValueReader values, unsigned threads, DistanceSpace space = {});
  ~DistanceLevel();

  // Fails: corrupt error if some position of another value than 0 gets no distance, so that the values cannot be right
  // (verify.h finds all that is wrong); limit error for distances of 65503 plies and more, for more positions of a value and its
  // negative than `space` allows, and for a full disk; io error; interrupted error.
  void solve(const std::function<void(double)>& on_done, const RunControl& control);

  LevelIndex size() const { return size_; }
  // Distances from index `first` on. Pre: solved. Cost: blocks of kPieceSize positions are unpacked as wholes if there are
  // batches. Fails: io error then.
  void copy_distances(LevelIndex first, std::span<std::uint16_t> out) const;
  const DistanceStats& stats() const { return stats_; }

  static constexpr LevelIndex kPieceSize = LevelIndex{1} << 13;

  // The least that a build should grant; and what a level takes that is held as a whole.
  static std::uint64_t memory_bytes(LevelIndex size, unsigned threads);
  static std::uint64_t whole_memory_bytes(LevelIndex size, unsigned threads);
  // DistanceSpace::members for so much memory and what decoded blocks of lower levels take, which batches give back before
  // they begin. Pre: memory >= memory_bytes(size, threads).
  static LevelIndex members_within(std::uint64_t memory, std::uint64_t lower, LevelIndex size, unsigned threads);

 private:
  class Batches;

  void solve_whole(const std::function<void(double)>& on_done, const RunControl& control);
  void solve_batches(const std::function<void(double)>& on_done, const RunControl& control);
  void refuse_without(LevelIndex first_without) const;

  const RuleSet& rules_;
  const HalfBoard& half_board_;
  unsigned seeds_;
  LowerLevels& lower_;
  ValueReader values_;
  unsigned threads_;
  DistanceSpace space_;
  LevelBases bases_;
  LevelIndex size_;
  HugeArray<std::uint16_t> states_;   // of a level that is held as a whole
  std::unique_ptr<Batches> batches_;  // of another
  DistanceStats stats_;
};

}  // namespace retrosow
