// Builds of tables for the tests.
#pragma once

#include <filesystem>

#include "tables/build.h"

namespace retrosow::test {

inline BuildOptions options_for(const std::filesystem::path& folder, unsigned threads = 1) {
  BuildOptions options;
  options.folder = folder;
  options.threads = threads;
  return options;
}

}  // namespace retrosow::test
