// The benchmarks: what each file registers, and what they have in common.
//
// Names read `What/board/inputs/kernel`, such as Sow/2x6/mixed/avx512. One iteration is one pass over a
// whole set of inputs (see inputs.h), so that branches are as hard to predict as on new boards. Each pass
// folds all its results into one number that must equal the number computed before the first pass, by the
// portable kernel or from the inputs; a pass that differs is an error, and the program then ends with
// exit code 1.
#pragma once

#include <benchmark/benchmark.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "bitboard/moves.h"
#include "bitboard/position.h"

namespace retrosow::bench {

void register_sow_benchmarks();       // Sow: single sowings with capture
void register_generate_benchmarks();  // Generate: all legal moves of a board, with their results
void register_relay_benchmarks();     // Relay: the same of Rio Kadalis
void register_reference_benchmarks(); // Generate and Relay of the plain reference
void register_rank_benchmarks();      // Rank, Unrank
void register_perft_benchmarks();     // Perft
void register_probe_benchmarks();     // Probe: of table files
void register_transposition_benchmarks();  // Transposition: of the search's table

// Kernels need not give the same list byte for byte (slots of other moves are undefined), so only what
// is defined is folded.
inline std::uint64_t fold(const Position& position) {
  return position.low() + std::rotl(position.high(), 29);
}

inline std::uint64_t fold_move(const MoveList& list, unsigned slot) {
  return fold(list.result[slot]) + (std::uint64_t{list.captured[slot]} << 40);
}

// Marks the benchmark as failed, and the whole run with it.
void fail(benchmark::State& state, const std::string& message);
bool any_failed();

// Repeats the pass, which returns its fold, for as long as the benchmark runs.
template <typename Pass>
void run_passes(benchmark::State& state, std::uint64_t expected, Pass&& pass) {
  for (auto _ : state) {
    std::uint64_t folded = std::forward<Pass>(pass)();
    benchmark::DoNotOptimize(folded);
    if (folded != expected) {
      fail(state, "the results are not those computed beforehand");
      return;
    }
  }
}

// A counter's rate per second of processor time, for passes over `per_pass` things.
inline benchmark::Counter rate(const benchmark::State& state, std::uint64_t per_pass) {
  return {static_cast<double>(state.iterations()) * static_cast<double>(per_pass),
          benchmark::Counter::kIsRate};
}

inline void set_items(benchmark::State& state, std::uint64_t per_pass) {
  state.SetItemsProcessed(static_cast<std::int64_t>(per_pass) * state.iterations());
}

}  // namespace retrosow::bench
