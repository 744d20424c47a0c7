// The forward pass over a level: all moves of all positions, on half-board tables, in parallel.
//
// It leaves a 16-bit word for every position:
//
//   bits 0-7   best    the best outcome of its captures + 128, or of the end; 0 = no capture
//   bits 8-11  open    its quiet moves
//   bit  15    over    the game is over; best is the end's value, open is 0
//
// Most positions of a column of equal halves differ in nothing but a few special receptions, so a tile is
// filled with the number of moves of each mover's half, and only captures, illegal and coupled
// receptions are entered one by one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tables/level_graph.h"
#include "tables/lower_levels.h"
#include "tables/run_control.h"

namespace retrosow {

inline constexpr unsigned kWordBest = 0x00ff;
inline constexpr unsigned kWordBestBias = 128;
inline constexpr unsigned kWordOpenOne = 0x0100;
inline constexpr unsigned kWordOpen = 0x0f00;
inline constexpr unsigned kWordOver = 0x8000;

// Raises the best outcome of a word.
inline unsigned with_best(unsigned word, int best) {
  const unsigned biased = static_cast<unsigned>(best + static_cast<int>(kWordBestBias));
  return (word & kWordBest) < biased ? (word & ~kWordBest) | biased : word;
}

// Is told how far a pass is by whichever worker comes by, and stops all of them from outside.
class Reporter {
 public:
  // Shares of 0..1 are passed on as shares of from..to.
  Reporter(const std::function<void(double)>& on_done, const RunControl& control, double from, double to)
      : on_done_(on_done), control_(control), from_(from), to_(to) {}

  // Fails: interrupted error.
  void tick(double share);

 private:
  const std::function<void(double)>& on_done_;
  const RunControl& control_;
  double from_, to_;
  double furthest_ = 0;  // guarded by mutex_
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
};

// Takes the words of consecutive positions from index `first` on; called from any worker.
using WordSink = std::function<void(LevelIndex first, std::span<const std::uint16_t> words)>;

// Is told that the words of first .. last - 1 come next and no others, by the caller's thread, while no worker is at work.
using PartStart = std::function<void(LevelIndex first, LevelIndex last)>;

// What a worker's links take beside those that are in one list at the end: a page that is not full.
inline constexpr std::size_t kLinkPageBytes = std::size_t{1} << 16;

// Every position of the level is handed out once. Returns the links, sorted. With `on_part` the level is gone through part
// by part, a part being the boards with one number of seeds in the opponent's half.
// Pre: `half_board` and `bases` cover `seeds`; all lower levels are in `lower`.
std::vector<Link> forward_pass(const RuleSet& rules, const HalfBoard& half_board, const LevelBases& bases,
                               unsigned seeds, LowerLevels& lower, unsigned threads, const WordSink& sink,
                               Reporter& reporter, const PartStart& on_part = {});

}  // namespace retrosow
