#include "tests/reference/urim_reference.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace retrosow::reference {

namespace {

void check(const UrimRules& rules, const std::vector<int>& board) {
  if (rules.pits < 1 || rules.pit_limit < 0)
    throw std::invalid_argument("urim: rules out of range");
  if (board.size() != 2 * static_cast<std::size_t>(rules.pits)) {
    throw std::invalid_argument("urim: the board does not have two rows of the rules' pits");
  }
  for (const int seeds : board) {
    if (seeds < 0) throw std::invalid_argument("urim: a pit holds less than nothing");
    if (rules.pit_limit > 0 && seeds > rules.pit_limit)
      throw std::invalid_argument("urim: a pit above the limit");
  }
}

int sum(const std::vector<int>& board, int from, int to) {
  return std::accumulate(board.begin() + from, board.begin() + to, 0);
}

bool opponent_has_seeds(const UrimMove& move, int pits) { return sum(move.result, 0, pits) > 0; }

// Sows one pit (0-based) and captures, without asking about feeding or starvation. Nothing comes
// back if the pit is empty, if no pit can take a seed, if the pit limit forbids the sowing, or if
// it is a forbidden grand slam.
std::optional<UrimMove> play(const UrimRules& rules, const std::vector<int>& board, int start) {
  const int pits = rules.pits;
  const int size = 2 * pits;
  std::vector<int> now = board;

  int hand = now[start];
  if (hand == 0) return std::nullopt;
  now[start] = 0;

  int place = start;
  while (hand > 0) {
    // Go on to the next pit that takes a seed; once round the board without one, the move cannot be
    // played.
    int steps = 0;
    bool takes_seed = false;
    while (!takes_seed) {
      if (steps == size) return std::nullopt;
      ++steps;
      place = (place + 1) % size;
      const bool is_start = place == start;
      const bool is_full = rules.pit_limit > 0 && now[place] >= rules.pit_limit;
      if (is_full && !is_start && rules.pit_limit_forbids) return std::nullopt;
      takes_seed = !is_start && !is_full;
    }
    ++now[place];
    --hand;
  }

  UrimMove move;
  move.pit = start + 1;

  if (place >= pits && rules.trigger.count(now[place]) > 0) {
    // The run of captured pits is [first, place].
    int first = place;
    while (first - 1 >= pits && rules.chain.count(now[first - 1]) > 0) --first;
    const int would_take = sum(now, first, place + 1);
    move.grand_slam = would_take == sum(now, pits, size);

    bool takes = true;
    if (move.grand_slam && rules.starvation == Starvation::kFeed) {
      if (rules.grand_slam == GrandSlam::kForbid) return std::nullopt;
      if (rules.grand_slam == GrandSlam::kLeave) takes = false;
    }
    if (takes) {
      for (int pit = first; pit <= place; ++pit) now[pit] = 0;
      move.captured = would_take;
    }
  }

  std::rotate(now.begin(), now.begin() + pits, now.end());
  move.result = std::move(now);
  return move;
}

}  // namespace

UrimRules oware_rules(int pits) {
  UrimRules rules;
  rules.pits = pits;
  rules.pit_limit = 0;
  rules.chain = {2, 3};
  rules.grand_slam = GrandSlam::kLeave;
  return rules;
}

UrimRules awari_rules(int pits) {
  UrimRules rules;
  rules.pits = pits;
  rules.pit_limit = 0;
  rules.chain = {2, 3};
  rules.starvation = Starvation::kLeave;
  return rules;
}

std::vector<UrimMove> legal_moves(const UrimRules& rules, const std::vector<int>& board) {
  check(rules, board);
  const int pits = rules.pits;

  std::vector<UrimMove> all;
  std::vector<UrimMove> feeding;  // those after which the opponent has a seed
  for (int start = 0; start < pits; ++start) {
    std::optional<UrimMove> move = play(rules, board, start);
    if (!move) continue;
    if (opponent_has_seeds(*move, pits)) feeding.push_back(*move);
    all.push_back(std::move(*move));
  }

  // Under `feed` the duty arises only when the opponent has nothing before the move; under `leave`
  // always.
  const bool opponent_is_empty = sum(board, pits, 2 * pits) == 0;
  const bool must_feed = rules.starvation == Starvation::kLeave || opponent_is_empty;
  return must_feed && !feeding.empty() ? feeding : all;
}

std::pair<int, int> end_result(const UrimRules& rules, const std::vector<int>& board) {
  check(rules, board);
  const int mover = sum(board, 0, rules.pits);
  const int opponent = sum(board, rules.pits, 2 * rules.pits);
  if (rules.remainder == Remainder::kLastMover) return {0, mover + opponent};
  return {mover, opponent};
}

std::uint64_t count_boards(int pits, int seeds, int pit_limit) {
  if (pits < 1 || seeds < 0 || pit_limit < 0)
    throw std::invalid_argument("count_boards: out of range");
  // ways[s] = number of ways to lay s seeds into the pits seen so far.
  std::vector<std::uint64_t> ways(static_cast<std::size_t>(seeds) + 1, 0);
  ways[0] = 1;
  for (int pit = 0; pit < 2 * pits; ++pit) {
    std::vector<std::uint64_t> more(ways.size(), 0);
    for (int total = 0; total <= seeds; ++total) {
      for (int here = 0; here <= total && (pit_limit == 0 || here <= pit_limit); ++here) {
        more[total] += ways[total - here];
      }
    }
    ways = more;
  }
  return ways[seeds];
}

namespace {

void fill_from(std::vector<int>& board, int pit, int left, int pit_limit,
               const std::function<void(const std::vector<int>&)>& callback) {
  const int size = static_cast<int>(board.size());
  if (pit == size - 1) {
    if (pit_limit > 0 && left > pit_limit) return;
    board[pit] = left;
    callback(board);
    return;
  }
  for (int here = 0; here <= left && (pit_limit == 0 || here <= pit_limit); ++here) {
    board[pit] = here;
    fill_from(board, pit + 1, left - here, pit_limit, callback);
  }
}

}  // namespace

void for_each_board(int pits, int seeds, int pit_limit,
                    const std::function<void(const std::vector<int>&)>& callback) {
  if (pits < 1 || seeds < 0 || pit_limit < 0)
    throw std::invalid_argument("for_each_board: out of range");
  std::vector<int> board(2 * static_cast<std::size_t>(pits), 0);
  fill_from(board, 0, seeds, pit_limit, callback);
}

}  // namespace retrosow::reference
