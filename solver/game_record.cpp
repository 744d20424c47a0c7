#include "solver/game_record.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>

#include "bitboard/error.h"

namespace retrosow {
namespace {

constexpr std::string_view kMagic = "retrosow record ";
constexpr std::size_t kMaxLineBytes = 1'000;
constexpr std::size_t kLineWidth = 76;  // of moves, as written

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The words between blanks.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t length = std::min(text.find_first_of(" \t"), text.size());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

std::string half_text(unsigned doubled) {
  return std::to_string(doubled / 2) + (doubled % 2 == 0 ? "" : ".5");
}

std::string pair_text(const Both& both) {
  return std::to_string(both[0]) + " " + std::to_string(both[1]);
}

std::string result_text(const PlayedRound& round) {
  const Both doubled = round.doubled_final();
  return half_text(doubled[0]) + " " + half_text(doubled[1]);
}

// All options of the game, inert ones, too.
std::string rules_text(const RuleSet& rules) {
  std::string text;
  for (const RuleOption& option : options_of(rules.game)) {
    text += (text.empty() ? "" : " ") + std::string(option.name) + "=" +
            option_value(rules, option.name);
  }
  return text;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  GameRecord run() {
    if (text_.size() > kMaxRecordBytes) {
      throw limit_error("a record of " + std::to_string(text_.size()) + " bytes; at most " +
                        std::to_string(kMaxRecordBytes) + " are read");
    }
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      ++line_;
      std::string_view line = text_.substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      at = end + 1;
      located([&] { read_line(line); });
    }
    if (line_ == 0)
      throw usage_error("line 1: the text is empty; a record begins with '" + std::string(kMagic) +
                        std::to_string(kRecordVersion) + "'");
    located([&] { begin_game("the record ends"); });
    GameRecord record{std::move(*game_), players_, date_};
    return record;
  }

 private:
  // Gives the errors of `step` the number of the line.
  template <typename Step>
  void located(Step&& step) const {
    try {
      step();
    } catch (const Error& error) {
      throw Error(error.error_class(), "line " + std::to_string(line_) + ": " + error.what());
    }
  }

  void read_line(std::string_view line) {
    check_record_text("the line", line, kMaxLineBytes);
    const std::string_view content = trimmed(line);
    if (line_ == 1) return read_version(content);
    if (content.empty()) return;
    if (content.front() == ';') return read_comment(trimmed(content.substr(1)));
    if (content.front() >= '0' && content.front() <= '9') return read_moves(content);
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos) {
      throw usage_error(in_quotes(content) +
                        " is neither 'name: value', nor moves such as '1. 3 4', nor '; a comment'");
    }
    read_field(content.substr(0, colon), trimmed(content.substr(colon + 1)));
  }

  void read_version(std::string_view line) {
    const std::string expected = std::string(kMagic) + std::to_string(kRecordVersion);
    if (line == expected) return;
    if (line.starts_with(kMagic)) {
      throw Error(ErrorClass::kUnsupported, "version " + in_quotes(line.substr(kMagic.size())) +
                                                " of the record; this program reads version " +
                                                std::to_string(kRecordVersion));
    }
    throw usage_error(in_quotes(line.substr(0, 40)) + " is no game record; one begins with " +
                      in_quotes(expected));
  }

  void read_comment(std::string_view text) {
    std::string& comment = game_ ? game_->last_comment() : opening_comment_;
    if (!comment.empty()) comment += '\n';
    comment += text;
  }

  // ---------------------------------------------------------------------------------------- fields

  void read_field(std::string_view name, std::string_view value) {
    if (value.empty()) throw usage_error(in_quotes(name) + " has no value");
    if (name == "round") return read_round(value);
    if (name == "starter" || name == "totals" || (name == "start" && match_)) {
      return read_round_field(name, value);
    }
    if (name == "result") return read_result(value);
    if (name == "end") return read_end(value);
    if (name == "winner") return read_winner(value);
    static const std::set<std::string_view> kHeader = {"game",  "rules",  "match", "start",
                                                       "first", "second", "date",  "captured"};
    if (!kHeader.contains(name)) {
      throw usage_error("there is no field " + in_quotes(name) +
                        "; there are game, rules, match, start, captured, first, second, date, "
                        "and of a round round, starter, totals, start, result, end, winner");
    }
    if (!seen_.insert(std::string(name)).second)
      throw usage_error(in_quotes(name) + " is given twice");
    if (game_ || round_pending_) {
      throw usage_error(in_quotes(name) +
                        " stands behind the head of the record; it belongs above "
                        "the first move or round");
    }
    if (name == "game") {
      rules_ = preset(parse_game(value));
      return;
    }
    if (!seen_.contains("game")) throw usage_error("'game: …' must come before " + in_quotes(name));
    if (name == "rules") {
      read_rules(value);
    } else if (name == "match") {
      read_match(value);
    } else if (name == "start") {
      start_ = parse_board(rules_, value, 0, default_seeds_per_pit(rules_.game));
    } else if (name == "captured") {
      captured_ = read_pair("captured", value, 1'000'000);
    } else if (name == "date") {
      read_date(value);
    } else {
      check_record_text("the name of a player", value, kMaxNameBytes);
      players_[name == "first" ? 0 : 1] = value;
    }
  }

