#include "bitboard/move_steps.h"

#include <cassert>
#include <set>
#include <utility>

namespace retrosow {
namespace {

// A board under the hands of the mover, who writes down what he does.
class Table {
 public:
  Table(const Position& position, Shape shape) : shape_(shape) { move_.board = position; }

  unsigned pits() const { return shape_.pits(); }
  bool is_movers(unsigned pit) const { return pit < shape_.mover_pits; }
  unsigned next(unsigned pit) const { return pit + 1 == pits() ? 0 : pit + 1; }
  unsigned seeds(unsigned pit) const { return seeds_in(move_.board, shape_, pit); }
  unsigned opponents_seeds() const { return opponent_seeds(move_.board, shape_); }
  const Position& board() const { return move_.board; }

  unsigned lift(unsigned pit) {
    const unsigned hand = seeds(pit);
    set_seeds(move_.board, shape_, pit, 0);
    ++move_.laps;
    note(MoveStep::Kind::kLift, pit, hand);
    return hand;
  }
  void drop(unsigned pit) {
    set_seeds(move_.board, shape_, pit, seeds(pit) + 1);
    note(MoveStep::Kind::kDrop, pit, seeds(pit));
  }
  void take(unsigned pit, bool to_mover) {
    (to_mover ? move_.captured : move_.captured_opponent) += seeds(pit);
    note(MoveStep::Kind::kTake, pit, seeds(pit), to_mover);
    set_seeds(move_.board, shape_, pit, 0);
  }
  void repeat(unsigned pit) {
    note(MoveStep::Kind::kRepeat, pit, 0);
    move_.endless = true;
  }

  SteppedMove finished() { return std::move(move_); }

 private:
  void note(MoveStep::Kind kind, unsigned pit, unsigned seeds, bool to_mover = false) {
    move_.steps.push_back(
        {kind, static_cast<std::uint8_t>(pit), static_cast<std::uint8_t>(seeds), to_mover});
  }

  Shape shape_;
  SteppedMove move_;
};

// The pits that a last seed in `last` captures, in the order in which they are taken.
std::vector<unsigned> captured_run(const RuleSet& rules, const Table& table, unsigned last) {
  std::vector<unsigned> run;
  if (table.is_movers(last) || !rules.trigger.contains(table.seeds(last))) return run;
  run.push_back(last);
  for (unsigned pit = last - 1; !table.is_movers(pit) && rules.chain.contains(table.seeds(pit)); --pit) {
    run.push_back(pit);
  }
  return run;
}

// Urim family: one lap that passes over the lifted pit and over full ones, then a run of captures.
void sow_once(const RuleSet& rules, Table& table, unsigned lifted) {
  const bool limited = rules.pit_limit != 0;
  unsigned last = lifted;
  unsigned pit = lifted;
  for (unsigned hand = table.lift(lifted); hand > 0; --hand) {
    do pit = table.next(pit);
    while (pit == lifted || (limited && table.seeds(pit) == rules.pit_limit));
    table.drop(pit);
    last = pit;
  }
  const std::vector<unsigned> run = captured_run(rules, table, last);
  unsigned taken = 0;
  for (const unsigned captured : run) taken += table.seeds(captured);
  const bool grand_slam = taken == table.opponents_seeds();
  // Under --starvation leave a grand slam that may be played at all is taken.
  const bool left = grand_slam && rules.grand_slam == GrandSlam::kLeave && !is_inert(rules, "grand-slam");
  if (left) return;
  for (const unsigned captured : run) table.take(captured, true);
}

// Rio Kadalis: laps, until the last stone falls into an empty hole or makes four, or the state repeats.
void sow_by_relay(Table& table, unsigned hole) {
  std::set<std::pair<Position, unsigned>> stood;  // before each lap: the board and the hole to be lifted
  while (true) {
    if (!stood.emplace(table.board(), hole).second) {
      table.repeat(hole);
      return;
    }
    bool was_empty = false, binikh = false;
    for (unsigned hand = table.lift(hole); hand > 0; --hand) {
      const bool last = hand == 1;
      hole = table.next(hole);
      was_empty = table.seeds(hole) == 0;
      table.drop(hole);
      if (table.seeds(hole) == 4) {
        table.take(hole, last || table.is_movers(hole));
        binikh = last;
      }
    }
    if (was_empty || binikh) return;
  }
}

}  // namespace

SteppedMove move_steps(const RuleSet& rules, const Position& position, Shape shape, unsigned pit) {
  assert(pit < shape.mover_pits && seeds_in(position, shape, pit) > 0);
  Table table(position, shape);
  if (family_of(rules.game) == Family::kUrim) {
    sow_once(rules, table, pit);
  } else {
    sow_by_relay(table, pit);
  }
  return table.finished();
}

}  // namespace retrosow
