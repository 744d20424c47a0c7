#include "tables/table_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <functional>

#include "tables/table_uses.h"
#include "tables/atomic_file.h"
#include "tables/key_packing.h"
#include "tables/value_packing.h"

namespace retrosow {
namespace {

static_assert(std::endian::native == std::endian::little, "table files are little-endian");

namespace fs = std::filesystem;

constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'R', 'S', 'O', 'W', '\r', '\n', 0x1a};
constexpr int kKeysCompressionLevel = 3;  // 9: a tenth less, at a fifth of the speed
constexpr std::size_t kFixedHeaderBytes = 120;  // up to the texts
constexpr std::size_t kReservedAt = 90, kReservedBytes = 14;
constexpr std::size_t kKeysReservedBytes = 2, kRoundLevelsAt = 92;
constexpr unsigned kMostRoundLevels = kMaxLevelSeeds / kRoundStep + 1;
static_assert(kMostRoundLevels == 32);
constexpr std::size_t kKeyBytes = sizeof(Position);

// What FORMAT.md calls a block entry.
struct BlockEntry {
  std::uint64_t offset;    // from the start of the file
  std::uint64_t bytes;     // compressed
  std::uint64_t checksum;  // of the compressed bytes
  std::uint64_t reserved;  // 0
  Position first_key;      // kKeys: the block's first key; else zero
};
static_assert(sizeof(BlockEntry) == 48);

Error file_error(ErrorClass error_class, const fs::path& path, const std::string& message) {
  Error error(error_class, path.string() + ": " + message);
  error.path = path.string();
  return error;
}

Error io_error(const fs::path& path, const std::string& doing) {
  const int code = errno;
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  const ErrorClass error_class = full ? ErrorClass::kLimit : ErrorClass::kIo;
  return file_error(error_class, path, doing + ": " + std::strerror(code));
}

Error corrupt(const fs::path& path, std::uint64_t offset, const std::string& what, const std::string& expected,
              const std::string& found) {
  Error error = file_error(ErrorClass::kCorrupt, path,
                           "damaged: " + what + " at offset " + std::to_string(offset) + ": expected " + expected +
                               ", found " + found);
  error.offset = offset;
  error.expected = expected;
  error.found = found;
  return error;
}

std::string hex_text(std::uint64_t value) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < 16; ++i) text[15 - i] = kHex[(value >> (4 * i)) & 15];
  return text;
}

std::string key_text(const Position& key) { return hex_text(key.high()) + hex_text(key.low()); }

// Copies from a mapped file. To read what the mapping has no more, since the file was cut short or the disk fails, would
// kill the process (SIGBUS); the kernel, asked to copy it, says no. Where it may not be asked, the copy is a plain one.
bool copy_mapped(std::span<const std::byte> from, std::vector<std::byte>& to) {
  to.resize(from.size());
  const iovec target{to.data(), to.size()}, source{const_cast<std::byte*>(from.data()), from.size()};
  const ssize_t copied = ::process_vm_readv(::getpid(), &target, 1, &source, 1, 0);
  if (copied < 0 && (errno == ENOSYS || errno == EPERM)) {
    std::copy(from.begin(), from.end(), to.begin());
    return true;
  }
  return copied == static_cast<ssize_t>(from.size());
}

class Bytes {
 public:
  template <typename T>
  void put(T value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    data_.insert(data_.end(), raw, raw + sizeof value);
  }
  void put_text(const std::string& text) {
    put(static_cast<std::uint16_t>(text.size()));
    const auto raw = std::as_bytes(std::span(text));
    data_.insert(data_.end(), raw.begin(), raw.end());
  }
  void pad_to(std::size_t multiple) {
    while (data_.size() % multiple != 0) data_.push_back(std::byte{0});
  }
  std::span<const std::byte> view() const { return data_; }
  std::size_t size() const { return data_.size(); }
  std::byte* data() { return data_.data(); }

 private:
  std::vector<std::byte> data_;
};

template <typename T>
T get(std::span<const std::byte> data, std::size_t offset) {
  assert(offset + sizeof(T) <= data.size());
  T value;
  std::memcpy(&value, data.data() + offset, sizeof value);
  return value;
}

std::vector<std::byte> encode_header(const TableHeader& header) {
  Bytes bytes;
  for (const std::uint8_t byte : kMagic) bytes.put(byte);
  bytes.put(std::uint32_t{0});  // header length, below
  bytes.put(header.format_version);
  bytes.put(static_cast<std::uint8_t>(header.index));
  bytes.put(static_cast<std::uint8_t>(family_of(header.rules.game)));
  bytes.put(header.shape.mover_pits);
  bytes.put(header.shape.opponent_pits);
  bytes.put(static_cast<std::uint32_t>(header.seeds));
  bytes.put(header.positions);
  bytes.put(header.block_values);
  bytes.put(header.blocks);
  bytes.put(header.digest.bytes);
  bytes.put(header.rules_digest.bytes);
  bytes.put(header.root);
  bytes.put(static_cast<std::uint8_t>(header.packing));
  bytes.put(static_cast<std::uint8_t>(header.kind));
  if (header.index == IndexKind::kKeys) {
    bytes.put(std::uint16_t{0});
    bytes.put(header.round_levels);
    bytes.put(header.endless_moves);
  } else {
    for (std::size_t i = 0; i < kReservedBytes; ++i) bytes.put(std::uint8_t{0});
  }
  bytes.put(header.kind == TableKind::kDistances ? header.values_digest.bytes : header.keys_digest.bytes);
  assert(bytes.size() == kFixedHeaderBytes);
  bytes.put_text(std::string(game_name(header.rules.game)));
  bytes.put_text(canonical_text(header.rules));
  bytes.put_text(header.builder);
  bytes.pad_to(8);
  const std::uint32_t header_bytes = static_cast<std::uint32_t>(bytes.size() + 8);
  std::memcpy(bytes.data() + 8, &header_bytes, sizeof header_bytes);
  bytes.put(checksum_of(bytes.view()));
  return {bytes.view().begin(), bytes.view().end()};
}

// The uncompressed block of a round.
std::vector<std::byte> keys_payload(std::span<const Value> values, std::span<const Position> keys) {
  const auto bytes = std::as_bytes(values);
  std::vector<std::byte> payload(bytes.begin(), bytes.end());
  pack_keys(keys, payload);
  return payload;
}

