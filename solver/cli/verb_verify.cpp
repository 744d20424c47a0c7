// `retrosow verify`: whether the values of a folder's tables follow from the rules.

#include <algorithm>

#include "solver/cli/numbers.h"
#include "solver/cli/output.h"
#include "solver/cli/progress.h"
#include "solver/cli/resources.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/signals.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "solver/sample_check.h"
#include "solver/solve.h"
#include "tables/table_listing.h"
#include "tables/verify.h"

namespace retrosow::cli {
namespace {

constexpr int kDisproved = 1;

// The tables of one board size under one rule set.
struct Group {
  RuleSet rules;
  Shape shape;
  IndexKind index = IndexKind::kRanks;
  Position root;           // kKeys
  unsigned distances = 0;  // levels that have them
};

std::vector<Group> groups_of(const TableFolder& folder, const RuleChoice& choice) {
  std::vector<Group> groups;
  for (const TableReader& file : folder.files()) {
    const TableHeader& header = file.header();
    if (choice.rules_given && !same_rules(header.rules, choice.rules)) continue;
    if (choice.pits != 0 &&
        (header.shape.mover_pits != choice.pits || header.shape.opponent_pits != choice.pits)) {
      continue;
    }
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& other) {
      return same_rules(other.rules, header.rules) && other.shape == header.shape &&
             other.index == header.index && other.root == header.root;
    });
    if (group == groups.end()) {
      group = groups.insert(group, {header.rules, header.shape, header.index, header.root, 0});
    }
    if (header.kind == TableKind::kDistances) ++group->distances;
  }
  return groups;
}

std::string start_text(const Group& group) {
  return format_board(board_of(group.root, group.shape));
}

std::string group_text(const Group& group) {
  const std::string text = std::string(game_name(group.rules.game)) + " " + rows_text(group.shape) +
                           ", " + canonical_text(group.rules);
  return group.index == IndexKind::kRanks ? text : text + ", from " + start_text(group);
}

double seconds_of(const Verification& verification) {
  double seconds = 0;
  for (const VerifiedLevel& level : verification.levels) seconds += level.seconds;
  return seconds;
}

std::uint64_t positions_of(const Verification& verification) {
  std::uint64_t positions = 0;
  for (const VerifiedLevel& level : verification.levels) positions += level.positions;
  return positions;
}

std::size_t distances_of(const Verification& verification) {
  return static_cast<std::size_t>(
      std::count_if(verification.levels.begin(), verification.levels.end(),
                    [](const VerifiedLevel& level) { return level.distances; }));
}

Json group_record(const Group& group) {
  Json record = {{"game", game_name(group.rules.game)}, {"rules", canonical_text(group.rules)}};
  if (group.shape.mover_pits == group.shape.opponent_pits) {
    record["pits"] = group.shape.mover_pits;
  } else {
    record["rows"] = {group.shape.mover_pits, group.shape.opponent_pits};
  }
  if (group.index == IndexKind::kKeys) record["start"] = start_text(group);
  return record;
}

void print_verification(const Group& group, const Verification& verification,
                        const VerifiedGuarantees& guarantees) {
  Json record = group_record(group);
  record["proved"] = verification.proved;
  record["levels"] = verification.levels.size();
  record["distances"] = distances_of(verification);
  record["guarantees"] = guarantees.levels;
  record["positions"] = positions_of(verification);
  record["fault_count"] = verification.fault_count;
  Json faults = Json::array();
  for (const VerifyFault& fault : verification.faults) {
    faults.push_back({{"seeds", fault.seeds},
                      {"index", fault.index},
                      {"position", format_board(board_of(fault.position, fault.shape))},
                      {"what", fault.what}});
  }
  record["faults"] = std::move(faults);
  record["seconds"] = record_seconds(seconds_of(verification) + guarantees.seconds);
  print_record(record);
}

std::string verdict_of(const Verification& verification) {
  if (verification.fault_count != 0)
    return "DISPROVED: " + counted(verification.fault_count, "faults");
  if (verification.proved) return "proved";
  const std::size_t distances = distances_of(verification);
  if (distances == 0) return "consistent; no proof: there are no distances (build --distance)";
  return "consistent; no proof: only " + std::to_string(distances) + " of " +
         std::to_string(verification.levels.size()) + " levels have distances (build --distance)";
}

