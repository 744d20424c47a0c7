// Rule sets to test with, and their twins for tests/reference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bitboard/rules.h"
#include "tests/reference/rio_reference.h"
#include "tests/reference/urim_reference.h"

namespace retrosow::test {

// Urim's defaults with these options set instead, e.g. "pit-limit=3 remainder=last-mover".
RuleSet urim_rules(std::string_view options = "");
RuleSet rio_rules(EndlessSow endless_sow);

// Rule sets of the Urim family that cover every value of every option, the pit limits 1, 3, 5, 17, 127
// and none under both limit rules, and the presets.
const std::vector<RuleSet>& urim_rule_sets();

reference::UrimRules reference_rules(const RuleSet& rules, unsigned pits);
reference::RioRules reference_rules(const RuleSet& rules);

}  // namespace retrosow::test
