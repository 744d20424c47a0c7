#include "solver/cli/resources.h"

#include "bitboard/notation.h"
#include "solver/cli/numbers.h"
#include "solver/solve.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kMaxThreads = 1024;

}  // namespace

unsigned read_threads(const Arguments& arguments) {
  const std::string* threads = arguments.find("threads");
  return threads == nullptr ? 0 : parse_number("option --threads", *threads, 1, kMaxThreads);
}

std::uint64_t read_memory(const Arguments& arguments) {
  const std::string* memory = arguments.find("memory");
  return memory == nullptr ? default_memory_bytes() : parse_size("option --memory", *memory);
}

}  // namespace retrosow::cli