std::vector<std::byte> compress(std::span<const std::byte> payload) {
  std::vector<std::byte> out(ZSTD_compressBound(payload.size()));
  const std::size_t bytes = ZSTD_compress(out.data(), out.size(), payload.data(), payload.size(), kKeysCompressionLevel);
  if (ZSTD_isError(bytes) != 0) {
    throw Error(ErrorClass::kIo, std::string("compression failed: ") + ZSTD_getErrorName(bytes));
  }
  out.resize(bytes);
  return out;
}

}  // namespace

std::string_view kind_name(TableKind kind) {
  switch (kind) {
    case TableKind::kValues: return "values";
    case TableKind::kDistances: return "distances";
    case TableKind::kGuarantees: return "guarantees";
  }
  return "";
}

std::string table_file_name(const TableHeader& header) {
  const std::string rows = header.shape.mover_pits == header.shape.opponent_pits
                               ? "2x" + std::to_string(header.shape.mover_pits)
                               : std::to_string(header.shape.mover_pits) + "v" +
                                     std::to_string(header.shape.opponent_pits);
  std::string name = std::string(family_of(header.rules.game) == Family::kUrim ? "urim" : "rio-kadalis") + '-' +
                     rows + '-' + rules_digest(header.rules).hex().substr(0, 12);
  if (header.index == IndexKind::kKeys) {
    name += "-from-" + digest_of(std::as_bytes(std::span(&header.root, 1))).hex().substr(0, 12);
  }
  std::string seeds = std::to_string(header.seeds);
  seeds.insert(0, 3 - std::min<std::size_t>(3, seeds.size()), '0');
  name += '-' + seeds;
  if (header.kind == TableKind::kDistances) name += "-distance";
  if (header.kind == TableKind::kGuarantees) name += "-guarantee";
  return name + std::string(kTableExtension);
}

TableHeader level_header(const RuleSet& rules, unsigned pits, unsigned seeds) {
  TableHeader header;
  header.index = IndexKind::kRanks;
  header.rules = rules;
  header.shape = {static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)};
  header.seeds = seeds;
  return header;
}

TableHeader distance_header(const TableHeader& values) {
  TableHeader header = values;
  header.keys_digest = {};
  header.block_values = 0;
  header.kind = TableKind::kDistances;
  header.packing = Packing::kPlanes;
  header.values_digest = values.digest;
  return header;
}

TableHeader guarantee_header(const RuleSet& rules, unsigned pits, unsigned seeds) {
  TableHeader header = level_header(rules, pits, seeds);
  header.format_version = kGuaranteesVersion;
  header.kind = TableKind::kGuarantees;
  header.packing = Packing::kPairs;
  return header;
}

TableHeader round_header(const RuleSet& rules, const Position& root, Shape shape, unsigned seeds) {
  TableHeader header;
  header.format_version = kKeysVersion;
  header.index = IndexKind::kKeys;
  header.rules = rules;
  header.shape = shape;
  header.root = root;
  header.seeds = seeds;
  header.packing = Packing::kPrefixes;
  return header;
}

std::vector<unsigned> levels_of_round(const TableHeader& header) {
  std::vector<unsigned> levels;
  const unsigned top = total_seeds(header.root);
  for (unsigned i = std::min(top / kRoundStep + 1, kMostRoundLevels); i-- > 0;) {
    if (((header.round_levels >> i) & 1U) != 0) levels.push_back(top - kRoundStep * i);
  }
  return levels;
}

// The whole file but the blocks can only be written at the end; its length is known from the start.
struct TableWriter::Impl {
  TableHeader header;
  AtomicFile file;
  StreamingDigest digest, keys_digest;
  std::vector<BlockEntry> index;
  std::uint64_t offset = 0;     // of the next block
  std::uint64_t positions = 0;  // written so far
  std::optional<HalfRanks> halves;  // kRanks
  std::optional<PackingShape> shape;

  Impl(const fs::path& folder, TableHeader h) : header(std::move(h)), file(folder / table_file_name(header)) {
    if (header.packing != Packing::kContexts && header.packing != Packing::kPairs) return;
    halves.emplace(header.shape.mover_pits, header.rules.pit_limit, header.seeds);
    shape.emplace(*halves, header.seeds);
  }
};

TableWriter::TableWriter(const fs::path& folder, TableHeader header, std::uint64_t positions) {
  header.positions = positions;
  if (header.block_values == 0) header.block_values = kBlockValues;
  header.blocks = static_cast<std::uint32_t>((positions + header.block_values - 1) / header.block_values);
  header.rules_digest = rules_digest(header.rules);
  header.builder = "retrosow " RETROSOW_VERSION;
  impl_ = std::make_unique<Impl>(folder, std::move(header));
  const std::size_t head_bytes = encode_header(impl_->header).size() + impl_->header.blocks * sizeof(BlockEntry) + 8;
  impl_->file.write(std::vector<std::byte>(head_bytes));
  impl_->offset = head_bytes;
}

TableWriter::~TableWriter() = default;

TableWriter::Block TableWriter::pack(LevelIndex first, std::span<const Value> values,
                                     std::span<const Position> keys) const {
  Block block;
  if (impl_->shape) {
    thread_local ValuePacker packer;
    packer.pack(*impl_->shape, first, values, block.bytes);
  } else {
    block.bytes = compress(keys_payload(values, keys));
  }
  block.checksum = checksum_of(block.bytes);
  block.first_key = keys.empty() ? Position{} : keys.front();
  return block;
}

TableWriter::Block TableWriter::pack(std::span<const std::uint16_t> distances) const {
  Block block;
  thread_local DistancePacker packer;
  packer.pack(distances, block.bytes);
  block.checksum = checksum_of(block.bytes);
  return block;
}

TableWriter::Block TableWriter::pack(LevelIndex first, std::span<const Guarantee> guarantees) const {
  Block block;
  thread_local ValuePacker packer;
  pack_guarantees(packer, *impl_->shape, first, guarantees, block.bytes);
  block.checksum = checksum_of(block.bytes);
  return block;
}

void TableWriter::append(const Block& block, std::span<const Value> values, std::span<const Position> keys) {
  assert(impl_->header.kind == TableKind::kValues);
  assert(keys.size() == (impl_->header.index == IndexKind::kKeys ? values.size() : 0));
  impl_->keys_digest.add(std::as_bytes(keys));
  append(block, std::as_bytes(values), values.size());
}

