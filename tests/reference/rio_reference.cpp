#include "tests/reference/rio_reference.h"

#include <numeric>
#include <set>
#include <stdexcept>

namespace retrosow::reference {

namespace {

int sum(const std::vector<int>& row) { return std::accumulate(row.begin(), row.end(), 0); }

void check(const RioPosition& position) {
  if (position.mover.empty() || position.opponent.empty())
    throw std::invalid_argument("rio: a row without holes");
  for (const int stones_here : position.mover) {
    if (stones_here < 0) throw std::invalid_argument("rio: a hole holds less than nothing");
  }
  for (const int stones_here : position.opponent) {
    if (stones_here < 0) throw std::invalid_argument("rio: a hole holds less than nothing");
  }
}

}  // namespace

RioMove sow(const RioPosition& position, int hole) {
  check(position);
  const int mover_holes = static_cast<int>(position.mover.size());
  const int size = mover_holes + static_cast<int>(position.opponent.size());
  if (hole < 1 || hole > mover_holes || position.mover[hole - 1] == 0) {
    throw std::invalid_argument("rio: the hole cannot be sown");
  }

  // Board in sowing order, and behind it the place where the next lap is lifted: one state of the
  // relay.
  std::vector<int> state = position.mover;
  state.insert(state.end(), position.opponent.begin(), position.opponent.end());
  state.push_back(hole - 1);
  const int place_at = size;

  RioMove move;
  move.hole = hole;
  int place = hole - 1;
  std::set<std::vector<int>> seen;
  for (;;) {
    state[place_at] = place;
    if (!seen.insert(state).second) {
      // What happens next depends on the state alone, so it has happened before and will for ever.
      // No four can have been taken since, as the board holds the same stones.
      move.ends = RioEnd::kEndless;
      return move;
    }

    ++move.laps;
    int hand = state[place];
    state[place] = 0;
    while (hand > 0) {
      place = (place + 1) % size;
      ++state[place];
      --hand;
      if (hand > 0 && state[place] == 4) {
        // Not the last stone of its lap: the four belong to the owner of the row.
        state[place] = 0;
        (place < mover_holes ? move.captured : move.captured_opponent) += 4;
      }
    }

    if (state[place] == 1) {
      move.ends = RioEnd::kEmpty;
      break;
    }
    if (state[place] == 4) {
      state[place] = 0;
      move.captured += 4;
      move.ends = RioEnd::kBinikh;
      break;
    }
  }

  move.result.mover.assign(state.begin() + mover_holes, state.begin() + size);
  move.result.opponent.assign(state.begin(), state.begin() + mover_holes);
  return move;
}

std::vector<RioMove> legal_moves(const RioRules& rules, const RioPosition& position) {
  check(position);
  std::vector<RioMove> moves;
  for (int hole = 1; hole <= static_cast<int>(position.mover.size()); ++hole) {
    if (position.mover[hole - 1] == 0) continue;
    RioMove move = sow(position, hole);
    if (move.ends == RioEnd::kEndless && rules.endless_sow == EndlessSow::kForbid) continue;
    moves.push_back(std::move(move));
  }
  return moves;
}

std::pair<int, int> end_result(const RioPosition& position) {
  check(position);
  return {sum(position.mover), sum(position.opponent)};
}

int stones(const RioPosition& position) { return sum(position.mover) + sum(position.opponent); }

}  // namespace retrosow::reference
