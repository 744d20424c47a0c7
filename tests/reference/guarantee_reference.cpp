#include "tests/reference/guarantee_reference.h"

#include <algorithm>
#include <map>

namespace retrosow::reference {

namespace {

struct Move {
  std::size_t child;
  int captured;
};

struct Place {
  std::vector<int> board;
  std::vector<Move> moves;
  std::pair<int, int> end;  // without moves
};

}  // namespace

void for_each_guarantee(const UrimRules& rules, int max_seeds,
                        const std::function<void(const std::vector<int>& board, std::pair<int, int>)>& callback) {
  std::vector<Place> places;
  std::map<std::vector<int>, std::size_t> number;
  for (int seeds = 0; seeds <= max_seeds; ++seeds) {
    for_each_board(rules.pits, seeds, rules.pit_limit, [&](const std::vector<int>& board) {
      number[board] = places.size();
      places.push_back({board, {}, {}});
    });
  }
  for (Place& place : places) {
    for (const UrimMove& move : legal_moves(rules, place.board)) {
      place.moves.push_back({number.at(move.result), move.captured});
    }
    if (place.moves.empty()) place.end = end_result(rules, place.board);
  }
  // What the player who counts takes: where it is his turn, and where it is the other's.
  std::vector<int> his(places.size(), 0), others(places.size(), 0);
  for (bool changed = true; changed;) {
    std::vector<int> next_his, next_others;
    for (const Place& place : places) {
      if (place.moves.empty()) {
        next_his.push_back(place.end.first);
        next_others.push_back(place.end.second);
        continue;
      }
      int most = 0, least = 1000;
      for (const Move& move : place.moves) {
        most = std::max(most, move.captured + others[move.child]);
        least = std::min(least, his[move.child]);
      }
      next_his.push_back(most);
      next_others.push_back(least);
    }
    changed = next_his != his || next_others != others;
    his = std::move(next_his);
    others = std::move(next_others);
  }
  for (std::size_t i = 0; i < places.size(); ++i) callback(places[i].board, {his[i], others[i]});
}

}  // namespace retrosow::reference
