#include "bitboard/moves.h"

#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/relay_context.h"
#include "bitboard/sow_context.h"

#if defined(RETROSOW_SIMD) && defined(__x86_64__)
#define RETROSOW_X86_KERNELS 1
#else
#define RETROSOW_X86_KERNELS 0
#endif

namespace retrosow {
namespace {

std::vector<KernelId> detect_kernels() {
  std::vector<KernelId> kernels = {KernelId::kPortable};
#if RETROSOW_X86_KERNELS
  if (__builtin_cpu_supports("sse4.1")) kernels.push_back(KernelId::kSse41);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    kernels.push_back(KernelId::kAvx512);
  }
#endif
  return kernels;
}

// One table per board size, made when first needed and kept.
const SowTable& sow_table(unsigned k) {
  static SowTable tables[kMaxPits];
  static std::once_flag made[kMaxPits];
  SowTable& table = tables[k - 1];
  std::call_once(made[k - 1], [&] {
    const unsigned others = 2 * k - 1;
    for (unsigned pit = 0; pit < k; ++pit) {
      for (unsigned seeds = 1; seeds <= kMaxTableSeeds; ++seeds) {
        const unsigned laps = seeds / others, rest = seeds % others;
        const unsigned last_step = rest == 0 ? others : rest;
        for (unsigned step = 1; step <= others; ++step) {
          const unsigned lane = 2 * k - 1 - (pit + step) % (2 * k);
          const unsigned added = laps + (step <= rest ? 1 : 0);
          table.entries[pit][seeds][lane] =
              static_cast<std::uint8_t>(added | (step == last_step ? kLastLaneBit : 0U));
        }
      }
    }
  });
  return table;
}

MoveFunctions functions_of(KernelId kernel, Family family, unsigned pits) {
#if RETROSOW_X86_KERNELS
  if (family == Family::kRioKadalis) {
    return kernel == KernelId::kPortable ? portable_relay_functions() : sse41_relay_functions();
  }
  if (kernel == KernelId::kSse41) return sse41_sow_functions(pits);
  if (kernel == KernelId::kAvx512) return avx512_sow_functions(pits);
#else
  (void)kernel;
  (void)pits;
#endif
  return family == Family::kRioKadalis ? portable_relay_functions() : portable_sow_functions();
}

}  // namespace

const char* end_of_move(Family family, const MoveList& list, unsigned slot) {
  if (family == Family::kRioKadalis) {
    if (has_bit(list.endless, slot)) return "endless";
    return has_bit(list.binikh, slot) ? "binikh" : "empty";
  }
  if (has_bit(list.grand_slam, slot)) return "grand-slam";
  return list.captured[slot] > 0 ? "capture" : "plain";
}

std::string_view kernel_name(KernelId kernel) {
  switch (kernel) {
    case KernelId::kPortable: return "portable";
    case KernelId::kSse41: return "sse41";
    case KernelId::kAvx512: return "avx512";
  }
  return "";
}

std::span<const KernelId> available_kernels() {
  static const std::vector<KernelId> kernels = detect_kernels();
  return kernels;
}

KernelId parse_kernel(std::string_view name) {
  std::string known;
  for (const KernelId kernel : available_kernels()) {
    if (kernel_name(kernel) == name) return kernel;
    known += (known.empty() ? "" : ", ") + std::string(kernel_name(kernel));
  }
  throw usage_error("kernel '" + std::string(name) + "' is not available here; there are: " + known);
}

KernelId chosen_kernel() {
  const char* forced = std::getenv("RETROSOW_KERNEL");
  if (forced != nullptr && *forced != '\0') return parse_kernel(forced);
  return available_kernels().back();
}

SowContext make_sow_context(const RuleSet& rules, unsigned pits) {
  SowContext context{};
  for (unsigned count = 1; count <= kMaxSetCount; ++count) {
    context.classes[count] = static_cast<std::uint8_t>((rules.chain.contains(count) ? 0x80U : 0U) |
                                                       (rules.trigger.contains(count) ? 0x40U : 0U));
  }
  for (std::uint8_t& lane : context.limit) {
    lane = static_cast<std::uint8_t>(rules.pit_limit == 0 ? 255 : rules.pit_limit);
  }
  context.table = &sow_table(pits);
  context.pits = pits;
  context.limit_forbids = rules.pit_limit_rule == PitLimitRule::kForbid;
  context.grand_slam = is_inert(rules, "grand-slam") ? GrandSlam::kCapture : rules.grand_slam;
  context.must_not_starve = rules.starvation == Starvation::kLeave;
  return context;
}

RelayContext make_relay_context(const RuleSet& rules, Shape shape) {
  RelayContext context{};
  const unsigned m = shape.pits();
  context.pits = m;
  context.endless_is_legal = rules.endless_sow == EndlessSow::kDraw;
  context.sides[0].shape = shape;
  context.sides[1].shape = shape.swapped();
  for (RelaySide& side : context.sides) {
    for (unsigned index = 0; index < m; ++index) {
      const unsigned lane = m - 1 - index;
      const unsigned seen_by_opponent = (index + side.shape.opponent_pits) % m;
      side.mover_lanes[lane] = index < side.shape.mover_pits ? 0xff : 0;
      side.swap_control[m - 1 - seen_by_opponent] = static_cast<std::uint8_t>(lane);
    }
    for (unsigned lane = m; lane < kLanes; ++lane) side.swap_control[lane] = static_cast<std::uint8_t>(lane);
  }
  for (unsigned hole = 0; hole < m; ++hole) {
    context.hole_lanes[hole] = 1;
    for (unsigned rest = 0; rest < m; ++rest) {
      for (unsigned step = 1; step <= rest; ++step) {
        context.step[hole][rest][m - 1 - (hole + step) % m] = 1;
      }
    }
  }
  return context;
}

MoveGenerator::MoveGenerator(const RuleSet& rules, Shape shape, KernelId kernel)
    : rules_(rules), kernel_(kernel) {
  const Family family = family_of(rules.game);
  if (family == Family::kUrim) {
    sow_context_ = std::make_unique<SowContext>(make_sow_context(rules, shape.mover_pits));
  } else {
    relay_context_ = std::make_unique<RelayContext>(make_relay_context(rules, shape));
  }
  const MoveFunctions functions = functions_of(kernel, family, shape.mover_pits);
  generate_ = functions.generate;
  sow_ = functions.sow;
}

MoveGenerator::~MoveGenerator() = default;
MoveGenerator::MoveGenerator(MoveGenerator&&) noexcept = default;
MoveGenerator& MoveGenerator::operator=(MoveGenerator&&) noexcept = default;

EndResult MoveGenerator::end(const Position& position, Shape shape) const {
  const unsigned mover = mover_seeds(position, shape);
  const unsigned opponent = total_seeds(position) - mover;
  if (family_of(rules_.game) == Family::kUrim && rules_.remainder == Remainder::kLastMover) {
    return {0, mover + opponent};
  }
  return {mover, opponent};
}

}  // namespace retrosow
