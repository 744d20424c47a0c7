#include "tables/leftovers.h"

#include <exception>
#include <vector>

#include "tables/manifest.h"
#include "tables/table_file.h"

namespace retrosow {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial";

// Takes pieces off the front of a text.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_(text) {}

  bool take(std::string_view piece) {
    if (!rest_.starts_with(piece)) return false;
    rest_.remove_prefix(piece.size());
    return true;
  }
  // Exactly `count` of these characters.
  bool take(std::size_t count, std::string_view characters) {
    if (rest_.size() < count) return false;
    const std::string_view piece = rest_.substr(0, count);
    if (piece.find_first_not_of(characters) != std::string_view::npos) return false;
    rest_.remove_prefix(count);
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// A table's name without extension, as table_file_name makes it.
bool is_table_stem(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789", kHexDigits = "0123456789abcdef";
  constexpr std::size_t kDigestDigits = 12, kSeedsDigits = 3;
  Pieces pieces(name);
  if (!pieces.take("urim-") && !pieces.take("rio-kadalis-")) return false;
  if (!pieces.take(1, kDigits) || (!pieces.take("x") && !pieces.take("v")) || !pieces.take(1, kDigits)) return false;
  if (!pieces.take("-") || !pieces.take(kDigestDigits, kHexDigits)) return false;
  if (pieces.take("-from-") && !pieces.take(kDigestDigits, kHexDigits)) return false;
  if (!pieces.take("-") || !pieces.take(kSeedsDigits, kDigits)) return false;
  if (!pieces.take("-distance")) pieces.take("-guarantee");
  return pieces.done();
}

bool take_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

}  // namespace

bool is_partial_name(std::string_view name) {
  if (!take_end(name, kPartial)) return false;
  if (name == kManifestName) return true;
  return take_end(name, kTableExtension) && is_table_stem(name);
}

bool is_leftover(const fs::directory_entry& entry) {
  std::error_code code;
  return is_partial_name(entry.path().filename().native()) && fs::is_regular_file(entry.symlink_status(code));
}

void remove_leftovers(const fs::path& folder) noexcept {
  try {
    std::error_code code;
    std::vector<fs::path> leftovers;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      if (is_leftover(*at)) leftovers.push_back(at->path());
    }
    for (const fs::path& path : leftovers) fs::remove(path, code);
  } catch (const std::exception&) {
    // Out of memory: they stay.
  }
}

}  // namespace retrosow
