// --threads and --memory, which long runs have in common.
#pragma once

#include <cstdint>

#include "solver/cli/arguments.h"

namespace retrosow::cli {

// 1 to 1024; 0, which stands for all cores, where --threads is not given.
// Fails: usage error.
unsigned read_threads(const Arguments& arguments);

// Bytes; 80 % of the memory available now where --memory is not given.
// Fails: usage error.
std::uint64_t read_memory(const Arguments& arguments);

}  // namespace retrosow::cli
