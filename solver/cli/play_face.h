// What a game in the terminal shows: for people a text, for programs one JSON object per event.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "solver/advisor.h"
#include "solver/cli/output.h"
#include "solver/game_record.h"

namespace retrosow::cli {

// Who sits there.
struct Seats {
  std::array<bool, 2> human{true, false};
  unsigned strength = kMaxStrength;  // of the program

  bool is_human(Player player) const { return human[index_of(player)]; }
  bool one_human() const { return human[0] != human[1]; }
};

// Thread: one. Fails: as print.
class PlayFace {
 public:
  virtual ~PlayFace() = default;
  virtual void begins(const GameRecord& record) = 0;
  // The board, and in a match what both own.
  virtual void shows(const PlayedGame& game) = 0;
  // The last move. `advice`: by which the program has played it, else null.
  virtual void moved(const PlayedGame& game, const Advice* advice) = 0;
  virtual void round_ended(const PlayedGame& game) = 0;
  virtual void match_ended(const PlayedGame& game) = 0;
  virtual void tells_values(const PlayedGame& game, const Advice& advice) = 0;
  virtual void hints(const PlayedGame& game, const Advice& advice) = 0;
  virtual void tells_line(const PlayedGame& game, const Advice& advice, const Line& line) = 0;
  virtual void taken_back(const PlayedGame& game) = 0;
  virtual void remarks(const std::string& text) = 0;
  virtual void refuses(const std::string& text) = 0;
  virtual void asks(const PlayedGame& game) = 0;
  // A command that was read from elsewhere than a terminal.
  virtual void echoes(const std::string& command) = 0;
};

// `seats` is looked at whenever something is shown.
std::unique_ptr<PlayFace> text_face(const Seats& seats, bool colour);
std::unique_ptr<PlayFace> json_face(const Seats& seats);

}  // namespace retrosow::cli
