#include "tables/check.h"

#include <algorithm>
#include <exception>
#include <functional>

#include "tables/leftovers.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"
#include "tables/table_uses.h"

namespace retrosow {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlocksPerTask = 16;
constexpr std::size_t kTasksInFlight = 8;  // for each worker

Error digest_fault(const TableReader& file, const char* what, std::uint64_t offset, const Digest& expected,
                   const Digest& found) {
  Error error(ErrorClass::kCorrupt, file.path().string() + ": damaged: digest of the " + what +
                                        " at offset " + std::to_string(offset) + ": expected " +
                                        expected.hex() + ", found " + found.hex());
  error.path = file.path().string();
  error.offset = offset;
  error.expected = expected.hex();
  error.found = found.hex();
  return error;
}

// Decodes everything, in parallel, and compares the digests. on_done(positions so far of this file).
// Fails: corrupt error of the first damaged block.
template <typename T, typename Copy>
void check_contents(const TableReader& file, unsigned workers, const RunControl& control,
                    const std::function<void(std::uint64_t)>& on_done, Copy&& copy) {
  const TableHeader& header = file.header();
  const bool has_keys = header.index == IndexKind::kKeys && header.kind == TableKind::kValues;
  const std::uint64_t piece = std::uint64_t{std::max(1U, header.block_values)} * kBlocksPerTask;
  struct Task {
    std::vector<T> contents;
    std::vector<Position> keys;
    std::exception_ptr fault;
  };
  const std::uint64_t pieces = (header.positions + piece - 1) / piece;
  std::vector<Task> tasks(
      static_cast<std::size_t>(std::min<std::uint64_t>(pieces, kTasksInFlight * workers)));
  StreamingDigest digest, keys_digest;
  for (std::uint64_t first = 0; first < header.positions;) {
    control.check_stop();
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(tasks.size(), (header.positions - first + piece - 1) / piece));
    parallel_loop(workers, count, [&](unsigned, std::size_t i) {
      Task& task = tasks[i];
      const std::uint64_t at = first + i * piece;
      task.contents.resize(static_cast<std::size_t>(std::min(piece, header.positions - at)));
      task.keys.resize(has_keys ? task.contents.size() : 0);
      try {
        copy(at, std::span(task.keys), std::span<T>(task.contents));
      } catch (...) {
        task.fault = std::current_exception();
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (tasks[i].fault) std::rethrow_exception(tasks[i].fault);
      digest.add(std::as_bytes(std::span(tasks[i].contents)));
      keys_digest.add(std::as_bytes(std::span(tasks[i].keys)));
      first += tasks[i].contents.size();
    }
    if (on_done) on_done(first);
  }
  if (digest.digest() != header.digest) {
    throw digest_fault(file, "contents", 40, header.digest, digest.digest());
  }
  if (has_keys && keys_digest.digest() != header.keys_digest) {
    throw digest_fault(file, "keys", 104, header.keys_digest, keys_digest.digest());
  }
}

// Files that contradict others of the folder.
void check_uses(std::vector<CheckedFile>& files) {
  std::vector<NamedTable> named;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].header) continue;
    named.push_back({files[i].path, &*files[i].header});
    places.push_back(i);
  }
  const std::vector<TableUse> uses = table_uses(named);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i].fault && !files[places[i]].error) files[places[i]].error = uses[i].fault;
  }
}

}  // namespace

void check_file(const TableReader& file, unsigned workers, const RunControl& control,
                const std::function<void(std::uint64_t)>& on_done) {
  using Keys = std::span<Position>;
  if (file.header().kind == TableKind::kDistances) {
    check_contents<std::uint16_t>(
        file, workers, control, on_done,
        [&](LevelIndex first, Keys, auto out) { file.copy_distances(first, out); });
  } else if (file.header().kind == TableKind::kGuarantees) {
    check_contents<Guarantee>(
        file, workers, control, on_done,
        [&](LevelIndex first, Keys, auto out) { file.copy_guarantees(first, out); });
  } else if (file.header().index == IndexKind::kKeys) {
    check_contents<Value>(
        file, workers, control, on_done,
        [&](LevelIndex first, Keys keys, auto out) { file.copy_entries(first, keys, out); });
  } else {
    check_contents<Value>(
        file, workers, control, on_done,
        [&](LevelIndex first, Keys, auto out) { file.copy_values(first, out); });
  }
}

CheckedFolder check_folder(const fs::path& folder, const CheckOptions& options) {
  CheckedFolder checked;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    const fs::path path = at->path();
    if (is_leftover(*at)) checked.leftovers.push_back(path);
    if (path.extension() == kTableExtension) checked.files.push_back({path, 0, {}, {}});
  }
  if (code) {
    Error error(ErrorClass::kIo,
                folder.string() + ": cannot be read as a folder of tables: " + code.message());
    error.path = folder.string();
    throw error;
  }
  std::sort(checked.leftovers.begin(), checked.leftovers.end());
  std::sort(checked.files.begin(), checked.files.end(),
            [](const CheckedFile& a, const CheckedFile& b) { return a.path < b.path; });

  const Stopwatch watch;
  std::vector<std::optional<TableReader>> readers(checked.files.size());
  std::uint64_t total = 0, done = 0;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    CheckedFile& file = checked.files[i];
    const std::uintmax_t bytes = fs::file_size(file.path, code);
    if (!code) file.bytes = bytes;
    try {
      readers[i].emplace(file.path);
      file.header = readers[i]->header();
      total += file.header->positions;
    } catch (const Error& error) {
      file.error = error;
    }
  }
  const unsigned workers = worker_count(options.threads);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    options.control.check_stop();
    if (!readers[i]) continue;
    const TableReader& reader = *readers[i];
    const auto on_done = [&](std::uint64_t positions) {
      if (!options.control.progress) return;
      options.control.progress({"check", static_cast<unsigned>(i + 1),
                                static_cast<unsigned>(readers.size()), done + positions, total,
                                watch.seconds()});
    };
    try {
      check_file(reader, workers, options.control, on_done);
    } catch (const Error& error) {
      if (error.error_class() == ErrorClass::kInterrupted) throw;
      checked.files[i].error = error;
    }
    done += reader.header().positions;
    readers[i].reset();
  }
  check_uses(checked.files);
  return checked;
}

std::optional<Error> manifest_fault(const CheckedFile& file, const ManifestEntry& listed) {
  const ManifestEntry found = manifest_entry(listed.name, *file.header, file.bytes);
  if (found == listed) return std::nullopt;
  const auto fault = [&](std::string_view what, const std::string& expected,
                         const std::string& is) {
    Error error(ErrorClass::kCorrupt,
                file.path.string() + ": is not the file that " + std::string(kManifestName) +
                    " lists: " + std::string(what) + ": expected " + expected + ", found " + is);
    error.path = file.path.string();
    error.expected = expected;
    error.found = is;
    return error;
  };
  if (found.digest != listed.digest) return fault("digest", listed.digest, found.digest);
  if (found.bytes != listed.bytes)
    return fault("bytes", std::to_string(listed.bytes), std::to_string(found.bytes));
  if (found.positions != listed.positions) {
    return fault("positions", std::to_string(listed.positions), std::to_string(found.positions));
  }
  if (found.seeds != listed.seeds)
    return fault("seeds", std::to_string(listed.seeds), std::to_string(found.seeds));
  if (found.rules != listed.rules) return fault("rules", listed.rules, found.rules);
  if (found.game != listed.game) return fault("game", listed.game, found.game);
  return fault("kind, rows or start", "those listed", "others");
}

}  // namespace retrosow