std::string verification_text(const Group& group, const Verification& verification,
                              const VerifiedGuarantees& guarantees) {
  using enum TextTable::Align;
  TextTable table;
  for (const char* column : {"level", "positions", "faults"}) table.add_column(column, kRight);
  table.add_column("distances", kLeft);
  table.add_column("time", kRight);
  table.add_column("digest", kLeft);
  for (const VerifiedLevel& level : verification.levels) {
    table.add_row({std::to_string(level.seeds), grouped(level.positions), grouped(level.faults),
                   level.distances ? "checked" : "none", duration(level.seconds),
                   level.digest.hex()});
  }
  std::string text = group_text(group) + "\n" + table.text();
  for (const VerifyFault& fault : verification.faults) {
    text += "level " + std::to_string(fault.seeds) + ", index " + std::to_string(fault.index) +
            ", " + format_board(board_of(fault.position, fault.shape)) + ": " + fault.what + "\n";
  }
  if (verification.fault_count > verification.faults.size()) {
    text += "and " + grouped(verification.fault_count - verification.faults.size()) + " more\n";
  }
  if (guarantees.levels != 0) {
    text += "guarantees of " + counted(guarantees.levels, "levels") + ", " +
            counted(guarantees.positions, "positions") + ", " + duration(guarantees.seconds) + ": " +
            (guarantees.fault_count == 0 ? "proved" : "DISPROVED") + "\n";
  }
  return text + counted(positions_of(verification), "positions") + ": " +
         verdict_of(verification) + "\n";
}

std::vector<const TableReader*> value_tables_of(const TableFolder& folder, const Group& group) {
  std::vector<const TableReader*> tables;
  for (const TableReader& file : folder.files()) {
    const TableHeader& header = file.header();
    if (header.index == group.index && header.root == group.root && header.shape == group.shape &&
        header.kind == TableKind::kValues && same_rules(header.rules, group.rules)) {
      tables.push_back(&file);
    }
  }
  return tables;
}

std::string sample_fault_text(const SampleFault& fault) {
  const auto [lower, upper] = fault.searched;
  return "value " + with_sign(fault.value) + ", by search " + with_sign(lower) +
         (lower == upper ? "" : " to " + with_sign(upper));
}

void print_sample(const Group& group, const SampleCheck& check) {
  Json record = group_record(group);
  record["proved"] = false;
  record["by_search"] = check.positions;
  record["nodes"] = check.nodes;
  record["fault_count"] = check.faults.size();
  Json faults = Json::array();
  for (const SampleFault& fault : check.faults) {
    faults.push_back({{"seeds", fault.seeds},
                      {"index", fault.index},
                      {"position", format_board(board_of(fault.position, fault.shape))},
                      {"what", sample_fault_text(fault)}});
  }
  record["faults"] = std::move(faults);
  record["seconds"] = record_seconds(check.seconds);
  print_record(record);
}

std::string sample_text(const Group& group, const SampleCheck& check) {
  std::string text = group_text(group) + "\n";
  for (const SampleFault& fault : check.faults) {
    text += "level " + std::to_string(fault.seeds) + ", index " + std::to_string(fault.index) + ", " +
            format_board(board_of(fault.position, fault.shape)) + ": " + sample_fault_text(fault) + "\n";
  }
  return text + counted(check.positions, "sampled positions") + " solved again by search, " +
         counted(check.nodes, "positions entered") + " in " + duration(check.seconds) + ": " +
         (!check.faults.empty()  ? "DISPROVED: " + counted(check.faults.size(), "faults")
          : check.positions == 0 ? "nothing is known"
                                 : "all the same") +
         "\n";
}

std::vector<OptionGroup> verify_options() {
  std::vector<OptionGroup> groups = rule_option_groups(false);
  groups.front().title =
      "Which tables: with --game or an option of the rules those of exactly these rules, "
      "with --pits\nthose with that many pits in both rows, else all";
  groups.insert(
      groups.begin(),
      {"Tables",
       {{"tables", "DIR", "Folder with table files. Needed."},
        {"threads", "N", "Threads, 1 to 1024. Default: all cores."},
        {"memory", "SIZE",
         "Memory for decoded tables: bytes, or 512MiB, 12GiB. Default: 80 % of what is available. "
         "A round must fit. With --by-search that of its transposition table; default 256MiB."},
        {"by-search", "N",
         "Instead: solve N positions, drawn from all tables alike, again by search without tables."},
        {"limit-seconds", "S",
         "With --by-search: end each sample, of one game and board, after S seconds, with exit code 6. Default: no limit."}}});
  return groups;
}

// The exit code of several: what was disproved weighs most, then damage, then what is not there.
class Verdict {
 public:
  void disproved() { disproved_ = true; }
  void add(const std::filesystem::path& path, const Error& error) {
    faults_.push_back({path, error});
    complain(faults_text({faults_.back()}));
  }
  int exit_code() const {
    if (disproved_) return kDisproved;
    for (const ErrorClass wanted : {ErrorClass::kCorrupt, ErrorClass::kIo}) {
      for (const TableFolder::Fault& fault : faults_) {
        if (fault.error.error_class() == wanted) return error_exit_code(wanted);
      }
    }
    return faults_.empty() ? 0 : error_exit_code(faults_.front().error.error_class());
  }

