// `retrosow build`: generates table files into a folder.

#include "solver/cli/evaluation_output.h"
#include "solver/cli/numbers.h"
#include "solver/cli/progress.h"
#include "solver/cli/resources.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "solver/solve.h"
#include "tables/build.h"

namespace retrosow::cli {
namespace {


std::vector<OptionGroup> build_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(
      groups.begin(),
      {"Building",
       {{"out", "DIR", "Folder for the table files; it is made if need be. Needed."},
        {"seeds", "N",
         "Urim family: build all levels from 0 to N seeds, 127 at most. Needed there."},
        {"memory", "SIZE",
         "Memory to use at most: bytes, or 512MiB, 12GiB. Default: 80 % of what is available."},
        {"threads", "N",
         "Threads, 1 to 1024. Default: all cores. The files are the same."},
        {"force", "",
         "Build finished levels again, from the first. Default: they are checked and kept, also those that an "
         "interrupted build with --force did not reach."},
        {"distance", "",
         "Also tables of distances to the next capture, for levels that are there, too. Values "
         "are not built again."},
        {"guarantees", "",
         "Urim family: also tables of the seeds that each side can be sure of, which no convention about endless "
         "play bears on; for levels that are there, too."}}});
  return groups;
}

// What to build: levels of the Urim family, or the round from a position.
struct Plan {
  RuleChoice choice;
  unsigned seeds = 0;          // Urim family
  std::optional<Board> start;  // Rio Kadalis
};

Plan read_plan(const Arguments& arguments) {
  Plan plan{read_rules(arguments), 0, std::nullopt};
  const std::string game(game_name(plan.choice.rules.game));
  const std::string* seeds = arguments.find("seeds");
  if (family_of(plan.choice.rules.game) == Family::kRioKadalis) {
    if (seeds != nullptr) {
      throw usage_error(
          "--seeds does not go with " + game +
          ", whose tables hold what can be reached from a position; give the position "
          "instead (default `start`)");
    }
    if (arguments.given("guarantees")) {
      throw usage_error("--guarantees does not go with " + game + "; it is for the Urim family");
    }
    plan.start = read_board(plan.choice, arguments.position().value_or("start"));
    return plan;
  }
  if (arguments.position()) {
    throw usage_error(
        "'" + *arguments.position() + "': tables of " + game +
        " hold all boards of a size and start from no position; give --pits and --seeds");
  }
  plan.seeds = parse_level("option --seeds", arguments.require("seeds"));
  return plan;
}

Json file_record(const BuiltLevel::Distances& file) {
  return {{"bytes", file.file_bytes},
          {"digest", file.digest.hex()},
          {"reused", file.reused},
          {"seconds", record_seconds(file.seconds)}};
}

unsigned pits_of(const Plan& plan) { return plan.start ? plan.start->pits : plan.choice.pits_or_default(); }

Json level_record(const Plan& plan, const BuiltLevel& level) {
  Json record = {{"game", game_name(plan.choice.rules.game)}, {"rules", plan.choice.canonical}, {"pits", pits_of(plan)}};
  if (plan.start) record["start"] = format_board(*plan.start);
  record["seeds"] = level.seeds;
  record["positions"] = level.positions;
  record["bytes"] = level.file_bytes;
  record["digest"] = level.digest.hex();
  record["reused"] = level.reused;
  record["seconds"] = record_seconds(level.seconds);
  if (level.distances) record["distance"] = file_record(*level.distances);
  if (level.guarantees) record["guarantee"] = file_record(*level.guarantees);
  return record;
}

void print_levels(const Plan& plan, const std::vector<BuiltLevel>& levels) {
  using enum TextTable::Align;
  TextTable table;
  table.add_column(std::string(unit_of(plan.choice.rules)), kRight);
  table.add_column("positions", kRight);
  table.add_column("bytes", kRight);
  table.add_column("time", kRight);
  table.add_column("digest", kLeft);
  table.add_column("", kLeft);
  std::uint64_t positions = 0, bytes = 0;
  double seconds = 0;
  // A row for the values of a level, and one below it for its distances and its guarantees.
  const auto add = [&](const std::string& seeds, const std::string& count, const auto& file) {
    table.add_row({seeds, count, grouped(file.file_bytes), duration(file.seconds),
                   file.digest.hex(), file.reused ? "was there" : "built"});
    bytes += file.file_bytes;
    seconds += file.seconds;
  };
  for (const BuiltLevel& level : levels) {
    add(std::to_string(level.seeds), grouped(level.positions), level);
    if (level.distances) add("", "distances", *level.distances);
    if (level.guarantees) add("", "guarantees", *level.guarantees);
    positions += level.positions;
  }
  table.add_row({"all", grouped(positions), grouped(bytes), duration(seconds), "", ""});
  const std::string title = std::string(game_name(plan.choice.rules.game)) + " 2x" +
                            std::to_string(pits_of(plan)) +
                            (plan.start ? " from " + format_board(*plan.start) : "") + ", " +
                            plan.choice.canonical + "\n";
  print(title + table.text());
}

int run_build(const Arguments& arguments) {
  const Plan plan = read_plan(arguments);
  BuildOptions options;
  options.folder = arguments.require("out");
  if (options.folder.empty()) throw usage_error("option --out: '' is not a folder");
  options.memory_bytes = read_memory(arguments);
  options.threads = read_threads(arguments);
  options.force = arguments.given("force");
  options.distances = arguments.given("distance");
  options.guarantees = arguments.given("guarantees");
  if (arguments.verbose()) {
    complain("rules " + plan.choice.canonical + ", kernel " +
             std::string(kernel_name(chosen_kernel())) + ", memory limit " +
             grouped(options.memory_bytes) + " bytes, folder " + options.folder.string());
  }

  ProgressLine progress(arguments);
  options.control = progress.control();
  if (arguments.json()) {
    options.on_level = [&](const BuiltLevel& level) {
      progress.clear();
      print_record(level_record(plan, level));
    };
  }
  const std::vector<BuiltLevel> levels =
      plan.start
          ? build_round(plan.choice.rules, plan.start->position, plan.start->shape(), options)
          : build_levels(plan.choice.rules, plan.choice.pits_or_default(), plan.seeds, options);
  progress.finish();
  if (!arguments.json()) print_levels(plan, levels);
  return 0;
}

}  // namespace

