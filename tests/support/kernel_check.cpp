#include "tests/support/kernel_check.h"

#include <cstring>
#include <optional>

#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

// One move as a list holds it, or as the reference says it should.
struct SeenMove {
  std::vector<int> result;  // without meaning where the move is endless
  unsigned captured = 0;
  unsigned captured_opponent = 0;
  bool grand_slam = false;
  bool binikh = false;
  bool endless = false;
  unsigned laps = 0;
  bool operator==(const SeenMove&) const = default;
};

std::string text_of(const SeenMove& move, Shape shape) {
  return (move.endless ? "endless" : test::text_of(move.result, shape.swapped())) + " captured " +
         std::to_string(move.captured) + " and " + std::to_string(move.captured_opponent) +
         (move.grand_slam ? " grand slam" : "") + (move.binikh ? " binikh" : "") + " laps " +
         std::to_string(move.laps);
}

bool bit(unsigned mask, unsigned slot) { return ((mask >> slot) & 1U) != 0; }

SeenMove seen_move(const MoveList& list, Shape shape, unsigned slot, bool relay) {
  SeenMove move;
  move.captured = list.captured[slot];
  if (!relay) {
    move.result = board_of(list.result[slot], shape.swapped());
    move.grand_slam = bit(list.grand_slam, slot);
    return move;
  }
  move.captured_opponent = list.captured_opponent[slot];
  move.binikh = bit(list.binikh, slot);
  move.endless = bit(list.endless, slot);
  move.laps = list.laps[slot];
  if (!move.endless) move.result = board_of(list.result[slot], shape.swapped());
  return move;
}

// What is wrong with a result whatever the rules: seeds lost or made, or something beside the board.
std::string result_fault(const Position& before, const MoveList& list, Shape shape, unsigned slot,
                         bool relay) {
  const Position& after = list.result[slot];
  for (unsigned lane = shape.pits(); lane < kLanes; ++lane) {
    if (after.lanes[lane] != 0) return "lane " + std::to_string(lane) + " is beyond the board";
  }
  const unsigned taken = list.captured[slot] + (relay ? list.captured_opponent[slot] : 0U);
  if (total_seeds(after) + taken != total_seeds(before)) return "seeds are not conserved";
  return "";
}

// Compares one slot of a list with what it should be.
std::string slot_fault(const Position& before, const MoveList& list, Shape shape, unsigned slot,
                       const SeenMove& expected, bool relay) {
  if (!expected.endless) {
    const std::string fault = result_fault(before, list, shape, slot, relay);
    if (!fault.empty()) return fault;
  }
  const SeenMove found = seen_move(list, shape, slot, relay);
  if (found == expected) return "";
  return "expected " + text_of(expected, shape) + ", found " + text_of(found, shape);
}

std::string pit_text(unsigned slot) { return "pit " + std::to_string(slot + 1) + ": "; }

std::string mask_text(unsigned mask) {
  std::string text;
  for (unsigned slot = 0; slot < 8; ++slot) {
    if (bit(mask, slot)) text += (text.empty() ? "" : ",") + std::to_string(slot + 1);
  }
  return "[" + text + "]";
}

std::string legal_fault(unsigned expected, unsigned found, const std::string& what) {
  if (expected == found) return "";
  return what + ": expected " + mask_text(expected) + ", found " + mask_text(found);
}

using Expected = std::vector<std::optional<SeenMove>>;  // by slot, nothing where not legal

Expected expected_moves(const reference::UrimRules& rules, const std::vector<int>& board) {
  Expected moves(static_cast<std::size_t>(rules.pits));
  for (const reference::UrimMove& move : reference::legal_moves(rules, board)) {
    SeenMove seen;
    seen.result = move.result;
    seen.captured = static_cast<unsigned>(move.captured);
    seen.grand_slam = move.grand_slam;
    moves[static_cast<std::size_t>(move.pit - 1)] = seen;
  }
  return moves;
}

