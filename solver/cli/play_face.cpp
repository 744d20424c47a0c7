#include "solver/cli/play_face.h"

#include <algorithm>

#include "solver/cli/board_drawing.h"
#include "solver/cli/evaluation_output.h"
#include "solver/cli/text_table.h"

namespace retrosow::cli {
namespace {

std::string half_text(unsigned doubled) {
  return std::to_string(doubled / 2) + (doubled % 2 == 0 ? "" : ".5");
}

bool relay(const PlayedGame& game) { return family_of(game.rules().game) == Family::kRioKadalis; }

Both final_points(const PlayedRound& round) {
  const Both doubled = round.doubled_final();
  const unsigned all = doubled[0] + doubled[1];
  return {match_points(doubled[0], all), match_points(doubled[1], all)};
}

std::string_view winner_word(MatchEnd end) {
  switch (end) {
    case MatchEnd::kFirstWins: return "first";
    case MatchEnd::kSecondWins: return "second";
    default: return "drawn";
  }
}

// What both hold in the end if the value is right, doubled.
Both forecast(const PlayedRound& round, int value) {
  const int seeds = static_cast<int>(total_seeds(round.board().position));
  const std::size_t mover = index_of(round.to_move());
  Both doubled{};
  doubled[mover] = 2 * round.captured()[mover] + static_cast<unsigned>(seeds + value);
  doubled[1 - mover] = 2 * round.captured()[1 - mover] + static_cast<unsigned>(seeds - value);
  return doubled;
}

// --------------------------------------------------------------------------------------- for people

class TextFace : public PlayFace {
 public:
  TextFace(const Seats& seats, bool colour) : seats_(seats), paint_(colour) {}

  void begins(const GameRecord& record) override {
    players_ = record.players;
    const PlayedGame& game = record.game;
    const PlayedRound& first = game.rounds().front();
    std::string text = paint_(Tone::kStrong, std::string(game_name(game.rules().game)));
    text += (game.is_match() ? ", a match on 2x" : " on 2x") + std::to_string(first.board().pits) +
            "; " + canonical_text(game.rules());
    if (game.is_match()) text += " starter=" + option_value(game.rules(), "starter");
    text += "\n";
    if (seats_.one_human()) {
      const bool first_human = seats_.is_human(Player::kFirst);
      text += std::string(first_human ? "You begin, retrosow plays" : "retrosow begins; it plays") +
              " at strength " + std::to_string(seats_.strength) + " of " +
              std::to_string(kMaxStrength) + ".\n";
    }
    if (seats_.human[0] || seats_.human[1]) {
      text += "Type the number of a pit to sow it, h for a hint, ? for all commands.\n";
    }
    print(text);
  }

  void shows(const PlayedGame& game) override {
    const PlayedRound& round = game.round();
    std::string text = "\n";
    if (game.is_match() && round.plies().empty()) text += standing_text(game);
    // One who plays against the program sits below; the others keep their places, the first below.
    const Player below =
        seats_.one_human() && !seats_.is_human(Player::kFirst) ? Player::kSecond : Player::kFirst;
    const Player to_move = round.to_move();
    const bool goes_on = round.end() == RoundEnd::kNone;
    const auto label = [&](Player player) {
      std::string name = name_of(player);
      if (goes_on && player == to_move) name += ", to move";
      return goes_on && player == to_move ? paint_(Tone::kPlayable, name) : name;
    };
    TableView view;
    view.mover_above = to_move != below;
    view.below = label(below);
    view.above = label(other(below));
    view.store_below = round.captured()[index_of(below)];
    view.store_above = round.captured()[index_of(other(below))];
    if (goes_on) {
      for_each_move(round.moves(), [&](unsigned slot) {
        view.playable =
            static_cast<std::uint8_t>(view.playable | (1U << (round.board().shown_pit(slot) - 1)));
      });
    }
    const std::optional<Board> before = board_before(round);
    if (before) view.before = &*before;
    text += draw_table(game.rules(), round.board(), view, paint_) + "\n";
    print(text);
  }

