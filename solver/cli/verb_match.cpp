// `retrosow match`: a Rio Kadalis match over all its states.

#include "solver/cli/evaluation_output.h"
#include "solver/cli/progress.h"
#include "solver/cli/resources.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "solver/match_rounds.h"
#include "solver/solve.h"
#include "tables/table_listing.h"

namespace retrosow::cli {
namespace {

// What the starter of a round and the other own, in that order.
std::string totals_text(unsigned starters, unsigned others) {
  return std::to_string(starters) + " : " + std::to_string(others);
}

class MatchPrinter {
 public:
  MatchPrinter(const RuleChoice& choice, const MatchSolution& match, const MatchRounds& rounds)
      : choice_(choice), match_(match) {
    for (std::size_t i = 0; i < match.line.size(); ++i) {
      const MatchState* state = ends(i) ? nullptr : match.find(match.line[i]);
      moves_.push_back(state == nullptr || !state->stones_suffice
                           ? std::nullopt
                           : std::optional(rounds.most_stones(state->open)));
    }
  }

  void print_records() const {
    for (const MatchState& state : match_.states) print_record(record(state));
  }

  void print_text() const {
    print("match of " + std::string(game_name(choice_.rules.game)) + " 2x" +
          std::to_string(match_.rules.pits) + ", " + choice_.canonical +
          " starter=" + option_value(choice_.rules, "starter") + "\n\n" + state_table() + "\n" +
          verdict() + "\n" + line_table() + line_end());
  }

 private:
  unsigned all_stones() const { return match_.rules.stones(); }
  bool ends(std::size_t place) const {
    return !match_.cycle_begin && place + 1 == match_.line.size();
  }
  bool is_level_start(const MatchState& state) const { return 2 * state.stones == all_stones(); }

  // The starter's holes, numbered as `moves` numbers them on the board that a record shows.
  static std::vector<unsigned> pits_of(const MatchState& state,
                                       const std::vector<unsigned>& slots) {
    const Board board = board_of(round_start(state.open), state.open);
    std::vector<unsigned> pits;
    for (const unsigned slot : slots) pits.push_back(board.shown_pit(slot));
    return pits;
  }
  static std::vector<unsigned> most_stones(const MatchState& state) {
    std::vector<unsigned> slots;
    for (const RoundFacts::FirstMove& move : state.round.moves) {
      if (move.stones == state.round.stones) slots.push_back(move.slot);
    }
    return slots;
  }
  static int round_value(const MatchState& state, unsigned stones) {
    return 2 * static_cast<int>(stones) - 4 * static_cast<int>(state.open.pits());
  }
  unsigned total_after(const MatchState& state, unsigned result) const {
    return state.stones - 4 * state.open.mover_pits + result;
  }

  static Json outcome_json(const MatchOutcome& outcome) {
    return {{"outcome", outcome_name(static_cast<int>(outcome.outcome))},
            {"rounds", outcome.rounds ? Json(*outcome.rounds) : Json(nullptr)}};
  }

  Json play_json(const MatchState& state, unsigned result,
                 const std::vector<unsigned>& slots) const {
    const NextState next = next_state(match_.rules, state.stones, result);
    const unsigned after = total_after(state, result);
    return {{"value", round_value(state, result)},
            {"best", pits_of(state, slots)},
            {"totals", {after, all_stones() - after}},
            {"next", {next.stones, all_stones() - next.stones}},
            {"same_starter", next.same_starter}};
  }

  Json record(const MatchState& state) const {
    const unsigned other = all_stones() - state.stones;
    Json record = {
        {"game", game_name(choice_.rules.game)},
        {"rules", choice_.canonical},
        {"starter", option_value(choice_.rules, "starter")},
        {"pits", match_.rules.pits},
        {"stones", {state.stones, other}},
        {"open", {state.open.mover_pits, state.open.opponent_pits}},
        {"aside", {state.stones - 4 * state.open.mover_pits, other - 4 * state.open.opponent_pits}},
        {"position", format_board(board_of(round_start(state.open), state.open))}};
    record.update(outcome_json(state.best));
    record["monotone"] = state.monotone;
    record["stones_suffice"] = state.stones_suffice;
    record["match_play"] = play_json(state, state.result, state.best_moves);
    Json stones = play_json(state, state.round.stones, most_stones(state));
    stones.update(outcome_json(state.by_stones));
    record["stones_play"] = std::move(stones);
    if (is_level_start(state)) add_line(record);
    return record;
  }

