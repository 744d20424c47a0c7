// The records of tests/data: moves and values that are known to be right.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bitboard/moves.h"
#include "bitboard/notation.h"

namespace retrosow::test {

struct MoveCase {
  std::string id;
  // Usually one. Where the record says that an option has no bearing on the move (`any`): the game's
  // default, then its other values.
  std::vector<RuleSet> rules;
  std::string position;
  unsigned pit = 0;    // 1..k as written, closed holes counted
  std::string result;  // without meaning where endless
  unsigned captured = 0;
  unsigned captured_opponent = 0;
  bool endless = false;
  std::optional<std::vector<unsigned>> legal;  // pits as written, under the first of `rules`
};

std::vector<MoveCase> read_move_cases(const std::string& name);

// What a kernel makes of a case under any of its rules, if that is wrong; else empty.
std::string move_case_fault(const MoveCase& move, KernelId kernel);

// A level's values: value -> boards.
using ValueCounts = std::map<int, std::uint64_t>;

struct LevelCase {
  RuleSet rules;
  unsigned pits = 0;
  unsigned seeds = 0;
  ValueCounts values;
};

struct PositionCase {
  RuleSet rules;
  std::string position;
  int value = 0;
  std::map<unsigned, int> moves;  // pit 1..k -> value
};

std::vector<LevelCase> read_level_cases();        // values.jsonl, records with `seeds`
std::vector<PositionCase> read_position_cases();  // values.jsonl, records with `position`
// awari-histograms.csv: seeds -> value -> boards.
std::map<unsigned, ValueCounts> read_awari_histograms();

}  // namespace retrosow::test
