// Help texts, made from the verb table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/cli/verb.h"

namespace retrosow::cli {

// What the help of the program and its manual page both say.
inline constexpr std::string_view kPositionsText =
    "a1,a2,..,ak/b1,b2,..,bk: first the row of the player to move, then his opponent's, each in "
    "its\n"
    "own sowing order; x is a closed hole (Rio Kadalis). `start` is the start position.";
inline constexpr std::string_view kOutputText =
    "Results go to standard output, everything else to standard error. --json, on every verb, "
    "prints\n"
    "one JSON object per record.";
inline constexpr std::string_view kKernelVariable = "RETROSOW_KERNEL";
inline constexpr std::string_view kKernelVariableText =
    "forces a move kernel; `retrosow version` lists those that run here";

struct ExitCode {
  int number;
  std::string_view meaning;
};
std::span<const ExitCode> exit_codes();

// What `retrosow` without a verb says, short.
std::string usage_text();
// `retrosow --help`.
std::string program_help();
// `retrosow VERB --help`: every option with its default and unit.
std::string verb_help(const Verb& verb);

}  // namespace retrosow::cli