void TableWriter::append(const Block& block, std::span<const std::uint16_t> distances) {
  assert(impl_->header.kind == TableKind::kDistances);
  append(block, std::as_bytes(distances), distances.size());
}

void TableWriter::append(const Block& block, std::span<const Guarantee> guarantees) {
  assert(impl_->header.kind == TableKind::kGuarantees);
  append(block, std::as_bytes(guarantees), guarantees.size());
}

void TableWriter::append(const Block& block, std::span<const std::byte> contents, std::size_t count) {
  assert(count == impl_->header.block_values || impl_->positions + count == impl_->header.positions);
  impl_->digest.add(contents);
  impl_->positions += count;
  impl_->index.push_back({impl_->offset, block.bytes.size(), block.checksum, 0, block.first_key});
  impl_->offset += block.bytes.size();
  impl_->file.write(block.bytes);
}

void TableWriter::finish() {
  assert(impl_->positions == impl_->header.positions && impl_->index.size() == impl_->header.blocks);
  impl_->header.digest = impl_->digest.digest();
  if (impl_->header.index == IndexKind::kKeys && impl_->header.kind == TableKind::kValues) {
    impl_->header.keys_digest = impl_->keys_digest.digest();
  }
  std::vector<std::byte> head = encode_header(impl_->header);
  const auto index_bytes = std::as_bytes(std::span(impl_->index));
  const std::uint64_t index_checksum = checksum_of(index_bytes);
  const auto checksum_bytes = std::as_bytes(std::span(&index_checksum, 1));
  head.insert(head.end(), index_bytes.begin(), index_bytes.end());
  head.insert(head.end(), checksum_bytes.begin(), checksum_bytes.end());
  impl_->file.write_at_start(head);
  impl_->file.commit();
  impl_->file.flush_folder();
}

namespace {

// Calls f(first, block) for the blocks of a table that is to be written.
template <typename T, typename F>
void for_each_block(const TableHeader& header, std::span<const T> contents, F&& f) {
  const std::size_t size = header.block_values == 0 ? TableWriter::kBlockValues : header.block_values;
  for (std::size_t first = 0; first < contents.size(); first += size) {
    f(first, contents.subspan(first, std::min(size, contents.size() - first)));
  }
}

}  // namespace

void write_table(const fs::path& folder, const TableHeader& header, std::span<const Value> values,
                 std::span<const Position> keys) {
  TableWriter writer(folder, header, values.size());
  for_each_block(header, values, [&](std::size_t first, std::span<const Value> block) {
    const auto block_keys = keys.empty() ? keys : keys.subspan(first, block.size());
    writer.append(writer.pack(first, block, block_keys), block, block_keys);
  });
  writer.finish();
}

void write_table(const fs::path& folder, const TableHeader& header, std::span<const std::uint16_t> distances) {
  TableWriter writer(folder, header, distances.size());
  for_each_block(header, distances, [&](std::size_t, std::span<const std::uint16_t> block) {
    writer.append(writer.pack(block), block);
  });
  writer.finish();
}

void write_table(const fs::path& folder, const TableHeader& header, std::span<const Guarantee> guarantees) {
  TableWriter writer(folder, header, guarantees.size());
  for_each_block(header, guarantees, [&](std::size_t first, std::span<const Guarantee> block) {
    writer.append(writer.pack(first, block), block);
  });
  writer.finish();
}

struct TableReader::Impl {
  // A decoded block: its values, distances or guarantees; for kKeys its keys, then its values.
  struct View {
    std::span<const Value> values;
    std::span<const std::uint16_t> distances;
    std::span<const Guarantee> guarantees;
    std::span<const Position> keys;
    // One of the three is not empty.
    std::span<const std::byte> contents() const {
      if (!values.empty()) return std::as_bytes(values);
      return guarantees.empty() ? std::as_bytes(distances) : std::as_bytes(guarantees);
    }
    std::size_t size() const { return values.size() + distances.size() + guarantees.size(); }
  };

  // The whole file. A member of its own: what it holds goes also where the constructor below throws.
  struct Mapping {
    std::span<const std::byte> bytes;
    Mapping() = default;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() {
      if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
    }
  };

  fs::path path;
  Mapping mapping;
  std::span<const std::byte> data;  // of the mapping
  TableHeader header;
  std::vector<BlockEntry> index;
  std::optional<HalfRanks> halves;
  std::optional<PackingShape> packing_shape;  // kRanks

  std::shared_ptr<BlockCache> cache;
  std::uint32_t file = 0;  // its number in the cache

  explicit Impl(const fs::path& p) : path(p) {
    map();
    read_header();
    read_index();
    if (header.index == IndexKind::kRanks) {
      halves.emplace(header.shape.mover_pits, header.rules.pit_limit, header.seeds);
      packing_shape.emplace(*halves, header.seeds);
    }
  }
  void map() {
    // Without O_NONBLOCK a pipe under this name would be waited for.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) throw io_error(path, "cannot be opened");
    struct stat status {};
    const bool known = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    const std::size_t bytes = known ? static_cast<std::size_t>(status.st_size) : 0;
    void* mapped = bytes == 0 ? nullptr : ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    const Error error = io_error(path, "cannot be mapped");
    ::close(descriptor);
    if (!known) throw file_error(ErrorClass::kIo, path, "is not a file");
    if (bytes == 0) throw corrupt(path, 0, "file length", "a table", "0 bytes");
    if (mapped == MAP_FAILED) throw error;
    mapping.bytes = {static_cast<const std::byte*>(mapped), bytes};
    data = mapping.bytes;
  }

  // Reads a text of the header and moves the offset behind it.
  std::string text(std::size_t& offset, std::size_t end) const {
    const auto fail = [&] { return corrupt(path, offset, "header text", "text inside the header", "one that leaves it"); };
    if (offset + 2 > end) throw fail();
    const std::size_t bytes = get<std::uint16_t>(data, offset);
    if (offset + 2 + bytes > end) throw fail();
    const std::string value(reinterpret_cast<const char*>(data.data() + offset + 2), bytes);
    offset += 2 + bytes;
    return value;
  }

