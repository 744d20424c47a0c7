// `retrosow estimate`: what a build needs, before it is started.

#include <algorithm>

#include "solver/cli/numbers.h"
#include "solver/cli/output.h"
#include "solver/cli/progress.h"
#include "solver/cli/resources.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "solver/solve.h"
#include "tables/estimate.h"

namespace retrosow::cli {
namespace {


std::vector<OptionGroup> estimate_options() {
  std::vector<OptionGroup> groups = rule_option_groups(false);
  groups.insert(
      groups.begin(),
      {"The build",
       {{"seeds", "N", "Urim family: all levels from 0 to N seeds, 127 at most. Needed there."},
        {"distance", "", "With distances."},
        {"guarantees", "", "Urim family: with guarantees."},
        {"out", "DIR", "Folder for the table files: its free disk space counts. Default: here."},
        {"memory", "SIZE",
         "Memory to use at most: bytes, or 512MiB, 12GiB. Default: 80 % of what is available."},
        {"threads", "N", "Threads, 1 to 1024. Default: all cores."}}});
  return groups;
}

// What is free where the folder is or will be. Nothing where that cannot be told.
std::optional<std::uint64_t> free_disk(std::filesystem::path folder) {
  std::error_code code;
  folder = std::filesystem::absolute(folder, code);
  while (!code && !std::filesystem::exists(folder, code) && folder.has_relative_path())
    folder = folder.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(folder, code);
  if (code) return std::nullopt;
  return space.available;
}

// 1234567890 -> "1.15 GiB"
std::string size_text(std::uint64_t bytes) {
  if (bytes < (std::uint64_t{1} << 20)) return grouped(bytes) + " bytes";
  const bool gibi = bytes >= (std::uint64_t{1} << 30);
  const auto hundredths = static_cast<std::uint64_t>(static_cast<double>(bytes) * 100 /
                                                     (gibi ? double{1 << 30} : double{1 << 20}));
  const std::string decimals = std::to_string(100 + hundredths % 100).substr(1);
  return grouped(hundredths / 100) + "." + decimals + (gibi ? " GiB" : " MiB");
}

struct Room {
  std::uint64_t memory = 0;
  std::optional<std::uint64_t> disk;
};

// For a while, beside the files.
std::uint64_t scratch_bytes(const BuildEstimate& estimate, const Room& room) {
  return room.memory < estimate.comfortable_memory_bytes ? estimate.scratch_bytes : 0;
}

// Nothing where the disk is unknown.
std::optional<bool> fits_disk(const BuildEstimate& estimate, const Room& room) {
  if (!room.disk) return std::nullopt;
  return estimate.file_bytes + scratch_bytes(estimate, room) <= *room.disk;
}

void print_records(const RuleChoice& choice, const std::optional<Board>& start,
                   const BuildEstimate& estimate, const Room& room) {
  Json about = {{"game", game_name(choice.rules.game)},
                {"rules", choice.canonical},
                {"pits", start ? start->pits : choice.pits_or_default()}};
  if (start) about["start"] = format_board(*start);
  for (const LevelEstimate& level : estimate.levels) {
    Json record = about;
    record["seeds"] = level.seeds;
    record["positions"] = level.positions;
    record["memory"] = level.memory_bytes;
    record["bytes"] = level.file_bytes;
    record["seconds"] = record_seconds(level.seconds);
    print_record(record);
  }
  Json record = about;
  record["levels"] = estimate.levels.size();
  record["positions"] = estimate.positions;
  record["least_memory"] = estimate.least_memory_bytes;
  record["comfortable_memory"] = estimate.comfortable_memory_bytes;
  record["available_memory"] = room.memory;
  record["fits_memory"] = estimate.least_memory_bytes <= room.memory;
  record["bytes"] = estimate.file_bytes;
  record["scratch"] = scratch_bytes(estimate, room);
  record["available_disk"] = room.disk ? Json(*room.disk) : Json(nullptr);
  const std::optional<bool> on_disk = fits_disk(estimate, room);
  record["fits_disk"] = on_disk ? Json(*on_disk) : Json(nullptr);
  record["seconds"] = record_seconds(estimate.seconds);
  record["threads"] = estimate.threads;
  record["trial_rate"] = static_cast<std::uint64_t>(estimate.trial_rate);
  print_record(record);
}

void print_text(const RuleChoice& choice, const std::optional<Board>& start,
                const BuildEstimate& estimate, const Room& room) {
  using enum TextTable::Align;
  TextTable table;
  table.add_column(std::string(unit_of(choice.rules)), kRight);
  for (const char* column : {"positions", "memory", "disk", "time"}) table.add_column(column, kRight);
  for (const LevelEstimate& level : estimate.levels) {
    table.add_row({std::to_string(level.seeds), grouped(level.positions),
                   size_text(level.memory_bytes), size_text(level.file_bytes),
                   duration(level.seconds)});
  }
  table.add_row({"all", grouped(estimate.positions), size_text(estimate.least_memory_bytes),
                 size_text(estimate.file_bytes), duration(estimate.seconds)});
  std::string text = std::string(game_name(choice.rules.game)) + " 2x" +
                     std::to_string(start ? start->pits : choice.pits_or_default()) +
                     (start ? " from " + format_board(*start) : "") + ", " + choice.canonical +
                     "\n" + table.text() + "\n";

  const bool memory_fits = estimate.least_memory_bytes <= room.memory;
  text += "memory  " + size_text(estimate.least_memory_bytes) +
          (start ? std::string("; allowed are ")
                 : " at least, " + size_text(estimate.comfortable_memory_bytes) +
                       " for the shortest time; allowed are ") + size_text(room.memory) + ": " +
          (estimate.comfortable_memory_bytes <= room.memory ? "fits"
           : memory_fits                                    ? "fits, but takes longer than said"
                                                            : "does not fit");
  if (!memory_fits && !start) {
    const auto first_too_large =
        std::find_if(estimate.levels.begin(), estimate.levels.end(),
                     [&](const LevelEstimate& level) { return level.memory_bytes > room.memory; });
    text += first_too_large == estimate.levels.begin()
                ? ", no level does"
                : "; up to " + counted((first_too_large - 1)->seeds, "seeds") + " it would";
  }
  const std::uint64_t scratch = scratch_bytes(estimate, room);
  text += "\ndisk    " + size_text(estimate.file_bytes) +
          (scratch == 0 ? std::string() : ", for a while " + size_text(scratch) + " more") + "; " +
          (room.disk ? size_text(*room.disk) +
                           " are free: " + (*fits_disk(estimate, room) ? "fits" : "does not fit")
                     : std::string("how much is free is not known"));
  text += "\ntime    " + duration(estimate.seconds) + " with " +
          counted(estimate.threads, "threads") +
          (start ? " (they were enumerated here at " : " (a trial here made ") +
          short_number(estimate.trial_rate) + " positions/s)\n";
  text += "Positions are exact, memory is what a build asks for; disk and time are forecasts.\n";
  print(text);
}

int run_estimate(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  const std::string* out = arguments.find("out");
  Room room;
  room.memory = read_memory(arguments);
  const unsigned workers = read_threads(arguments);
  if (out != nullptr && out->empty()) throw usage_error("option --out: '' is not a folder");
  room.disk = free_disk(out == nullptr ? "." : *out);
  const std::string game(game_name(choice.rules.game));
  std::optional<Board> start;  // Rio Kadalis
  BuildEstimate estimate;
  if (family_of(choice.rules.game) == Family::kRioKadalis) {
    if (arguments.find("seeds") != nullptr) {
      throw usage_error("--seeds does not go with " + game +
                        ", whose tables hold what can be reached from a position; give the "
                        "position instead (default `start`)");
    }
    if (arguments.given("guarantees")) {
      throw usage_error("--guarantees does not go with " + game + "; it is for the Urim family");
    }
    start = read_board(choice, arguments.position().value_or("start"));
    ProgressLine progress(arguments);
    estimate = estimate_round(choice.rules, start->position, start->shape(), workers, room.memory,
                              arguments.given("distance"), progress.control());
    progress.finish();
  } else {
    if (arguments.position()) {
      throw usage_error("'" + *arguments.position() + "': tables of " + game +
                        " hold all boards of a size and start from no position; give --pits and "
                        "--seeds");
    }
    const unsigned seeds = parse_level("option --seeds", arguments.require("seeds"));
    estimate = estimate_levels(choice.rules, choice.pits_or_default(), seeds, workers,
                               arguments.given("distance"), arguments.given("guarantees"));
  }
  if (arguments.json()) {
    print_records(choice, start, estimate, room);
  } else {
    print_text(choice, start, estimate, room);
  }
  return 0;
}

}  // namespace

extern const Verb kEstimateVerb;
const Verb kEstimateVerb = {
    .name = "estimate",
    .synopsis = "(--seeds N | [POS]) [options]",
    .summary = "positions, memory, disk and time of a build, before it is started",
    .description =
        "Says what `build` with the same options would need, and whether memory and disk have it.\n"
        "Of Rio Kadalis that takes enumerating what can be reached from POS (default `start`).\n"
        "Positions and memory are exact. Disk and time are forecasts, from a short trial on this machine\n"
        "and from how rates and file sizes changed with the level where they were measured.",
    .example =
        "retrosow estimate --seeds 36\n"
        "retrosow estimate --game rio-kadalis --pits 5 --distance\n"
        "retrosow estimate --pits 7 --seeds 42 --distance --memory 24GiB --json\n"
        "retrosow estimate --game awari --seeds 24 --threads 8",
    .position = PositionArgument::kOptional,
    .options = estimate_options,
    .run = run_estimate};

}  // namespace retrosow::cli