  void moved(const PlayedGame& game, const Advice* advice) override {
    const PlayedRound& round = game.round();
    const Ply& ply = round.plies().back();
    const std::string player = name_of(ply.player), opponent = name_of(other(ply.player));
    const bool you = player == "you";
    std::string text = player + (you ? " play " : " plays ") + std::to_string(ply.pit);
    if (ply.laps > 1 && !ply.endless) text += " (" + std::to_string(ply.laps) + " laps)";
    if (ply.captured > 0) {
      text +=
          " and " + paint_(you ? Tone::kGood : Tone::kStrong,
                           std::string(you ? "take " : "takes ") + std::to_string(ply.captured));
    }
    if (ply.captured_opponent > 0) {
      text += ply.captured > 0 ? "; " : ", and ";
      text += std::to_string(ply.captured_opponent) +
              (opponent == "you" ? " fall to you" : " fall to " + opponent);
    }
    if (ply.grand_slam)
      text +=
          ply.captured > 0 ? " (everything)" : ", which would take everything, so nothing is taken";
    if (ply.endless) text += ": the sowing never ends";
    if (advice != nullptr && !advice->proved() && !proof_was_missing_) {
      text +=
          "\n" + paint_(Tone::kFaint, "(not proved to be perfect: retrosow looked " +
                                          std::to_string(advice->depth_plies) + " plies ahead)");
    }
    if (advice != nullptr && advice->proved() && proof_was_missing_) {
      text += "\n" + paint_(Tone::kFaint, "(perfect from here on, " + source_text(*advice) + ")");
    }
    if (advice != nullptr) proof_was_missing_ = !advice->proved();
    text += "\n";
    const bool repeats = round.end() == RoundEnd::kNone && round.times_stood() > 1;
    // The program's answer may come first; only then is the player asked, at another position.
    const bool may_agree = repeats && seats_.is_human(round.to_move());
    if (repeats && !repetition_told_) {
      text += "This position has stood before. The third time ends the " + round_word(game) +
              ", what is on the board is split then" + (may_agree ? "; d ends it now.\n" : ".\n");
    } else if (may_agree && !agreement_told_) {
      text += "This position has stood before, too; d ends the " + round_word(game) + " now.\n";
    }
    repetition_told_ = repeats;
    agreement_told_ = repeats && (agreement_told_ || may_agree);
    print(text);
  }

  void round_ended(const PlayedGame& game) override {
    shows(game);
    const PlayedRound& round = game.round();
    std::string text;
    switch (round.end()) {
      case RoundEnd::kOver: {
        const std::string player = name_of(round.to_move());
        text = (player == "you" ? "You have" : "The one to move, " + player + ", has") +
               " no move: what is left goes to " +
               (game.rules().remainder == Remainder::kLastMover && !relay(game)
                    ? "the one who moved last"
                    : "the row it lies in") +
               ".\n";
        break;
      }
      case RoundEnd::kEndlessSow:
      case RoundEnd::kEndless:
        text = "Play is endless: what is on the board is split evenly.\n";
        break;
      case RoundEnd::kNone: break;
    }
    const Both doubled = round.doubled_final();
    text += "The " + round_word(game) +
            " is over: " + pair_text({half_text(doubled[0]), half_text(doubled[1])});
    if (!relay(game)) {
      const Both points = final_points(round);
      text += "; match points " + std::to_string(points[0]) + " : " + std::to_string(points[1]);
    } else {
      const Both fours = {round.captured()[0] / 4, round.captured()[1] / 4};
      text += "; fours " + std::to_string(fours[0]) + " : " + std::to_string(fours[1]);
    }
    text += ".\n" + paint_(Tone::kStrong, verdict(doubled, "the " + round_word(game))) + "\n";
    print(text);
  }

