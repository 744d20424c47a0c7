// A line of perfect play, ply by ply, with running score: what `line` and the explorer show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/cli/evaluation_output.h"
#include "solver/cli/table_probe.h"
#include "tables/values.h"

namespace retrosow::cli {

// Seeds that the player to move at the start of the line and his opponent hold.
struct Score {
  unsigned mover = 0;
  unsigned opponent = 0;

  void add(bool movers_ply, unsigned own, unsigned other) {
    mover += movers_ply ? own : other;
    opponent += movers_ply ? other : own;
  }
};

struct LinePly {
  Board board;  // before it
  unsigned pit = 0;
  unsigned captured = 0, captured_opponent = 0;
  Score score;    // after it
  int value = 0;  // for the player whose ply it is
  std::uint16_t distance = kNoDistance;
};

// kCut: progress could not be found in reasonable time, or not at all, which only lines without distances meet.
enum class LineEnd : unsigned char { kGameOver, kEndlessSow, kRepetition, kMaxPlies, kCut };

const char* line_end_name(LineEnd end);

struct PlayedLine {
  int value = 0;
  std::uint16_t distance = kNoDistance;
  std::vector<LinePly> plies;
  LineEnd end = LineEnd::kGameOver;
  Board last;                 // where it ends
  std::size_t first_ply = 0;  // kRepetition: plies before `last` stood there first
  EndResult rest;             // kGameOver: what the player to move there and his opponent take
};

// By values and distances: of the best moves that make progress the lowest pit.
// Fails: as TableProbe::probe; io error where there are no distances; interrupted error.
PlayedLine play_line(TableProbe& tables, const Board& board, const Captured& captured,
                     std::size_t max_plies);

// A line that was found otherwise, from its moves. Pre: every move keeps the value.
PlayedLine play_moves(const RuleSet& rules, const Board& board, const Captured& captured, int value,
                      const Line& line, std::size_t max_plies);

// The record of `line`. Without `captured` there are no match points.
Json line_record(const RuleChoice& choice, const Board& board, const PlayedLine& line,
                 const std::optional<Captured>& captured);

}  // namespace retrosow::cli
