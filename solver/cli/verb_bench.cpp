// `retrosow bench`: how fast this machine generates moves, per kernel, and whether it does so rightly.

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "solver/cli/arguments.h"
#include "solver/cli/bench_boards.h"
#include "solver/cli/numbers.h"
#include "solver/cli/output.h"
#include "solver/cli/signals.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "solver/search_bench.h"

namespace retrosow::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kKernelsDiffer = 1;
constexpr unsigned kBoards = 4096;  // a pass is over all of them: no pattern to learn
constexpr std::uint64_t kSeed = 20240601;
constexpr unsigned kRounds = 5;  // slices of a measurement, kernels taking turns
constexpr double kLeastSeconds = 0.001, kMostSeconds = 3600;

enum class What : unsigned char {
  kSow,    // single sowings with capture
  kMoves,  // all legal moves of a board
};

struct Measurement {
  What what;
  Game game;
  Shape shape;
};

constexpr Measurement kMeasurements[] = {
    {What::kSow, Game::kUrim, {6, 6}},         {What::kSow, Game::kUrim, {7, 7}},
    {What::kMoves, Game::kUrim, {6, 6}},       {What::kMoves, Game::kUrim, {7, 7}},
    {What::kMoves, Game::kRioKadalis, {6, 6}},
};

const char* name_of(What what) { return what == What::kSow ? "sow" : "moves"; }
const char* items_of(What what) { return what == What::kSow ? "sowings" : "boards"; }

// What one pass over the boards did. The checksum keeps the work from being optimised away, and must be
// the same for every kernel.
struct Pass {
  std::uint64_t items = 0;
  std::uint64_t moves = 0;
  std::uint64_t checksum = 0;
};

Pass sow_pass(const MoveGenerator& generator, Shape shape, const std::vector<Position>& boards) {
  Pass pass;
  MoveList list;
  for (const Position& board : boards) {
    for (unsigned pit = 0; pit < shape.mover_pits; ++pit) {
      if (seeds_in(board, shape, pit) == 0) continue;
      list.legal = 0;
      generator.sow(board, shape, pit, list);
      ++pass.items;
      if (!has_bit(list.legal, pit)) continue;
      pass.checksum += list.captured[pit] + (list.result[pit].low() ^ list.result[pit].high());
    }
  }
  pass.moves = pass.items;
  return pass;
}

Pass moves_pass(const MoveGenerator& generator, Shape shape, const std::vector<Position>& boards) {
  Pass pass;
  MoveList list;
  for (const Position& board : boards) {
    generator.generate(board, shape, list);
    ++pass.items;
    pass.moves += list.count();
    pass.checksum += list.legal;
    for_each_move(list, [&](unsigned slot) {
      pass.checksum += list.captured[slot] + (list.result[slot].low() ^ list.result[slot].high());
    });
  }
  return pass;
}

struct Rate {
  KernelId kernel{};
  std::uint64_t items = 0;
  std::uint64_t moves = 0;
  double seconds = 0;
  double least = 0, most = 0;  // items per second of the slowest and the fastest slice
  std::uint64_t checksum = 0;  // of a pass

  double per_second() const { return static_cast<double>(items) / seconds; }
  double moves_per_second() const { return static_cast<double>(moves) / seconds; }
  double spread() const { return (most - least) / per_second(); }
};

// Kernels take turns, so that a disturbance of the machine does not hit one of them alone.
std::vector<Rate> measure(const Measurement& m, double seconds) {
  const RuleSet rules = preset(m.game);
  const std::vector<Position> boards = bench_boards(rules, m.shape, kBoards, kSeed);
  std::vector<MoveGenerator> generators;
  std::vector<Rate> rates;
  for (const KernelId kernel : available_kernels()) {
    generators.emplace_back(rules, m.shape, kernel);
    rates.push_back({.kernel = kernel});
  }
  const auto pass = [&](const MoveGenerator& generator) {
    return m.what == What::kSow ? sow_pass(generator, m.shape, boards)
                                : moves_pass(generator, m.shape, boards);
  };
  for (std::size_t k = 0; k < rates.size(); ++k) rates[k].checksum = pass(generators[k]).checksum;

  const double slice = seconds / kRounds;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (std::size_t k = 0; k < rates.size(); ++k) {
      check_interrupted();
      std::uint64_t items = 0;
      double elapsed = 0;
      const auto start = Clock::now();
      do {
        const Pass done = pass(generators[k]);
        items += done.items;
        rates[k].moves += done.moves;
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
      } while (elapsed < slice);
      const double rate = static_cast<double>(items) / elapsed;
      rates[k].least = round == 0 ? rate : std::min(rates[k].least, rate);
      rates[k].most = std::max(rates[k].most, rate);
      rates[k].items += items;
      rates[k].seconds += elapsed;
    }
  }
  return rates;
}

// The fixed set of searches, over and over.
SearchBench measure_search(double seconds) {
  SearchBench all;
  do {
    check_interrupted();
    const SearchBench once = run_search_bench();
    all.positions += once.positions;
    all.nodes += once.nodes;
    all.seconds += once.seconds;
  } while (all.seconds < seconds);
  return all;
}

