// Perfect-play values, where they come from, and what they say about a position's moves.
//
// The value of a position is the seeds the mover will take minus the seeds his opponent will take from
// here on, both playing perfectly; endless play counts as an even split, net 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bitboard/moves.h"
#include "bitboard/notation.h"

namespace retrosow {

using Value = std::int8_t;

// The seeds of those on the board that a player takes at least, if he wants to, whatever the other does. Where play never
// ends, what is left is nobody's, so neither number rests on a convention about endless play; their sum is at most what is on
// the board, and if it is all of that, so is the value: mover - opponent. A value is "forced anyway" then.
struct Guarantee {
  std::uint8_t mover = 0;
  std::uint8_t opponent = 0;
  bool operator==(const Guarantee&) const = default;
};
static_assert(sizeof(Guarantee) == 2);

// As differences, mover minus opponent, if all that is not taken falls to the opponent, or to the mover: whatever endless
// play is said to be worth, the value lies between them.
constexpr int least_difference(Guarantee g, unsigned seeds) { return 2 * g.mover - static_cast<int>(seeds); }
constexpr int greatest_difference(Guarantee g, unsigned seeds) { return static_cast<int>(seeds) - 2 * g.opponent; }
// Whether the value, and whether its sign, is the same under all conventions.
constexpr bool value_forced(Guarantee g, unsigned seeds) { return g.mover + unsigned{g.opponent} == seeds; }
constexpr bool outcome_forced(Guarantee g, unsigned seeds) {
  return value_forced(g, seeds) || least_difference(g, seeds) > 0 || greatest_difference(g, seeds) < 0;
}

// Something that knows values: levels in memory, table files, a solved round.
// Thread: value() may be called from any number of threads.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  // The exact value, or nothing where this source does not cover the position.
  // Fails: io or corrupt error where a table file cannot be read.
  virtual std::optional<int> value(const Position& position, Shape shape) const = 0;
};

struct MoveValue {
  unsigned slot = 0;  // the mover's open pit, 0-based
  int value = 0;      // seeds, for the mover, the move's own gain included
};

struct Evaluation {
  int value = 0;
  std::vector<MoveValue> moves;  // every legal move, ascending; empty where the game is over
};

// Looks one ply ahead: the value of every move, and the best of them as the position's value.
// Pre: `source` covers every child. Fails: io error (exit code 3) naming the first position that it does
// not cover.
Evaluation evaluate(const MoveGenerator& generator, const ValueSource& source, const Position& position,
                    Shape shape);

// A line of perfect play. Every move keeps the value; while the value is not 0 every move also makes
// progress to the next capture (or other exit), so a won position is carried to its win.
struct Line {
  enum class End { kGameOver, kRepetition, kCut };
  std::vector<unsigned> slots;  // the move of each ply
  End end = End::kGameOver;     // kCut: longer than max_plies, or the search for progress grew too large
};
// "end", "repetition" or "cut", as JSON says it.
const char* line_end_name(Line::End end);
// The pits of a line that starts at a board, each as its player sees his row, closed holes counted.
std::vector<unsigned> shown_pits(const Board& board, const Line& line);

// Progress is found by solving, from each such position, the value-keeping moves up to the next capture;
// gives up (kCut) once that takes more than `max_nodes` positions.
Line perfect_line(const MoveGenerator& generator, const ValueSource& source, const Position& position,
                  Shape shape, unsigned max_plies = 1000, std::uint64_t max_nodes = 2'000'000);

// How many positions have each value.
struct Histogram {
  std::map<int, std::uint64_t> counts;
  std::uint64_t positions = 0, wins = 0, draws = 0, losses = 0;
  void add(int value, std::uint64_t count = 1);
};

}  // namespace retrosow
