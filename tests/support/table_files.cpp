#include "tests/support/table_files.h"

#include <algorithm>

#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> write_round(const ScratchFolder& folder, const std::string& root) {
  const auto [position, shape] = placed(root);
  const Round round = solve_round_of(rio_rules(EndlessSow::kDraw), position, shape);
  write_round_files(folder.path(), round);
  std::vector<fs::path> files;
  for (const RoundLevel& level : round.levels) {
    files.push_back(folder /
                    table_file_name(round_header(round.rules, position, shape, level.seeds)));
  }
  return files;
}

}  // namespace

void write_round_files(const fs::path& folder, const Round& round) {
  std::uint32_t levels = 0;
  for (const RoundLevel& level : round.levels) levels |= 1U << ((total_seeds(round.root) - level.seeds) / 4);
  for (const RoundLevel& level : round.levels) {
    TableHeader header = round_header(round.rules, round.root, round.shape, level.seeds);
    header.round_levels = levels;
    header.endless_moves = level.endless_moves;
    write_table(folder, header, level.values, level.keys);
  }
}

fs::path write_level(const ScratchFolder& folder, const RuleSet& rules, unsigned pits,
                     unsigned seeds, const std::vector<Value>& values) {
  const TableHeader header = level_header(rules, pits, seeds);
  write_table(folder.path(), header, values);
  return folder / table_file_name(header);
}

std::vector<Value> made_up_values(unsigned pits, unsigned limit, unsigned seeds) {
  RandomNumbers random(seeds);
  std::vector<Value> values(level_size(pits, limit, seeds));
  for (Value& value : values) {
    value =
        static_cast<Value>(static_cast<int>(random.below(2 * seeds + 1)) - static_cast<int>(seeds));
  }
  return values;
}

fs::path write_made_up_level(const ScratchFolder& folder, unsigned pits, unsigned seeds) {
  return write_level(folder, urim_rules(), pits, seeds, made_up_values(pits, 17, seeds));
}

std::vector<std::uint16_t> made_up_distances(unsigned pits, unsigned limit, unsigned seeds) {
  RandomNumbers random(seeds + 1000);
  std::vector<std::uint16_t> distances;
  for (const Value value : made_up_values(pits, limit, seeds)) {
    const auto plies = static_cast<std::uint16_t>(random.below(random.one_in(20) ? 3000 : 20));
    distances.push_back(value == 0 ? kNoDistance : plies);
  }
  return distances;
}

fs::path write_made_up_distances(const ScratchFolder& folder, unsigned pits, unsigned seeds) {
  TableHeader values = level_header(urim_rules(), pits, seeds);
  const std::vector<Value> level = made_up_values(pits, 17, seeds);
  values.digest = digest_of(std::as_bytes(std::span(level)));
  return write_distances(folder, values, made_up_distances(pits, 17, seeds));
}

fs::path write_distances(const ScratchFolder& folder, const TableHeader& values,
                         const std::vector<std::uint16_t>& distances) {
  const TableHeader header = distance_header(values);
  write_table(folder.path(), header, distances);
  return folder / table_file_name(header);
}

std::vector<Guarantee> made_up_guarantees(unsigned pits, unsigned limit, unsigned seeds) {
  RandomNumbers random(seeds + 2000);
  std::vector<Guarantee> guarantees(made_up_values(pits, limit, seeds).size());
  for (Guarantee& pair : guarantees) {
    pair.mover = static_cast<std::uint8_t>(random.between(0, seeds));
    const unsigned rest = seeds - pair.mover;
    pair.opponent = static_cast<std::uint8_t>(random.one_in(3) ? rest : random.between(0, rest));
  }
  return guarantees;
}

fs::path write_made_up_guarantees(const ScratchFolder& folder, unsigned pits, unsigned seeds) {
  const TableHeader header = guarantee_header(urim_rules(), pits, seeds);
  write_table(folder.path(), header, made_up_guarantees(pits, 17, seeds));
  return folder / table_file_name(header);
}

std::vector<fs::path> small_files(const ScratchFolder& folder) {
  const std::vector<fs::path> rounds = write_round(folder, "x,4,4/4,4,4");
  return {write_made_up_level(folder, 2, 5), write_made_up_level(folder, 3, 4),
          write_made_up_distances(folder, 2, 6), write_made_up_guarantees(folder, 3, 4),
          rounds[rounds.size() / 2]};
}

void read_everything(const fs::path& path) {
  const TableReader reader(path);
  reader.check();
  if (reader.header().kind == TableKind::kValues) {
    (void)reader.read_all();
  } else if (reader.header().kind == TableKind::kGuarantees) {
    (void)reader.read_all_guarantees();
  } else {
    (void)reader.read_all_distances();
  }
  (void)reader.read_keys();
}

std::string refusal_fault(const fs::path& path, const Bytes& bytes, const std::string& what) {
  write_bytes(path, bytes);
  const std::optional<Error> error = error_from([&] { read_everything(path); });
  if (!error) return what + " went unnoticed";
  if (error->error_class() != ErrorClass::kCorrupt)
    return what + ": another class: " + error->what();
  if (error->path != path.string()) return what + ": without the path: " + error->what();
  if (!error->offset) return what + ": without the offset: " + error->what();
  if (error->expected.empty() || error->found.empty()) {
    return what + ": without expected and found: " + error->what();
  }
  return "";
}

}  // namespace retrosow::test
