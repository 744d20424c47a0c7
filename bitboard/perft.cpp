#include "bitboard/perft.h"

#include "bitboard/error.h"

namespace retrosow {
namespace {

class Counter {
 public:
  Counter(const MoveGenerator& generator, unsigned depth, const std::function<bool()>& stop)
      : generator_(generator), depth_(depth), stop_(stop), counts_(depth + 1) {}

  std::vector<PerftCounts> count(const Position& position, Shape shape) {
    counts_[0].nodes = 1;
    visit(position, shape, 0);
    return counts_;
  }

 private:
  // Looks at a position that `length` moves led to; its own sequence is counted already.
  void visit(const Position& position, Shape shape, unsigned length) {
    if (stop_ && (++visits_ & 0xfff) == 0 && stop_()) throw Error(ErrorClass::kInterrupted, "interrupted");
    MoveList list;
    generator_.generate(position, shape, list);
    if (list.legal == 0) ++counts_[length].ends;
    if (length == depth_) return;
    PerftCounts& next = counts_[length + 1];
    for_each_move(list, [&](unsigned slot) {
      ++next.nodes;
      if (list.captured[slot] != 0 || list.captured_opponent[slot] != 0) ++next.captures;
      next.captured += list.captured[slot];
      next.captured_opponent += list.captured_opponent[slot];
      if (has_bit(list.endless, slot)) {
        ++next.ends;
      } else {
        visit(list.result[slot], shape.swapped(), length + 1);
      }
    });
  }

  const MoveGenerator& generator_;
  unsigned depth_;
  const std::function<bool()>& stop_;
  std::vector<PerftCounts> counts_;
  std::uint64_t visits_ = 0;
};

}  // namespace

std::vector<PerftCounts> perft(const MoveGenerator& generator, const Position& position, Shape shape,
                               unsigned depth, const std::function<bool()>& stop) {
  return Counter(generator, depth, stop).count(position, shape);
}

}  // namespace retrosow
