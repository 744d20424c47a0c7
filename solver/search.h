// Exact values by search: null-window negamax with a transposition table, sound where positions repeat.
//
// Every question is a threshold: is the value of a position, for its mover, at least t? A move that gains
// g answers it with yes if its result is not worth g - t + 1 to the opponent:
//
//   value(p) >= t   if and only if   for some move, not value(child) >= g - t + 1
//
// Repetition. Endless play is an even split, net 0, so among the boards with one number of seeds a
// question has an *attacker*, who must make progress, and a *defender*, who is content to go round for
// ever: the mover attacks if t > 0, his opponent if t <= 0, and quiet moves do not change who it is. The
// question is a reachability game for the attacker. On a path of quiet moves a position that occurs again
// is therefore answered in the defender's favour (after Campbell 1985: the graph-history interaction; that
// repetition counts against the side that must make progress is the usual treatment of a first draw in
// Breuker, van den Herik, Uiterwijk, Allis 2001 and in Kishimoto, Mueller 2004). Then
//
//   1. A success of the attacker never rests on a repetition: its tree consists of moves that end in
//      captures, ends of the game, or proved facts. It holds whatever the path was and is stored.
//   2. A success of the defender may rest on one. It carries the ply of the earliest position on the path
//      that it was answered by (its dependency). At the position on which it rests, if that is a success of
//      the defender too, the circle closes: the tree below is a strategy that leaves the attacker going round
//      for ever or failing otherwise, so it is a fact there, and so is every success met in this subtree
//      that rests on no earlier ply.
//   3. Until then it is a *conditional* answer, kept on a stack, used only while all that it rests on is
//      on the path or answered in the same way: when a position is left with a success of the attacker, or
//      undecided, all conditional answers found below it are dropped.
//   4. Captures leave the boards with so many seeds for good, so no dependency crosses one.
//
// Depth. A value may rest on circles or on long lines, so depth is raised until proof. At the horizon a
// question stays undecided. An attempt has a *prover*: undecided counts as his failure, which cuts like an
// answer but is never stored as a fact. Attempts for the mover raise the lower bound, attempts for the
// opponent lower the upper one; the direction that has cost less so far goes on.
//
// Threads share the transposition table, whose facts hold on any path; each has a path and conditional
// answers of its own. What they find in which order changes the effort, never the value.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bitboard/moves.h"
#include "solver/transposition_table.h"
#include "tables/run_control.h"
#include "tables/values.h"

namespace retrosow {

inline constexpr int kMaxSearchValue = 255;
inline constexpr unsigned kMaxSearchPlies = 1'800;  // of a path: 1 MB of stack, 4 MB under the address sanitizer

struct SearchOptions {
  // Exact values that are read instead of searched, where it covers a position with at most so many seeds.
  const ValueSource* tables = nullptr;
  unsigned table_seeds = 0;
  // Of the transposition table, at most; it is not made larger than all boards could fill.
  std::uint64_t memory_bytes = std::uint64_t{64} << 20;
  unsigned threads = 1;
  std::optional<std::uint64_t> limit_nodes;  // looked at every 512 positions of a thread
  std::optional<double> limit_seconds;
  unsigned limit_plies = kMaxSearchPlies;  // of a path; not more than that
  RunControl control;
};

// What a search has done so far.
struct SearchEffort {
  std::uint64_t nodes = 0;        // positions entered by a move, the root included
  std::uint64_t table_values = 0; // read from tables
  std::uint64_t hash_hits = 0;    // answered by the transposition table
  unsigned depth_plies = 0;       // of the deepest attempt
  bool too_deep = false;          // stopped by limit_plies
  double seconds = 0;
};

// Searches positions of one board size with one transposition table.
// Thread: one caller; it uses `threads` threads itself.
class Search {
 public:
  // For boards of up to `seeds` seeds with these rows, either side to move.
  // Boards of more than 64 - pits seeds are searched without the transposition table (TranspositionTable).
  Search(const RuleSet& rules, Shape shape, unsigned seeds, const SearchOptions& options);
  ~Search();

  // Proved bounds of a position's value; equal unless a limit was reached. `known`: what is proved of it already.
  // Pre: the position passes validate_position and has no more seeds than the search is made for.
  // Fails: interrupted error when told to stop.
  ProvedBounds solve(const Position& position, Shape shape, ProvedBounds known = {-kMaxSearchValue, kMaxSearchValue});

  // Whether the value is at least `threshold`; nothing if a limit was reached. Cheaper than solve.
  std::optional<bool> at_least(const Position& position, Shape shape, int threshold);

  // The move that answered the last question about a position which the transposition table still remembers.
  std::optional<unsigned> remembered_move(const Position& position, Shape shape) const;

  SearchEffort effort() const;
  std::uint64_t table_entries() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrosow
