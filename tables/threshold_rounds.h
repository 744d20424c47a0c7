// The backward pass of a level, threshold by threshold: which regions of its words are worked on when. Shared by
// retrograde.h and guarantee.h, whose workers know what the words mean.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "tables/forward.h"
#include "tables/parallel.h"
#include "tables/update_queues.h"

namespace retrosow {

// What to look for in the words of a region, beside making its updates.
enum class Scan : std::uint8_t { kNothing, kMarked, kThreshold, kThresholdAndEnds };

// For each threshold from the number of seeds (at least 1) down to 1: every region is scanned, then those with updates are
// worked on until none waits. worker.run(region, scan, threshold) returns whether something in it was left marked.
// Returns the number of rounds.
template <typename Worker>
std::uint64_t run_thresholds(unsigned seeds, unsigned threads, UpdateQueues& queues,
                             const std::vector<std::unique_ptr<Worker>>& workers, Reporter& reporter) {
  std::uint64_t rounds = 0;
  const unsigned first_threshold = std::max(seeds, 1U);
  for (unsigned threshold = first_threshold; threshold >= 1; --threshold) {
    std::vector<Scan> scans(queues.regions(),
                            threshold == first_threshold ? Scan::kThresholdAndEnds : Scan::kThreshold);
    std::vector<std::size_t> active;
    while (true) {
      // Regions with few updates wait until they have more, since every visit brings the region into the cache.
      std::uint64_t waiting = 0, regions_waiting = 0;
      for (std::size_t region = 0; region < queues.regions(); ++region) {
        waiting += queues.waiting(region);
        if (queues.waiting(region) != 0) ++regions_waiting;
      }
      active.clear();
      for (std::size_t region = 0; region < queues.regions(); ++region) {
        const std::uint64_t here = queues.waiting(region);
        if (scans[region] != Scan::kNothing || (here != 0 && here * regions_waiting >= waiting)) active.push_back(region);
      }
      if (active.empty()) break;
      parallel_loop(threads, active.size(), [&](unsigned worker, std::size_t i) {
        Scan& scan = scans[active[i]];
        scan = workers[worker]->run(active[i], scan, threshold) ? Scan::kMarked : Scan::kNothing;
        reporter.tick(static_cast<double>(first_threshold - threshold) / first_threshold);
      });
      queues.turn();
      ++rounds;
    }
  }
  return rounds;
}

}  // namespace retrosow
