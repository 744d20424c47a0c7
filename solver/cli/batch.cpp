#include "solver/cli/batch.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>

#include "bitboard/error.h"
#include "solver/cli/signals.h"

namespace retrosow::cli {
namespace {

// No position is as long as this; what is longer is not kept in memory.
constexpr std::size_t kMaxLineBytes = 1000;

// The next line of standard input without its end (LF or CR LF), at most kMaxLineBytes + 1 bytes of it.
std::optional<std::string> read_line() {
  std::string line;
  int c = 0;
  bool any = false;
  while ((c = std::getc(stdin)) != EOF) {
    any = true;
    if (c == '\n') break;
    if (line.size() <= kMaxLineBytes) line += static_cast<char>(c);
  }
  if (c == EOF && std::ferror(stdin) != 0) {
    const int error_number = errno;
    check_interrupted();
    throw Error(ErrorClass::kIo,
                std::string("cannot read standard input: ") + std::strerror(error_number));
  }
  if (!any) return std::nullopt;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t") == std::string::npos;
}

int answer_batch(const Arguments& arguments, const RuleChoice& choice, const Answer& answer) {
  const Form form = arguments.json() ? Form::kJson : Form::kLine;
  int exit_code = 0;
  const auto note_code = [&](int code) {
    if (code == error_exit_code(ErrorClass::kUsage) || exit_code == 0) exit_code = code;
  };
  const auto report = [&](std::uint64_t number, const std::string& message) {
    if (form == Form::kJson) {
      print_record({{"line", number}, {"error", message}});
    } else {
      print("line " + std::to_string(number) + ": error: " + message + "\n");
      flush_output();
    }
  };
  std::uint64_t number = 0;
  while (const std::optional<std::string> line = read_line()) {
    ++number;
    check_interrupted();
    if (is_blank(*line)) continue;
    Reply reply;
    try {
      if (line->size() > kMaxLineBytes) {
        throw usage_error("the line is longer than " + std::to_string(kMaxLineBytes) +
                          " bytes, which no position is");
      }
      reply = answer(read_board(choice, *line), form);
    } catch (const Error& error) {
      if (error.error_class() == ErrorClass::kInterrupted) throw;
      note_code(error_exit_code(error.error_class()));
      report(number, error_text(error));
      continue;
    } catch (const std::bad_alloc&) {
      note_code(error_exit_code(ErrorClass::kLimit));
      report(number, "out of memory");
      continue;
    } catch (const std::exception& error) {
      note_code(kInternalError);
      report(number, std::string("internal error: ") + error.what());
      continue;
    }
    note_code(reply.exit_code);
    print(form == Form::kJson ? record_text(reply.record) : reply.text);
    flush_output();
    if (!reply.remark.empty()) complain("line " + std::to_string(number) + ": " + reply.remark);
  }
  check_interrupted();
  return exit_code;
}

}  // namespace

int answer_positions(const Arguments& arguments, const RuleChoice& choice, const Answer& answer) {
  const std::string& text = arguments.position().value();
  if (text == "-") return answer_batch(arguments, choice, answer);
  const Form form = arguments.json() ? Form::kJson : Form::kText;
  const Reply reply = answer(read_board(choice, text), form);
  print(form == Form::kJson ? record_text(reply.record) : reply.text);
  flush_output();
  if (!reply.remark.empty()) complain(reply.remark);
  return reply.exit_code;
}

}  // namespace retrosow::cli
