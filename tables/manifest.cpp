#include "tables/manifest.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "bitboard/notation.h"
#include "tables/atomic_file.h"

namespace retrosow {
namespace {

namespace fs = std::filesystem;

// What stands around the checksum, at the end of the text.
constexpr std::string_view kBeforeChecksum = "  \"checksum\": \"";
constexpr std::string_view kAfterChecksum = "\"\n}\n";
constexpr std::size_t kChecksumDigits = 16;

// Names and texts need no escapes: they are made of letters, digits and `-.=, /`.
std::string entry_text(const ManifestEntry& entry) {
  const auto text = [](std::string_view key, std::string_view value) {
    return "\"" + std::string(key) + "\": \"" + std::string(value) + "\", ";
  };
  const auto number = [](std::string_view key, std::uint64_t value) {
    return "\"" + std::string(key) + "\": " + std::to_string(value) + ", ";
  };
  std::string line = "    {" + text("name", entry.name) + text("kind", kind_name(entry.kind)) +
                     text("game", entry.game) + text("rules", entry.rules);
  if (entry.shape.mover_pits == entry.shape.opponent_pits) {
    line += number("pits", entry.shape.mover_pits);
  } else {
    line += "\"rows\": [" + std::to_string(entry.shape.mover_pits) + ", " +
            std::to_string(entry.shape.opponent_pits) + "], ";
  }
  if (!entry.start.empty()) line += text("start", entry.start);
  line += number("seeds", entry.seeds) + number("positions", entry.positions) +
          number("bytes", entry.bytes) + "\"digest\": \"" + entry.digest + "\"}";
  return line;
}

constexpr std::string_view kBeforeName = "    {\"name\": ";

// The fields of an entry's line, in turn; each takes its key or leaves the line as it is. What they leave or mistake
// shows when the line is written again.
class EntryLine {
 public:
  explicit EntryLine(std::string_view line) : rest_(line) {}

  std::string text(std::string_view key) {
    if (!take("\"" + std::string(key) + "\": \"")) return {};
    const std::size_t end = std::min(rest_.find('"'), rest_.size());
    const std::string value(rest_.substr(0, end));
    rest_.remove_prefix(end);
    take("\"");
    take(", ");
    return value;
  }
  std::optional<std::uint64_t> number(std::string_view key) {
    if (!take("\"" + std::string(key) + "\": ")) return std::nullopt;
    const std::uint64_t value = digits();
    take(", ");
    return value;
  }
  // "[5, 6], "
  Shape rows() {
    Shape shape{};
    if (!take("\"rows\": [")) return shape;
    shape.mover_pits = static_cast<std::uint8_t>(digits());
    take(", ");
    shape.opponent_pits = static_cast<std::uint8_t>(digits());
    take("], ");
    return shape;
  }

