#include "tables/build_files.h"

#include "tables/check.h"

namespace retrosow {
namespace {

// Adds to the error of a damaged finished file how to go on.
template <typename F>
void with_advice(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    if (error.error_class() != ErrorClass::kCorrupt && error.error_class() != ErrorClass::kUnsupported) throw;
    Error advised(error.error_class(), std::string(error.what()) + "; remove the file or build with --force");
    advised.path = error.path;
    advised.offset = error.offset;
    advised.expected = error.expected;
    advised.found = error.found;
    throw advised;
  }
}

}  // namespace

std::optional<TableReader> finished_file(const BuildOptions& options, const TableHeader& wanted, bool force) {
  const std::filesystem::path path = options.folder / table_file_name(wanted);
  if (force || !std::filesystem::exists(path)) return std::nullopt;
  std::optional<TableReader> reader;
  with_advice([&] {
    reader.emplace(path, 0);
    check_file(*reader, worker_count(options.threads), options.control);
  });
  const TableHeader& found = reader->header();
  if (found.index != wanted.index || found.kind != wanted.kind || found.shape != wanted.shape || found.seeds != wanted.seeds ||
      found.root != wanted.root || found.rules_digest != rules_digest(wanted.rules)) {
    Error error(ErrorClass::kCorrupt, path.string() + ": holds another table than its name says (" +
                                          table_file_name(found) + "); remove it or build with --force");
    error.path = path.string();
    error.expected = table_file_name(wanted);
    error.found = table_file_name(found);
    throw error;
  }
  if (found.values_digest != wanted.values_digest) {
    Error error(ErrorClass::kCorrupt,
                path.string() + ": holds distances of other values; remove it or build with --force");
    error.path = path.string();
    error.expected = wanted.values_digest.hex();
    error.found = found.values_digest.hex();
    throw error;
  }
  return reader;
}

void ManifestKeeper::begin(const TableHeader& header) {
  manifest_.remove(table_file_name(header));
  manifest_.write(folder_);
}

void ManifestKeeper::finished(const TableReader& file) {
  manifest_.set(manifest_entry(file));
  manifest_.write(folder_);
}

}  // namespace retrosow
