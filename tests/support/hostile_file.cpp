#include "tests/support/hostile_file.h"

#include <algorithm>

#include "bitboard/rank.h"
#include "bitboard/rules.h"
#include "tables/digest.h"
#include "tables/table_file.h"

namespace retrosow::test {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kEntryBytes = 48;
constexpr std::uint64_t kMostProbes = 300;

std::uint64_t checksum(const Bytes& file, std::size_t from, std::size_t bytes) {
  return checksum_of(std::as_bytes(std::span(file).subspan(from, bytes)));
}

// A text of the header, with its length in front, or nothing if it leaves the header.
std::optional<std::string> text_at(const Bytes& file, std::size_t& at, std::size_t end) {
  if (at + 2 > end) return std::nullopt;
  const std::size_t bytes = get_field<std::uint16_t>(file, at);
  if (at + 2 + bytes > end) return std::nullopt;
  const std::string text(file.begin() + static_cast<std::ptrdiff_t>(at + 2),
                         file.begin() + static_cast<std::ptrdiff_t>(at + 2 + bytes));
  at += 2 + bytes;
  return text;
}

std::optional<RuleSet> rules_of(const Bytes& file, std::size_t header_bytes) {
  std::size_t at = kTextsAt;
  const auto game = text_at(file, at, header_bytes - 8);
  const auto rules = game ? text_at(file, at, header_bytes - 8) : game;
  if (!rules) return std::nullopt;
  try {
    return parse_canonical_text(parse_game(*game), *rules);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void repair_counts(Bytes& file, const RuleSet& rules) {
  const unsigned pits = file[kMoverPitsAt];
  const auto seeds = get_field<std::uint32_t>(file, kSeedsAt);
  if (file[kIndexKindAt] == 1 && pits >= 1 && pits <= kMaxPits && seeds <= kMaxLevelSeeds) {
    set_field(file, kPositionsAt, level_size(pits, rules.pit_limit, seeds));
  }
  const auto positions = get_field<std::uint64_t>(file, kPositionsAt);
  const auto block_values = get_field<std::uint32_t>(file, kBlockValuesAt);
  if (block_values == 0) return;
  set_field(file, kBlocksAt,
            static_cast<std::uint32_t>(positions / block_values + (positions % block_values != 0)));
}

}  // namespace

void repair(Bytes& file, std::uint8_t what) {
  if (file.size() < kTextsAt + 8) return;
  const std::size_t header = get_field<std::uint32_t>(file, kHeaderLengthAt);
  if (header < kTextsAt + 8 || header > file.size()) return;
  if (const auto rules = rules_of(file, header)) {
    if ((what & kRepairRules) != 0) set_field(file, kRulesDigestAt, rules_digest(*rules).bytes);
    if ((what & kRepairCounts) != 0) repair_counts(file, *rules);
  }
  if ((what & kRepairHeader) != 0) set_field(file, header - 8, checksum(file, 0, header - 8));
  const std::uint64_t blocks = get_field<std::uint32_t>(file, kBlocksAt);
  const std::uint64_t index_end = header + blocks * kEntryBytes;
  if (index_end + 8 > file.size()) return;
  std::uint64_t next = index_end + 8;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::size_t entry = header + i * kEntryBytes;
    if ((what & kRepairLayout) != 0) {
      const std::uint64_t left = file.size() - next;
      const std::uint64_t bytes = std::min(get_field<std::uint64_t>(file, entry + 8), left);
      set_field(file, entry, next);
      set_field(file, entry + 8, i + 1 == blocks ? left : bytes);
      next += get_field<std::uint64_t>(file, entry + 8);
    }
    if ((what & kRepairBlocks) != 0) {
      const auto from = get_field<std::uint64_t>(file, entry);
      const auto bytes = get_field<std::uint64_t>(file, entry + 8);
      if (from <= file.size() && bytes <= file.size() - from) {
        set_field(file, entry + 16, checksum(file, from, bytes));
      }
    }
  }
  if ((what & kRepairIndex) != 0) {
    set_field(file, index_end, checksum(file, header, index_end - header));
  }
}

namespace {

// Probes against what stands in the file, for levels small enough to be opened up.
std::string probe_fault(const TableReader& reader) {
  const TableHeader& header = reader.header();
  const std::uint64_t step = std::max<std::uint64_t>(1, header.positions / kMostProbes);
  std::vector<Value> values;
  std::vector<std::uint16_t> distances;
  std::vector<Guarantee> guarantees;
  if (header.kind == TableKind::kValues) {
    values = reader.read_all();
  } else if (header.kind == TableKind::kGuarantees) {
    guarantees = reader.read_all_guarantees();
  } else {
    distances = reader.read_all_distances();
  }
  if (values.size() + distances.size() + guarantees.size() != header.positions) return "another number of positions";
  const auto differs = [&](LevelIndex at, const Position& position, Shape shape) {
    if (header.kind == TableKind::kValues) return reader.value(position, shape) != values[at];
    if (header.kind == TableKind::kGuarantees) return reader.guarantee(position, shape) != guarantees[at];
    return reader.distance(position, shape) != distances[at];
  };
  if (header.index == IndexKind::kRanks) {
    if (header.positions == 0) return "";
    const HalfRanks halves(header.shape.mover_pits, header.rules.pit_limit, header.seeds);
    const LevelRanks ranks(halves, header.seeds);
    for (LevelIndex at = 0; at < header.positions; at += step) {
      if (differs(at, ranks.unrank(at), header.shape)) return "a probe of index " + std::to_string(at);
    }
    return "";
  }
  const std::vector<Position> keys = reader.read_keys();
  for (LevelIndex at = 0; at < header.positions; at += step) {
    const RoundPosition there = position_of_key(keys[at], header.shape);
    // Keys of other seeds than the level's are never found, which is right.
    if (total_seeds(there.position) != header.seeds) continue;
    if (round_key(there.position, there.shape, header.shape) != keys[at]) continue;
    if (differs(at, there.position, there.shape)) return "a probe of key " + std::to_string(at);
  }
  return "";
}

}  // namespace

std::string hostile_file_fault(const fs::path& path, std::span<const std::uint8_t> input, bool* accepted) {
  if (accepted != nullptr) *accepted = false;
  if (input.empty()) return "";
  Bytes file(input.begin() + 1, input.end());
  repair(file, input[0]);
  write_bytes(path, file);
  try {
    // A cache of a block or two, so that probes also evict.
    const TableReader reader(path, 9000);
    reader.check();
    const std::string fault = probe_fault(reader);
    if (accepted != nullptr) *accepted = true;
    return fault;
  } catch (const Error& error) {
    if (error.error_class() == ErrorClass::kUsage || error.error_class() == ErrorClass::kInterrupted) {
      return std::string("another class: ") + error.what();
    }
    if (error.path.empty()) return std::string("an error that names no file: ") + error.what();
    if (error.error_class() == ErrorClass::kCorrupt && (!error.offset || *error.offset > file.size())) {
      return std::string("an error without an offset in the file: ") + error.what();
    }
  }
  return "";
}

}  // namespace retrosow::test
