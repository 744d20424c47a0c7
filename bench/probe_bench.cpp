// Probes of table files: one level of Urim on 2x6 boards, boards drawn from all of it with equal chance,
// ranking included. Items are probes.
//
//   Probe/2x6/levelN/values       from a folder whose blocks are all in the cache
//   Probe/2x6/levelN/distances    the same of distances
//   Probe/2x6/levelN/one_block    all probes in one block: what threads do to each other
//   Probe/2x6/levelN/cold         no block is in the cache, all are in the page cache: every probe decodes
//                                 one. cpu_* and wall_* are times of single probes, by two clocks: on a
//                                 machine that has other work, the first tells what the probe costs
//   Probe/2x6/levelN/cold_distances
//   Probe/2x6/levelN/raw          the baseline: rank, and one byte of the bare values, mapped
//
// N is 16 or what RETROSOW_BENCH_LEVEL says. The tables are built when the first of these runs, into a
// temporary folder, or into the one that RETROSOW_BENCH_TABLES names, where they stay. The distances are made
// up: what a probe costs does not depend on them.
//
// A pass is a million probes, not the 32,768 of the other benchmarks: as few boards touch so few lines of
// a table that the processor's caches keep them all from pass to pass.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "bench/benchmarks.h"
#include "bench/inputs.h"
#include "tables/build.h"
#include "tables/table_file.h"

namespace retrosow::bench {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kPits = 6;
constexpr Shape kShape{kPits, kPits};
constexpr unsigned kProbes = 1U << 20;
constexpr unsigned kColdProbes = 1U << 10;
constexpr std::size_t kCacheBytes = std::size_t{1} << 30;  // holds all of any level that is measured

unsigned level_of_environment() {
  const char* text = std::getenv("RETROSOW_BENCH_LEVEL");
  const unsigned long level = text == nullptr ? 16 : std::strtoul(text, nullptr, 10);
  if (level == 0 || level > 24) throw std::invalid_argument("RETROSOW_BENCH_LEVEL must be 1 to 24");
  return static_cast<unsigned>(level);
}

class TableSet {
 public:
  explicit TableSet(unsigned level) : rules_(preset(Game::kUrim)), level_(level) {
    if (const char* folder = std::getenv("RETROSOW_BENCH_TABLES"); folder != nullptr) {
      folder_ = folder;
    } else {
      std::string name = (fs::temp_directory_path() / "retrosow-bench-XXXXXX").string();
      if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
      folder_ = name;
      temporary_ = true;
    }
    BuildOptions options;
    options.folder = folder_;
    build_levels(rules_, kPits, level, options);
    const fs::path values_path = folder_ / table_file_name(level_header(rules_, kPits, level));
    const TableReader values(values_path);
    values_ = values.read_all();
    write_distances(values.header());
    write_and_map_raw();

    const HalfRanks halves(kPits, rules_.pit_limit, level);
    const LevelRanks ranks(halves, level);
    for (const std::uint64_t index : draw_numbers(ranks.size(), kProbes)) {
      boards_.push_back(ranks.unrank(index));
      sum_of_values_ += values_[index];
      sum_of_distances_ += distances_[index];
    }
    constexpr std::uint64_t kBlock = TableWriter::kBlockValues;
    const std::uint64_t first = ranks.size() / kBlock / 2 * kBlock;
    const std::uint64_t in_block = std::min(kBlock, ranks.size() - first);
    for (const std::uint64_t number : draw_numbers(in_block, kProbes)) {
      block_boards_.push_back(ranks.unrank(first + number));
      sum_of_block_ += values_[first + number];
    }
    tables_ = std::make_unique<TableFolder>(folder_, rules_, kCacheBytes);
  }
  ~TableSet() {
    ::munmap(const_cast<Value*>(raw_), values_.size());
    std::error_code ignored;
    if (temporary_) fs::remove_all(folder_, ignored);
  }
  TableSet(const TableSet&) = delete;
  TableSet& operator=(const TableSet&) = delete;

  const RuleSet& rules() const { return rules_; }
  unsigned level() const { return level_; }
  const TableFolder& tables() const { return *tables_; }
  fs::path path(TableKind kind) const {
    TableHeader header = level_header(rules_, kPits, level_);
    if (kind == TableKind::kDistances) header = distance_header(header);
    return folder_ / table_file_name(header);
  }
  const std::vector<Position>& boards() const { return boards_; }
  const std::vector<Position>& block_boards() const { return block_boards_; }
  const Value* raw() const { return raw_; }
  std::int64_t sum_of_values() const { return sum_of_values_; }
  std::int64_t sum_of_distances() const { return sum_of_distances_; }
  std::int64_t sum_of_block() const { return sum_of_block_; }

 private:
  // None where the value is 0; else short ones far more often than long ones, as true ones are.
  void write_distances(const TableHeader& values) {
    const std::vector<std::uint64_t> drawn = draw_numbers(std::uint64_t{1} << 40, 4096);
    distances_.resize(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto short_most = static_cast<std::uint16_t>(1 + std::countl_zero(drawn[i % drawn.size()] << 24));
      distances_[i] = values_[i] == 0 ? kNoDistance : short_most;
    }
    write_table(folder_, distance_header(values), distances_);
  }

