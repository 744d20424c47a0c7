#include "solver/played_game.h"

#include <algorithm>
#include <cassert>

#include "bitboard/error.h"
#include "solver/match_rounds.h"

namespace retrosow {
namespace {

constexpr unsigned kTimesToEnd =
    3;  // a position or state that stands so often ends the round or match

std::string pits_text(const Board& board, const MoveList& list) {
  std::string text;
  for_each_move(list, [&](unsigned slot) {
    text += (text.empty() ? "" : ", ") + std::to_string(board.shown_pit(slot));
  });
  return text;
}

}  // namespace

std::string_view player_name(Player player) {
  return player == Player::kFirst ? "first" : "second";
}

std::string_view round_end_name(RoundEnd end) {
  switch (end) {
    case RoundEnd::kNone: return "none";
    case RoundEnd::kOver: return "over";
    case RoundEnd::kEndlessSow: return "endless-sow";
    case RoundEnd::kEndless: return "endless";
  }
  return "";
}

// ------------------------------------------------------------------------------------------ a round

PlayedRound::PlayedRound(std::shared_ptr<const MoveGenerator> generator, const Board& start,
                         Player starter, Both captured)
    : generator_(std::move(generator)),
      start_(start),
      starter_(starter),
      board_(start),
      to_move_(starter),
      held_(captured),
      captured_(captured) {
  enter(start, starter);
}

unsigned PlayedRound::times_stood() const { return stood_.at({to_move_, board_.position}); }

void PlayedRound::enter(const Board& board, Player to_move) {
  board_ = board;
  to_move_ = to_move;
  const unsigned times = ++stood_[{to_move_, board_.position}];
  moves_ = {};
  generator_->generate(board_.position, board_.shape(), moves_);
  if (moves_.legal == 0) {
    end_ = RoundEnd::kOver;
  } else if (times >= kTimesToEnd) {
    end_ = RoundEnd::kEndless;
    moves_.legal = 0;
  }
}

std::string PlayedRound::refusal(unsigned pit) const {
  const std::string number = "pit " + std::to_string(pit);
  if (pit < 1 || pit > board_.pits) {
    return number + " is not there: pits are 1 to " + std::to_string(board_.pits);
  }
  if (has_bit(board_.mover_closed, pit - 1)) return number + " is closed";
  for (unsigned slot = 0; slot < board_.shape().mover_pits; ++slot) {
    if (board_.shown_pit(slot) != pit) continue;
    if (seeds_in(board_.position, board_.shape(), slot) == 0) return number + " is empty";
  }
  if (family_of(generator_->rules().game) == Family::kRioKadalis) {
    return "sowing " + number + " would never end, and the rules forbid it";
  }
  if (opponent_seeds(board_.position, board_.shape()) == 0 &&
      generator_->rules().starvation == Starvation::kFeed) {
    return number + " leaves the opponent without seeds, who must be fed";
  }
  return "the rules do not allow " + number;
}

void PlayedRound::play(unsigned pit) {
  if (end_ != RoundEnd::kNone) throw usage_error("the round has ended, so no pit can be played");
  std::optional<unsigned> slot;
  for_each_move(moves_, [&](unsigned legal) {
    if (board_.shown_pit(legal) == pit) slot = legal;
  });
  if (!slot) {
    throw usage_error(refusal(pit) + "; playable: " + pits_text(board_, moves_));
  }
  Ply ply;
  ply.board = board_;
  ply.player = to_move_;
  ply.pit = pit;
  ply.slot = *slot;
  ply.captured = moves_.captured[*slot];
  ply.captured_opponent = moves_.captured_opponent[*slot];
  ply.grand_slam = has_bit(moves_.grand_slam, *slot);
  if (family_of(generator_->rules().game) == Family::kRioKadalis) {
    ply.laps = moves_.laps[*slot];
    ply.binikh = has_bit(moves_.binikh, *slot);
    ply.endless = has_bit(moves_.endless, *slot);
  }
  captured_[index_of(to_move_)] += ply.captured;
  captured_[index_of(other(to_move_))] += ply.captured_opponent;
  plies_.push_back(ply);
  if (ply.endless) {
    end_ = RoundEnd::kEndlessSow;
    moves_.legal = 0;
    return;
  }
  enter(board_.after(moves_.result[*slot]), other(to_move_));
}

void PlayedRound::agree_endless() {
  if (end_ != RoundEnd::kNone) throw usage_error("the round has ended already");
  if (times_stood() < 2) {
    throw usage_error("play is not endless: this position has not stood before");
  }
  end_ = RoundEnd::kEndless;
  agreed_ = true;
  moves_.legal = 0;
}

bool PlayedRound::undo() {
  if (!agreed_ && plies_.empty()) return false;
  const auto leave = [&] {
    const auto found = stood_.find({to_move_, board_.position});
    if (--found->second == 0) stood_.erase(found);
  };
  leave();
  end_ = RoundEnd::kNone;
  if (agreed_) {
    agreed_ = false;
    enter(board_, to_move_);
    return true;
  }
  const Ply ply = plies_.back();
  plies_.pop_back();
  captured_[index_of(ply.player)] -= ply.captured;
  captured_[index_of(other(ply.player))] -= ply.captured_opponent;
  if (!ply.endless) {
    board_ = ply.board;
    to_move_ = ply.player;
    leave();
  }
  enter(ply.board, ply.player);
  return true;
}

Both PlayedRound::doubled_final() const {
  assert(end_ != RoundEnd::kNone);
  Both doubled = {2 * captured_[0], 2 * captured_[1]};
  const std::size_t mover = index_of(to_move_), opponent = index_of(other(to_move_));
  if (end_ == RoundEnd::kOver) {
    const EndResult rest = generator_->end(board_.position, board_.shape());
    doubled[mover] += 2 * rest.mover;
    doubled[opponent] += 2 * rest.opponent;
    return doubled;
  }
  // An endless sow's fours have left the board that is shown.
  unsigned left = total_seeds(board_.position);
  if (end_ == RoundEnd::kEndlessSow)
    left -= plies_.back().captured + plies_.back().captured_opponent;
  for (unsigned& count : doubled) count += left;
  return doubled;
}

// ------------------------------------------------------------------------------------------- a game

PlayedGame::PlayedGame(const RuleSet& rules, const Board& start, Both captured) : rules_(rules) {
  validate_position(rules, start.position, start.shape());
  rounds_.emplace_back(generator(start.shape()), start, Player::kFirst, captured);
}

PlayedGame PlayedGame::match(const RuleSet& rules, unsigned pits, std::optional<Both> totals) {
  if (family_of(rules.game) != Family::kRioKadalis) {
    throw usage_error("a match of several rounds is played in rio-kadalis, not in " +
                      std::string(game_name(rules.game)));
  }
  if (pits < 1 || pits > kMaxPits) {
    throw usage_error("a match on " + std::to_string(pits) + " holes a row; 1 to " +
                      std::to_string(kMaxPits) + " are possible");
  }
  PlayedGame game;
  game.rules_ = rules;
  game.match_ = MatchRules{pits, rules.starter};
  const unsigned all = game.match_->stones();
  const MatchStanding standing = {totals.value_or(Both{all / 2, all / 2}), Player::kFirst};
  const auto [first, second] = standing.totals;
  if (first > all || second != all - first) {
    throw usage_error("totals " + std::to_string(first) + " and " + std::to_string(second) +
                      " do not sum to the " + std::to_string(all) + " stones of a match on 2x" +
                      std::to_string(pits));
  }
  if (std::min(first, second) < kHoleStones) {
    throw usage_error("totals " + std::to_string(first) + " and " + std::to_string(second) +
                      ": who owns less than " + std::to_string(kHoleStones) +
                      " stones cannot open a hole and has lost the match");
  }
  game.open_round(standing);
  return game;
}

std::shared_ptr<const MoveGenerator> PlayedGame::generator(Shape shape) {
  auto& found = generators_[std::minmax<unsigned>(shape.mover_pits, shape.opponent_pits)];
  if (found == nullptr) found = std::make_shared<const MoveGenerator>(rules_, shape);
  return found;
}

void PlayedGame::open_round(const MatchStanding& standing) {
  const Shape open = match_->open(standing.totals[index_of(standing.starter)]);
  const auto closed = [&](unsigned holes) {
    return static_cast<std::uint8_t>(((1U << match_->pits) - 1U) & ~((1U << holes) - 1U));
  };
  const Board start{match_->pits, closed(open.mover_pits), closed(open.opponent_pits),
                    round_start(open)};
  rounds_.emplace_back(generator(open), start, standing.starter);
  standings_.push_back(standing);
}

MatchStanding PlayedGame::next_standing() const {
  assert(is_match() && round().end() != RoundEnd::kNone);
  const MatchStanding& before = standings_.back();
  const std::size_t starter = index_of(before.starter);
  const Both doubled = round().doubled_final();
  assert(doubled[starter] % 2 == 0);  // match.h, "Whole stones"
  const NextState next = next_state(*match_, before.totals[starter], doubled[starter] / 2);
  MatchStanding standing;
  standing.starter = next.same_starter ? before.starter : other(before.starter);
  standing.totals[index_of(standing.starter)] = next.stones;
  standing.totals[index_of(other(standing.starter))] = match_->stones() - next.stones;
  return standing;
}

void PlayedGame::next_round() {
  if (!is_match()) throw usage_error("a single game has one round only");
  if (round().end() == RoundEnd::kNone) throw usage_error("the round goes on");
  if (match_end() != MatchEnd::kNone) throw usage_error("the match is over");
  open_round(next_standing());
}

void PlayedGame::choose_closed_holes(const Board& start) {
  PlayedRound& last = rounds_.back();
  const Board& board = last.start();
  if (!last.plies().empty() || start.pits != board.pits || start.shape() != board.shape() ||
      start.position != board.position) {
    throw usage_error("the round starts from " + format_board(board) +
                      ", perhaps with other holes closed, not from " + format_board(start));
  }
  std::string comment = last.comment;
  last = PlayedRound(generator(start.shape()), start, last.starter(), last.held_at_start());
  last.comment = std::move(comment);
}

bool PlayedGame::undo() {
  if (drawn_) {
    drawn_ = false;
    return true;
  }
  if (rounds_.back().undo()) return true;
  if (rounds_.size() == 1) return false;
  rounds_.pop_back();
  standings_.pop_back();
  return true;
}

MatchEnd PlayedGame::match_end() const {
  if (!is_match() || round().end() == RoundEnd::kNone) return MatchEnd::kNone;
  const MatchStanding next = next_standing();
  if (next.totals[1] < kHoleStones) return MatchEnd::kFirstWins;
  if (next.totals[0] < kHoleStones) return MatchEnd::kSecondWins;
  return drawn_ || times_stood() >= kTimesToEnd ? MatchEnd::kDrawn : MatchEnd::kNone;
}

unsigned PlayedGame::times_stood() const {
  return 1 +
         static_cast<unsigned>(std::count(standings_.begin(), standings_.end(), next_standing()));
}

void PlayedGame::agree_drawn() {
  if (!is_match()) throw usage_error("there is no match to be drawn");
  if (round().end() == RoundEnd::kNone) throw usage_error("the round goes on");
  if (match_end() != MatchEnd::kNone) throw usage_error("the match is over");
  if (times_stood() < 2) {
    throw usage_error("the match does not go on for ever: both have not owned this before");
  }
  drawn_ = true;
}

bool PlayedGame::ended() const {
  return is_match() ? match_end() != MatchEnd::kNone : round().end() != RoundEnd::kNone;
}

unsigned match_points(unsigned doubled, unsigned doubled_all) {
  if (4 * doubled >= 3 * doubled_all) return 2;
  return 2 * doubled > doubled_all ? 1 : 0;
}

}  // namespace retrosow
