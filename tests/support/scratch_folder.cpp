#include "tests/support/scratch_folder.h"

#include <algorithm>

namespace retrosow::test {

std::vector<std::filesystem::path> files_ending(const std::filesystem::path& folder,
                                                const std::string& ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().ends_with(ending)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace retrosow::test
