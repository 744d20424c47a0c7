# Writes a C++ file that holds the files of a folder (web_page.h). FOLDER, FILES (a list, relative to it), OUTPUT.
set(type_html "text/html; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_mjs "text/javascript; charset=utf-8")
set(type_json "application/json; charset=utf-8")
set(type_txt "text/plain; charset=utf-8")
set(type_webmanifest "application/manifest+json")
set(type_svg "image/svg+xml")
set(type_png "image/png")
set(type_ico "image/x-icon")
set(type_woff2 "font/woff2")

string(REPLACE "," ";" FILES "${FILES}")
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(extension "${file}" LAST_EXT)
  string(SUBSTRING "${extension}" 1 -1 extension)
  if(NOT DEFINED type_${extension})
    message(FATAL_ERROR "${FOLDER}/${file}: no content type is known for .${extension}; web_page.cmake lists them")
  endif()
  file(SHA256 "${FOLDER}/${file}" hash)
  string(SUBSTRING "${hash}" 0 16 hash)
  file(READ "${FOLDER}/${file}" contents HEX)
  string(LENGTH "${contents}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" contents "${contents}")
  set(path "/${file}")
  if(file STREQUAL "index.html")
    set(path "/")
  endif()
  string(APPEND entries
    "    {\"${path}\", \"${type_${extension}}\", \"\\\"${hash}\\\"\",\n     {\"${contents}\", ${length}}},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by web_page.cmake.
#include \"solver/cli/web_page.h\"

#include <array>

namespace retrosow::cli {
namespace {

constexpr auto kFiles = std::to_array<WebFile>({
${entries}});

}  // namespace

std::span<const WebFile> web_files() { return kFiles; }

}  // namespace retrosow::cli
")