std::string hex16(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

void print_rate_record(const Measurement& m, const Rate& rate) {
  print_record({{"kernel", kernel_name(rate.kernel)},
                {"measurement", name_of(m.what)},
                {"game", game_name(m.game)},
                {"rules", canonical_text(preset(m.game))},
                {"pits", m.shape.mover_pits},
                {"boards", kBoards},
                {"seconds", record_seconds(rate.seconds)},
                {"items", rate.items},
                {"items_per_second", static_cast<std::uint64_t>(rate.per_second())},
                {"moves_per_second", static_cast<std::uint64_t>(rate.moves_per_second())},
                {"spread", static_cast<double>(static_cast<int>(rate.spread() * 1e4)) / 1e4}});
}

void add_rate_row(TextTable& table, const Measurement& m, const Rate& rate) {
  char spread[16];
  std::snprintf(spread, sizeof spread, "%.1f %%", 100 * rate.spread());
  table.add_row({std::string(name_of(m.what)),
                 std::string(game_name(m.game)) + " 2x" + std::to_string(m.shape.mover_pits),
                 std::string(kernel_name(rate.kernel)),
                 short_number(rate.per_second()) + " " + items_of(m.what),
                 short_number(rate.moves_per_second()), spread});
}

[[nodiscard]] bool kernels_agree(const std::vector<Rate>& rates, const Measurement& m) {
  for (const Rate& rate : rates) {
    if (rate.checksum != rates.front().checksum) {
      complain(std::string("kernels differ: ") + name_of(m.what) + " of " +
               std::string(game_name(m.game)) + " 2x" + std::to_string(m.shape.mover_pits) + ", " +
               std::string(kernel_name(rate.kernel)) + " against " +
               std::string(kernel_name(rates.front().kernel)));
      return false;
    }
  }
  return true;
}

std::vector<OptionGroup> bench_options() {
  return {{"Benchmark",
           {{"seconds", "S",
             "Time for each measurement of each kernel, 0.001 to 3600. Default 0.5."}}}};
}

int run_bench(const Arguments& arguments) {
  const std::string* given = arguments.find("seconds");
  const double seconds =
      given == nullptr ? 0.5
                       : parse_seconds("option --seconds", *given, kLeastSeconds, kMostSeconds);
  static_cast<void>(chosen_kernel());  // refuses a RETROSOW_KERNEL that is not there

  const Signature signature = move_signature(available_kernels().front());
  for (const KernelId kernel : available_kernels()) {
    if (move_signature(kernel) != signature) {
      complain("kernels differ: signature of " + std::string(kernel_name(kernel)) + " against " +
               std::string(kernel_name(available_kernels().front())));
      return kKernelsDiffer;
    }
  }

  TextTable table;
  for (const char* header : {"what", "board", "kernel"})
    table.add_column(header, TextTable::Align::kLeft);
  for (const char* header : {"per second", "moves/s", "spread"}) {
    table.add_column(header, TextTable::Align::kRight);
  }
  for (const Measurement& m : kMeasurements) {
    const std::vector<Rate> rates = measure(m, seconds);
    if (!kernels_agree(rates, m)) return kKernelsDiffer;
    for (const Rate& rate : rates) {
      if (arguments.json()) {
        print_rate_record(m, rate);
      } else {
        add_rate_row(table, m, rate);
      }
    }
  }
  check_interrupted();
  const SearchBench search = measure_search(seconds);
  const auto search_rate = static_cast<double>(search.nodes) / search.seconds;
  const std::uint64_t search_nodes = search.nodes / (search.positions / kSearchBenchPositions);
  if (arguments.json()) {
    print_record({{"measurement", "search"},
                  {"kernel", kernel_name(chosen_kernel())},
                  {"positions", search.positions},
                  {"seconds", record_seconds(search.seconds)},
                  {"nodes", search.nodes},
                  {"nodes_per_second", static_cast<std::uint64_t>(search_rate)}});
    print_record({{"signature", hex16(signature.hash)},
                  {"boards", signature.boards},
                  {"moves", signature.moves},
                  {"search_nodes", search_nodes}});
  } else {
    table.add_row({"search", "starts, both games", std::string(kernel_name(chosen_kernel())),
                   short_number(search_rate) + " positions", "", ""});
    print(table.text() + "\nsignature  " + hex16(signature.hash) + "  (" +
          grouped(signature.moves) + " moves of " + grouped(signature.boards) +
          " boards, the same for every kernel here)\nsearch     " + grouped(search_nodes) +
          " positions entered\n");
  }
  return 0;
}

}  // namespace

extern const Verb kBenchVerb;
const Verb kBenchVerb = {
    .name = "bench",
    .synopsis = "[--seconds S]",
    .summary = "move-generation speed of each kernel, and a signature",
    .description =
        "Measures every move kernel that this machine can run on a seeded mix of boards with 8 to "
        "36 seeds:\n"
        "single sowings with capture, full lists of legal moves, relay moves of Rio Kadalis. The "
        "spread is\n"
        "that of five slices, kernels taking turns; differences below it mean nothing.\n"
        "Then a fixed set of positions is searched by one thread, without tables.\n"
        "The signature is a hash of all moves of a fixed set of boards, and the number of positions that\n"
        "the searches enter: the same on every machine and for every kernel.\n"
        "Kernels that differ are reported, with exit code 1.",
    .example =
        "retrosow bench\n"
        "retrosow bench --seconds 2 --json",
    .options = bench_options,
    .run = run_bench};

}  // namespace retrosow::cli
