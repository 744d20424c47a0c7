// What an interrupted build leaves in a folder: unfinished files under temporary names.
//
//   NAME.rsow.partial     a table            NAME: urim-2x6-2e2f1f19c3ee-012, see table_file_name
//   MANIFEST.json.partial
//
// Everything else that ends in .partial belongs to somebody else and is not touched.
#pragma once

#include <filesystem>
#include <string_view>

namespace retrosow {

// Whether a file of this name (without folder) is what a build writes before it is finished.
bool is_partial_name(std::string_view name);

// Whether it is a regular file under such a name; no link to one.
bool is_leftover(const std::filesystem::directory_entry& entry);

// Removes the leftovers of a folder as far as it can: one that stays is written over by the next build of that
// level, or fails there with a message. Pre: the folder is locked.
void remove_leftovers(const std::filesystem::path& folder) noexcept;

}  // namespace retrosow
