// The explorer's answers, apart from HTTP: a request target goes in, a status and a body come out.
// solver/web/API.md documents them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace retrosow::cli {

struct WebAnswer {
  int status = 200;
  std::string_view content_type = "application/json; charset=utf-8";
  std::shared_ptr<const std::string> body;  // answers that are kept are shared with the cache
  std::string_view etag;                    // of files of the page, quoted; else empty
};

// An error as the API gives it.
WebAnswer error_answer(int status, std::string_view message);

// Reads nothing but the table files of the folder, which are opened once, at the start, and what is built into the
// program: no part of a request ever becomes the name of a file.
// Thread: any number of threads.
class Explorer {
 public:
  // Fails: io error if the folder cannot be read.
  explicit Explorer(const std::optional<std::filesystem::path>& tables);
  ~Explorer();

  // Never throws on input: what is wrong with a request is said in the answer.
  WebAnswer get(std::string_view target);
  WebAnswer post(std::string_view target, std::string_view body);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrosow::cli