// Every hole with stones, whether it may be chosen or not.
Expected expected_sowings(const reference::RioPosition& position) {
  Expected moves(position.mover.size());
  for (std::size_t hole = 0; hole < position.mover.size(); ++hole) {
    if (position.mover[hole] == 0) continue;
    const reference::RioMove move = reference::sow(position, static_cast<int>(hole) + 1);
    SeenMove seen;
    seen.captured = static_cast<unsigned>(move.captured);
    seen.captured_opponent = static_cast<unsigned>(move.captured_opponent);
    seen.binikh = move.ends == reference::RioEnd::kBinikh;
    seen.endless = move.ends == reference::RioEnd::kEndless;
    seen.laps = static_cast<unsigned>(move.laps);
    seen.result = move.result.mover;
    seen.result.insert(seen.result.end(), move.result.opponent.begin(), move.result.opponent.end());
    moves[hole] = seen;
  }
  return moves;
}

// The legal pits by the rules that look at all moves together, from the single sowings.
unsigned legal_from_sowings(const RuleSet& rules, const std::vector<int>& board, unsigned pits,
                            unsigned playable, unsigned feeding) {
  bool opponent_empty = true;
  for (unsigned pit = pits; pit < 2 * pits; ++pit)
    opponent_empty = opponent_empty && board[pit] == 0;
  const bool must_feed = opponent_empty || rules.starvation == Starvation::kLeave;
  return must_feed && feeding != 0 ? feeding : playable;
}

std::string urim_fault(const RuleSet& rules, unsigned pits, const std::vector<int>& board,
                       const Expected& expected, const Kernel& kernel) {
  const Shape shape = equal_rows(pits);
  const Position position = position_of(board, shape);
  MoveList list = poisoned_list();
  kernel.generate(position, shape, list);

  unsigned legal = 0;
  for (unsigned pit = 0; pit < pits; ++pit) legal |= expected[pit] ? 1U << pit : 0U;
  std::string fault = legal_fault(legal, list.legal, "legal pits");
  if (!fault.empty()) return fault;
  for (unsigned pit = 0; pit < pits; ++pit) {
    if (!expected[pit]) continue;
    fault = slot_fault(position, list, shape, pit, *expected[pit], false);
    if (!fault.empty()) return pit_text(pit) + fault;
  }

  // Each pit for itself.
  unsigned playable = 0, feeding = 0;
  for (unsigned pit = 0; pit < pits; ++pit) {
    if (board[pit] == 0) continue;
    MoveList single = poisoned_list();
    kernel.sow(position, shape, pit, single);
    if ((single.legal & ~(1U << pit)) != 0) return pit_text(pit) + "sow speaks of other pits";
    if (single.legal == 0) continue;
    fault = expected[pit] ? slot_fault(position, single, shape, pit, *expected[pit], false)
                          : result_fault(position, single, shape, pit, false);
    if (!fault.empty()) return pit_text(pit) + "sow: " + fault;
    playable |= 1U << pit;
    if (mover_seeds(single.result[pit], shape) > 0) feeding |= 1U << pit;
  }
  return legal_fault(legal_from_sowings(rules, board, pits, playable, feeding), legal,
                     "legal pits by single sowings");
}

std::string rio_fault(const RuleSet& rules, Shape shape, const std::vector<int>& board,
                      const Expected& expected, const Kernel& kernel) {
  const Position position = position_of(board, shape);
  MoveList list = poisoned_list();
  kernel.generate(position, shape, list);

  unsigned legal = 0, endless = 0;
  for (unsigned hole = 0; hole < shape.mover_pits; ++hole) {
    if (!expected[hole]) continue;
    if (expected[hole]->endless) endless |= 1U << hole;
    if (!expected[hole]->endless || rules.endless_sow == EndlessSow::kDraw) legal |= 1U << hole;
  }
  std::string fault = legal_fault(legal, list.legal, "legal holes");
  if (fault.empty()) fault = legal_fault(endless, list.endless, "endless holes");
  if (!fault.empty()) return fault;
  for (unsigned hole = 0; hole < shape.mover_pits; ++hole) {
    if (!expected[hole]) continue;
    MoveList single = poisoned_list();
    kernel.sow(position, shape, hole, single);
    fault = legal_fault(legal & (1U << hole), single.legal, "legal by sow");
    if (fault.empty())
      fault = legal_fault(endless & (1U << hole), single.endless, "endless by sow");
    if (!fault.empty()) return pit_text(hole) + fault;
    if (!bit(legal, hole)) continue;
    fault = slot_fault(position, list, shape, hole, *expected[hole], true);
    if (fault.empty()) fault = slot_fault(position, single, shape, hole, *expected[hole], true);
    if (!fault.empty()) return pit_text(hole) + fault;
  }
  return "";
}

