#include <array>

#include "solver/cli/verb.h"

namespace retrosow::cli {

extern const Verb kRulesVerb;
extern const Verb kMovesVerb;
extern const Verb kPerftVerb;
extern const Verb kBenchVerb;
extern const Verb kSolveVerb;
extern const Verb kBuildVerb;
extern const Verb kEstimateVerb;
extern const Verb kProbeVerb;
extern const Verb kLineVerb;
extern const Verb kCheckVerb;
extern const Verb kVerifyVerb;
extern const Verb kStatsVerb;
extern const Verb kExportVerb;
extern const Verb kMatchVerb;
extern const Verb kPlayVerb;
extern const Verb kServeVerb;
extern const Verb kVersionVerb;

namespace {

constexpr std::array kVerbs = {
    &kRulesVerb, &kMovesVerb, &kPerftVerb, &kBenchVerb,  &kSolveVerb, &kBuildVerb,  &kEstimateVerb,
    &kProbeVerb, &kLineVerb,  &kCheckVerb, &kVerifyVerb, &kStatsVerb, &kExportVerb, &kMatchVerb,
    &kPlayVerb,  &kServeVerb, &kVersionVerb};

}  // namespace

std::span<const Verb* const> all_verbs() { return kVerbs; }

const Verb* find_verb(std::string_view name) {
  for (const Verb* verb : kVerbs) {
    if (verb->name == name) return verb;
  }
  return nullptr;
}

OptionGroup common_options() {
  return {"Output",
          {{"json", "", "One JSON object per record on standard output (solver/cli/JSON.md)."},
           {"progress", "auto|always|never",
            "Progress on standard error. Default auto: only where that is a terminal."},
           {"quiet", "", "No progress and no remarks on standard error; errors only."},
           {"verbose", "", "More remarks on standard error: rules, kernel, limits."},
           {"help", "", "This text."}}};
}

std::vector<OptionGroup> options_of_verb(const Verb& verb) {
  std::vector<OptionGroup> groups;
  if (verb.options != nullptr) groups = verb.options();
  groups.push_back(common_options());
  return groups;
}

}  // namespace retrosow::cli
