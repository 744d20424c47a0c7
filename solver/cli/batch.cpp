#include "solver/cli/batch.h"

#include <new>
#include <optional>

#include "bitboard/error.h"
#include "solver/cli/input.h"
#include "solver/cli/signals.h"

namespace retrosow::cli {
namespace {

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
  if (arguments.position() == "-") return answer_batch(arguments, choice, answer);
  const Form form = arguments.json() ? Form::kJson : Form::kText;
  const Board board =
      choice.record ? choice.record->board : read_board(choice, arguments.position().value());
  const Reply reply = answer(board, form);
  print(form == Form::kJson ? record_text(reply.record) : reply.text);
  flush_output();
  if (!reply.remark.empty()) complain(reply.remark);
  return reply.exit_code;
}

}  // namespace retrosow::cli
