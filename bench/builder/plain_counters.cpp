#include "bench/builder/plain_counters.h"

#include <algorithm>
#include <array>
#include <utility>

namespace retrosow::bench {
namespace {

struct Word {
  std::int8_t best = -128;  // -128: no known outcome
  std::uint8_t open = 0;
  bool final = false;
};

// Pits in the order in which the player who made a move sows: his own first.
using Counts = std::array<unsigned, 2 * kMaxPits>;

}  // namespace

PlainCounters::PlainCounters(const RuleSet& rules, unsigned pits, unsigned max_seeds)
    : halves_(pits, rules.pit_limit, max_seeds),
      shape_{static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)},
      generator_(rules, shape_) {}

std::vector<Value> PlainCounters::solve(unsigned seeds, const std::vector<std::vector<Value>>& lower) const {
  const unsigned k = halves_.pits(), all = 2 * k;
  const unsigned limit = halves_.pit_limit() == 0 ? 256 : halves_.pit_limit();
  std::vector<LevelRanks> ranks;
  for (unsigned s = 0; s <= seeds; ++s) ranks.emplace_back(halves_, s);
  const LevelRanks& level = ranks[seeds];
  std::vector<Word> words(level.size());
  std::vector<std::pair<LevelIndex, LevelIndex>> links;  // child, parent
  const auto at_limit = [&](const Position& p) {
    return std::any_of(p.lanes.begin(), p.lanes.end(), [&](std::uint8_t pit) { return pit >= limit; });
  };

  for (LevelIndex at = 0; at < words.size(); ++at) {
    const Position p = level.unrank(at);
    MoveList list;
    generator_.generate(p, shape_, list);
    Word& word = words[at];
    if (list.legal == 0) word.best = static_cast<std::int8_t>(generator_.end(p, shape_).value());
    for_each_move(list, [&](unsigned slot) {
      const Position& child = list.result[slot];
      const unsigned captured = list.captured[slot];
      if (captured == 0) {
        ++word.open;
        if (at_limit(p) || at_limit(child)) links.emplace_back(level.rank(child), at);
      } else {
        const int value = static_cast<int>(captured) - lower[seeds - captured][ranks[seeds - captured].rank(child)];
        word.best = static_cast<std::int8_t>(std::max<int>(word.best, value));
      }
    });
  }
  std::sort(links.begin(), links.end());

  std::vector<LevelIndex> stack;
  const auto settle = [&](LevelIndex at) {
    words[at].final = true;
    stack.push_back(at);
  };
  const auto work_off = [&](int threshold) {
    while (!stack.empty()) {
      const LevelIndex child_at = stack.back();
      stack.pop_back();
      const int outcome = -words[child_at].best;
      const auto tell = [&](LevelIndex at) {
        Word& word = words[at];
        if (word.final) return;
        word.best = static_cast<std::int8_t>(std::max<int>(word.best, outcome));
        if (--word.open == 0 || word.best == threshold) settle(at);
      };
      for (auto link = std::lower_bound(links.begin(), links.end(), std::pair{child_at, LevelIndex{0}});
           link != links.end() && link->first == child_at; ++link) {
        tell(link->second);
      }
      const Position child = level.unrank(child_at);
      if (at_limit(child)) continue;
      Counts counts{};
      for (unsigned i = 0; i < k; ++i) {
        counts[i] = child.lanes[k - 1 - i];
        counts[k + i] = child.lanes[all - 1 - i];
      }
      for (unsigned pit = 0; pit < k; ++pit) {
        if (counts[pit] != 0) continue;
        Counts before = counts;
        for (unsigned step = 1, from = pit;; ++step) {
          do {
            from = from + 1 == all ? 0 : from + 1;
          } while (from == pit);
          if (before[from] == 0) break;
          --before[from];
          before[pit] = step;
          Position parent;
          for (unsigned i = 0; i < k; ++i) {
            parent.lanes[all - 1 - i] = static_cast<std::uint8_t>(before[i]);
            parent.lanes[k - 1 - i] = static_cast<std::uint8_t>(before[k + i]);
          }
          if (at_limit(parent)) continue;
          MoveList list;
          generator_.generate(parent, shape_, list);
          const bool legal = has_bit(list.legal, pit);
          if (legal && list.captured[pit] == 0 && list.result[pit] == child) tell(level.rank(parent));
        }
      }
    }
  };
  for (int threshold = static_cast<int>(std::max(seeds, 1U)); threshold >= 1; --threshold) {
    for (LevelIndex at = 0; at < words.size(); ++at) {
      if (!words[at].final && (words[at].best == threshold || words[at].open == 0)) {
        settle(at);
        work_off(threshold);
      }
    }
  }
  std::vector<Value> values;
  values.reserve(words.size());
  for (const Word& word : words) values.push_back(word.final ? word.best : Value{0});
  return values;
}

}  // namespace retrosow::bench
