// Small files that are complete or not there.
#pragma once

#include <filesystem>
#include <string_view>

namespace retrosow {

// Writes `path`.partial, flushes it to disk and renames it over `path`. Whatever happens, power loss included,
// `path` is what it was or the whole text. (The folder is not flushed: which of the two is left to chance.)
// Fails: io error; limit error when the disk is full; the unfinished file is deleted.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace retrosow