  void check_equal(std::uint64_t offset, const char* what, std::uint64_t expected, std::uint64_t found) const {
    if (expected != found) throw corrupt(path, offset, what, std::to_string(expected), std::to_string(found));
  }

  void check_zero(std::uint64_t offset, std::size_t bytes, const char* what) const {
    for (std::size_t i = 0; i < bytes; ++i) check_equal(offset + i, what, 0, get<std::uint8_t>(data, offset + i));
  }

  void read_header() {
    if (data.size() < kFixedHeaderBytes) {
      throw corrupt(path, data.size(), "file length", "at least " + std::to_string(kFixedHeaderBytes) + " bytes",
                    std::to_string(data.size()));
    }
    if (std::memcmp(data.data(), kMagic.data(), kMagic.size()) != 0) {
      throw corrupt(path, 0, "magic number", "a retrosow table", "something else");
    }
    const std::size_t header_bytes = get<std::uint32_t>(data, 8);
    if (header_bytes < 24 || header_bytes % 8 != 0 || header_bytes > data.size()) {
      throw corrupt(path, 8, "header length", "24 to " + std::to_string(data.size()), std::to_string(header_bytes));
    }
    const std::uint64_t stored = get<std::uint64_t>(data, header_bytes - 8);
    const std::uint64_t computed = checksum_of(data.first(header_bytes - 8));
    if (stored != computed) {
      throw corrupt(path, header_bytes - 8, "header checksum", hex_text(stored), hex_text(computed));
    }
    header.format_version = get<std::uint32_t>(data, 12);
    if (header.format_version < kRanksVersion || header.format_version > kFormatVersion) throw other_version("");
    if (header_bytes < kFixedHeaderBytes + 8) {
      throw corrupt(path, 8, "header length", "at least " + std::to_string(kFixedHeaderBytes + 8),
                    std::to_string(header_bytes));
    }
    header.index = static_cast<IndexKind>(get<std::uint8_t>(data, 16));
    header.shape = {get<std::uint8_t>(data, 18), get<std::uint8_t>(data, 19)};
    header.seeds = get<std::uint32_t>(data, 20);
    header.positions = get<std::uint64_t>(data, 24);
    header.block_values = get<std::uint32_t>(data, 32);
    header.blocks = get<std::uint32_t>(data, 36);
    header.digest.bytes = get<std::array<std::uint8_t, 16>>(data, 40);
    header.rules_digest.bytes = get<std::array<std::uint8_t, 16>>(data, 56);
    header.root = get<Position>(data, 72);
    header.packing = static_cast<Packing>(get<std::uint8_t>(data, 88));
    header.kind = static_cast<TableKind>(get<std::uint8_t>(data, 89));
    (header.kind == TableKind::kDistances ? header.values_digest : header.keys_digest).bytes =
        get<std::array<std::uint8_t, 16>>(data, 104);
    if (header.index == IndexKind::kKeys) {
      header.round_levels = get<std::uint32_t>(data, kRoundLevelsAt);
      header.endless_moves = get<std::uint64_t>(data, kRoundLevelsAt + 4);
    }
    std::size_t offset = kFixedHeaderBytes;
    const std::size_t end = header_bytes - 8;
    try {
      const Game game = parse_game(text(offset, end));
      header.rules = parse_canonical_text(game, text(offset, end));
    } catch (const Error& error) {
      if (error.error_class() != ErrorClass::kUsage) throw;
      throw file_error(ErrorClass::kUnsupported, path, std::string("has rules of another version: ") + error.what());
    }
    header.builder = text(offset, end);
    if (end - offset >= 8) {
      throw corrupt(path, 8, "header length", std::to_string((offset + 7) / 8 * 8 + 8), std::to_string(header_bytes));
    }
    check_zero(offset, end - offset, "byte behind the texts");
    check_meaning(header_bytes);
  }

  Error other_version(const std::string& advice) const {
    return file_error(ErrorClass::kUnsupported, path,
                      "has format version " + std::to_string(header.format_version) + "; this program reads " +
                          std::to_string(kRanksVersion) + " of levels, " + std::to_string(kKeysVersion) +
                          " of rounds and " + std::to_string(kGuaranteesVersion) + " of guarantees" + advice);
  }

  // What the checksum cannot tell: that the fields make sense together.
  void check_meaning(std::size_t header_bytes) const {
    const Family family = family_of(header.rules.game);
    const bool ranked = header.index == IndexKind::kRanks;
    if ((!ranked && header.index != IndexKind::kKeys) || ranked != (family == Family::kUrim)) {
      throw corrupt(path, 16, "index kind", ranked ? "keys" : "ranks", std::to_string(get<std::uint8_t>(data, 16)));
    }
    const bool distances = header.kind == TableKind::kDistances, guarantees = header.kind == TableKind::kGuarantees;
    if (ranked && header.format_version != (guarantees ? kGuaranteesVersion : kRanksVersion)) throw other_version("");
    if (!ranked && header.format_version != kKeysVersion) {
      throw other_version("; a round of version 1 has to be built again");
    }
    if ((!distances && !guarantees && header.kind != TableKind::kValues) || (guarantees && !ranked)) {
      throw file_error(ErrorClass::kUnsupported, path,
                       "has tables of kind " + std::to_string(get<std::uint8_t>(data, 89)) +
                           "; this program reads values (0), distances (1) and, of levels, guarantees (2)");
    }
    const Packing packing = distances    ? Packing::kPlanes
                            : guarantees ? Packing::kPairs
                            : ranked     ? Packing::kContexts
                                         : Packing::kPrefixes;
    check_equal(88, "packing", static_cast<std::uint64_t>(packing), static_cast<std::uint64_t>(header.packing));
    check_zero(kReservedAt, ranked ? kReservedBytes : kKeysReservedBytes, "reserved byte");
    if (ranked) check_zero(72, kKeyBytes, "byte of a root that ranks do not have");
    if (ranked && !distances) check_zero(104, 16, "byte of a digest that values and guarantees do not have");
    check_equal(17, "family", static_cast<std::uint64_t>(family), get<std::uint8_t>(data, 17));
    const bool rows_right = header.shape.mover_pits <= kMaxPits && header.shape.opponent_pits <= kMaxPits &&
                            (!ranked || (header.shape.mover_pits == header.shape.opponent_pits &&
                                         header.shape.mover_pits >= 1));
    if (!rows_right) throw corrupt(path, 18, "pits in a row", "1 to 8", "others");
    if (header.seeds > kMaxLevelSeeds) {
      throw corrupt(path, 20, "seeds", "at most " + std::to_string(kMaxLevelSeeds), std::to_string(header.seeds));
    }
    if (!ranked) {
      const unsigned top = total_seeds(header.root);
      const std::vector<unsigned> levels = levels_of_round(header);
      const bool listed = top <= kMaxLevelSeeds && (header.round_levels & 1U) != 0 &&
                          std::find(levels.begin(), levels.end(), header.seeds) != levels.end() &&
                          levels.size() == static_cast<std::size_t>(std::popcount(header.round_levels));
      if (!listed) {
        throw corrupt(path, kRoundLevelsAt, "levels of the round", "those of the root and of the file among others below",
                      std::to_string(header.round_levels));
      }
      if (header.positions == 0) throw corrupt(path, 24, "positions", "at least 1", "0");
    }
    if (ranked) {
      check_equal(24, "positions", level_size(header.shape.mover_pits, header.rules.pit_limit, header.seeds),
                  header.positions);
    }
    if (header.block_values == 0 || header.block_values > kMaxPackedBlockValues) {
      throw corrupt(path, 32, "values in a block", "1 to 65536", std::to_string(header.block_values));
    }
    // Rounded up without a sum that could pass 2^64.
    check_equal(36, "blocks", header.positions / header.block_values + (header.positions % header.block_values != 0),
                header.blocks);
    if (rules_digest(header.rules) != header.rules_digest) {
      throw corrupt(path, 56, "rules digest", header.rules_digest.hex(), rules_digest(header.rules).hex());
    }
    const std::uint64_t index_end = header_bytes + std::uint64_t{header.blocks} * sizeof(BlockEntry) + 8;
    if (index_end > data.size()) {
      throw corrupt(path, data.size(), "file length", "at least " + std::to_string(index_end),
                    std::to_string(data.size()));
    }
  }