 private:
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::uint64_t digits() {
    std::uint64_t value = 0;
    const char* end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value).ptr;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view rest_;
};

// Pre: starts with kBeforeName.
ManifestEntry parse_entry(std::string_view line) {
  EntryLine fields(line.substr(kBeforeName.find('"')));
  ManifestEntry entry;
  entry.name = fields.text("name");
  const std::string kind = fields.text("kind");
  for (const TableKind one : {TableKind::kDistances, TableKind::kGuarantees}) {
    if (kind == kind_name(one)) entry.kind = one;
  }
  entry.game = fields.text("game");
  entry.rules = fields.text("rules");
  if (const std::optional<std::uint64_t> pits = fields.number("pits")) {
    entry.shape.mover_pits = entry.shape.opponent_pits = static_cast<std::uint8_t>(*pits);
  } else {
    entry.shape = fields.rows();
  }
  entry.start = fields.text("start");
  entry.seeds = static_cast<unsigned>(fields.number("seeds").value_or(0));
  entry.positions = fields.number("positions").value_or(0);
  entry.bytes = fields.number("bytes").value_or(0);
  entry.digest = fields.text("digest");
  return entry;
}

bool name_below(const ManifestEntry& entry, std::string_view name) { return entry.name < name; }

}  // namespace

ManifestEntry manifest_entry(std::string name, const TableHeader& header, std::uint64_t bytes) {
  ManifestEntry entry;
  entry.name = std::move(name);
  entry.kind = header.kind;
  entry.game = game_name(header.rules.game);
  entry.rules = canonical_text(header.rules);
  entry.shape = header.shape;
  if (header.index == IndexKind::kKeys) entry.start = format_position(header.root, header.shape);
  entry.seeds = header.seeds;
  entry.positions = header.positions;
  entry.bytes = bytes;
  entry.digest = header.digest.hex();
  return entry;
}

ManifestEntry manifest_entry(const TableReader& file) {
  return manifest_entry(file.path().filename().string(), file.header(), file.file_bytes());
}

Manifest::Manifest(const fs::path& folder) {
  const TableFolder tables(folder);
  for (const TableReader& file : tables.files()) {
    ManifestEntry entry = manifest_entry(file);
    if (entry.name == table_file_name(file.header())) set(std::move(entry));
  }
}

void Manifest::keep_missing(const fs::path& folder) {
  const std::optional<std::string> text = read_text_file(folder / kManifestName);
  const std::optional<Manifest> old = text ? parse_manifest(*text) : std::nullopt;
  if (!old) return;
  for (const ManifestEntry& entry : old->entries()) {
    std::error_code code;
    if (fs::symlink_status(folder / entry.name, code).type() == fs::file_type::not_found)
      set(entry);
  }
}

const ManifestEntry* Manifest::find(std::string_view name) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), name, name_below);
  return at != entries_.end() && at->name == name ? &*at : nullptr;
}

void Manifest::set(ManifestEntry entry) {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), entry.name, name_below);
  if (at != entries_.end() && at->name == entry.name) {
    *at = std::move(entry);
  } else {
    entries_.insert(at, std::move(entry));
  }
}

void Manifest::remove(std::string_view name) {
  std::erase_if(entries_, [&](const ManifestEntry& entry) { return entry.name == name; });
}

std::string Manifest::text() const {
  std::string text = "{\n  \"format\": \"retrosow manifest\",\n  \"version\": " +
                     std::to_string(kManifestVersion) + ",\n  \"files\": [\n";
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    text += entry_text(entries_[i]) + (i + 1 < entries_.size() ? ",\n" : "\n");
  }
  text += "  ],\n";
  const std::string checksum = manifest_checksum(text);
  return text + std::string(kBeforeChecksum) + checksum + std::string(kAfterChecksum);
}

void Manifest::write(const fs::path& folder) const {
  const fs::path path = folder / kManifestName;
  const std::string wanted = text();
  if (read_text_file(path) == wanted) return;
  write_text_file(path, wanted);
}

std::optional<Manifest> parse_manifest(std::string_view text) {
  Manifest manifest;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.starts_with(kBeforeName)) manifest.set(parse_entry(line));
  }
  if (manifest.text() != text) return std::nullopt;
  return manifest;
}

std::string manifest_checksum(std::string_view text) {
  const std::uint64_t checksum = checksum_of(std::as_bytes(std::span(text)));
  constexpr char kHex[] = "0123456789abcdef";
  std::string digits;
  for (unsigned shift = 64; shift != 0;) digits += kHex[(checksum >> (shift -= 4)) & 15];
  return digits;
}

std::optional<ManifestParts> manifest_parts(std::string_view text) {
  constexpr std::size_t kEndBytes =
      kBeforeChecksum.size() + kChecksumDigits + kAfterChecksum.size();
  if (text.size() < kEndBytes || !text.ends_with(kAfterChecksum)) return std::nullopt;
  const std::string_view covered = text.substr(0, text.size() - kEndBytes);
  const std::string_view end = text.substr(covered.size());
  if (!end.starts_with(kBeforeChecksum)) return std::nullopt;
  return ManifestParts{covered, end.substr(kBeforeChecksum.size(), kChecksumDigits)};
}

}  // namespace retrosow
