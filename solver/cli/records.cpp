#include "solver/cli/records.h"

namespace retrosow::cli {

Json game_record(Game game) {
  const RuleSet rules = preset(game);
  Json options = Json::array();
  for (const RuleOption& option : options_of(game)) {
    options.push_back({{"name", option.name},
                       {"values", option.values},
                       {"default", option_value(rules, option.name)},
                       {"meaning", option.meaning},
                       {"source", option.source},
                       {"changes_values", option.changes_values},
                       {"inert", is_inert(rules, option.name)}});
  }
  return {{"game", game_name(game)},
          {"rules", canonical_text(rules)},
          {"family", family_of(game) == Family::kUrim ? "urim" : "rio-kadalis"},
          {"pits", kDefaultPits},
          {"max_pits", kMaxPits},
          {"seeds_per_pit", default_seeds_per_pit(game)},
          {"options", std::move(options)}};
}

Json moves_json(Family family, const Board& board, const MoveList& list) {
  Json moves = Json::array();
  for_each_move(list, [&](unsigned slot) {
    const bool endless = has_bit(list.endless, slot);
    Json move = {{"pit", board.shown_pit(slot)},
                 {"result", endless ? Json(nullptr) : Json(format_board(board.after(list.result[slot])))},
                 {"captured", list.captured[slot]},
                 {"captured_opponent", list.captured_opponent[slot]},
                 {"ends", end_of_move(family, list, slot)}};
    if (family == Family::kRioKadalis) move["laps"] = list.laps[slot];
    moves.push_back(std::move(move));
  });
  return moves;
}

Json end_json(const std::optional<EndResult>& end) {
  return end ? Json{{"mover", end->mover}, {"opponent", end->opponent}} : Json(nullptr);
}

}  // namespace retrosow::cli