  void read_rules(std::string_view value) {
    if (seen_.contains("start")) throw usage_error("'rules' must come before 'start'");
    std::set<std::string_view> options;
    for (const std::string_view word : words_of(value)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) {
        throw usage_error("rules: " + in_quotes(word) + " is no option=value");
      }
      if (!options.insert(word.substr(0, equals)).second) {
        throw usage_error("rules: " + std::string(word.substr(0, equals)) + " is given twice");
      }
      set_option(rules_, word.substr(0, equals), word.substr(equals + 1));
    }
  }

  void read_match(std::string_view value) {
    if (value != "yes" && value != "no") {
      throw usage_error("match: " + in_quotes(value) + " is not one of yes, no");
    }
    if (start_) throw usage_error("'match' must come before 'start'");
    match_ = value == "yes";
    if (match_ && family_of(rules_.game) != Family::kRioKadalis) {
      throw usage_error("match: a match of several rounds is played in rio-kadalis, not in " +
                        std::string(game_name(rules_.game)));
    }
  }

  void read_date(std::string_view value) {
    unsigned year = 0, month = 0, day = 0;
    const bool form = value.size() == 10 && value[4] == '-' && value[7] == '-' &&
                      digits(value.substr(0, 4), year) && digits(value.substr(5, 2), month) &&
                      digits(value.substr(8, 2), day);
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(month), std::chrono::day(day)};
    if (!form || !date.ok()) {
      throw usage_error("date: " + in_quotes(value) + " is no date such as 2026-11-30");
    }
    date_ = value;
  }

  static bool digits(std::string_view text, unsigned& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
  }

  static Both read_pair(std::string_view name, std::string_view value, unsigned most) {
    const std::vector<std::string_view> words = words_of(value);
    if (words.size() != 2) {
      throw usage_error(std::string(name) + ": " + in_quotes(value) +
                        " is not two numbers, the first player's and the second's");
    }
    return {parse_number(name, words[0], 0, most), parse_number(name, words[1], 0, most)};
  }

  // ---------------------------------------------------------------------------------------- rounds

  // The game as the head describes it, once. `why`: what needs it.
  void begin_game(const std::string& why) {
    if (game_) return;
    if (!seen_.contains("game")) throw usage_error(why + ", but no 'game: …' stands above");
    if (!match_ && !start_) throw usage_error(why + ", but no 'start: …' stands above");
    if (match_ && !round_pending_) throw usage_error(why + ", but no 'round: 1' stands above");
    if (match_ && seen_.contains("captured")) {
      throw usage_error("'captured' is for a single game; a match has 'totals'");
    }
    if (match_ && !round_start_) throw usage_error(why + ", but round 1 has no 'start: …'");
    if (match_) {
      game_ = PlayedGame::match(rules_, round_start_->pits, round_totals_);
      check_round();
    } else {
      game_.emplace(rules_, *start_, captured_);
    }
    game_->last_comment() = std::move(opening_comment_);
  }

  void read_round(std::string_view value) {
    if (!match_) throw usage_error("'round' is for a match: 'match: yes' must stand above");
    const std::size_t next = rounds_begun_ + 1;
    if (next > kMaxRecordRounds) {
      throw limit_error("more than " + std::to_string(kMaxRecordRounds) + " rounds");
    }
    if (parse_number("round", value, 0, kMaxRecordRounds) != next) {
      throw usage_error("round: " + in_quotes(value) + ", but this is round " + std::to_string(next));
    }
    if (next > 1) {
      begin_game("another round begins");
      if (game_->round().end() == RoundEnd::kNone) {
        throw usage_error("round " + std::to_string(next) + " begins before round " +
                          std::to_string(next - 1) + " has ended");
      }
      game_->next_round();
    }
    rounds_begun_ = next;
    round_pending_ = true;
    round_seen_.clear();
    round_start_.reset();
    round_totals_.reset();
    round_starter_.reset();
  }

  void read_round_field(std::string_view name, std::string_view value) {
    if (!match_) {
      throw usage_error(in_quotes(name) +
                        " is for the rounds of a match: 'match: yes' must stand above");
    }
    if (rounds_begun_ == 0) throw usage_error("'round: 1' must stand above " + in_quotes(name));
    if (!round_seen_.insert(std::string(name)).second) {
      throw usage_error(in_quotes(name) + " is given twice for a round");
    }
    if (game_ && !game_->round().plies().empty()) {
      throw usage_error(in_quotes(name) + " stands behind moves of the round; it belongs above them");
    }
    if (name == "start") {
      round_start_ = parse_board(rules_, value, 0, 4);
    } else if (name == "totals") {
      round_totals_ = read_pair("totals", value, 8 * kMaxPits);
    } else if (value == "first" || value == "second") {
      round_starter_ = value == "first" ? Player::kFirst : Player::kSecond;
    } else {
      throw usage_error("starter: " + in_quotes(value) + " is not one of first, second");
    }
    if (game_) check_round();
  }

  // What is said of the round against what follows from the rounds before it.
  void check_round() {
    const MatchStanding& standing = game_->standing(game_->rounds().size() - 1);
    if (round_totals_ && *round_totals_ != standing.totals) {
      throw usage_error("totals: " + in_quotes(pair_text(*round_totals_)) + ", but they are " +
                        pair_text(standing.totals));
    }
    if (round_starter_ && *round_starter_ != standing.starter) {
      throw usage_error("starter: '" + std::string(player_name(*round_starter_)) +
                        "', but by the rules it is the " +
                        std::string(player_name(standing.starter)) + " player");
    }
    if (round_start_) game_->choose_closed_holes(*round_start_);
  }

  // ----------------------------------------------------------------------------------------- moves

  void read_moves(std::string_view line) {
    // A comment may follow on the line.
    const std::size_t semicolon = line.find(';');
    begin_game("moves begin");
    for (const std::string_view word : words_of(line.substr(0, semicolon))) read_move(word);
    if (semicolon != std::string_view::npos) read_comment(trimmed(line.substr(semicolon + 1)));
  }

  void read_move(std::string_view word) {
    const PlayedRound& round = game_->round();
    const std::size_t plies = round.plies().size();
    if (word.ends_with('.')) {
      const std::string right = std::to_string(plies / 2 + 1) + (plies % 2 == 0 ? "." : "...");
      if (word != right) {
        throw usage_error("move number " + in_quotes(word) + " where " + in_quotes(right) + " belongs");
      }
      return;
    }
    const unsigned pit = parse_number("pit", word, 0, 99);
    if (++plies_ > kMaxRecordPlies) {
      throw limit_error("more than " + std::to_string(kMaxRecordPlies) + " moves");
    }
    try {
      game_->play(pit);
    } catch (const Error& error) {
      throw Error(error.error_class(), "move " + std::to_string(plies / 2 + 1) + " of the " +
                                           std::string(player_name(round.to_move())) + " player (" +
                                           std::string(word) + ") from " +
                                           format_board(round.board()) + ": " + error.what());
    }
  }

  // ------------------------------------------------------------------------------------------- end

  void read_end(std::string_view value) {
    begin_game("'end' is given");
    if (value == "endless" && game_->round().end() == RoundEnd::kNone) {
      game_->agree_endless();
      return;
    }
    const std::string_view end = round_end_name(game_->round().end());
    if (value == end) return;
    throw usage_error("end: " + in_quotes(value) + ", but " +
                      (end == "none" ? "the round goes on" : "it is '" + std::string(end) + "'") +
                      " at " + format_board(game_->round().board()));
  }

  void read_result(std::string_view value) {
    begin_game("'result' is given");
    if (game_->round().end() == RoundEnd::kNone) {
      throw usage_error("result: " + in_quotes(value) + ", but the round goes on at " +
                        format_board(game_->round().board()) +
                        "; an agreed end ('end: endless') comes before the result");
    }
    const std::string result = result_text(game_->round());
    if (value != result) throw usage_error("result: " + in_quotes(value) + ", but it is " + result);
  }

  void read_winner(std::string_view value) {
    if (!match_) throw usage_error("'winner' is for a match");
    begin_game("'winner' is given");
    if (value == "drawn" && game_->match_end() == MatchEnd::kNone) {
      game_->agree_drawn();
      return;
    }
    const std::string_view end = winner_name(game_->match_end());
    if (value != end) {
      throw usage_error("winner: " + in_quotes(value) + ", but " +
                        (end == "none" ? "the match goes on" : "it is '" + std::string(end) + "'"));
    }
  }

  std::string_view text_;
  std::size_t line_ = 0;
  std::set<std::string> seen_, round_seen_;
  RuleSet rules_;
  bool match_ = false;
  std::optional<Board> start_;
  Both captured_{};
  std::array<std::string, 2> players_;
  std::string date_;
  std::string opening_comment_;
  std::optional<PlayedGame> game_;
  std::size_t plies_ = 0;
  // Of the round that is being read.
  std::size_t rounds_begun_ = 0;
  bool round_pending_ = false;
  std::optional<Board> round_start_;
  std::optional<Both> round_totals_;
  std::optional<Player> round_starter_;
};

