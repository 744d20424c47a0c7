#include "tests/support/rule_sets.h"

namespace retrosow::test {

RuleSet urim_rules(std::string_view options) { return parse_canonical_text(Game::kUrim, options); }

RuleSet rio_rules(EndlessSow endless_sow) {
  RuleSet rules = preset(Game::kRioKadalis);
  rules.endless_sow = endless_sow;
  return rules;
}

const std::vector<RuleSet>& urim_rule_sets() {
  static const std::vector<RuleSet> sets = {
      urim_rules(),
      urim_rules("pit-limit-rule=forbid"),
      urim_rules("pit-limit=1"),
      urim_rules("pit-limit=1 pit-limit-rule=forbid trigger=1 chain=1"),
      urim_rules("pit-limit=3"),
      urim_rules("pit-limit=3 pit-limit-rule=forbid"),
      urim_rules("pit-limit=5"),
      urim_rules("pit-limit=5 pit-limit-rule=forbid"),
      urim_rules("pit-limit=127"),
      urim_rules("pit-limit=127 pit-limit-rule=forbid"),
      urim_rules("pit-limit=0"),
      urim_rules("grand-slam=leave"),
      urim_rules("grand-slam=forbid"),
      urim_rules("pit-limit=0 grand-slam=forbid remainder=last-mover"),
      urim_rules("pit-limit=3 grand-slam=leave trigger=1,2,3 chain=1,2,3"),
      urim_rules("pit-limit=5 pit-limit-rule=forbid grand-slam=forbid remainder=last-mover"),
      urim_rules("starvation=leave"),
      urim_rules("pit-limit=3 starvation=leave grand-slam=forbid"),
      urim_rules("pit-limit=5 pit-limit-rule=forbid starvation=leave trigger=1,2 chain=1,2,3,4,5"),
      urim_rules("trigger=1 chain=none"),
      urim_rules("pit-limit=0 trigger=4,15 chain=1,15 grand-slam=leave"),
      urim_rules("trigger=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 "
                 "chain=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"),
      preset(Game::kOware),
      preset(Game::kAwari),
  };
  return sets;
}

reference::UrimRules reference_rules(const RuleSet& rules, unsigned pits) {
  reference::UrimRules twin;
  twin.pits = static_cast<int>(pits);
  twin.pit_limit = static_cast<int>(rules.pit_limit);
  twin.pit_limit_forbids = rules.pit_limit_rule == PitLimitRule::kForbid;
  twin.trigger.clear();
  twin.chain.clear();
  for (unsigned count = 1; count <= kMaxSetCount; ++count) {
    if (rules.trigger.contains(count)) twin.trigger.insert(static_cast<int>(count));
    if (rules.chain.contains(count)) twin.chain.insert(static_cast<int>(count));
  }
  switch (rules.grand_slam) {
    case GrandSlam::kCapture: twin.grand_slam = reference::GrandSlam::kCapture; break;
    case GrandSlam::kLeave: twin.grand_slam = reference::GrandSlam::kLeave; break;
    case GrandSlam::kForbid: twin.grand_slam = reference::GrandSlam::kForbid; break;
  }
  twin.starvation = rules.starvation == Starvation::kFeed ? reference::Starvation::kFeed
                                                          : reference::Starvation::kLeave;
  twin.remainder = rules.remainder == Remainder::kRow ? reference::Remainder::kRow
                                                      : reference::Remainder::kLastMover;
  return twin;
}

reference::RioRules reference_rules(const RuleSet& rules) {
  return {rules.endless_sow == EndlessSow::kForbid ? reference::EndlessSow::kForbid
                                                   : reference::EndlessSow::kDraw};
}

}  // namespace retrosow::test
