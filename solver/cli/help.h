// Help texts, made from the verb table.
#pragma once

#include <string>

#include "solver/cli/verb.h"

namespace retrosow::cli {

// What `retrosow` without a verb says, short.
std::string usage_text();
// `retrosow --help`.
std::string program_help();
// `retrosow VERB --help`: every option with its default and unit.
std::string verb_help(const Verb& verb);

}  // namespace retrosow::cli