  void read_index() {
    const std::size_t header_bytes = get<std::uint32_t>(data, 8);
    const std::size_t index_bytes = header.blocks * sizeof(BlockEntry);
    const std::uint64_t stored = get<std::uint64_t>(data, header_bytes + index_bytes);
    const std::uint64_t computed = checksum_of(data.subspan(header_bytes, index_bytes));
    if (stored != computed) {
      throw corrupt(path, header_bytes + index_bytes, "block index checksum", hex_text(stored), hex_text(computed));
    }
    index.resize(header.blocks);
    if (index_bytes != 0) std::memcpy(static_cast<void*>(index.data()), data.data() + header_bytes, index_bytes);
    std::uint64_t next = header_bytes + index_bytes + 8;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const std::uint64_t at = header_bytes + i * sizeof(BlockEntry);
      check_equal(at, "block offset", next, index[i].offset);
      if (index[i].bytes > data.size() - next) {
        throw corrupt(path, at + 8, "file length", "at least " + std::to_string(next + index[i].bytes),
                      std::to_string(data.size()));
      }
      next += index[i].bytes;
      check_equal(at + 24, "reserved bytes", 0, index[i].reserved);
      const Position& key = index[i].first_key;
      if (!has_keys()) {
        check_zero(at + 32, kKeyBytes, "byte of a key that ranks and distances do not have");
      } else if (i > 0 && key <= index[i - 1].first_key) {
        throw corrupt(path, at + 32, "first key of block " + std::to_string(i), "more than " + key_text(index[i - 1].first_key),
                      key_text(key));
      }
    }
    check_equal(next, "file length", next, data.size());
  }

  // Blocks from the one with index `first` on: calls visit(block, offset in it, how many, how many before).
  template <typename F>
  void for_blocks_of(LevelIndex first, std::size_t size, F&& visit) const {
    assert(first + size <= header.positions);
    for (std::size_t done = 0; done < size;) {
      const LevelIndex at = first + done;
      const auto number = static_cast<std::uint32_t>(at / header.block_values);
      const BlockCache::Block decoded = decode(number);
      const View block = view(number, decoded.data.get());
      const std::size_t skip = static_cast<std::size_t>(at % header.block_values);
      const std::size_t count = std::min(size - done, block.size() - skip);
      visit(block, static_cast<std::ptrdiff_t>(skip), count, static_cast<std::ptrdiff_t>(done));
      done += count;
    }
  }

  // All blocks in turn, and the digest at the end.
  template <typename F>
  void for_all_blocks(F&& visit) const;

  std::size_t values_in(std::uint32_t block) const {
    const std::uint64_t first = std::uint64_t{block} * header.block_values;
    return static_cast<std::size_t>(std::min<std::uint64_t>(header.block_values, header.positions - first));
  }

  bool has_keys() const { return header.index == IndexKind::kKeys && header.kind == TableKind::kValues; }

  std::size_t entry_bytes() const {
    if (header.kind == TableKind::kDistances) return sizeof(std::uint16_t);
    if (header.kind == TableKind::kGuarantees) return sizeof(Guarantee);
    return header.index == IndexKind::kKeys ? sizeof(Value) + kKeyBytes : sizeof(Value);
  }

  // Pre: `bytes` is the decoded block; new aligns it for all three.
  View view(std::uint32_t number, const std::byte* bytes) const {
    const std::size_t count = values_in(number);
    View block;
    if (header.kind == TableKind::kDistances) {
      block.distances = {reinterpret_cast<const std::uint16_t*>(bytes), count};
    } else if (header.kind == TableKind::kGuarantees) {
      block.guarantees = {reinterpret_cast<const Guarantee*>(bytes), count};
    } else if (header.index == IndexKind::kKeys) {
      block.keys = {reinterpret_cast<const Position*>(bytes), count};
      block.values = {reinterpret_cast<const Value*>(bytes) + count * kKeyBytes, count};
    } else {
      block.values = {reinterpret_cast<const Value*>(bytes), count};
    }
    return block;
  }

  BlockCache::Block decode(std::uint32_t number) const {
    const BlockEntry& entry = index[number];
    thread_local std::vector<std::byte> compressed;
    if (!copy_mapped(data.subspan(entry.offset, entry.bytes), compressed)) throw lost_block(number);
    const std::uint64_t computed = checksum_of(compressed);
    if (entry.checksum != computed) {
      throw corrupt(path, entry.offset, "checksum of block " + std::to_string(number), hex_text(entry.checksum),
                    hex_text(computed));
    }
    const std::size_t count = values_in(number);
    BlockCache::Block block;
    block.bytes = static_cast<std::uint32_t>(count * entry_bytes());
    block.data = std::make_unique_for_overwrite<std::byte[]>(block.bytes);
    if (header.packing == Packing::kPrefixes) {
      decode_keys(number, compressed, block.data.get());
      return block;
    }
    bool right;
    if (header.packing == Packing::kContexts) {
      thread_local ValueUnpacker unpacker;
      right = unpacker.unpack(*packing_shape, std::uint64_t{number} * header.block_values, compressed,
                              {reinterpret_cast<Value*>(block.data.get()), count});
    } else if (header.packing == Packing::kPairs) {
      thread_local ValueUnpacker unpacker;
      right = unpack_guarantees(unpacker, *packing_shape, std::uint64_t{number} * header.block_values, compressed,
                                {reinterpret_cast<Guarantee*>(block.data.get()), count});
    } else {
      thread_local DistanceUnpacker unpacker;
      right = unpacker.unpack(compressed, {reinterpret_cast<std::uint16_t*>(block.data.get()), count});
    }
    if (!right) {
      throw corrupt(path, entry.offset, "contents of block " + std::to_string(number),
                    std::to_string(count) + (header.kind == TableKind::kDistances    ? " packed distances"
                                             : header.kind == TableKind::kGuarantees ? " packed guarantees"
                                                                                     : " packed values"),
                    "something else");
    }
    return block;
  }

  // Why a block that was there when the file was opened cannot be read any more.
  Error lost_block(std::uint32_t number) const {
    const std::uint64_t end = index[number].offset + index[number].bytes;
    std::error_code code;
    const std::uintmax_t now = fs::file_size(path, code);
    if (!code && now < end) {
      return corrupt(path, now, "file length, cut short after it was opened", "at least " + std::to_string(end),
                     std::to_string(now));
    }
    Error error = file_error(ErrorClass::kIo, path, "block " + std::to_string(number) + " cannot be read");
    error.offset = index[number].offset;
    return error;
  }

  // Keys and values of a block.
  void decode_keys(std::uint32_t number, std::span<const std::byte> compressed, std::byte* out) const {
    const BlockEntry& entry = index[number];
    const std::size_t count = values_in(number);
    const auto fail = [&](const char* what) {
      return corrupt(path, entry.offset, "contents of block " + std::to_string(number),
                     std::to_string(count) + " packed positions", what);
    };
    // A key takes at most a byte of its own and one for each lane but the last.
    thread_local std::vector<std::byte> payload;
    payload.resize(count * (1 + kKeyBytes));
    const std::size_t bytes = ZSTD_decompress(payload.data(), payload.size(), compressed.data(), compressed.size());
    if (ZSTD_isError(bytes) != 0) throw fail(ZSTD_getErrorName(bytes));
    if (bytes < count) throw fail("something shorter");
    std::memcpy(out + count * kKeyBytes, payload.data(), count);
    const std::span<Position> keys(reinterpret_cast<Position*>(out), count);
    keys[0] = entry.first_key;
    const KeyForm form{header.seeds, header.shape.mover_pits != header.shape.opponent_pits};
    if (!unpack_keys(form, std::span(payload).subspan(count, bytes - count), keys)) throw fail("something else");
  }

  // Calls read(block) with a decoded block, from the cache if it is there.
  template <typename Read>
  void with_block(std::uint32_t number, Read&& read) const {
    const BlockCache::Key key{file, number};
    if (cache->visit(key, [&](const std::byte* bytes) { read(view(number, bytes)); })) [[likely]] return;
    BlockCache::Block decoded = decode(number);
    read(view(number, decoded.data.get()));
    cache->insert(key, std::move(decoded));
  }

  // Calls read(block, place in it, index) where the position stands, if it does.
  template <typename Read>
  void find(const Position& position, Shape shape, Read&& read) const {
    if (total_seeds(position) != header.seeds) return;
    if (header.index == IndexKind::kRanks) {
      if (shape != header.shape) return;
      const LevelIndex at = packing_shape->ranks().rank(position);
      with_block(static_cast<std::uint32_t>(at / header.block_values),
                 [&](const View& block) { read(block, static_cast<std::size_t>(at % header.block_values), at); });
      return;
    }
    if (shape != header.shape && shape != header.shape.swapped()) return;
    const Position key = round_key(position, shape, header.shape);
    const auto above = std::upper_bound(index.begin(), index.end(), key,
                                        [](const Position& k, const BlockEntry& e) { return k < e.first_key; });
    if (above == index.begin()) return;
    const auto number = static_cast<std::uint32_t>(above - index.begin()) - 1;
    with_block(number, [&](const View& block) {
      const auto at = std::lower_bound(block.keys.begin(), block.keys.end(), key);
      if (at == block.keys.end() || *at != key) return;
      const auto place = static_cast<std::size_t>(at - block.keys.begin());
      read(block, place, std::uint64_t{number} * header.block_values + place);
    });
  }

  // What a cache that holds all of the file takes, its table included.
  std::size_t whole_bytes() const {
    const std::uint64_t decoded = header.positions * entry_bytes();
    return static_cast<std::size_t>(decoded + decoded / 64 + 1024);
  }
};