  void match_ended(const PlayedGame& game) override {
    const MatchStanding standing = game.next_standing();
    std::string text =
        "The match is over after " + counted(game.rounds().size(), "rounds") + ": " +
        pair_text({std::to_string(standing.totals[0]), std::to_string(standing.totals[1])}) + ".\n";
    switch (game.match_end()) {
      case MatchEnd::kFirstWins:
        text += paint_(Tone::kStrong, wins(Player::kFirst, "the match"));
        break;
      case MatchEnd::kSecondWins:
        text += paint_(Tone::kStrong, wins(Player::kSecond, "the match"));
        break;
      default: text += paint_(Tone::kStrong, "It goes on for ever: the match is drawn."); break;
    }
    print(text + "\n");
  }

  void tells_values(const PlayedGame& game, const Advice& advice) override {
    const PlayedRound& round = game.round();
    TextTable table;
    table.add_column("pit", TextTable::Align::kRight);
    table.add_column(advice.proved() ? "value" : "estimate", TextTable::Align::kRight);
    table.add_column("", TextTable::Align::kLeft);
    for (const MoveValue& move : advice.evaluation.moves) {
      const bool best = move.value == advice.evaluation.value;
      table.add_row({std::to_string(round.board().shown_pit(move.slot)), with_sign(move.value),
                     best ? "best" : ""});
    }
    const Both doubled = forecast(round, advice.evaluation.value);
    print(table.text() + with_sign(advice.evaluation.value) + " for " +
          object_name(round.to_move()) + " from here on (" + source_text(advice) +
          "): " + pair_text({half_text(doubled[0]), half_text(doubled[1])}) + " in the end.\n");
  }

  void hints(const PlayedGame& game, const Advice& advice) override {
    print("hint: " + std::to_string(game.round().board().shown_pit(advice.slot)) + " (" +
          with_sign(advice.evaluation.value) + ", " + source_text(advice) + ")\n");
  }

  void tells_line(const PlayedGame& game, const Advice& advice, const Line& line) override {
    constexpr std::size_t kPliesInLine = 30;
    const std::vector<unsigned> pits = shown_pits(game.round().board(), line);
    std::string text = "line: ";
    for (std::size_t i = 0; i < pits.size(); ++i) {
      text += (i == 0 ? "" : i % kPliesInLine == 0 ? "\n      " : " ") + std::to_string(pits[i]);
    }
    switch (line.end) {
      case Line::End::kGameOver: text += " (the " + round_word(game) + " is over"; break;
      case Line::End::kRepetition: text += " (the position repeats"; break;
      case Line::End::kCut: text += " (cut here"; break;
    }
    print(text + "; " + source_text(advice) + ")\n");
  }

  void taken_back(const PlayedGame& game) override {
    print("taken back\n");
    shows(game);
  }
  void remarks(const std::string& text) override { print(text + "\n"); }
  void refuses(const std::string& text) override { print(paint_(Tone::kBad, text) + "\n"); }

  void asks(const PlayedGame& game) override {
    const PlayedRound& round = game.round();
    const std::string prompt = game.ended() ? "over"
                                            : std::to_string(round.plies().size() / 2 + 1) + " " +
                                                  name_of(round.to_move());
    print(paint_(Tone::kPlayable, prompt + ">") + " ");
    flush_output();
  }
  void echoes(const std::string& command) override { print(command + "\n"); }

 private:
  static std::string round_word(const PlayedGame& game) { return relay(game) ? "round" : "game"; }

  std::string name_of(Player player) const {
    const std::string& name = players_[index_of(player)];
    if (seats_.one_human()) return seats_.is_human(player) ? "you" : "retrosow";
    return seats_.human[0] && !name.empty() ? name : std::string(player_name(player));
  }
  // Behind a preposition: the same but for players without a name.
  std::string object_name(Player player) const {
    const std::string name = name_of(player);
    return name == player_name(player) ? "the " + name + " player" : name;
  }

