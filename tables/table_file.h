// Table files: one level of one rule set in a file that says what it is. FORMAT.md is the specification.
//
// A writer puts the whole file under a temporary name, flushes it to disk and renames it, so a file
// under its final name is complete. A reader checks the header, the block index and the length when it
// opens a file, and every block's checksum when it decodes one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tables/block_cache.h"
#include "tables/digest.h"
#include "tables/level_solver.h"
#include "tables/round_key.h"
#include "tables/values.h"

namespace retrosow {

inline constexpr std::uint32_t kFormatVersion = 3;  // the latest
// Of files with ranks, of files with keys, and of guarantees.
inline constexpr std::uint32_t kRanksVersion = 1, kKeysVersion = 2, kGuaranteesVersion = 3;
inline constexpr unsigned kRoundStep = 4;  // stones between levels of a round: what a four is
inline constexpr std::string_view kTableExtension = ".rsow";

enum class IndexKind : std::uint8_t {
  kRanks = 1,  // all boards of a level, in the order of rank.h
  kKeys = 2,   // the positions reachable from a root, as sorted keys
};

enum class TableKind : std::uint8_t {
  kValues = 0,
  kDistances = 1,  // plies to the next capture or the end, 16 bits each
  kGuarantees = 2,  // what each side can be sure of, two bytes each; of kRanks
};

enum class Packing : std::uint8_t {
  kContexts = 1,  // value_packing.h; values of kRanks
  kPlanes = 3,    // low bytes, then high bytes, through zstd; distances
  kPrefixes = 4,  // values, then key_packing.h, through zstd; values of kKeys
  kPairs = 5,     // the movers' and the opponents' as kContexts each; guarantees
};

// The distance of a board that has none: its value is 0.
inline constexpr std::uint16_t kNoDistance = 0xffff;

struct TableHeader {
  std::uint32_t format_version = kRanksVersion;
  IndexKind index = IndexKind::kRanks;
  TableKind kind = TableKind::kValues;
  Packing packing = Packing::kContexts;
  RuleSet rules;
  Shape shape;              // of the root; equal rows for kRanks
  unsigned seeds = 0;       // on every board of the file
  std::uint64_t positions = 0;
  std::uint32_t block_values = 0;  // values in a block, the last one may hold fewer
  std::uint32_t blocks = 0;
  Digest digest;            // of the values (a signed byte each), or distances or guarantees (2 bytes each), in index order
  Digest values_digest;     // kDistances: of the level's values
  Digest rules_digest;
  // kKeys:
  Position root;
  std::uint32_t round_levels = 0;    // bit i: the round has a level with 4i stones fewer than the root
  std::uint64_t endless_moves = 0;   // holes of the level's positions whose sowing never ends, legal or not
  Digest keys_digest;                // kValues: of the keys, 16 bytes each
  std::string builder;      // name and version of the program that wrote the file
};

// "values", "distances" or "guarantees"
std::string_view kind_name(TableKind kind);

// The name of the file that holds a level, without folder.
std::string table_file_name(const TableHeader& header);

// Headers of a level of 2xk boards and of a level of a round: what is known before the values are.
TableHeader level_header(const RuleSet& rules, unsigned pits, unsigned seeds);
// Of the distances that go with a level of values.
TableHeader distance_header(const TableHeader& values);
TableHeader guarantee_header(const RuleSet& rules, unsigned pits, unsigned seeds);
TableHeader round_header(const RuleSet& rules, const Position& root, Shape shape, unsigned seeds);
// The levels of the round that the file belongs to: stones on the board, ascending. Pre: kKeys.
std::vector<unsigned> levels_of_round(const TableHeader& header);

// Writes a table file block by block. Until finish() returns there is no file under its final name;
// without it the unfinished file is deleted.
// Thread: one writer for a path; pack() may be called from any thread.
// Fails: io error; limit error when the disk is full.
class TableWriter {
 public:
  static constexpr std::uint32_t kBlockValues = 1U << 13;  // in all blocks but the last, unless the header says another

  struct Block {
    std::vector<std::byte> bytes;
    std::uint64_t checksum = 0;
    Position first_key;
  };

  TableWriter(const std::filesystem::path& folder, TableHeader header, std::uint64_t positions);
  ~TableWriter();

  // Packs the block of the positions from index `first` on; keys for kKeys, else none.
  Block pack(LevelIndex first, std::span<const Value> values, std::span<const Position> keys) const;
  Block pack(std::span<const std::uint16_t> distances) const;
  Block pack(LevelIndex first, std::span<const Guarantee> guarantees) const;
  // Blocks come in index order, each with the values (kKeys: and keys), distances or guarantees that it holds.
  void append(const Block& block, std::span<const Value> values, std::span<const Position> keys = {});
  void append(const Block& block, std::span<const std::uint16_t> distances);
  void append(const Block& block, std::span<const Guarantee> guarantees);
  // Pre: all positions are there.
  void finish();