  void write_and_map_raw() {
    const fs::path path = folder_ / "values.raw";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(values_.data()), static_cast<std::streamsize>(values_.size()));
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* mapped = ::mmap(nullptr, values_.size(), PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    ::close(descriptor);
    if (mapped == MAP_FAILED) throw std::runtime_error("cannot map " + path.string());
    raw_ = static_cast<const Value*>(mapped);
  }

  RuleSet rules_;
  unsigned level_;
  fs::path folder_;
  bool temporary_ = false;
  std::vector<Value> values_;
  std::vector<std::uint16_t> distances_;
  const Value* raw_ = nullptr;
  std::vector<Position> boards_, block_boards_;
  std::int64_t sum_of_values_ = 0, sum_of_distances_ = 0, sum_of_block_ = 0;
  std::unique_ptr<TableFolder> tables_;
};

// Built by the first benchmark that asks; the threads of one ask together.
const TableSet& table_set() {
  static const TableSet set(level_of_environment());
  return set;
}

// Every thread probes all boards, each from a place of its own.
template <typename Probe>
void probe_all(benchmark::State& state, const std::vector<Position>& boards, std::int64_t expected, Probe&& probe) {
  const std::size_t start = boards.size() / 7 * static_cast<std::size_t>(state.thread_index());
  const auto pass = [&] {
    std::int64_t sum = 0;
    for (std::size_t i = start; i < boards.size(); ++i) sum += probe(boards[i]);
    for (std::size_t i = 0; i < start; ++i) sum += probe(boards[i]);
    return static_cast<std::uint64_t>(sum);
  };
  benchmark::DoNotOptimize(pass());  // the cache is warm from here on
  run_passes(state, static_cast<std::uint64_t>(expected), pass);
  set_items(state, boards.size());
}

void probe_values(benchmark::State& state) {
  const TableSet& set = table_set();
  probe_all(state, set.boards(), set.sum_of_values(),
            [&](const Position& board) { return std::int64_t{*set.tables().value(board, kShape)}; });
}

void probe_distances(benchmark::State& state) {
  const TableSet& set = table_set();
  probe_all(state, set.boards(), set.sum_of_distances(),
            [&](const Position& board) { return std::int64_t{*set.tables().distance(board, kShape)}; });
}

void probe_one_block(benchmark::State& state) {
  const TableSet& set = table_set();
  probe_all(state, set.block_boards(), set.sum_of_block(),
            [&](const Position& board) { return std::int64_t{*set.tables().value(board, kShape)}; });
}

void probe_raw(benchmark::State& state) {
  const TableSet& set = table_set();
  const HalfRanks halves(kPits, set.rules().pit_limit, set.level());
  const LevelRanks ranks(halves, set.level());
  probe_all(state, set.boards(), set.sum_of_values(),
            [&](const Position& board) { return std::int64_t{set.raw()[ranks.rank(board)]}; });
}

double now_us(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// A reader without a cache decodes a block for every probe.
template <TableKind kKind>
void probe_cold(benchmark::State& state) {
  const TableSet& set = table_set();
  const TableReader reader(set.path(kKind), 0);
  reader.check();  // all of it is in the page cache from here on
  std::vector<double> spent_us, elapsed_us;
  std::size_t next = 0;
  for (auto _ : state) {
    for (unsigned i = 0; i < kColdProbes; ++i) {
      const Position& board = set.boards()[next++ % kProbes];
      const double started_at = now_us(CLOCK_MONOTONIC), spent_before = now_us(CLOCK_THREAD_CPUTIME_ID);
      if constexpr (kKind == TableKind::kValues) {
        benchmark::DoNotOptimize(reader.value(board, kShape));
      } else {
        benchmark::DoNotOptimize(reader.distance(board, kShape));
      }
      spent_us.push_back(now_us(CLOCK_THREAD_CPUTIME_ID) - spent_before);
      elapsed_us.push_back(now_us(CLOCK_MONOTONIC) - started_at);
    }
  }
  set_items(state, kColdProbes);
  const auto describe = [&](const std::string& clock, std::vector<double>& us) {
    std::sort(us.begin(), us.end());
    state.counters[clock + "_mean_us"] = std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size());
    state.counters[clock + "_p50_us"] = us[us.size() / 2];
    state.counters[clock + "_p99_us"] = us[us.size() * 99 / 100];
  };
  describe("cpu", spent_us);
  describe("wall", elapsed_us);
}

}  // namespace

void register_probe_benchmarks() {
  const std::string prefix = "Probe/" + board_name(kPits) + "/level" + std::to_string(level_of_environment()) + "/";
  const auto add = [&](const char* name, void (*run)(benchmark::State&), int threads) {
    auto* benchmark = benchmark::RegisterBenchmark((prefix + name).c_str(), run);
    for (int count = 1; count <= threads; ++count) benchmark->Threads(count);
    benchmark->Unit(benchmark::kMillisecond);
  };
  add("values", probe_values, 2);
  add("distances", probe_distances, 2);
  add("one_block", probe_one_block, 2);
  add("raw", probe_raw, 2);
  add("cold", probe_cold<TableKind::kValues>, 1);
  add("cold_distances", probe_cold<TableKind::kDistances>, 1);
}

}  // namespace retrosow::bench