  // "you 20.5, retrosow 15.5"
  std::string pair_text(const std::array<std::string, 2>& both) const {
    return name_of(Player::kFirst) + " " + both[0] + ", " + name_of(Player::kSecond) + " " +
           both[1];
  }
  std::string wins(Player player, const std::string& what) const {
    std::string name = object_name(player);
    name[0] = name == "you" ? 'Y' : name[0] == 't' ? 'T' : name[0];
    return name + (name == "You" ? " win " : " wins ") + what + ".";
  }
  std::string verdict(const Both& doubled, const std::string& what) const {
    if (doubled[0] == doubled[1]) return "A draw.";
    return wins(doubled[0] > doubled[1] ? Player::kFirst : Player::kSecond, what);
  }

  static std::string source_text(const Advice& advice) {
    switch (advice.source) {
      case Advice::Source::kTables: return "proved by tables";
      case Advice::Source::kSolved: return "proved, solved in memory";
      case Advice::Source::kSearch: return "proved by search";
      case Advice::Source::kEstimate: break;
    }
    return "an estimate, " + std::to_string(advice.depth_plies) + " plies deep";
  }

  std::string standing_text(const PlayedGame& game) const {
    const MatchStanding& standing = game.standing(game.rounds().size() - 1);
    const std::string starter = name_of(standing.starter);
    std::string text = paint_(Tone::kStrong, "Round " + std::to_string(game.rounds().size())) +
                       ": " + starter + (starter == "you" ? " start.\n" : " starts.\n");
    const Shape open = game.round().start().shape();
    const bool first_starts = standing.starter == Player::kFirst;
    const std::array<unsigned, 2> holes = {first_starts ? open.mover_pits : open.opponent_pits,
                                           first_starts ? open.opponent_pits : open.mover_pits};
    for (const Player player : {Player::kFirst, Player::kSecond}) {
      const std::size_t i = index_of(player);
      const std::string name = name_of(player);
      text += name + (name == "you" ? " own " : " owns ") + std::to_string(standing.totals[i]) +
              ": " + counted(holes[i], "holes") + " open, " +
              std::to_string(standing.totals[i] - 4 * holes[i]) + " aside" +
              (player == Player::kFirst ? "; " : "\n");
    }
    return text + "\n";
  }

  // What stood before the last move, seen by the player who is to move now.
  static std::optional<Board> board_before(const PlayedRound& round) {
    if (round.plies().empty() || round.end() == RoundEnd::kEndlessSow) return std::nullopt;
    const Board& before = round.plies().back().board;
    return before.after(swap_sides(before.position, before.shape()));
  }

  const Seats& seats_;
  Paint paint_;
  std::array<std::string, 2> players_;
  bool proof_was_missing_ = false;
  bool repetition_told_ = false, agreement_told_ = false;
};

// ------------------------------------------------------------------------------------- for programs

Json both_json(const Both& both) { return {{"first", both[0]}, {"second", both[1]}}; }
Json half_json(unsigned doubled) {
  return doubled % 2 == 0 ? Json(doubled / 2) : Json(doubled / 2.0);
}

class JsonFace : public PlayFace {
 public:
  explicit JsonFace(const Seats& seats) : seats_(seats) {}

  void begins(const GameRecord&) override {}

  void shows(const PlayedGame& game) override {
    Json record = event("position", game);
    const PlayedRound& round = game.round();
    record["position"] = format_board(round.board());
    record["to_move"] = player_name(round.to_move());
    record["by"] = by(round.to_move());
    Json playable = Json::array();
    for_each_move(round.moves(),
                  [&](unsigned slot) { playable.push_back(round.board().shown_pit(slot)); });
    record["playable"] = std::move(playable);
    record["captured"] = both_json(round.captured());
    if (game.is_match()) {
      const MatchStanding& standing = game.standing(game.rounds().size() - 1);
      record["totals"] = both_json(standing.totals);
      record["starter"] = player_name(standing.starter);
    }
    print_record(record);
  }

