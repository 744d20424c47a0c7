// retrosow_bench: speed of the kernels, ranks, perft and probes. Options are those of Google Benchmark.
//
// scripts/bench runs it with repetitions and keeps what comes out under results/kernels.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <string>

#include "bench/benchmarks.h"
#include "bench/inputs.h"
#include "bitboard/rules.h"

namespace retrosow::bench {
namespace {

bool failed = false;

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

void describe() {
  std::string kernels;
  for (const KernelId kernel : available_kernels()) {
    kernels += (kernels.empty() ? "" : ", ") + std::string(kernel_name(kernel));
  }
  benchmark::AddCustomContext("compiler", compiler());
  benchmark::AddCustomContext("kernels", kernels);
  benchmark::AddCustomContext(
      "inputs", std::to_string(kBoards) + " boards a pass, seed " + std::to_string(kInputSeed));
  for (const Game game : {Game::kUrim, Game::kRioKadalis}) {
    benchmark::AddCustomContext("rules " + std::string(game_name(game)),
                                canonical_text(preset(game)));
  }
}

}  // namespace

void fail(benchmark::State& state, const std::string& message) {
  failed = true;
  state.SkipWithError(message.c_str());
}

bool any_failed() { return failed; }

}  // namespace retrosow::bench

int main(int argc, char** argv) {
  using namespace retrosow::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    register_sow_benchmarks();
    register_generate_benchmarks();
    register_relay_benchmarks();
    register_reference_benchmarks();
    register_rank_benchmarks();
    register_perft_benchmarks();
    register_probe_benchmarks();
    register_transposition_benchmarks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  describe();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return any_failed() ? 1 : 0;
}
