// Compares what a kernel makes of a board with the reference.
//
// The checks take kernels as functions, so that tests can hand them wrong ones and see them refused.
// Each returns the first fault as a text, or an empty string.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bitboard/moves.h"
#include "tests/reference/rio_reference.h"
#include "tests/reference/urim_reference.h"

namespace retrosow::test {

struct Kernel {
  std::string name;
  std::function<void(const Position&, Shape, MoveList&)> generate;
  std::function<void(const Position&, Shape, unsigned pit, MoveList&)> sow;
};

// `generator` outlives the kernel.
Kernel kernel_of(const MoveGenerator& generator);

// A move list that holds nothing sensible: kernels must not rely on what they find.
MoveList poisoned_list();

// The rules of the Urim family on boards of 2 x pits, and the kernels to compare.
class UrimKernelCheck {
 public:
  // All kernels that this machine has.
  UrimKernelCheck(const RuleSet& rules, unsigned pits);
  UrimKernelCheck(const RuleSet& rules, unsigned pits, std::vector<Kernel> kernels);

  // Legal pits, results, captures, grand slams; lanes beyond the board; seeds conserved; `sow` and
  // `generate` in agreement.
  std::string fault(const std::vector<int>& board) const;
  // The first fault on the boards with up to `max_seeds` seeds.
  std::string first_fault(unsigned max_seeds) const;

 private:
  RuleSet rules_;
  unsigned pits_;
  reference::UrimRules reference_;
  std::vector<std::unique_ptr<MoveGenerator>> generators_;
  std::vector<Kernel> kernels_;
};

// The same for Rio Kadalis on boards of one pair of rows.
class RioKernelCheck {
 public:
  RioKernelCheck(const RuleSet& rules, Shape shape);
  RioKernelCheck(const RuleSet& rules, Shape shape, std::vector<Kernel> kernels);

  std::string fault(const std::vector<int>& board) const;
  // The same with the rows' lengths changing sides.
  std::string fault(const std::vector<int>& board, Shape shape) const;
  std::string first_fault(unsigned max_stones) const;

 private:
  RuleSet rules_;
  Shape shape_;
  std::vector<std::unique_ptr<MoveGenerator>> generators_;
  std::vector<Kernel> kernels_;
};

}  // namespace retrosow::test