// ---------------------------------------------------------------------------------------- writing

std::string comment_lines(const std::string& comment) {
  std::string text;
  if (comment.empty()) return text;
  for (std::size_t at = 0; at <= comment.size();) {
    const std::size_t end = std::min(comment.find('\n', at), comment.size());
    text += end == at ? ";" : "; " + comment.substr(at, end - at);
    text += '\n';
    at = end + 1;
  }
  return text;
}

std::string moves_text(const PlayedRound& round) {
  std::string text, line;
  const auto end_line = [&] {
    if (!line.empty()) text += line + "\n";
    line.clear();
  };
  for (std::size_t i = 0; i < round.plies().size(); ++i) {
    const Ply& ply = round.plies()[i];
    const std::string number = std::to_string(i / 2 + 1);
    std::string word = std::to_string(ply.pit);
    if (i % 2 == 0) word = number + ". " + word;
    if (i % 2 == 1 && line.empty()) word = number + "... " + word;
    if (i % 2 == 0 && line.size() + word.size() + 8 > kLineWidth) end_line();
    if (!line.empty()) line += i % 2 == 0 ? "  " : " ";
    line += word;
    if (!ply.comment.empty()) {
      end_line();
      text += comment_lines(ply.comment);
    }
  }
  end_line();
  return text;
}

}  // namespace

