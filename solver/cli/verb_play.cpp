// `retrosow play`: a game in the terminal.

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>

#include "solver/cli/evaluation_output.h"
#include "solver/cli/numbers.h"
#include "solver/cli/output_file.h"
#include "solver/cli/play_session.h"
#include "solver/cli/record_file.h"
#include "solver/cli/resources.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  char text[16];
  if (::localtime_r(&now, &local) == nullptr) return "";
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d", &local));
}

std::array<bool, 2> read_side(const Arguments& arguments) {
  const std::string* side = arguments.find("side");
  if (side == nullptr || *side == "first") return {true, false};
  if (*side == "second") return {false, true};
  if (*side == "both") return {true, true};
  if (*side == "none") return {false, false};
  throw usage_error("option --side: '" + *side + "' is not one of first, second, both, none");
}

bool wants_colour(const Arguments& arguments) {
  const std::string* colour = arguments.find("color");
  if (colour != nullptr && *colour == "always") return true;
  if (colour != nullptr && *colour == "never") return false;
  if (colour != nullptr && *colour != "auto") {
    throw usage_error("option --color: '" + *colour + "' is not one of auto, always, never");
  }
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return output_is_terminal() && (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

// Fails: usage error.
GameRecord new_game(const Arguments& arguments, const RuleChoice& choice) {
  GameRecord record{
      [&] {
        if (arguments.given("match")) {
          if (arguments.position() || arguments.given("seeds-per-pit") ||
              arguments.given("captured")) {
            throw usage_error(
                "--match starts level, with 4 stones in each hole: it goes neither with a position "
                "nor "
                "with --seeds-per-pit or --captured");
          }
          return PlayedGame::match(choice.rules, choice.pits_or_default());
        }
        const std::string text = arguments.position().value_or("start");
        if (text == "-") {
          throw usage_error(
              "`play` reads commands from standard input, so a position cannot come from there");
        }
        const Captured captured = read_captured(arguments, choice).value_or(Captured{});
        return PlayedGame(choice.rules, read_board(choice, text),
                          {captured.mover, captured.opponent});
      }(),
      {},
      today()};
  return record;
}

std::vector<OptionGroup> play_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(
      groups.begin(),
      {{"Playing",
        {{"side", "first|second|both|none",
          "Which side you play; the program plays the others. Default first."},
         {"strength", "N",
          "Of the program, 0 to 10: of ten moves it plays N as well as it can, the others at "
          "random. Default 10."},
         {"match", "", "A match of many rounds (Rio Kadalis, which is then the default game)."},
         captured_option(),
         {"save", "FILE", "Keep a record of the game in FILE, written after every move."},
         {"seed", "N", "Of the random moves below full strength. Default 1: the same every time."},
         {"color", "auto|always|never",
          "Colours. Default auto: on a terminal, unless the environment variable NO_COLOR is "
          "set."}}},
       {"Knowledge",
        {{"tables", "DIR",
          "Play and give hints from the tables in this folder, where they suffice. Default: none."},
         {"limit-nodes", "N",
          "Positions to solve or search for a move at most, where tables do not suffice. What is "
          "not solved by then is "
          "estimated, and the program says so. Default 6000000."},
         {"memory", "SIZE",
          "Memory to use at most: bytes, or 512MiB, 12GiB. Default: 80 % of what is "
          "available."}}}});
  groups.push_back(record_option_group());
  return groups;
}

int run_play(const Arguments& arguments) {
  const bool match = arguments.given("match");
  if (match && arguments.given("record")) {
    throw usage_error("--match and --record are both given; the record says whether it is a match");
  }
  bool cut = false;
  std::optional<GameRecord> record = read_record_option(arguments, &cut);
  const RuleChoice choice = read_rules(arguments, match ? Game::kRioKadalis : Game::kUrim);
  PlaySetup setup;
  setup.seats.human = read_side(arguments);
  if (const std::string* strength = arguments.find("strength")) {
    setup.seats.strength = parse_number("option --strength", *strength, 0, kMaxStrength);
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (const std::string* seed = arguments.find("seed")) {
    setup.seed = parse_count("option --seed", *seed, 0, kMost);
  }
  if (const std::string* nodes = arguments.find("limit-nodes")) {
    setup.advisor.limit_nodes = parse_count("option --limit-nodes", *nodes, 0, kMost);
  }
  if (const std::string* tables = arguments.find("tables")) setup.advisor.tables = *tables;
  setup.advisor.memory_bytes = read_memory(arguments);
  setup.json = arguments.json();
  setup.quiet = arguments.quiet();
  setup.colour = !setup.json && wants_colour(arguments);
  if (record) {
    read_captured(arguments, choice);  // refuses --captured beside it
    if (!cut) setup.loaded = arguments.require("record");
  } else {
    record = new_game(arguments, choice);
    const std::string program = "retrosow, strength " + std::to_string(setup.seats.strength);
    for (std::size_t i = 0; i < 2; ++i) {
      if (!setup.seats.human[i]) record->players[i] = program;
    }
  }
  if (const std::string* save = arguments.find("save")) {
    setup.save = *save;
    std::error_code code;
    if (cut && std::filesystem::equivalent(setup.save, arguments.require("record"), code)) {
      throw usage_error("option --save: " + setup.save +
                        " holds moves behind the place of --ply and --round, which would be lost; take another name");
    }
    if (setup.save != setup.loaded && std::filesystem::exists(setup.save, code)) {
      throw usage_error("option --save: " + setup.save + " is there already; --record " +
                        setup.save + " goes on with it, or take another name");
    }
  }
  ProgressLine progress(arguments);
  setup.advisor.control = progress.control();
  return play(std::move(*record), setup, progress);
}

}  // namespace

extern const Verb kPlayVerb;
const Verb kPlayVerb = {
    .name = "play",
    .synopsis = "[POS] [options]",
    .summary = "a game in the terminal, with hints, against perfect play where that is known",
    .description =
        "Plays from POS (default `start`): you type the number of a pit, the program answers. `?` "
        "lists the\n"
        "commands: hints, the value of every move, a line of best play, taking back, saving and "
        "loading a\n"
        "record of the game (solver/cli/RECORD.md). The program's moves are perfect where tables, "
        "a solution\n"
        "in memory or a search prove them; where they do not, it looks some plies ahead, and says "
        "so.\n"
        "A position that stands for the third time ends the game, what is on the board being split "
        "evenly.\n"
        "In a match it plays each round for most stones; `match` tells where something else is "
        "better.\n"
        "Commands may come from a file or pipe: the same commands give the same output.",
    .example =
        "retrosow play\n"
        "retrosow play --side second --tables tables-urim --save game.txt\n"
        "retrosow play --match --pits 4 --strength 6\n"
        "retrosow play --record game.txt --ply 10",
    .position = PositionArgument::kOptional,
    .options = play_options,
    .run = run_play};

}  // namespace retrosow::cli
