// A game as it is played: a round move by move and, in Rio Kadalis, a match of rounds.
//
// The first player makes the first move of the game (of a match: of its first round). Every move is checked against
// the move generator; moves can be taken back.
//
//   PlayedGame game(rules, start_board(rules, 6, 3));
//   game.play(3);                      // pit 3 of the first player
//   game.round().captured()[0];        // what he has taken
//
// Endless play. A position is the board with the player to move. Where it stands for the third time in a round, the
// round is over: play is taken to be endless, and what is on the board is split evenly. When it stands for the second
// time, the players may agree on that (agree_endless). In a match the same holds for its states (stones of both, and who
// starts): the third one like two before ends it as drawn.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bitboard/moves.h"
#include "bitboard/notation.h"
#include "solver/match.h"

namespace retrosow {

enum class Player : std::uint8_t { kFirst, kSecond };

constexpr Player other(Player player) {
  return player == Player::kFirst ? Player::kSecond : Player::kFirst;
}
std::string_view player_name(Player player);  // "first", "second"

// Something of the first player and of the second.
using Both = std::array<unsigned, 2>;
constexpr std::size_t index_of(Player player) { return static_cast<std::size_t>(player); }

struct Ply {
  Board board;  // before it, seen by its player
  Player player = Player::kFirst;
  unsigned pit = 0;   // as written, from 1
  unsigned slot = 0;  // its place among the open ones, from 0
  unsigned captured = 0;
  unsigned captured_opponent = 0;                            // fours that fell to the other
  unsigned laps = 0;                                         // Rio Kadalis
  bool grand_slam = false, binikh = false, endless = false;  // as in MoveList
  std::string comment;                                       // lines separated by \n
};

enum class RoundEnd : std::uint8_t {
  kNone,        // it goes on
  kOver,        // the player to move has no legal move
  kEndlessSow,  // the last move's sowing never ends
  kEndless,     // positions repeat
};
std::string_view round_end_name(RoundEnd end);  // "none", "over", "endless-sow", "endless"

// Thread: a plain value; copies share the move generator.
class PlayedRound {
 public:
  // `captured`: what they hold already. Pre: the board passes validate_position, the generator is made for its rows.
  PlayedRound(std::shared_ptr<const MoveGenerator> generator, const Board& start, Player starter,
              Both captured = {});

  const Board& start() const { return start_; }
  Player starter() const { return starter_; }
  // The board now, seen by the player to move. After an endless sow, which has no result: the one before it.
  const Board& board() const { return board_; }
  Player to_move() const { return to_move_; }
  // Empty once the round has ended.
  const MoveList& moves() const { return moves_; }
  const std::vector<Ply>& plies() const { return plies_; }
  RoundEnd end() const { return end_; }
  bool ended_by_agreement() const { return agreed_; }
  // How often this position has stood so far, now included.
  unsigned times_stood() const;

  // Fails: usage error that says why the pit cannot be played, and which can.
  void play(unsigned pit);
  // Fails: usage error where the position has not stood before, or the round has ended.
  void agree_endless();
  // Takes an agreement or else the last move back. False where there is nothing to take back.
  bool undo();

  // What they have taken, with what they held at the start.
  Both captured() const { return captured_; }
  Both held_at_start() const { return held_; }
  // Twice what they hold in the end, with what is left on the board or its half. Pre: ended.
  Both doubled_final() const;

  std::string comment;  // before the first move

  // The comment behind the last move, or before the first one.
  std::string& last_comment() { return plies_.empty() ? comment : plies_.back().comment; }

 private:
  using Key = std::pair<Player, Position>;
  std::string refusal(unsigned pit) const;
  void enter(const Board& board, Player to_move);

  std::shared_ptr<const MoveGenerator> generator_;
  Board start_;
  Player starter_;
  Board board_;
  Player to_move_;
  MoveList moves_;
  std::vector<Ply> plies_;
  Both held_, captured_;
  RoundEnd end_ = RoundEnd::kNone;
  bool agreed_ = false;
  std::map<Key, unsigned> stood_;
};

// What both own before a round of a match, and who starts it.
struct MatchStanding {
  Both totals{};
  Player starter = Player::kFirst;
  auto operator<=>(const MatchStanding&) const = default;
};

enum class MatchEnd : std::uint8_t { kNone, kFirstWins, kSecondWins, kDrawn };

class PlayedGame {
 public:
  // A single game or round. Fails: as validate_position.
  PlayedGame(const RuleSet& rules, const Board& start, Both captured = {});
  // A match of Rio Kadalis on 2xk, started by the first player. Without totals it starts level.
  // Fails: usage error for another game, or totals that do not sum to 8k or with which a player cannot open a hole.
  static PlayedGame match(const RuleSet& rules, unsigned pits, std::optional<Both> totals = {});

  const RuleSet& rules() const { return rules_; }
  bool is_match() const { return match_.has_value(); }
  // Of a match; the shapes of its rounds and who starts them follow from it.
  const MatchRules& match_rules() const { return *match_; }

  const std::vector<PlayedRound>& rounds() const { return rounds_; }
  const PlayedRound& round() const { return rounds_.back(); }
  std::string& last_comment() { return rounds_.back().last_comment(); }
  // Before a round. Pre: a match.
  const MatchStanding& standing(std::size_t round) const { return standings_[round]; }
  // Behind the last round. Pre: a match whose last round has ended.
  MatchStanding next_standing() const;

  void play(unsigned pit) { rounds_.back().play(pit); }
  void agree_endless() { rounds_.back().agree_endless(); }
  // Opens the next round of a match, missing holes closed at the end of a row.
  // Fails: usage error where the round goes on, or the match is over or none.
  void next_round();
  // Before the first move of a round: the same board with other holes closed.
  // Fails: usage error if the board is not the round's with other holes closed.
  void choose_closed_holes(const Board& start);
  // Takes back the last move, agreement, or the opening of a round without moves.
  bool undo();

  // Of a match: who has won, once the other cannot open a hole; drawn, where a state stands for the third time.
  MatchEnd match_end() const;
  // How often the state behind the last round has stood, that one included. Pre: as next_standing.
  unsigned times_stood() const;
  // Fails: usage error where the state behind the last round has not stood before.
  void agree_drawn();
  bool drawn_by_agreement() const { return drawn_; }
  // Nothing more can be played: the only round has ended, or the match.
  bool ended() const;

 private:
  PlayedGame() = default;
  std::shared_ptr<const MoveGenerator> generator(Shape shape);
  void open_round(const MatchStanding& standing);

  RuleSet rules_;
  std::optional<MatchRules> match_;
  std::vector<PlayedRound> rounds_;
  std::vector<MatchStanding> standings_;  // before each of rounds_
  bool drawn_ = false;
  std::map<std::pair<unsigned, unsigned>, std::shared_ptr<const MoveGenerator>> generators_;
};

// Match points of the Urim family for a player who ends with doubled / 2 of doubled_all / 2 seeds: 2 for three quarters
// of them, 1 for more than half, else 0.
unsigned match_points(unsigned doubled, unsigned doubled_all);

}  // namespace retrosow