void check_record_text(std::string_view what, std::string_view text, std::size_t most) {
  if (text.size() > most) {
    throw usage_error(std::string(what) + " has " + std::to_string(text.size()) +
                      " bytes; at most " + std::to_string(most));
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    const auto byte = static_cast<unsigned char>(text[at]);
    // U+0080 to U+009F are controls, too; some terminals obey them.
    const bool c1 = byte == 0xc2 && length == 2 && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (length == 0 || (byte < 0x20 && byte != '\t') || byte == 0x7f || c1) {
      throw usage_error(std::string(what) + " holds " +
                        (length == 0 ? "what is no UTF-8" : "a control character") + " at byte " +
                        std::to_string(at + 1));
    }
    at += length;
  }
}

std::string_view winner_name(MatchEnd end) {
  switch (end) {
    case MatchEnd::kNone: return "none";
    case MatchEnd::kFirstWins: return "first";
    case MatchEnd::kSecondWins: return "second";
    case MatchEnd::kDrawn: return "drawn";
  }
  return "";
}

GameRecord read_record(std::string_view text) { return Reader(text).run(); }

std::string write_record(const GameRecord& record) {
  const PlayedGame& game = record.game;
  std::string text = std::string(kMagic) + std::to_string(kRecordVersion) + "\n";
  text += "game: " + std::string(game_name(game.rules().game)) + "\n";
  text += "rules: " + rules_text(game.rules()) + "\n";
  if (game.is_match()) text += "match: yes\n";
  for (const Player player : {Player::kFirst, Player::kSecond}) {
    const std::string& name = record.players[index_of(player)];
    if (!name.empty()) text += std::string(player_name(player)) + ": " + name + "\n";
  }
  if (!record.date.empty()) text += "date: " + record.date + "\n";
  for (std::size_t i = 0; i < game.rounds().size(); ++i) {
    const PlayedRound& round = game.rounds()[i];
    if (game.is_match()) {
      const MatchStanding& standing = game.standing(i);
      text += "\nround: " + std::to_string(i + 1) + "\n";
      text += "totals: " + pair_text(standing.totals) + "\n";
      text += "starter: " + std::string(player_name(standing.starter)) + "\n";
    } else if (round.held_at_start() != Both{}) {
      text += "captured: " + pair_text(round.held_at_start()) + "\n";
    }
    text += "start: " + format_board(round.start()) + "\n" + comment_lines(round.comment) + "\n";
    text += moves_text(round);
    if (round.end() != RoundEnd::kNone) {
      text += "end: " + std::string(round_end_name(round.end())) + "\n";
      text += "result: " + result_text(round) + "\n";
    }
  }
  if (const MatchEnd end = game.match_end(); end != MatchEnd::kNone) {
    text += "winner: " + std::string(winner_name(end)) + "\n";
  }
  return text;
}

}  // namespace retrosow
