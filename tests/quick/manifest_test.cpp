// MANIFEST.json: what a folder holds, in the same bytes however it was built, true at every moment.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bitboard/notation.h"
#include "tables/build.h"
#include "tables/manifest.h"
#include "tests/support/boards.h"
#include "tests/support/building.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

std::string manifest_in(const fs::path& folder) {
  const fs::path path = folder / kManifestName;
  if (!fs::exists(path)) return "";
  const Bytes bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

bool lists(const fs::path& folder, const std::string& name) {
  return manifest_in(folder).find("\"" + name + "\"") != std::string::npos;
}

// Whether a text ends with its checksum.
bool is_whole(const std::string& text) {
  const auto parts = manifest_parts(text);
  return parts && manifest_checksum(parts->covered) == parts->checksum;
}

// What is wrong with a manifest as a list of the folder's table files; read with another program's parser.
std::string manifest_fault(const std::string& text, const fs::path& folder) {
  const auto manifest = nlohmann::json::parse(text, nullptr, false);
  if (manifest.is_discarded()) return "not JSON";
  if (manifest["format"] != "retrosow manifest" || manifest["version"] != 1)
    return "another format";
  std::map<std::string, nlohmann::json> listed;
  for (const auto& entry : manifest["files"]) listed[entry["name"]] = entry;
  if (listed.size() != manifest["files"].size()) return "a name twice";
  for (const fs::path& path : files_ending(folder, ".rsow")) {
    const std::string name = path.filename().string();
    if (!listed.contains(name)) return name + " is not listed";
    const nlohmann::json entry = listed[name];
    const TableReader reader(path);
    const TableHeader& header = reader.header();
    if (entry["kind"] != (header.kind == TableKind::kValues ? "values" : "distances"))
      return name + ": kind";
    if (entry["game"] != game_name(header.rules.game)) return name + ": game";
    if (entry["rules"] != canonical_text(header.rules)) return name + ": rules";
    if (header.shape.mover_pits == header.shape.opponent_pits) {
      if (entry["pits"] != header.shape.mover_pits || entry.contains("rows"))
        return name + ": pits";
    } else if (entry["rows"] !=
               nlohmann::json{header.shape.mover_pits, header.shape.opponent_pits}) {
      return name + ": rows";
    }
    if (entry.contains("start") != (header.index == IndexKind::kKeys)) return name + ": start";
    if (entry["seeds"] != header.seeds) return name + ": seeds";
    if (entry["positions"] != header.positions) return name + ": positions";
    if (entry["bytes"] != fs::file_size(path)) return name + ": bytes";
    if (entry["digest"] != header.digest.hex()) return name + ": digest";
    listed.erase(name);
  }
  return listed.empty() ? "" : listed.begin()->first + " is not there";
}

TEST(Manifest, ListsEveryFileOfAFolderWithLevelsAndRounds) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 3, 4, options_for(folder.path()));
  build_levels(urim_rules("pit-limit=3"), 2, 3, options_for(folder.path()));
  for (const char* root : {"4,4/4,4", "x,4,4/4,4,4"}) {
    const auto [position, shape] = placed(root);
    build_round(rio_rules(EndlessSow::kForbid), position, shape, options_for(folder.path()));
  }
  const std::string text = manifest_in(folder.path());
  EXPECT_EQ(manifest_fault(text, folder.path()), "");
  EXPECT_TRUE(is_whole(text));
  EXPECT_EQ(Manifest(folder.path()).text(), text);
  EXPECT_NE(text.find("\"rows\": [2, 3], \"start\": \"4,4/4,4,4\""), std::string::npos) << text;
  EXPECT_TRUE(files_ending(folder.path(), ".partial").empty());
}

TEST(Manifest, AFileMissingOrTooManyOrAnotherIsFoundByTheComparison) {  // the test's own check
  const ScratchFolder folder;
  build_levels(urim_rules(), 2, 3, options_for(folder.path()));
  const std::string text = manifest_in(folder.path());
  ASSERT_EQ(manifest_fault(text, folder.path()), "");
  const fs::path path = files_ending(folder.path(), ".rsow").at(2);
  fs::rename(path, folder / "other.rsow");
  EXPECT_NE(manifest_fault(text, folder.path()), "");
  fs::remove(folder / "other.rsow");
  EXPECT_EQ(manifest_fault(text, folder.path()), path.filename().string() + " is not there");
  std::string changed = text;
  changed[changed.find("\"positions\": ") + 13] = '9';
  EXPECT_NE(manifest_fault(changed, folder.path()), "");
  EXPECT_EQ(manifest_fault(text.substr(1), folder.path()), "not JSON");
}