std::string full_text(const std::string& fault, const Kernel& kernel, const RuleSet& rules,
                      const std::vector<int>& board, Shape shape) {
  if (fault.empty()) return fault;
  return kernel.name + " kernel, " + std::string(game_name(rules.game)) + " " +
         canonical_text(rules) + ", " + test::text_of(board, shape) + ": " + fault;
}

std::vector<std::unique_ptr<MoveGenerator>> all_generators(const RuleSet& rules, Shape shape) {
  std::vector<std::unique_ptr<MoveGenerator>> generators;
  for (const KernelId kernel : available_kernels()) {
    generators.push_back(std::make_unique<MoveGenerator>(rules, shape, kernel));
  }
  return generators;
}

}  // namespace

Kernel kernel_of(const MoveGenerator& generator) {
  const MoveGenerator* moves = &generator;
  return {std::string(kernel_name(generator.kernel())),
          [moves](const Position& position, Shape shape, MoveList& list) {
            moves->generate(position, shape, list);
          },
          [moves](const Position& position, Shape shape, unsigned pit, MoveList& list) {
            moves->sow(position, shape, pit, list);
          }};
}

MoveList poisoned_list() {
  MoveList list;
  for (Position& result : list.result) result.lanes.fill(0xa5);
  list.captured.fill(0xa5);
  list.captured_opponent.fill(0xa5);
  list.laps.fill(0xa5a5a5a5U);
  list.legal = list.grand_slam = list.binikh = list.endless = 0xa5;
  return list;
}

UrimKernelCheck::UrimKernelCheck(const RuleSet& rules, unsigned pits)
    : rules_(rules),
      pits_(pits),
      reference_(reference_rules(rules, pits)),
      generators_(all_generators(rules, equal_rows(pits))) {
  for (const auto& generator : generators_) kernels_.push_back(kernel_of(*generator));
}

UrimKernelCheck::UrimKernelCheck(const RuleSet& rules, unsigned pits, std::vector<Kernel> kernels)
    : rules_(rules),
      pits_(pits),
      reference_(reference_rules(rules, pits)),
      kernels_(std::move(kernels)) {}

std::string UrimKernelCheck::fault(const std::vector<int>& board) const {
  const Expected expected = expected_moves(reference_, board);
  for (const Kernel& kernel : kernels_) {
    const std::string fault = urim_fault(rules_, pits_, board, expected, kernel);
    if (!fault.empty()) return full_text(fault, kernel, rules_, board, equal_rows(pits_));
  }
  return "";
}

std::string UrimKernelCheck::first_fault(unsigned max_seeds) const {
  std::string first;
  for_each_board_up_to(2 * pits_, max_seeds, rules_.pit_limit, [&](const std::vector<int>& board) {
    if (first.empty()) first = fault(board);
  });
  return first;
}

RioKernelCheck::RioKernelCheck(const RuleSet& rules, Shape shape)
    : rules_(rules), shape_(shape), generators_(all_generators(rules, shape)) {
  for (const auto& generator : generators_) kernels_.push_back(kernel_of(*generator));
}

RioKernelCheck::RioKernelCheck(const RuleSet& rules, Shape shape, std::vector<Kernel> kernels)
    : rules_(rules), shape_(shape), kernels_(std::move(kernels)) {}

std::string RioKernelCheck::fault(const std::vector<int>& board) const {
  return fault(board, shape_);
}

std::string RioKernelCheck::fault(const std::vector<int>& board, Shape shape) const {
  const Expected expected = expected_sowings(rio_position_of(board, shape));
  for (const Kernel& kernel : kernels_) {
    const std::string fault = rio_fault(rules_, shape, board, expected, kernel);
    if (!fault.empty()) return full_text(fault, kernel, rules_, board, shape);
  }
  return "";
}

std::string RioKernelCheck::first_fault(unsigned max_stones) const {
  std::string first;
  for_each_board_up_to(shape_.pits(), max_stones, 0, [&](const std::vector<int>& board) {
    if (first.empty()) first = fault(board);
    if (first.empty()) first = fault(board, shape_.swapped());
  });
  return first;
}

}  // namespace retrosow::test