 private:
  void append(const Block& block, std::span<const std::byte> contents, std::size_t count);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Writes one level at once: values (with keys for kKeys), distances or guarantees.
void write_table(const std::filesystem::path& folder, const TableHeader& header, std::span<const Value> values,
                 std::span<const Position> keys = {});
void write_table(const std::filesystem::path& folder, const TableHeader& header,
                 std::span<const std::uint16_t> distances);
void write_table(const std::filesystem::path& folder, const TableHeader& header,
                 std::span<const Guarantee> guarantees);

// An open table file.
// Thread: const use from any number of threads. Decoded blocks are kept in a BlockCache.
// Cost: a probe of a random board whose block is cached 200 ns, else 82 us (values, level 18) or
// 32 us (distances, level 16): 2x6, AMD EPYC, a busy machine, retrosow_bench --benchmark_filter=Probe.
class TableReader {
 public:
  // A file opened alone has a cache of its own, of at most so many bytes and no more than the file can use;
  // 0 keeps nothing.
  // Fails: io error if the file cannot be opened; corrupt error that names the file, offset, expected and
  // found; unsupported error for another format version.
  explicit TableReader(const std::filesystem::path& path, std::size_t cache_bytes = BlockCache::kDefaultBytes);
  TableReader(const std::filesystem::path& path, std::shared_ptr<BlockCache> cache);
  ~TableReader();
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;

  const TableHeader& header() const;
  const std::filesystem::path& path() const;
  std::uint64_t file_bytes() const;

  // Nothing where the file does not hold the position, or is not of that kind.
  // Pre: the position is a board that the rules allow (kRanks).
  std::optional<int> value(const Position& position, Shape shape) const;
  // Plies to the next capture or the end; kNoDistance where the value is 0. Distances of kKeys stand in a
  // file without keys: see TableFolder::distance.
  std::optional<std::uint16_t> distance(const Position& position, Shape shape) const;
  std::optional<Guarantee> guarantee(const Position& position, Shape shape) const;
  // The position's place in index order, or nothing where the file has no such position. Distances of kKeys
  // have no keys to look it up by; the table of their values has.
  std::optional<LevelIndex> index_of(const Position& position, Shape shape) const;
  // Pre: a table of distances; index < positions.
  std::uint16_t distance_at(LevelIndex index) const;
  // All values in index order. Fails: corrupt error, also when they do not have the header's digest.
  // Pre: a table of values; of distances or guarantees for the others.
  std::vector<Value> read_all() const;
  std::vector<std::uint16_t> read_all_distances() const;
  std::vector<Guarantee> read_all_guarantees() const;
  // What stands from index `first` on. Cost: every block that is touched is decoded, past the cache.
  void copy_values(LevelIndex first, std::span<Value> out) const;
  void copy_distances(LevelIndex first, std::span<std::uint16_t> out) const;
  void copy_guarantees(LevelIndex first, std::span<Guarantee> out) const;
  // Keys (round_key), or keys and values. Pre: values of kKeys.
  void copy_keys(LevelIndex first, std::span<Position> out) const;
  void copy_entries(LevelIndex first, std::span<Position> keys, std::span<Value> values) const;
  // Decodes every block and compares the digests, without keeping the values. check_stop(), if there, is called before
  // every few blocks and may throw. Of a long file check_file (check.h) is faster.
  // Fails: corrupt error that names the block.
  void check(const std::function<void()>& check_stop = {}) const;
  // kKeys: all keys (round_key) in index order.
  std::vector<Position> read_keys() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// All table files of a folder. Files that cannot be read, or contradict others (table_uses.h), are kept as faults and
// do not hinder the others; copies of a file are passed over.
// Its files share one cache of decoded blocks. Cost: value() and distance() look at the files of the
// position's level, rows and kind only: one, or one for each round.
class TableFolder : public ValueSource {
 public:
  // Fails: io error if the folder is not there.
  // The source covers the tables of `rules` only; without rules, files() lists all of them.
  explicit TableFolder(const std::filesystem::path& folder, std::size_t cache_bytes = BlockCache::kDefaultBytes);
  TableFolder(const std::filesystem::path& folder, const RuleSet& rules,
              std::size_t cache_bytes = BlockCache::kDefaultBytes);

  // Sorted by game, rules, rows, root, seeds.
  const std::vector<TableReader>& files() const { return files_; }
  struct Fault {
    std::filesystem::path path;
    Error error;
    std::optional<TableHeader> header{};  // of a whole file that contradicts another one
  };
  const std::vector<Fault>& faults() const { return faults_; }
  const BlockCache& cache() const { return *cache_; }

  // The level's file, or null. `root` for rounds only: any file that holds such a level if absent.
  const TableReader* find(const RuleSet& rules, Shape shape, unsigned seeds,
                          TableKind kind = TableKind::kValues) const;
  std::optional<int> value(const Position& position, Shape shape) const override;
  // The distances that go with a table of values of this folder, or null.
  const TableReader* distances_of(const TableReader& values) const;
  // As TableReader::distance, from the distances that go with a table of values in this folder.
  std::optional<std::uint16_t> distance(const Position& position, Shape shape) const;
  std::optional<Guarantee> guarantee(const Position& position, Shape shape) const;

 private:
  // The files of a level, by kind and seeds: a run of entries.
  class LevelFiles {
   public:
    struct Entry {
      Shape shape;
      std::uint32_t file;  // in files_
    };
    // Of the files with these rules, or of all.
    LevelFiles(const std::vector<TableReader>& files, const Digest* rules);
    std::span<const Entry> of(TableKind kind, unsigned seeds) const;

   private:
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> begins_;  // by kind and seeds; one more at the end
  };

  std::shared_ptr<BlockCache> cache_;
  std::vector<TableReader> files_;
  std::vector<Fault> faults_;
  std::optional<LevelFiles> all_;  // always there once constructed
  std::optional<LevelFiles> own_;  // of the rules that value() covers
};

// Holds the folder for one writer as long as it lives (flock on `.lock`), creating it if need be.
// Fails: io error, which says so if another process is building there and no other reason.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace retrosow
