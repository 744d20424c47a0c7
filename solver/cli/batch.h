// Answers the position argument, or every line of standard input where it is `-`, or the position of a game record.
#pragma once

#include <functional>
#include <string>

#include "solver/cli/arguments.h"
#include "solver/cli/output.h"
#include "solver/cli/rule_options.h"

namespace retrosow::cli {

enum class Form : unsigned char {
  kJson,  // Reply::record
  kText,  // Reply::text, as many lines as it takes
  kLine,  // Reply::text, one line: an answer in a batch
};

struct Reply {
  Json record;
  std::string text;
  int exit_code = 0;   // 6: a limit stopped the answer half-way
  std::string remark;  // for standard error: why the exit code is not 0
};

using Answer = std::function<Reply(const Board& board, Form form)>;

// Returns the exit code: in a batch 2 if any line was a usage error, else that of the first line that
// failed otherwise, else 0. A line that fails gives an error record, the others are answered.
// Fails: whatever `answer` throws for a single position; interrupted and output errors always.
int answer_positions(const Arguments& arguments, const RuleChoice& choice, const Answer& answer);

}  // namespace retrosow::cli