 private:
  bool disproved_ = false;
  std::vector<TableFolder::Fault> faults_;
};

int run_verify(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  const std::filesystem::path path = arguments.require("tables");
  VerifyOptions options;
  options.memory_bytes = read_memory(arguments);
  options.threads = read_threads(arguments);
  std::optional<SampleOptions> sample;
  if (const std::string* positions = arguments.find("by-search")) {
    sample.emplace();
    sample->positions = parse_count("option --by-search", *positions, 1, std::uint64_t{1} << 32);
    sample->threads = options.threads;
    if (arguments.given("memory")) sample->transposition_bytes = options.memory_bytes;
  }
  if (const std::string* seconds = arguments.find("limit-seconds")) {
    if (!sample) throw usage_error("option --limit-seconds: a proof has no limit; it goes with --by-search");
    sample->limit_seconds = parse_seconds("option --limit-seconds", *seconds, 0, kMaxSeconds);
  }
  const TableFolder folder(path);
  Verdict verdict;
  for (const TableFolder::Fault& fault : folder.faults()) verdict.add(fault.path, fault.error);
  const std::vector<Group> groups = groups_of(folder, choice);
  if (groups.empty() && folder.faults().empty()) {
    throw Error(ErrorClass::kIo,
                "no such tables in " + path.string() + "; there: " + contents_text(folder.files()));
  }

  bool first = true;
  for (const Group& group : groups) {
    check_interrupted();
    ProgressLine progress(arguments);
    options.control = progress.control();
    Verification verification;
    VerifiedGuarantees guarantees;
    try {
      if (sample) {
        sample->control = options.control;
        const std::vector<const TableReader*> tables = value_tables_of(folder, group);
        if (tables.empty()) throw Error(ErrorClass::kIo, group_text(group) + ": there are no tables of values");
        const SampleCheck check = check_by_search(tables, *sample);
        progress.finish();
        if (!check.faults.empty()) verdict.disproved();
        if (check.error) verdict.add(check.error->path.empty() ? path : std::filesystem::path(check.error->path), *check.error);
        if (arguments.json()) {
          print_sample(group, check);
        } else {
          print((first ? "" : "\n") + sample_text(group, check));
          flush_output();
        }
        first = false;
        continue;
      }
      verification = group.index == IndexKind::kRanks
                         ? verify_levels(folder, group.rules, group.shape.mover_pits, options)
                         : verify_round(folder, group.rules, group.root, group.shape, options);
    } catch (const Error& error) {
      if (error.error_class() == ErrorClass::kInterrupted) throw;
      progress.finish();
      verdict.add(error.path.empty() ? path : std::filesystem::path(error.path), error);
      continue;
    }
    if (group.index == IndexKind::kRanks) {
      try {
        guarantees = verify_guarantees(folder, group.rules, group.shape.mover_pits, options);
      } catch (const Error& error) {  // what was found of the values is said all the same
        if (error.error_class() == ErrorClass::kInterrupted) throw;
        progress.finish();
        verdict.add(error.path.empty() ? path : std::filesystem::path(error.path), error);
        verification.proved = false;
      }
      verification.fault_count += guarantees.fault_count;
      verification.proved = verification.proved && guarantees.fault_count == 0;
      verification.faults.insert(verification.faults.end(), guarantees.faults.begin(), guarantees.faults.end());
    }
    progress.finish();
    if (verification.fault_count != 0) verdict.disproved();
    if (arguments.json()) {
      print_verification(group, verification, guarantees);
    } else {
      print((first ? "" : "\n") + verification_text(group, verification, guarantees));
      flush_output();
    }
    first = false;
  }
  return verdict.exit_code();
}

}  // namespace

extern const Verb kVerifyVerb;
const Verb kVerifyVerb = {
    .name = "verify",
    .synopsis = "--tables DIR [options]",
    .summary = "proves the values of tables from the rules",
    .description =
        "Plays every move of every position and compares values and distances with what "
        "the rules make of\n"
        "them. With distances that is a proof; values alone can agree with each other and "
        "be wrong, since\n"
        "moves can go round. Guarantees are proved without them: each must be what the moves make of it, and\n"
        "come from captures or the end in finitely many plies, which takes some ten times as long as values\n"
        "do. --by-search solves a sample in another way.\n"
        "Exit code 1 if anything is disproved, 4 if files are damaged.",
    .example =
        "retrosow verify --tables tables-urim\n"
        "retrosow verify --tables tables --game awari --json",
    .options = verify_options,
    .run = run_verify};

}  // namespace retrosow::cli