  void moved(const PlayedGame& game, const Advice* advice) override {
    Json record = event("move", game);
    const PlayedRound& round = game.round();
    const Ply& ply = round.plies().back();
    record["position"] = format_board(ply.board);
    record["player"] = player_name(ply.player);
    record["by"] = by(ply.player);
    record["pit"] = ply.pit;
    record["result"] = ply.endless ? Json(nullptr) : Json(format_board(round.board()));
    record["taken"] = ply.captured;
    record["taken_opponent"] = ply.captured_opponent;
    if (relay(game)) {
      record["ends"] = ply.endless ? "endless" : ply.binikh ? "binikh" : "empty";
      record["laps"] = ply.laps;
    } else {
      record["ends"] = ply.grand_slam ? "grand-slam" : ply.captured > 0 ? "capture" : "plain";
    }
    record["captured"] = both_json(round.captured());
    record["times_stood"] = round.times_stood();
    if (advice != nullptr) add_source(record, *advice);
    print_record(record);
  }

  void round_ended(const PlayedGame& game) override {
    Json record = event("round_end", game);
    const PlayedRound& round = game.round();
    record["position"] = format_board(round.board());
    record["end"] = round_end_name(round.end());
    const Both doubled = round.doubled_final();
    record["final"] = {{"first", half_json(doubled[0])}, {"second", half_json(doubled[1])}};
    if (!relay(game)) record["match_points"] = both_json(final_points(round));
    if (game.is_match()) {
      const MatchStanding standing = game.next_standing();
      record["totals"] = both_json(standing.totals);
      record["starter"] = player_name(standing.starter);
    }
    print_record(record);
  }

  void match_ended(const PlayedGame& game) override {
    Json record = event("match_end", game);
    record["totals"] = both_json(game.next_standing().totals);
    record["winner"] = winner_word(game.match_end());
    print_record(record);
  }

  void tells_values(const PlayedGame& game, const Advice& advice) override {
    Json record = event("values", game);
    const Board& board = game.round().board();
    record["position"] = format_board(board);
    add_evaluation(record, board, advice.evaluation.value, &advice.evaluation);
    add_source(record, advice);
    print_record(record);
  }

  void hints(const PlayedGame& game, const Advice& advice) override {
    Json record = event("hint", game);
    record["position"] = format_board(game.round().board());
    record["pit"] = game.round().board().shown_pit(advice.slot);
    record["value"] = advice.evaluation.value;
    add_source(record, advice);
    print_record(record);
  }

  void tells_line(const PlayedGame& game, const Advice& advice, const Line& line) override {
    Json record = event("line", game);
    record["position"] = format_board(game.round().board());
    record["value"] = advice.evaluation.value;
    record["line"] = shown_pits(game.round().board(), line);
    record["line_end"] = line_end_name(line.end);
    add_source(record, advice);
    print_record(record);
  }

  void taken_back(const PlayedGame& game) override { shows(game); }
  void remarks(const std::string& text) override {
    print_record({{"event", "remark"}, {"text", text}});
  }
  void refuses(const std::string& text) override {
    print_record({{"event", "refused"}, {"text", text}});
  }
  void asks(const PlayedGame&) override {}
  void echoes(const std::string&) override {}

 private:
  static Json event(const char* name, const PlayedGame& game) {
    return {{"event", name},
            {"game", game_name(game.rules().game)},
            {"rules", canonical_text(game.rules())},
            {"round", game.rounds().size()},
            {"ply", game.round().plies().size()}};
  }
  const char* by(Player player) const { return seats_.is_human(player) ? "human" : "program"; }

  static void add_source(Json& record, const Advice& advice) {
    record["proved"] = advice.proved();
    switch (advice.source) {
      case Advice::Source::kTables: record["from"] = "tables"; break;
      case Advice::Source::kSolved: record["from"] = "solved"; break;
      case Advice::Source::kSearch: record["from"] = "search"; break;
      case Advice::Source::kEstimate: record["from"] = "estimate"; break;
    }
  }

  const Seats& seats_;
};

}  // namespace

std::unique_ptr<PlayFace> text_face(const Seats& seats, bool colour) {
  return std::make_unique<TextFace>(seats, colour);
}
std::unique_ptr<PlayFace> json_face(const Seats& seats) {
  return std::make_unique<JsonFace>(seats);
}

}  // namespace retrosow::cli
