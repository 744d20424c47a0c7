// What all builders do with the files of a folder: taking over finished ones, keeping the manifest true, writing by
// all workers.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "tables/build.h"
#include "tables/manifest.h"
#include "tables/parallel.h"

namespace retrosow {

// The finished file of a level, if it is there, every block checked.
// Fails: corrupt or unsupported error, with advice, where it is damaged, holds a table of something else, or distances
// of other values than those of `wanted.values_digest`.
std::optional<TableReader> finished_file(const BuildOptions& options, const TableHeader& wanted, bool force);

// The folder's manifest, kept true while files are built.
class ManifestKeeper {
 public:
  // Pre: the folder is locked.
  explicit ManifestKeeper(const std::filesystem::path& folder) : folder_(folder), manifest_(folder) {
    manifest_.keep_missing(folder);
  }

  // Before a file is built: one that stands there is not the one that will.
  void begin(const TableHeader& header);
  void finished(const TableReader& file);

 private:
  std::filesystem::path folder_;
  Manifest manifest_;
};

constexpr std::size_t kBlocksInFlight = 128;  // for each worker, while a level is written

// Writes a table whose contents `copy(first, keys, out)` gives, from any thread; `keys` is empty but for values of a round.
template <typename T, typename Copy>
void write_contents(const BuildOptions& options, const TableHeader& header, LevelIndex size, Copy&& copy) {
  TableWriter writer(options.folder, header, size);
  struct Packed {
    std::vector<T> contents;
    std::vector<Position> keys;
    TableWriter::Block block;
  };
  const bool has_keys = header.index == IndexKind::kKeys && header.kind == TableKind::kValues;
  const unsigned workers = worker_count(options.threads);
  const std::size_t blocks =
      static_cast<std::size_t>((size + TableWriter::kBlockValues - 1) / TableWriter::kBlockValues);
  std::vector<Packed> batch(std::min<std::size_t>(blocks, kBlocksInFlight * workers));
  for (std::size_t first = 0; first < blocks; first += batch.size()) {
    options.control.check_stop();
    const std::size_t count = std::min(batch.size(), blocks - first);
    parallel_loop(workers, count, [&](unsigned, std::size_t i) {
      Packed& packed = batch[i];
      const LevelIndex at = (first + i) * LevelIndex{TableWriter::kBlockValues};
      packed.contents.resize(static_cast<std::size_t>(std::min<LevelIndex>(TableWriter::kBlockValues, size - at)));
      packed.keys.resize(has_keys ? packed.contents.size() : 0);
      copy(at, std::span(packed.keys), std::span<T>(packed.contents));
      if constexpr (std::is_same_v<T, Value>) {
        packed.block = writer.pack(at, packed.contents, packed.keys);
      } else if constexpr (std::is_same_v<T, Guarantee>) {
        packed.block = writer.pack(at, std::span<const Guarantee>(packed.contents));
      } else {
        packed.block = writer.pack(packed.contents);
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, Value>) {
        writer.append(batch[i].block, std::span<const Value>(batch[i].contents), batch[i].keys);
      } else {
        writer.append(batch[i].block, std::span<const T>(batch[i].contents));
      }
    }
  }
  writer.finish();
}

}  // namespace retrosow