  void add_line(Json& record) const {
    Json line = Json::array();
    for (std::size_t i = 0; i < match_.line.size(); ++i) {
      line.push_back({{"starter", match_.first_starts[i] ? "first" : "second"},
                      {"first", first_players(i)},
                      {"second", all_stones() - first_players(i)}});
    }
    record["line"] = std::move(line);
    Json rounds = Json::array();
    for (std::size_t i = 0; i < match_.line.size(); ++i) {
      if (ends(i)) continue;
      rounds.push_back({{"pits", moves_[i] ? pits_of_line(i) : std::vector<unsigned>()},
                        {"end", moves_[i] ? Json(line_end_name(moves_[i]->end)) : Json(nullptr)}});
    }
    record["line_moves"] = std::move(rounds);
    record["line_end"] = match_.cycle_begin                          ? "cycle"
                         : first_players(match_.line.size() - 1) < 4 ? "second"
                                                                     : "first";
    record["cycle_begin"] = match_.cycle_begin ? Json(*match_.cycle_begin) : Json(nullptr);
  }

  // The holes of a round of the line, in turn, each as its player sees his row.
  std::vector<unsigned> pits_of_line(std::size_t place) const {
    const Shape open = match_.rules.open(match_.line[place]);
    return shown_pits(board_of(round_start(open), open), *moves_[place]);
  }
  std::string moves_text(std::size_t place) const {
    if (ends(place)) return "";
    if (!moves_[place]) return "not those for most stones";
    const char* end = moves_[place]->end == Line::End::kGameOver     ? ""
                      : moves_[place]->end == Line::End::kRepetition ? " then round and round"
                                                                     : " and more";
    return joined(pits_of_line(place)) + end;
  }

  // What the player owns who started the match.
  unsigned first_players(std::size_t place) const {
    return match_.first_starts[place] ? match_.line[place] : all_stones() - match_.line[place];
  }

  std::string state_table() const {
    using enum TextTable::Align;
    TextTable table;
    for (const char* column : {"stones", "open", "value"}) table.add_column(column, kRight);
    table.add_column("best", kLeft);
    table.add_column("totals", kRight);
    table.add_column("next", kLeft);
    table.add_column("match", kLeft);
    table.add_column("rounds", kRight);
    table.add_column("moves for it", kLeft);
    table.add_column("", kLeft);
    for (const MatchState& state : match_.states) {
      const NextState next = next_state(match_.rules, state.stones, state.result);
      const unsigned after = total_after(state, state.result);
      std::string remark;
      if (!state.stones_suffice) {
        remark =
            "most stones: " + std::string(outcome_name(static_cast<int>(state.by_stones.outcome)));
      } else if (!state.monotone) {
        remark = "not monotone";
      }
      table.add_row({totals_text(state.stones, all_stones() - state.stones),
                     totals_text(state.open.mover_pits, state.open.opponent_pits),
                     with_sign(round_value(state, state.round.stones)),
                     joined(pits_of(state, most_stones(state))),
                     totals_text(after, all_stones() - after), next.same_starter ? "same" : "other",
                     std::string(outcome_name(static_cast<int>(state.best.outcome))),
                     state.best.rounds ? std::to_string(*state.best.rounds) : "-",
                     joined(pits_of(state, state.best_moves)), remark});
    }
    return table.text();
  }

  std::string verdict() const {
    const auto count = [&](auto&& holds) {
      return static_cast<std::size_t>(
          std::count_if(match_.states.begin(), match_.states.end(), holds));
    };
    const std::size_t all = match_.states.size();
    const std::size_t monotone = count([](const MatchState& state) { return state.monotone; });
    const std::size_t suffice = count([](const MatchState& state) { return state.stones_suffice; });
    const auto of_all = [&](std::size_t number) {
      return (number == all ? "all " : std::to_string(number) + " of ") + counted(all, "states");
    };
    std::string text = "More stones from a round never hurt in " + of_all(monotone) + ".\n" +
                       "Playing it for most stones is best for the match in " + of_all(suffice) +
                       ": proved";
    if (match_.sets_solved != 0) {
      text += ", with rounds solved for " + counted(match_.sets_solved, "sets") + " of results";
    }
    return text + ".\n";
  }