TableReader::TableReader(const fs::path& path, std::size_t cache_bytes) : impl_(std::make_unique<Impl>(path)) {
  impl_->cache = std::make_shared<BlockCache>(std::min(cache_bytes, impl_->whole_bytes()));
  impl_->file = impl_->cache->add_file();
}

TableReader::TableReader(const fs::path& path, std::shared_ptr<BlockCache> cache)
    : impl_(std::make_unique<Impl>(path)) {
  impl_->cache = std::move(cache);
  impl_->file = impl_->cache->add_file();
}

TableReader::~TableReader() = default;
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;

const TableHeader& TableReader::header() const { return impl_->header; }
const fs::path& TableReader::path() const { return impl_->path; }
std::uint64_t TableReader::file_bytes() const { return impl_->data.size(); }

std::optional<int> TableReader::value(const Position& position, Shape shape) const {
  std::optional<int> found;
  if (impl_->header.kind != TableKind::kValues) return found;
  impl_->find(position, shape, [&](const Impl::View& block, std::size_t at, LevelIndex) { found = block.values[at]; });
  return found;
}

std::optional<std::uint16_t> TableReader::distance(const Position& position, Shape shape) const {
  std::optional<std::uint16_t> found;
  if (impl_->header.kind != TableKind::kDistances) return found;
  impl_->find(position, shape, [&](const Impl::View& block, std::size_t at, LevelIndex) { found = block.distances[at]; });
  return found;
}