extern const Verb kBuildVerb;
const Verb kBuildVerb = {
    .name = "build",
    .synopsis = "--out DIR (--seeds N | [POS]) [options]",
    .summary = "generate tables of values into a folder",
    .description =
        "Generates table files, one a level (all boards with one number of seeds), into the folder "
        "--out.\n"
        "Urim family: all boards of 2xK pits with up to --seeds N seeds. Rio Kadalis: every "
        "position that\n"
        "can be reached from POS (default `start`).\n"
        "An interrupted build leaves its finished levels; the same command takes up where it "
        "stopped.\n"
        "--distance adds distances, which perfect play and `verify` need. --guarantees adds the seeds that\n"
        "each side can be sure of: what published Oware tables hold, since they need no word on endless play.\n"
        "How many positions a round has is known once it is enumerated, which comes first; what the rest\n"
        "needs of --memory is known then, too: a round that does not fit is refused before it is solved.",
    .example =
        "retrosow build --seeds 12 --out tables-urim\n"
        "retrosow build --game rio-kadalis --pits 5 --distance --out tables-rio\n"
        "retrosow build --game awari --seeds 11 --memory 1GiB --out tables-awari\n"
        "retrosow build --pits 4 --seeds 8 --distance --out tables-4\n"
        "retrosow build --game oware --seeds 8 --guarantees --out tables-oware",
    .position = PositionArgument::kOptional,
    .options = build_options,
    .run = run_build};

}  // namespace retrosow::cli