TEST(Manifest, TheTextIsThatOfTheFormatDocument) {
  Manifest manifest;
  EXPECT_TRUE(
      manifest.text().starts_with("{\n  \"format\": \"retrosow manifest\",\n  \"version\": 1,\n  "
                                  "\"files\": [\n  ],\n  \"checksum\": \""));
  ManifestEntry level{"urim-b.rsow", TableKind::kValues,  "urim", "RULES", equal_rows(2), "", 1, 4,
                      318,           std::string(32, 'a')};
  ManifestEntry round{"rio-a.rsow",
                      TableKind::kDistances,
                      "rio-kadalis",
                      "endless-sow=draw",
                      rows(2, 3),
                      "4,4/4,4,4",
                      20,
                      7,
                      400,
                      std::string(32, 'b')};
  manifest.set(level);
  manifest.set(round);
  const std::string covered =
      "{\n  \"format\": \"retrosow manifest\",\n  \"version\": 1,\n  \"files\": [\n"
      "    {\"name\": \"rio-a.rsow\", \"kind\": \"distances\", \"game\": \"rio-kadalis\", "
      "\"rules\": "
      "\"endless-sow=draw\", \"rows\": [2, 3], \"start\": \"4,4/4,4,4\", \"seeds\": 20, "
      "\"positions\": 7, "
      "\"bytes\": 400, \"digest\": \"" +
      std::string(32, 'b') +
      "\"},\n"
      "    {\"name\": \"urim-b.rsow\", \"kind\": \"values\", \"game\": \"urim\", \"rules\": "
      "\"RULES\", "
      "\"pits\": 2, \"seeds\": 1, \"positions\": 4, \"bytes\": 318, \"digest\": \"" +
      std::string(32, 'a') + "\"}\n  ],\n";
  EXPECT_EQ(manifest.text(),
            covered + "  \"checksum\": \"" + manifest_checksum(covered) + "\"\n}\n");
  EXPECT_EQ(*manifest.find("urim-b.rsow"), level);
  EXPECT_EQ(manifest.find("urim-c.rsow"), nullptr);
  level.bytes = 319;  // put in place of the old one
  manifest.set(level);
  EXPECT_EQ(manifest.entries().size(), 2U);
  EXPECT_EQ(manifest.find("urim-b.rsow")->bytes, 319U);
  manifest.remove("rio-a.rsow");
  manifest.remove("nothing.rsow");
  EXPECT_EQ(manifest.entries().size(), 1U);
}

TEST(Manifest, EveryByteTurnedOverOrCutOffIsNoticed) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 2, 2, options_for(folder.path()));
  const std::string text = manifest_in(folder.path());
  ASSERT_TRUE(is_whole(text));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const int bit : {1, 4, 32}) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      ASSERT_FALSE(is_whole(damaged)) << at;
    }
    ASSERT_FALSE(is_whole(text.substr(0, at))) << at;
    ASSERT_FALSE(is_whole(text.substr(text.size() - at))) << at;
  }
  EXPECT_FALSE(is_whole(text + "\n"));
}

TEST(Manifest, IsTheSameForAnyThreadsAndHoweverOftenABuildIsTakenUp) {
  const ScratchFolder whole, again;
  build_levels(urim_rules(), 3, 6, options_for(whole.path()));
  for (const unsigned seeds : {0U, 1U, 4U, 6U, 2U}) {
    build_levels(urim_rules(), 3, seeds, options_for(again.path(), 7));
  }
  EXPECT_EQ(manifest_in(again.path()), manifest_in(whole.path()));
}

TEST(Manifest, OfAFolderThatHadNoneOrABrokenOneIsWrittenByTheNextBuild) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 2, 3, options_for(folder.path()));
  const std::string right = manifest_in(folder.path());
  fs::remove(folder / std::string(kManifestName));
  build_levels(urim_rules(), 2, 0, options_for(folder.path()));  // finds all four
  EXPECT_EQ(manifest_in(folder.path()), right);
  write_bytes(folder / std::string(kManifestName), Bytes(3, 'x'));
  build_levels(urim_rules(), 2, 0, options_for(folder.path()));
  EXPECT_EQ(manifest_in(folder.path()), right);
}

