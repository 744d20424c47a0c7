// Which kernel makes the moves: the best there is, or the one that RETROSOW_KERNEL forces.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/moves.h"
#include "tests/support/boards.h"
#include "tests/support/environment.h"
#include "tests/support/kernel_check.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

constexpr const char* kVariable = "RETROSOW_KERNEL";

std::string name_of(KernelId kernel) { return std::string(kernel_name(kernel)); }

TEST(KernelChoice, ThePortableKernelIsAlwaysThereAndFirst) {
  ASSERT_FALSE(available_kernels().empty());
  EXPECT_EQ(available_kernels().front(), KernelId::kPortable);
  for (const KernelId kernel : available_kernels())
    EXPECT_EQ(parse_kernel(kernel_name(kernel)), kernel);
}

TEST(KernelChoice, TheBestKernelIsTheDefault) {
  for (const std::optional<std::string>& nothing :
       {std::optional<std::string>(), std::optional<std::string>("")}) {
    const EnvironmentVariable variable(kVariable, nothing);
    EXPECT_EQ(chosen_kernel(), available_kernels().back());
    EXPECT_EQ(MoveGenerator(urim_rules(), equal_rows(6)).kernel(), available_kernels().back());
  }
}

TEST(KernelChoice, TheVariableForcesEveryAvailableKernel) {
  for (const KernelId kernel : available_kernels()) {
    const EnvironmentVariable variable(kVariable, name_of(kernel));
    EXPECT_EQ(chosen_kernel(), kernel);
    EXPECT_EQ(MoveGenerator(urim_rules(), equal_rows(6)).kernel(), kernel);
    EXPECT_EQ(MoveGenerator(preset(Game::kRioKadalis), equal_rows(6)).kernel(), kernel);
  }
}

TEST(KernelChoice, AnUnknownKernelIsRefusedWithTheKnownOnes) {
  for (const char* name : {"none", "Portable", "avx2", "portable ", "sse41,portable"}) {
    const EnvironmentVariable variable(kVariable, name);
    try {
      const MoveGenerator generator(urim_rules(), equal_rows(6));
      FAIL() << name << " gave " << kernel_name(generator.kernel());
    } catch (const Error& error) {
      EXPECT_EQ(error.error_class(), ErrorClass::kUsage);
      const std::string message = error.what();
      EXPECT_NE(message.find("'" + std::string(name) + "'"), std::string::npos) << message;
      for (const KernelId kernel : available_kernels()) {
        EXPECT_NE(message.find(kernel_name(kernel)), std::string::npos) << message;
      }
    }
  }
}

// ---- The forced kernel is the one that runs ----

// All bytes of the lists that a generator makes of some boards, the slots without meaning included. What
// kernels leave in those differs, and so gives away which one was at work.
std::string fingerprint(const MoveGenerator& generator, Shape shape) {
  std::string bytes;
  // Empty pits, and in the first board a slam that is forbidden.
  for (const char* text :
       {"0,0,0,0,0,2/1,1,0,0,0,0", "1,0,4,0,0,1/0,3,0,1,2,0", "0,17,0,3,0,0/17,17,1,0,0,2"}) {
    MoveList list = poisoned_list();
    generator.generate(placed(text).position, shape, list);
    for (const Position& result : list.result) {
      bytes.append(reinterpret_cast<const char*>(result.lanes.data()), result.lanes.size());
    }
    bytes.append(reinterpret_cast<const char*>(list.captured.data()), list.captured.size());
    bytes.append(reinterpret_cast<const char*>(list.captured_opponent.data()),
                 list.captured_opponent.size());
    bytes.append(reinterpret_cast<const char*>(list.laps.data()), sizeof list.laps);
    bytes += static_cast<char>(list.legal);
    bytes += static_cast<char>(list.grand_slam);
  }
  return bytes;
}

TEST(KernelChoice, TheForcedKernelIsTheOneThatMakesTheMoves) {
  const RuleSet rules = urim_rules("grand-slam=forbid");
  const Shape shape = equal_rows(6);
  std::vector<std::string> by_name;
  for (const KernelId kernel : available_kernels()) {
    by_name.push_back(fingerprint(MoveGenerator(rules, shape, kernel), shape));
    const EnvironmentVariable variable(kVariable, name_of(kernel));
    EXPECT_TRUE(fingerprint(MoveGenerator(rules, shape), shape) == by_name.back())
        << kernel_name(kernel);
  }
  // The control: the fingerprints do tell the kernels apart.
  for (std::size_t i = 0; i < by_name.size(); ++i) {
    for (std::size_t j = i + 1; j < by_name.size(); ++j) EXPECT_TRUE(by_name[i] != by_name[j]);
  }
}

}  // namespace
}  // namespace retrosow::test
