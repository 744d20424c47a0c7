// MANIFEST.json: the list of the finished table files of a folder. FORMAT.md has its text.
//
// What it is for: a reader needs no list, since every file says what it is; but only a list shows that a file is
// gone, or is whole and yet another one. It is true at every moment of a build: a file is listed once it stands
// under its final name, and taken off the list before it is built again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/table_file.h"

namespace retrosow {

inline constexpr std::string_view kManifestName = "MANIFEST.json";
inline constexpr unsigned kManifestVersion = 1;

struct ManifestEntry {
  std::string name;  // of the file, without folder
  TableKind kind = TableKind::kValues;
  std::string game;
  std::string rules;  // canonical text
  Shape shape;        // of the root
  std::string start;  // rounds: the root without closed holes (format_position), else empty
  unsigned seeds = 0;
  std::uint64_t positions = 0;
  std::uint64_t bytes = 0;  // length of the file
  std::string digest;       // of the contents, 32 hex digits

  bool operator==(const ManifestEntry&) const = default;
};

ManifestEntry manifest_entry(std::string name, const TableHeader& header, std::uint64_t bytes);
ManifestEntry manifest_entry(const TableReader& file);

class Manifest {
 public:
  Manifest() = default;
  // What is finished in a folder: files under the names that table_file_name gives them. Files that cannot be
  // read, or are called otherwise, are left out. Fails: io error if the folder cannot be read.
  explicit Manifest(const std::filesystem::path& folder);

  // Takes over what the folder's manifest lists and is not there any more, so that it is still missed once the
  // manifest is written again. One that is damaged, or of another version, is passed over.
  void keep_missing(const std::filesystem::path& folder);

  // Ascending by name.
  const std::vector<ManifestEntry>& entries() const { return entries_; }
  const ManifestEntry* find(std::string_view name) const;
  void set(ManifestEntry entry);
  void remove(std::string_view name);

  // The text of the file: the same bytes for the same entries.
  std::string text() const;
  // Writes the file, unless it has this text already. Pre: the folder is locked.
  // Fails: io error, also where something stands under its name that cannot be read; limit error when the disk is full.
  void write(const std::filesystem::path& folder) const;

 private:
  std::vector<ManifestEntry> entries_;
};

// The manifest with this text; nothing where the text is not what text() makes, byte for byte.
std::optional<Manifest> parse_manifest(std::string_view text);

// The checksum that ends a manifest, for the text before it.
std::string manifest_checksum(std::string_view text);
// The part of a manifest's text that its checksum is taken of. Nothing where the text does not end like a manifest.
struct ManifestParts {
  std::string_view covered;
  std::string_view checksum;
};
std::optional<ManifestParts> manifest_parts(std::string_view text);

}  // namespace retrosow
