// The files of solver/web/page, built into the program by web_page.cmake.
#pragma once

#include <span>
#include <string_view>

namespace retrosow::cli {

struct WebFile {
  std::string_view path;  // of the URL, "/app.js"; index.html is "/"
  std::string_view content_type;
  std::string_view etag;  // quoted; of the contents
  std::string_view contents;
};

std::span<const WebFile> web_files();

}  // namespace retrosow::cli
