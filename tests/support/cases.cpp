#include "tests/support/cases.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "tests/support/kernel_check.h"
#include "tests/support/test_data.h"

namespace retrosow::test {
namespace {

using nlohmann::json;

// The rule sets of a record: its options set on the game's defaults, and where it calls --grand-slam
// without bearing, the other values of that behind them.
std::vector<RuleSet> rules_of(const json& record) {
  std::vector<RuleSet> sets = {preset(parse_game(record.at("game").get<std::string>()))};
  for (const auto& [key, value] : record.at("rules").items()) {
    if (key == "pits") continue;
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', '-');
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text == "any") {
      if (name != "grand-slam") throw std::runtime_error("a record with any " + name);
      const RuleSet base = sets.front();
      for (const char* slam : {"capture", "leave", "forbid"}) {
        if (option_value(base, name) == slam) continue;
        sets.push_back(base);
        set_option(sets.back(), name, slam);
      }
    } else {
      for (RuleSet& rules : sets) set_option(rules, name, text);
    }
  }
  return sets;
}

std::string board_text(const Board& board, const MoveList& list, unsigned slot) {
  return format_board(board.after(list.result[slot])) + " captured " +
         std::to_string(list.captured[slot]) + " and " +
         std::to_string(list.captured_opponent[slot]);
}

std::string fault_under(const MoveCase& move, const RuleSet& rules, KernelId kernel,
                        bool with_legal) {
  const Board board = parse_board(rules, move.position, 0, 0);
  const MoveGenerator generator(rules, board.shape(), kernel);
  const bool relay = family_of(rules.game) == Family::kRioKadalis;
  MoveList list = poisoned_list();
  if (!relay) list.captured_opponent.fill(0);
  generator.generate(board.position, board.shape(), list);

  std::vector<unsigned> legal;
  for_each_move(list, [&](unsigned slot) { legal.push_back(board.shown_pit(slot)); });
  if (with_legal && move.legal && legal != *move.legal) return "other legal pits";
  for (unsigned slot = 0; slot < board.shape().mover_pits; ++slot) {
    if (board.shown_pit(slot) != move.pit) continue;
    const bool is_legal = ((list.legal >> slot) & 1U) != 0;
    const bool is_endless = relay && ((list.endless >> slot) & 1U) != 0;
    if (move.endless) {
      if (!is_endless) return "not found to be endless";
      return is_legal ? "an endless hole is legal" : "";
    }
    if (is_endless) return "taken for endless";
    if (!is_legal) return "not legal";
    const std::string expected = move.result + " captured " + std::to_string(move.captured) +
                                 " and " + std::to_string(move.captured_opponent);
    const std::string found = board_text(board, list, slot);
    return found == expected ? "" : "expected " + expected + ", found " + found;
  }
  return "no such pit";
}

ValueCounts value_counts(const json& values) {
  ValueCounts counts;
  for (const auto& [value, boards] : values.items()) {
    counts[std::stoi(value)] = boards.get<std::uint64_t>();
  }
  return counts;
}

}  // namespace

std::vector<MoveCase> read_move_cases(const std::string& name) {
  std::vector<MoveCase> cases;
  for (const json& record : read_json_lines(name)) {
    MoveCase move;
    move.id = record.at("id").get<std::string>();
    move.rules = rules_of(record);
    move.position = record.at("position").get<std::string>();
    move.pit = record.at("pit").get<unsigned>();
    move.endless = record.value("endless", false);
    if (!move.endless) {
      move.result = record.at("result").get<std::string>();
      move.captured = record.at("captured").get<unsigned>();
      move.captured_opponent = record.at("captured_opponent").get<unsigned>();
    }
    if (record.contains("legal")) move.legal = record.at("legal").get<std::vector<unsigned>>();
    cases.push_back(move);
  }
  return cases;
}

std::string move_case_fault(const MoveCase& move, KernelId kernel) {
  for (const RuleSet& rules : move.rules) {
    // That an option has no bearing on this move does not say so of the others.
    const bool with_legal = &rules == &move.rules.front();
    const std::string fault = fault_under(move, rules, kernel, with_legal);
    if (!fault.empty()) {
      return move.id + " " + move.position + " pit " + std::to_string(move.pit) + ", " +
             std::string(kernel_name(kernel)) + " kernel, " + canonical_text(rules) + ": " + fault;
    }
  }
  return "";
}

std::vector<LevelCase> read_level_cases() {
  std::vector<LevelCase> cases;
  for (const json& record : read_json_lines("values.jsonl")) {
    if (!record.contains("seeds")) continue;
    cases.push_back({rules_of(record).front(), record.at("rules").at("pits").get<unsigned>(),
                     record.at("seeds").get<unsigned>(), value_counts(record.at("values"))});
  }
  return cases;
}

std::vector<PositionCase> read_position_cases() {
  std::vector<PositionCase> cases;
  for (const json& record : read_json_lines("values.jsonl")) {
    if (!record.contains("position")) continue;
    PositionCase position{rules_of(record).front(),
                          record.at("position").get<std::string>(),
                          record.at("value").get<int>(),
                          {}};
    for (const auto& [pit, value] : record.at("moves").items()) {
      position.moves[static_cast<unsigned>(std::stoul(pit))] = value.get<int>();
    }
    cases.push_back(position);
  }
  return cases;
}

std::map<unsigned, ValueCounts> read_awari_histograms() {
  std::map<unsigned, ValueCounts> levels;
  std::istringstream lines(read_text(data_path("awari-histograms.csv")));
  std::string line;
  std::getline(lines, line);  // the names of the columns
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    unsigned seeds = 0;
    int value = 0;
    std::uint64_t boards = 0;
    char comma = 0;
    if (!(fields >> seeds >> comma >> value >> comma >> boards)) {
      throw std::runtime_error("awari-histograms.csv: " + line);
    }
    levels[seeds][value] = boards;
  }
  return levels;
}

}  // namespace retrosow::test
