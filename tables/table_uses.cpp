#include "tables/table_uses.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace retrosow {
namespace {

constexpr std::uint64_t kDigestAt = 40, kSecondDigestAt = 104;  // in the header; FORMAT.md

// What two files of the same table have in common.
auto table_of(const TableHeader& header, TableKind kind) {
  return std::make_tuple(kind, rules_digest(header.rules).bytes, header.shape.mover_pits,
                         header.shape.opponent_pits, header.root, header.seeds);
}

bool has_its_name(const NamedTable& file) {
  return file.path.filename() == table_file_name(*file.header);
}

bool same_contents(const TableHeader& a, const TableHeader& b) {
  return a.digest == b.digest && a.values_digest == b.values_digest && a.keys_digest == b.keys_digest;
}

Error fault_of(const NamedTable& file, const std::string& message, std::uint64_t offset,
               const Digest& expected, const Digest& found) {
  Error error(ErrorClass::kCorrupt, file.path.string() + ": " + message);
  error.path = file.path.string();
  error.offset = offset;
  error.expected = expected.hex();
  error.found = found.hex();
  return error;
}

// `file` and `other` say that they are the same table, and are not.
Error contradiction(const NamedTable& file, const NamedTable& other, bool other_is_used) {
  const bool by_digest = file.header->digest != other.header->digest;
  const std::string message =
      "holds the same level as " + other.path.string() + " with other contents" +
      (other_is_used ? ", which is the one that is used; remove it if it is only a copy"
                     : ", and neither has the name " + table_file_name(*file.header) +
                           " that would say which is meant");
  if (by_digest) return fault_of(file, message, kDigestAt, other.header->digest, file.header->digest);
  const auto second = [](const TableHeader& header) {
    return header.kind == TableKind::kDistances ? header.values_digest : header.keys_digest;
  };
  return fault_of(file, message, kSecondDigestAt, second(*other.header), second(*file.header));
}

}  // namespace

std::vector<TableUse> table_uses(std::span<const NamedTable> files) {
  using Key = decltype(table_of(*files.front().header, TableKind::kValues));
  std::map<Key, std::vector<std::size_t>> tables;
  for (std::size_t i = 0; i < files.size(); ++i) {
    tables[table_of(*files[i].header, files[i].header->kind)].push_back(i);
  }
  std::vector<TableUse> uses(files.size());
  for (const auto& [key, copies] : tables) {
    const auto named = std::find_if(copies.begin(), copies.end(),
                                    [&](std::size_t i) { return has_its_name(files[i]); });
    const std::size_t chosen = named == copies.end() ? copies.front() : *named;
    const auto differs_from = [&](std::size_t i) {
      return std::find_if(copies.begin(), copies.end(), [&](std::size_t other) {
        return !same_contents(*files[i].header, *files[other].header);
      });
    };
    const bool agree = differs_from(chosen) == copies.end();
    for (const std::size_t i : copies) {
      if (i == chosen && (agree || named != copies.end())) continue;
      uses[i].used = false;
      if (agree) continue;
      // A copy of the named file is no better than the one that differs from it.
      const auto differing = differs_from(i);
      const bool from_named =
          named != copies.end() && !same_contents(*files[i].header, *files[*named].header);
      const std::size_t other = from_named ? *named : *differing;
      uses[i].fault = contradiction(files[i], files[other], from_named);
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!uses[i].used || files[i].header->kind != TableKind::kDistances) continue;
    const auto values = tables.find(table_of(*files[i].header, TableKind::kValues));
    if (values == tables.end()) continue;
    for (const std::size_t other : values->second) {
      if (!uses[other].used || files[other].header->digest == files[i].header->values_digest)
        continue;
      uses[i].used = false;
      uses[i].fault = fault_of(
          files[i], "holds distances of other values than those of " + files[other].path.string(),
          kSecondDigestAt, files[other].header->digest, files[i].header->values_digest);
    }
  }
  return uses;
}

}  // namespace retrosow
