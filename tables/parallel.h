// Parallel loops of the build side; the only place that knows oneTBB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace retrosow {

// Positions of a table that a worker takes at once, where it has little to do for each.
inline constexpr std::uint64_t kPositionsAtOnce = std::uint64_t{1} << 16;

// 0 stands for all cores that this process may use.
unsigned worker_count(unsigned threads);

// Calls f(worker, i) for every i below `count`, by up to `workers` threads, and returns when all are done.
// At any time at most one call runs with the same `worker`, 0 <= worker < workers.
// What was written before the call is seen by f, and what f wrote is seen after it.
// Fails: rethrows an exception of f once all running calls have ended; the others are not begun.
void parallel_loop(unsigned workers, std::size_t count,
                   const std::function<void(unsigned worker, std::size_t i)>& f);

// std::sort by up to `workers` threads, in place: halves of halves first, each of which is sorted alone.
template <typename T, typename Less>
void parallel_sort(unsigned workers, std::span<T> items, Less less) {
  constexpr std::size_t kLeastPiece = 1U << 14;
  std::size_t pieces = 1;
  while (workers > 1 && pieces < 8 * std::size_t{workers} && items.size() / pieces > kLeastPiece) {
    const auto bound = [&](std::size_t twice) { return items.size() * twice / (2 * pieces); };
    parallel_loop(workers, pieces, [&](unsigned, std::size_t i) {
      const auto at = [&](std::size_t twice) { return items.begin() + static_cast<std::ptrdiff_t>(bound(twice)); };
      std::nth_element(at(2 * i), at(2 * i + 1), at(2 * i + 2), less);
    });
    pieces *= 2;
  }
  parallel_loop(workers, pieces, [&](unsigned, std::size_t i) {
    const auto at = [&](std::size_t piece) {
      return items.begin() + static_cast<std::ptrdiff_t>(items.size() * piece / pieces);
    };
    std::sort(at(i), at(i + 1), less);
  });
}

}  // namespace retrosow