  std::string line_table() const {
    using enum TextTable::Align;
    TextTable table;
    table.add_column("round", kRight);
    table.add_column("starter", kLeft);
    table.add_column("first : second", kRight);
    table.add_column("holes sown in turn", kLeft);
    for (std::size_t i = 0; i < match_.line.size(); ++i) {
      table.add_row({ends(i) ? "end" : std::to_string(i + 1),
                     ends(i)                  ? ""
                     : match_.first_starts[i] ? "first"
                                              : "second",
                     totals_text(first_players(i), all_stones() - first_players(i)),
                     moves_text(i)});
    }
    return table.text();
  }

  std::string line_end() const {
    if (match_.cycle_begin) {
      return "and again from round " + std::to_string(*match_.cycle_begin + 1) +
             ": the match goes on for ever, drawn\n";
    }
    const bool first_lost = first_players(match_.line.size() - 1) < 4;
    return "the " + std::string(first_lost ? "second" : "first") + " player wins the match\n";
  }

  const RuleChoice& choice_;
  const MatchSolution& match_;
  // Of the rounds of the line; none where play for most stones is not perfect for the match.
  std::vector<std::optional<Line>> moves_;
};

std::vector<OptionGroup> match_options() {
  std::vector<OptionGroup> groups = rule_option_groups(false, Game::kRioKadalis);
  groups.insert(
      groups.begin(),
      {"Solving",
       {{"tables", "DIR",
         "Rounds found whole in this folder are read, the others solved. Default: none."},
        {"memory", "SIZE",
         "Memory to use at most: bytes, or 512MiB, 12GiB. Default: 80 % of what is available."},
        {"threads", "N", "Threads, 1 to 1024. Default: all cores."}}});
  return groups;
}

int run_match(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments, Game::kRioKadalis);
  if (family_of(choice.rules.game) != Family::kRioKadalis) {
    throw usage_error("option --game: a match of several rounds is played in rio-kadalis, not in " +
                      std::string(game_name(choice.rules.game)));
  }
  ProgressLine progress(arguments);
  MatchRoundsOptions options;
  options.control = progress.control();
  options.memory_bytes = read_memory(arguments);
  options.threads = read_threads(arguments);
  std::optional<TableFolder> tables;
  if (const std::string* folder = arguments.find("tables")) {
    tables.emplace(*folder, choice.rules);
    options.tables = &*tables;
    if (!tables->faults().empty() && !arguments.quiet())
      complain("left out: " + faults_text(tables->faults()));
  }
  MatchRounds rounds(choice.rules, options);
  const MatchSolution match = solve_match({choice.pits_or_default(), choice.rules.starter}, rounds);
  progress.finish();
  if (arguments.verbose()) {
    complain("rules " + choice.canonical + ", kernel " + std::string(kernel_name(chosen_kernel())) +
             ", " + counted(rounds.positions(), "positions") + " of rounds, " +
             counted(rounds.rounds_read(), "rounds") + " read from tables");
  }
  const MatchPrinter printer(choice, match, rounds);
  if (arguments.json()) {
    printer.print_records();
  } else {
    printer.print_text();
  }
  return 0;
}

}  // namespace

extern const Verb kMatchVerb;
const Verb kMatchVerb = {
    .name = "match",
    .synopsis = "[--pits K] [options]",
    .summary = "a Rio Kadalis match of many rounds, over all its states",
    .description =
        "Solves a Rio Kadalis match for win, draw and loss: every state that arises from a level "
        "start,\n"
        "by any play. A state is what the player who starts the round and the other own.\n"
        "For each: the open holes, the round's value with its best first moves, the totals and "
        "the\n"
        "starter behind it, the match result with the rounds to the end, and the first moves that "
        "keep\n"
        "it; whether more stones from the round never hurt, of all that any play can bring, and "
        "whether\n"
        "playing it for most stones is best for the match, which is proved; then a perfect match "
        "with the\n"
        "holes sown in each round, but for rounds where play for most stones is not best for the "
        "match:\n"
        "of those only totals and first moves are said. Round and round: for ever, which is an "
        "even split.\n"
        "What a round can bring takes some 50 bytes a position beside it where that is not soon "
        "seen.\n"
        "Where most stones are not enough, the round is solved for the match itself; that takes "
        "some 50\n"
        "bytes a position. What would go above --memory is refused (exit code 6).",
    .example =
        "retrosow match --pits 4\n"
        "retrosow match --starter winner --tables tables-rio\n"
        "retrosow match --pits 5 --starter loser --endless-sow draw --json",
    .options = match_options,
    .run = run_match};

}  // namespace retrosow::cli
