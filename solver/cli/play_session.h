// A game in the terminal: commands from standard input, the program's moves, saving.
#pragma once

#include <optional>
#include <string>

#include "solver/cli/play_face.h"
#include "solver/cli/progress.h"

namespace retrosow::cli {

struct PlaySetup {
  Seats seats;
  AdvisorOptions advisor;
  std::uint64_t seed = 1;  // of the moves below full strength
  std::string save;        // written after every move; empty: not
  std::string loaded;      // the file that holds the record as it is; empty: there is none
  bool json = false;
  bool quiet = false;
  bool colour = false;
};

// Plays until `quit` or the end of the input, or, where nobody sits there, of the game.
// Fails: interrupted error; what is not saved has been written to standard error then. Corrupt error where a table is damaged.
int play(GameRecord record, const PlaySetup& setup, ProgressLine& progress);

}  // namespace retrosow::cli
