// `retrosow check`: whether the files of a table folder are whole, and all there.

#include <algorithm>
#include <map>
#include <set>

#include "solver/cli/output.h"
#include "solver/cli/progress.h"
#include "solver/cli/resources.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "tables/atomic_file.h"
#include "tables/check.h"
#include "tables/table_listing.h"

namespace retrosow::cli {
namespace {


// MANIFEST.json as it stands in a folder.
struct ReadManifest {
  bool there = false;
  std::uint64_t bytes = 0;
  std::optional<Error> error;
  std::vector<ManifestEntry> entries;  // empty where it is damaged
};

Error manifest_error(ErrorClass error_class, const std::filesystem::path& path,
                     const std::string& message) {
  Error error(error_class, path.string() + ": " + message);
  error.path = path.string();
  return error;
}

ManifestEntry entry_of(const Json& record) {
  ManifestEntry entry;
  entry.name = record.at("name").get<std::string>();
  const std::string kind = record.at("kind").get<std::string>();
  for (const TableKind one : {TableKind::kValues, TableKind::kDistances, TableKind::kGuarantees}) {
    if (kind == kind_name(one)) entry.kind = one;
  }
  entry.game = record.at("game").get<std::string>();
  entry.rules = record.at("rules").get<std::string>();
  if (record.contains("pits")) {
    entry.shape.mover_pits = entry.shape.opponent_pits = record.at("pits").get<std::uint8_t>();
  } else {
    entry.shape.mover_pits = record.at("rows").at(0).get<std::uint8_t>();
    entry.shape.opponent_pits = record.at("rows").at(1).get<std::uint8_t>();
  }
  entry.start = record.value("start", "");
  entry.seeds = record.at("seeds").get<unsigned>();
  entry.positions = record.at("positions").get<std::uint64_t>();
  entry.bytes = record.at("bytes").get<std::uint64_t>();
  entry.digest = record.at("digest").get<std::string>();
  return entry;
}

// Pre: `manifest.bytes` is known. Fails: Error of the manifest.
std::vector<ManifestEntry> read_entries(const std::filesystem::path& path,
                                        const std::string& text) {
  const std::optional<ManifestParts> parts = manifest_parts(text);
  if (!parts) {
    Error error =
        manifest_error(ErrorClass::kCorrupt, path,
                       "damaged: it does not end with a checksum, so it is cut short or not ours; "
                       "the next build into the folder writes it anew");
    error.offset = text.size();
    throw error;
  }
  const std::string computed = manifest_checksum(parts->covered);
  if (computed != parts->checksum) {
    Error error =
        manifest_error(ErrorClass::kCorrupt, path,
                       "damaged: checksum at offset " + std::to_string(parts->covered.size()) +
                           ": expected " + std::string(parts->checksum) + ", found " + computed +
                           "; the next build into the folder writes it anew");
    error.offset = parts->covered.size();
    error.expected = parts->checksum;
    error.found = computed;
    throw error;
  }
  std::vector<ManifestEntry> entries;
  try {
    const Json manifest = Json::parse(text);
    const auto version = manifest.at("version").get<std::uint64_t>();
    if (version != kManifestVersion) {
      throw manifest_error(ErrorClass::kUnsupported, path,
                           "manifest version " + std::to_string(version) + "; this program reads " +
                               std::to_string(kManifestVersion));
    }
    for (const Json& record : manifest.at("files")) entries.push_back(entry_of(record));
  } catch (const Json::exception& fault) {
    throw manifest_error(ErrorClass::kCorrupt, path,
                         std::string("damaged: not readable as JSON: ") + fault.what());
  }
  return entries;
}

ReadManifest read_manifest(const std::filesystem::path& folder) {
  ReadManifest manifest;
  const std::filesystem::path path = folder / kManifestName;
  try {
    const std::optional<std::string> text = read_text_file(path);
    manifest.there = text.has_value();
    if (!text) return manifest;
    manifest.bytes = text->size();
    manifest.entries = read_entries(path, *text);
  } catch (const Error& error) {
    manifest.there = true;
    manifest.error = error;
  }
  return manifest;
}

// A line of the report.
struct Item {
  std::string name;
  std::string kind;  // empty: unknown
  const TableHeader* header = nullptr;
  std::optional<std::uint64_t> bytes;  // nothing: it is not there
  std::optional<bool> listed;          // nothing: no manifest to look it up in
  std::optional<Error> error;
};

// What the manifest lists is compared with the files; sorted by name.
std::vector<Item> items_of(const CheckedFolder& folder, const ReadManifest& manifest,
                           const std::filesystem::path& path) {
  std::vector<Item> items;
  const bool comparable = manifest.there && !manifest.error;
  for (const CheckedFile& file : folder.files) {
    Item item;
    item.name = file.path.filename().string();
    item.bytes = file.bytes;
    item.error = file.error;
    if (file.header) {
      item.header = &*file.header;
      item.kind = kind_name(file.header->kind);
    }
    if (comparable) {
      const auto listed =
          std::find_if(manifest.entries.begin(), manifest.entries.end(),
                       [&](const ManifestEntry& entry) { return entry.name == item.name; });
      item.listed = listed != manifest.entries.end();
      if (*item.listed && file.header && !item.error) item.error = manifest_fault(file, *listed);
    }
    items.push_back(std::move(item));
  }
  for (const ManifestEntry& entry : manifest.entries) {
    if (std::any_of(folder.files.begin(), folder.files.end(),
                    [&](const CheckedFile& file) { return file.path.filename() == entry.name; })) {
      continue;
    }
    Item item;
    item.name = entry.name;
    item.kind = kind_name(entry.kind);
    item.listed = true;
    item.error = manifest_error(ErrorClass::kIo, path / entry.name,
                                "is not there, but " + std::string(kManifestName) +
                                    " lists it; the build that made it makes it again");
    items.push_back(std::move(item));
  }
  if (manifest.there) {
    items.push_back(
        {std::string(kManifestName), "manifest", nullptr, manifest.bytes, {}, manifest.error});
  }
  for (const std::filesystem::path& leftover : folder.leftovers) {
    std::error_code code;
    const std::uintmax_t bytes = std::filesystem::file_size(leftover, code);
    items.push_back({leftover.filename().string(), "leftover", nullptr, code ? 0 : bytes, {}, {}});
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.name < b.name; });
  return items;
}

// What is not whole though every file is: levels that are not there below others, distances without their values.
// Files that are reported in another way (listed and gone, unreadable) are not missed here.
std::vector<std::string> gap_remarks(const CheckedFolder& folder, const std::vector<Item>& items,
                                     const std::filesystem::path& path) {
  const auto reported = [&](const std::string& name) {
    return std::any_of(items.begin(), items.end(),
                       [&](const Item& item) { return item.name == name; });
  };
  std::vector<std::string> remarks;
  std::map<std::string, std::map<unsigned, const TableHeader*>> boards;  // by the name of level 0
  std::set<std::string> values;
  for (const CheckedFile& file : folder.files) {
    if (!file.header || file.header->kind != TableKind::kValues) continue;
    TableHeader header = *file.header;
    values.insert(table_file_name(header));
    if (header.index != IndexKind::kRanks) continue;
    header.seeds = 0;
    boards[table_file_name(header)].emplace(file.header->seeds, &*file.header);
  }
  for (const auto& [name, levels] : boards) {
    const TableHeader& header = *levels.begin()->second;
    std::string missing;
    for (unsigned seeds = 0; seeds < levels.rbegin()->first; ++seeds) {
      const TableHeader wanted = level_header(header.rules, header.shape.mover_pits, seeds);
      if (levels.contains(seeds) || reported(table_file_name(wanted))) continue;
      missing += (missing.empty() ? "" : ", ") + std::to_string(seeds);
    }
    if (missing.empty()) continue;
    remarks.push_back("remark: " + path.string() + " has no tables of the levels " + missing +
                      " of " + std::string(game_name(header.rules.game)) + " " +
                      rows_text(header.shape) + " (" + canonical_text(header.rules) +
                      "), and those above rest on them");
  }
  std::set<std::string> rounds;  // by the name of the root's level
  for (const CheckedFile& file : folder.files) {
    if (!file.header || file.header->index != IndexKind::kKeys) continue;
    const TableHeader& header = *file.header;
    const auto name_of = [&](unsigned seeds) {
      return table_file_name(round_header(header.rules, header.root, header.shape, seeds));
    };
    if (!rounds.insert(name_of(total_seeds(header.root))).second) continue;
    std::string missing;
    for (const unsigned seeds : levels_of_round(header)) {
      if (values.contains(name_of(seeds)) || reported(name_of(seeds))) continue;
      missing += (missing.empty() ? "" : ", ") + std::to_string(seeds);
    }
    if (missing.empty()) continue;
    remarks.push_back("remark: " + path.string() + " has no tables of the levels " + missing +
                      " of the round of " + std::string(game_name(header.rules.game)) + " (" +
                      canonical_text(header.rules) + ") from " +
                      format_board(board_of(header.root, header.shape)));
  }
  for (const CheckedFile& file : folder.files) {
    if (!file.header || file.header->kind == TableKind::kValues) continue;
    const bool distances = file.header->kind == TableKind::kDistances;
    TableHeader wanted = *file.header;
    wanted.kind = TableKind::kValues;
    const std::string name = table_file_name(wanted);
    if (values.contains(name) || reported(name)) continue;
    remarks.push_back("remark: " + file.path.string() +
                      (distances ? " holds distances" : " holds guarantees") +
                      " of a level whose values are not there (" + name + ")");
  }
  return remarks;
}

Json record_of(const Item& item) {
  Json record = {{"file", item.name}};
  if (!item.kind.empty()) record["kind"] = item.kind;
  if (item.header != nullptr) {
    const TableHeader& header = *item.header;
    record["game"] = game_name(header.rules.game);
    record["rules"] = canonical_text(header.rules);
    if (header.shape.mover_pits == header.shape.opponent_pits) {
      record["pits"] = header.shape.mover_pits;
    } else {
      record["rows"] = {header.shape.mover_pits, header.shape.opponent_pits};
    }
    if (header.index == IndexKind::kKeys)
      record["start"] = format_board(board_of(header.root, header.shape));
    record["seeds"] = header.seeds;
    record["positions"] = header.positions;
    record["digest"] = header.digest.hex();
  }
  if (item.bytes) record["bytes"] = *item.bytes;
  if (item.listed) record["listed"] = *item.listed;
  record["ok"] = !item.error;
  if (item.error) {
    record["error"] = item.error->what();
    if (item.error->offset) record["offset"] = *item.error->offset;
    if (!item.error->expected.empty()) record["expected"] = item.error->expected;
    if (!item.error->found.empty()) record["found"] = item.error->found;
  }
  return record;
}

std::string verdict_of(const Item& item) {
  if (!item.error) return item.kind == "leftover" ? "leftover" : "ok";
  switch (item.error->error_class()) {
    case ErrorClass::kCorrupt: return "DAMAGED";
    case ErrorClass::kUnsupported: return "unsupported";
    default: return item.bytes ? "unreadable" : "MISSING";
  }
}

void print_text(const std::vector<Item>& items) {
  using enum TextTable::Align;
  TextTable table;
  table.add_column("file", kLeft);
  table.add_column("positions", kRight);
  table.add_column("bytes", kRight);
  table.add_column("digest", kLeft);
  table.add_column("", kLeft);
  std::size_t tables = 0, faults = 0;
  for (const Item& item : items) {
    table.add_row({item.name, item.header != nullptr ? grouped(item.header->positions) : "",
                   item.bytes ? grouped(*item.bytes) : "",
                   item.header != nullptr ? item.header->digest.hex() : "", verdict_of(item)});
    if (item.kind != "leftover" && item.kind != "manifest") ++tables;
    if (item.error) ++faults;
  }
  print(table.text() + "\n" + counted(tables, "tables") + ": " +
        (faults == 0 ? "all whole" : counted(faults, "faults")) + "\n");
}

std::vector<OptionGroup> check_options() {
  return {{"Tables",
           {{"tables", "DIR", "Folder with table files. Needed."},
            {"threads", "N", "Threads, 1 to 1024. Default: all cores."}}}};
}

int run_check(const Arguments& arguments) {
  const std::filesystem::path path = arguments.require("tables");
  CheckOptions options;
  options.threads = read_threads(arguments);
  ProgressLine progress(arguments);
  options.control = progress.control();
  const CheckedFolder folder = check_folder(path, options);
  progress.finish();
  const ReadManifest manifest = read_manifest(path);
  const std::vector<Item> items = items_of(folder, manifest, path);
  if (folder.files.empty() && !manifest.there) {
    throw Error(ErrorClass::kIo, "no tables in " + path.string());
  }

  std::vector<TableFolder::Fault> faults;
  for (const Item& item : items) {
    if (item.error) faults.push_back({path / item.name, *item.error});
  }
  for (const TableFolder::Fault& fault : faults) complain(faults_text({fault}));
  if (!arguments.quiet()) {
    if (!manifest.there) {
      complain("remark: there is no " + std::string(kManifestName) + " in " + path.string() +
               ", so a file that is gone is not missed; the next build into the folder writes it");
    }
    for (const Item& item : items) {
      if (item.kind == "leftover") {
        complain("remark: " + (path / item.name).string() +
                 " is what an interrupted build left; the next build into the folder removes it");
      } else if (item.listed == false && !item.error) {
        complain("remark: " + (path / item.name).string() + " is not listed in " +
                 std::string(kManifestName));
      }
    }
    for (const std::string& remark : gap_remarks(folder, items, path)) complain(remark);
  }
  if (arguments.json()) {
    for (const Item& item : items) print_record(record_of(item));
  } else {
    print_text(items);
  }

  // Damage weighs more than what is not there, and that more than what cannot be judged.
  for (const ErrorClass wanted : {ErrorClass::kCorrupt, ErrorClass::kIo}) {
    for (const TableFolder::Fault& fault : faults) {
      if (fault.error.error_class() == wanted) return error_exit_code(wanted);
    }
  }
  return faults.empty() ? 0 : error_exit_code(faults.front().error.error_class());
}

}  // namespace

extern const Verb kCheckVerb;
const Verb kCheckVerb = {
    .name = "check",
    .synopsis = "--tables DIR [options]",
    .summary = "integrity of the tables in a folder: every byte against its checksums",
    .description =
        "Reads every table file of the folder: headers, sizes, the checksum of "
        "every block, and the\n"
        "digest of the values. Compares the folder with its MANIFEST.json, too. "
        "A fault is reported on\n"
        "standard error, and the other files are still checked. Exit code 4 "
        "if anything is damaged, 3 if\n"
        "a listed file is not there, 5 if files are of a later format version. "
        "Whether the values are\n"
        "right is for `verify` to say.",
    .example =
        "retrosow check --tables tables-urim\n"
        "retrosow check --tables tables --json",
    .options = check_options,
    .run = run_check};

}  // namespace retrosow::cli