TEST(Manifest, ListsExactlyTheFinishedLevelsOfAnInterruptedBuild) {
  unsigned interrupted = 0;
  for (unsigned n = 1; n < 40; n += 2) {
    const ScratchFolder folder;
    BuildOptions options = options_for(folder.path());
    unsigned asked = 0;
    options.control.stop = [&] { return ++asked >= n; };
    if (!error_from([&] { build_levels(urim_rules(), 3, 5, options); })) continue;
    ++interrupted;
    if (files_ending(folder.path(), ".rsow").empty()) continue;
    ASSERT_EQ(manifest_fault(manifest_in(folder.path()), folder.path()), "") << n;
  }
  EXPECT_GE(interrupted, 5U);
}

TEST(Manifest, AFileThatIsBuiltAgainIsNotListedMeanwhile) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 6, 6, options_for(folder.path()));
  BuildOptions options = options_for(folder.path());
  options.force = true;
  unsigned in_work = 0;
  options.control.stop = [&] {
    // Asked while a level is solved: all levels are listed but one at most.
    const unsigned missing = [&] {
      unsigned count = 0;
      for (unsigned seeds = 0; seeds <= 6; ++seeds) {
        if (!lists(folder.path(), table_file_name(level_header(urim_rules(), 6, seeds)))) ++count;
      }
      return count;
    }();
    EXPECT_LE(missing, 1U);
    in_work += missing;
    return false;
  };
  build_levels(urim_rules(), 6, 6, options);
  EXPECT_GE(in_work, 7U);
  EXPECT_EQ(manifest_fault(manifest_in(folder.path()), folder.path()), "");
}

TEST(Manifest, AFileThatIsGoneStaysListedUntilItIsBuiltAgain) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 3, 4, options_for(folder.path()));
  const auto [position, shape] = placed("x,4,4/4,4,4");
  build_round(rio_rules(EndlessSow::kForbid), position, shape, options_for(folder.path()));
  const std::string whole = manifest_in(folder.path());
  const std::string level = table_file_name(level_header(urim_rules(), 3, 2));
  const std::string round = files_ending(folder.path(), ".rsow").front().filename().string();
  for (const std::string& name : {level, round}) fs::remove(folder / name);
  build_levels(urim_rules("pit-limit=3"), 2, 3, options_for(folder.path()));  // another set
  EXPECT_TRUE(lists(folder.path(), level));
  EXPECT_TRUE(lists(folder.path(), round));
  EXPECT_TRUE(is_whole(manifest_in(folder.path())));
  build_levels(urim_rules(), 3, 4, options_for(folder.path()));
  build_round(rio_rules(EndlessSow::kForbid), position, shape, options_for(folder.path()));
  EXPECT_EQ(manifest_fault(manifest_in(folder.path()), folder.path()), "");
}

TEST(Manifest, ItsTextIsReadBackAndNoOtherIs) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 2, 2, options_for(folder.path()));
  const auto [position, shape] = placed("x,4,4/4,4,4");
  build_round(rio_rules(EndlessSow::kForbid), position, shape, options_for(folder.path()));
  const std::string text = manifest_in(folder.path());
  ASSERT_TRUE(parse_manifest(text).has_value());
  EXPECT_EQ(parse_manifest(text)->entries(), Manifest(folder.path()).entries());
  EXPECT_EQ(parse_manifest(Manifest().text())->entries().size(), 0U);
  EXPECT_FALSE(parse_manifest("").has_value());
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    ASSERT_FALSE(parse_manifest(damaged).has_value()) << at;
    ASSERT_FALSE(parse_manifest(text.substr(0, at)).has_value()) << at;
  }
}

TEST(Manifest, LeavesOutFilesThatAreDamagedOrCalledOtherwise) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 2, 3, options_for(folder.path()));
  const std::vector<fs::path> files = files_ending(folder.path(), ".rsow");
  fs::copy_file(files[0], folder / "copy \"of\" it.rsow");
  write_bytes(files[2], Bytes(50, 0));
  const Manifest manifest(folder.path());
  EXPECT_EQ(manifest.entries().size(), 3U);
  EXPECT_EQ(manifest.find(files[2].filename().string()), nullptr);
  EXPECT_NE(manifest.find(files[3].filename().string()), nullptr);
}

}  // namespace
}  // namespace retrosow::test
