// Small text files that are complete or not there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace retrosow {

// Writes `path`.partial, flushes it to disk and renames it over `path`. Whatever happens, power loss included,
// `path` is what it was or the whole text. (The folder is not flushed: which of the two is left to chance.)
// Fails: io error; limit error when the disk is full; the unfinished file is deleted.
void write_text_file(const std::filesystem::path& path, std::string_view text);

// All of a file; nothing where there is none. Fails: io error if it cannot be read or is no regular file.
std::optional<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace retrosow