std::optional<Guarantee> TableReader::guarantee(const Position& position, Shape shape) const {
  std::optional<Guarantee> found;
  if (impl_->header.kind != TableKind::kGuarantees) return found;
  impl_->find(position, shape, [&](const Impl::View& block, std::size_t at, LevelIndex) { found = block.guarantees[at]; });
  return found;
}

std::optional<LevelIndex> TableReader::index_of(const Position& position, Shape shape) const {
  if (impl_->header.index == IndexKind::kRanks) {
    if (total_seeds(position) != impl_->header.seeds || shape != impl_->header.shape) return std::nullopt;
    return impl_->packing_shape->ranks().rank(position);
  }
  std::optional<LevelIndex> found;
  impl_->find(position, shape, [&](const Impl::View&, std::size_t, LevelIndex index) { found = index; });
  return found;
}

std::uint16_t TableReader::distance_at(LevelIndex index) const {
  assert(impl_->header.kind == TableKind::kDistances && index < impl_->header.positions);
  std::uint16_t distance = kNoDistance;
  impl_->with_block(static_cast<std::uint32_t>(index / impl_->header.block_values), [&](const Impl::View& block) {
    distance = block.distances[static_cast<std::size_t>(index % impl_->header.block_values)];
  });
  return distance;
}

template <typename F>
void TableReader::Impl::for_all_blocks(F&& visit) const {
  StreamingDigest digest, keys;
  for (std::uint32_t number = 0; number < header.blocks; ++number) {
    const BlockCache::Block decoded = decode(number);
    const View block = view(number, decoded.data.get());
    digest.add(block.contents());
    keys.add(std::as_bytes(block.keys));
    visit(block);
  }
  if (digest.digest() != header.digest) {
    throw corrupt(path, 40, "digest of the contents", header.digest.hex(), digest.digest().hex());
  }
  if (has_keys() && keys.digest() != header.keys_digest) {
    throw corrupt(path, 104, "digest of the keys", header.keys_digest.hex(), keys.digest().hex());
  }
}

void TableReader::check(const std::function<void()>& check_stop) const {
  constexpr std::uint32_t kBlocksBetween = 16;
  if (check_stop) check_stop();
  impl_->for_all_blocks([&, blocks = std::uint32_t{0}](const Impl::View&) mutable {
    if (check_stop && ++blocks % kBlocksBetween == 0) check_stop();
  });
}

std::vector<Value> TableReader::read_all() const {
  assert(impl_->header.kind == TableKind::kValues);
  std::vector<Value> values;
  values.reserve(impl_->header.positions);
  impl_->for_all_blocks([&](const Impl::View& block) {
    values.insert(values.end(), block.values.begin(), block.values.end());
  });
  return values;
}

std::vector<std::uint16_t> TableReader::read_all_distances() const {
  assert(impl_->header.kind == TableKind::kDistances);
  std::vector<std::uint16_t> distances;
  distances.reserve(impl_->header.positions);
  impl_->for_all_blocks([&](const Impl::View& block) {
    distances.insert(distances.end(), block.distances.begin(), block.distances.end());
  });
  return distances;
}

std::vector<Guarantee> TableReader::read_all_guarantees() const {
  assert(impl_->header.kind == TableKind::kGuarantees);
  std::vector<Guarantee> guarantees;
  guarantees.reserve(impl_->header.positions);
  impl_->for_all_blocks([&](const Impl::View& block) {
    guarantees.insert(guarantees.end(), block.guarantees.begin(), block.guarantees.end());
  });
  return guarantees;
}

void TableReader::copy_values(LevelIndex first, std::span<Value> out) const {
  assert(impl_->header.kind == TableKind::kValues);
  impl_->for_blocks_of(first, out.size(), [&](const Impl::View& block, auto skip, std::size_t count, auto done) {
    std::copy_n(block.values.begin() + skip, count, out.begin() + done);
  });
}

void TableReader::copy_distances(LevelIndex first, std::span<std::uint16_t> out) const {
  assert(impl_->header.kind == TableKind::kDistances);
  impl_->for_blocks_of(first, out.size(), [&](const Impl::View& block, auto skip, std::size_t count, auto done) {
    std::copy_n(block.distances.begin() + skip, count, out.begin() + done);
  });
}

void TableReader::copy_guarantees(LevelIndex first, std::span<Guarantee> out) const {
  assert(impl_->header.kind == TableKind::kGuarantees);
  impl_->for_blocks_of(first, out.size(), [&](const Impl::View& block, auto skip, std::size_t count, auto done) {
    std::copy_n(block.guarantees.begin() + skip, count, out.begin() + done);
  });
}

void TableReader::copy_keys(LevelIndex first, std::span<Position> out) const {
  assert(impl_->header.kind == TableKind::kValues && impl_->header.index == IndexKind::kKeys);
  impl_->for_blocks_of(first, out.size(), [&](const Impl::View& block, auto skip, std::size_t count, auto done) {
    std::copy_n(block.keys.begin() + skip, count, out.begin() + done);
  });
}

void TableReader::copy_entries(LevelIndex first, std::span<Position> keys, std::span<Value> values) const {
  assert(impl_->has_keys() && keys.size() == values.size());
  impl_->for_blocks_of(first, keys.size(), [&](const Impl::View& block, auto skip, std::size_t count, auto done) {
    std::copy_n(block.keys.begin() + skip, count, keys.begin() + done);
    std::copy_n(block.values.begin() + skip, count, values.begin() + done);
  });
}

