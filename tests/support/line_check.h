// Follows a line of perfect play with the reference's moves, values and distances.
#pragma once

#include <string>
#include <vector>

#include "bitboard/position.h"
#include "tables/values.h"
#include "tests/reference/solve_reference.h"

namespace retrosow::test {

struct KnownMove {
  unsigned slot = 0;
  int value = 0;          // for the mover
  int gain = 0;           // taken by the mover minus taken by his opponent
  bool captures = false;  // anything left the board
  bool endless = false;   // the sow never ends and leaves the game
  Position result;
};

// What is known about positions.
class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual reference::Solved solved(const Position& position, Shape shape) const = 0;
  virtual std::vector<KnownMove> moves(const Position& position, Shape shape) const = 0;
  // Where there is no move: what the mover takes minus what his opponent takes.
  virtual int end_value(const Position& position, Shape shape) const = 0;
};

class UrimOracle : public Oracle {
 public:
  explicit UrimOracle(const reference::UrimSolution& solution) : solution_(&solution) {}
  reference::Solved solved(const Position& position, Shape shape) const override;
  std::vector<KnownMove> moves(const Position& position, Shape shape) const override;
  int end_value(const Position& position, Shape shape) const override;

 private:
  const reference::UrimSolution* solution_;
};

class RioOracle : public Oracle {
 public:
  explicit RioOracle(const reference::RioSolution& solution) : solution_(&solution) {}
  reference::Solved solved(const Position& position, Shape shape) const override;
  std::vector<KnownMove> moves(const Position& position, Shape shape) const override;
  int end_value(const Position& position, Shape shape) const override;

 private:
  const reference::RioSolution* solution_;
};

// What is wrong with an evaluation: the value, the moves or their values.
std::string evaluation_fault(const Oracle& oracle, const Position& position, Shape shape,
                             const Evaluation& evaluation);

// What is wrong with a line: a move that is not legal or does not keep the value; while the value is
// not 0, an exit that comes sooner or later than the distance says; an end that it does not have; a
// total gain that is not the value.
std::string line_fault(const Oracle& oracle, const Position& position, Shape shape,
                       const Line& line);

}  // namespace retrosow::test
