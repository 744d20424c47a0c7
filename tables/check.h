// Integrity of table folders: what `retrosow check` does.
//
// Every file is read from its first to its last byte: header, block index, the checksum and the packing of every
// block, and the digest over all contents. Whether the values are right is another question (verify.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tables/manifest.h"

namespace retrosow {

struct CheckOptions {
  unsigned threads = 0;  // workers; 0 = all cores
  // Progress counts positions. Unlike elsewhere `level` is the number of the file and `last_level` how many there are.
  RunControl control;
};

struct CheckedFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;            // length; 0 where it is not there
  std::optional<TableHeader> header;  // where that much is whole
  std::optional<Error>
      error;  // the first fault by offset; io error: it is not there, or cannot be read
};

struct CheckedFolder {
  std::vector<CheckedFile> files;  // ascending by name
  std::vector<std::filesystem::path>
      leftovers;  // unfinished files of an interrupted build, ascending
};

// Checks all table files of a folder; a fault of one does not hinder the others. Files must not contradict each other,
// and distances must belong to the values that stand beside them: table_uses.h.
// Fails: io error if the folder cannot be read; interrupted error.
CheckedFolder check_folder(const std::filesystem::path& folder, const CheckOptions& options);

// Decodes every block of a file by `workers` threads and compares the digest. on_done(positions so far), if there, and
// the control's stop are called from this thread, every few blocks; its progress is not.
// Fails: corrupt error of the first damaged block; interrupted error.
void check_file(const TableReader& file, unsigned workers, const RunControl& control,
                const std::function<void(std::uint64_t)>& on_done = {});

// What is wrong with a checked file that the manifest lists as `listed`; nothing where it is that file.
// Pre: the file has a header.
std::optional<Error> manifest_fault(const CheckedFile& file, const ManifestEntry& listed);

}  // namespace retrosow