std::vector<Position> TableReader::read_keys() const {
  std::vector<Position> keys;
  if (!impl_->has_keys()) return keys;
  keys.reserve(impl_->header.positions);
  for (std::uint32_t number = 0; number < impl_->header.blocks; ++number) {
    const BlockCache::Block decoded = impl_->decode(number);
    const Impl::View block = impl_->view(number, decoded.data.get());
    keys.insert(keys.end(), block.keys.begin(), block.keys.end());
  }
  return keys;
}

TableFolder::TableFolder(const fs::path& folder, std::size_t cache_bytes)
    : cache_(std::make_shared<BlockCache>(cache_bytes)) {
  std::error_code code;
  std::vector<fs::path> paths;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (at->path().extension() == kTableExtension) paths.push_back(at->path());
  }
  if (code) throw file_error(ErrorClass::kIo, folder, "cannot be read as a folder of tables: " + code.message());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    try {
      files_.emplace_back(path, cache_);
    } catch (const Error& error) {
      faults_.push_back({path, error, {}});
    }
  }
  const auto order = [](const TableReader& reader) {
    const TableHeader& h = reader.header();
    return std::make_tuple(game_name(h.rules.game), canonical_text(h.rules), h.shape.mover_pits,
                           h.shape.opponent_pits, h.root, h.seeds, h.kind);
  };
  std::stable_sort(files_.begin(), files_.end(),
                   [&](const TableReader& a, const TableReader& b) { return order(a) < order(b); });
  std::vector<NamedTable> named;
  for (const TableReader& file : files_) named.push_back({file.path(), &file.header()});
  const std::vector<TableUse> uses = table_uses(named);
  std::vector<TableReader> used;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (uses[i].fault) faults_.push_back({files_[i].path(), *uses[i].fault, files_[i].header()});
    if (uses[i].used) used.push_back(std::move(files_[i]));
  }
  files_ = std::move(used);
  all_.emplace(files_, nullptr);
}

TableFolder::TableFolder(const fs::path& folder, const RuleSet& rules, std::size_t cache_bytes)
    : TableFolder(folder, cache_bytes) {
  const Digest digest = rules_digest(rules);
  own_.emplace(files_, &digest);
}

TableFolder::LevelFiles::LevelFiles(const std::vector<TableReader>& files, const Digest* rules) {
  constexpr std::array kKinds = {TableKind::kValues, TableKind::kDistances, TableKind::kGuarantees};
  begins_.reserve(kKinds.size() * (kMaxLevelSeeds + 1) + 1);
  for (const TableKind kind : kKinds) {
    for (unsigned seeds = 0; seeds <= kMaxLevelSeeds; ++seeds) {
      begins_.push_back(static_cast<std::uint32_t>(entries_.size()));
      for (std::uint32_t i = 0; i < files.size(); ++i) {
        const TableHeader& header = files[i].header();
        if (header.kind != kind || header.seeds != seeds) continue;
        if (rules == nullptr || header.rules_digest == *rules) entries_.push_back({header.shape, i});
      }
    }
  }
  begins_.push_back(static_cast<std::uint32_t>(entries_.size()));
}

std::span<const TableFolder::LevelFiles::Entry> TableFolder::LevelFiles::of(TableKind kind, unsigned seeds) const {
  if (seeds > kMaxLevelSeeds) return {};
  const std::size_t level = static_cast<std::size_t>(kind) * (kMaxLevelSeeds + 1) + seeds;
  return std::span(entries_).subspan(begins_[level], begins_[level + 1] - begins_[level]);
}

const TableReader* TableFolder::find(const RuleSet& rules, Shape shape, unsigned seeds, TableKind kind) const {
  const Digest digest = rules_digest(rules);
  for (const LevelFiles::Entry& entry : all_->of(kind, seeds)) {
    if (entry.shape != shape && entry.shape != shape.swapped()) continue;
    if (files_[entry.file].header().rules_digest == digest) return &files_[entry.file];
  }
  return nullptr;
}

std::optional<int> TableFolder::value(const Position& position, Shape shape) const {
  assert(own_.has_value());
  for (const LevelFiles::Entry& entry : own_->of(TableKind::kValues, total_seeds(position))) {
    if (entry.shape != shape && entry.shape != shape.swapped()) continue;
    if (const std::optional<int> value = files_[entry.file].value(position, shape)) return value;
  }
  return std::nullopt;
}

const TableReader* TableFolder::distances_of(const TableReader& values) const {
  const TableHeader& header = values.header();
  for (const LevelFiles::Entry& entry : all_->of(TableKind::kDistances, header.seeds)) {
    const TableHeader& distances = files_[entry.file].header();
    if (distances.rules_digest == header.rules_digest && distances.shape == header.shape &&
        distances.root == header.root && distances.positions == header.positions &&
        distances.values_digest == header.digest) {
      return &files_[entry.file];
    }
  }
  return nullptr;
}

std::optional<std::uint16_t> TableFolder::distance(const Position& position, Shape shape) const {
  assert(own_.has_value());
  const unsigned seeds = total_seeds(position);
  for (const LevelFiles::Entry& entry : own_->of(TableKind::kValues, seeds)) {
    if (entry.shape != shape && entry.shape != shape.swapped()) continue;
    const std::optional<LevelIndex> index = files_[entry.file].index_of(position, shape);
    if (!index) continue;
    if (const TableReader* distances = distances_of(files_[entry.file])) return distances->distance_at(*index);
  }
  return std::nullopt;
}

std::optional<Guarantee> TableFolder::guarantee(const Position& position, Shape shape) const {
  assert(own_.has_value());
  for (const LevelFiles::Entry& entry : own_->of(TableKind::kGuarantees, total_seeds(position))) {
    if (entry.shape == shape) return files_[entry.file].guarantee(position, shape);
  }
  return std::nullopt;
}

FolderLock::FolderLock(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) throw file_error(ErrorClass::kIo, folder, "cannot be created: " + code.message());
  const fs::path path = folder / ".lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw io_error(path, "cannot be created");
  int result = 0;
  do result = ::flock(descriptor_, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  if (result != 0) {
    const int error_number = errno;
    ::close(descriptor_);
    if (error_number == EWOULDBLOCK) {
      throw file_error(ErrorClass::kIo, folder, "another process is building in this folder; wait for it to finish");
    }
    throw file_error(ErrorClass::kIo, path, std::string("cannot be locked: ") + std::strerror(error_number));
  }
}

FolderLock::~FolderLock() { ::close(descriptor_); }

}  // namespace retrosow
