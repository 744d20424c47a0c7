// verify_round of verify.h. Positions are looked up in the sorted keys of the files; nothing of the builder is used.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <mutex>

#include "bitboard/moves.h"
#include "bitboard/notation.h"
#include "tables/check.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"
#include "tables/verify.h"

namespace retrosow {
namespace {

constexpr std::size_t kWaveTaskPositions = 1024;
constexpr std::size_t kBytesPerPosition = sizeof(Position) + sizeof(Value) + sizeof(std::uint16_t) + 1;

// A level as its files have it, and which of its positions have been reached.
class Level {
 public:
  Level(const TableReader& values, const TableReader* distances, unsigned workers, const RunControl& control)
      : header_(values.header()),
        keys_(header_.positions),
        values_(header_.positions),
        distances_(distances == nullptr ? 0 : header_.positions),
        reached_((header_.positions + 63) / 64) {
    const auto pieces = static_cast<std::size_t>((header_.positions + kPositionsAtOnce - 1) / kPositionsAtOnce);
    parallel_loop(workers, pieces, [&](unsigned, std::size_t i) {
      control.check_stop();
      const LevelIndex first = i * kPositionsAtOnce;
      const auto count = static_cast<std::size_t>(std::min(kPositionsAtOnce, header_.positions - first));
      values.copy_entries(first, std::span(keys_).subspan(first, count), std::span(values_).subspan(first, count));
      if (distances != nullptr) distances->copy_distances(first, std::span(distances_).subspan(first, count));
    });
    for (LevelIndex at = 0; at < header_.positions; at += kSample) samples_.push_back(keys_[at]);
  }

  const TableHeader& header() const { return header_; }
  const Position& key(LevelIndex index) const { return keys_[index]; }
  int value(LevelIndex index) const { return values_[index]; }
  bool has_distances() const { return !distances_.empty(); }
  unsigned distance(LevelIndex index) const { return distances_[index]; }

  static constexpr LevelIndex kNone = ~LevelIndex{0};
  LevelIndex find(const Position& key) const {
    const auto above = std::upper_bound(samples_.begin(), samples_.end(), key);
    if (above == samples_.begin()) return kNone;
    const auto first = keys_.begin() + (above - samples_.begin() - 1) * static_cast<std::ptrdiff_t>(kSample);
    const auto last = keys_.end() - first > static_cast<std::ptrdiff_t>(kSample)
                          ? first + static_cast<std::ptrdiff_t>(kSample)
                          : keys_.end();
    const auto at = std::lower_bound(first, last, key);
    return at == last || *at != key ? kNone : static_cast<LevelIndex>(at - keys_.begin());
  }

  // Whether the position had not been reached before. Thread: any number at once.
  bool reach(LevelIndex index) {
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    const std::atomic_ref word(reached_[index / 64]);
    if ((word.load(std::memory_order_relaxed) & bit) != 0) return false;
    return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }
  bool reached(LevelIndex index) const { return ((reached_[index / 64] >> (index % 64)) & 1U) != 0; }

 private:
  static constexpr LevelIndex kSample = 64;

  const TableHeader& header_;
  std::vector<Position> keys_;
  std::vector<Value> values_;
  std::vector<std::uint16_t> distances_;  // empty: there are none
  std::vector<Position> samples_;         // every kSample-th key
  std::vector<std::uint64_t> reached_;    // bits
};

std::string round_text(const RuleSet& rules, const Position& root, Shape shape) {
  return std::string(game_name(rules.game)) + " (" + canonical_text(rules) + ") from " + format_position(root, shape);
}

class RoundVerifier {
 public:
  RoundVerifier(const TableFolder& folder, const RuleSet& rules, const Position& root, Shape shape,
                const VerifyOptions& options)
      : folder_(folder),
        rules_(rules),
        root_(root),
        shape_(shape),
        options_(options),
        workers_(worker_count(options.threads)),
        generator_(rules, shape, KernelId::kPortable) {
    find_files();
  }

  Verification run() {
    read();
    reach_root();
    for (std::unique_ptr<Level>& level : levels_) {
      if (level) verify(*level);
    }
    std::reverse(verification_.levels.begin(), verification_.levels.end());
    verification_.proved = verification_.fault_count == 0;
    for (const VerifiedLevel& level : verification_.levels) {
      verification_.proved = verification_.proved && level.distances;
    }
    return std::move(verification_);
  }

 private:
  unsigned number_of(unsigned seeds) const { return (total_seeds(root_) - seeds) / kRoundStep; }

  void find_files() {
    const Digest digest = rules_digest(rules_);
    values_.resize(total_seeds(root_) / kRoundStep + 1, nullptr);
    std::vector<unsigned> wanted;
    for (const TableReader& file : folder_.files()) {
      const TableHeader& header = file.header();
      if (header.index != IndexKind::kKeys || header.kind != TableKind::kValues || header.rules_digest != digest ||
          header.shape != shape_ || header.root != root_) {
        continue;
      }
      values_[number_of(header.seeds)] = &file;
      wanted = levels_of_round(header);
    }
    if (wanted.empty()) throw hole(total_seeds(root_));
    for (const unsigned seeds : wanted) {
      if (values_[number_of(seeds)] == nullptr) throw hole(seeds);
    }
  }

  // Why there is no table of a level. A file that is there and cannot be used is not a missing one.
  Error hole(unsigned seeds) const {
    const std::string name = table_file_name(round_header(rules_, root_, shape_, seeds));
    const std::string level =
        "the table of level " + std::to_string(seeds) + " of " + round_text(rules_, root_, shape_);
    for (const TableFolder::Fault& fault : folder_.faults()) {
      if (fault.path.filename() != name) continue;
      Error error(fault.error.error_class(), level + " cannot be used, and others rest on it: " + fault.error.what());
      error.path = fault.path.string();
      return error;
    }
    return {ErrorClass::kIo, level + " is missing, and others rest on it"};
  }

  void read() {
    std::vector<const TableReader*> files;
    std::uint64_t largest = 0;  // its positions may all be waiting in a wave
    for (const TableReader* file : values_) {
      if (file == nullptr) continue;
      total_ += file->header().positions;
      largest = std::max(largest, file->header().positions);
      files.push_back(file);
      if (const TableReader* distances = folder_.distances_of(*file)) files.push_back(distances);
    }
    const std::uint64_t needed = total_ * kBytesPerPosition + 2 * sizeof(LevelIndex) * largest;
    if (options_.memory_bytes != 0 && needed > options_.memory_bytes) {
      throw limit_error("verifying the round of " + std::to_string(total_) + " positions needs " +
                        mebibytes(needed) + " of memory; allowed are " + mebibytes(options_.memory_bytes));
    }
    std::uint64_t stored = 0, checked = 0;
    for (const TableReader* file : files) stored += file->header().positions;
    for (const TableReader* file : files) {
      check_file(*file, workers_, options_.control,
                 [&](std::uint64_t positions) { report("check", file->header().seeds, checked + positions, stored); });
      checked += file->header().positions;
    }
    for (const TableReader* file : values_) {
      levels_.push_back(file == nullptr ? nullptr
                                        : std::make_unique<Level>(*file, folder_.distances_of(*file), workers_,
                                                                  options_.control));
    }
  }

  void report(const char* phase, unsigned seeds, std::uint64_t done, std::uint64_t total) const {
    if (!options_.control.progress) return;
    options_.control.progress({phase, seeds, total_seeds(root_), done, total, watch_.seconds()});
  }

  void reach_root() {
    Level& top = *levels_.front();
    const LevelIndex index = top.find(round_key(root_, shape_, shape_));
    if (index == Level::kNone) {
      add_fault(top, 0, root_, shape_, "it is the start, and not among the positions");
    } else {
      top.reach(index);
    }
  }

  void verify(Level& level) {
    const Stopwatch watch;
    const TableHeader& header = level.header();
    VerifiedLevel verified;
    verified.seeds = header.seeds;
    verified.positions = header.positions;
    verified.distances = level.has_distances();
    verified.digest = header.digest;
    const std::uint64_t faults_before = verification_.fault_count;

    std::vector<LevelIndex> wave;
    for (LevelIndex index = 0; index < header.positions; ++index) {
      if (level.reached(index)) wave.push_back(index);
    }
    endless_moves_ = 0;
    while (!wave.empty()) {
      std::vector<std::vector<LevelIndex>> next(workers_);
      parallel_loop(workers_, (wave.size() + kWaveTaskPositions - 1) / kWaveTaskPositions, [&](unsigned worker, std::size_t task) {
        const std::size_t first = task * kWaveTaskPositions, end = std::min(first + kWaveTaskPositions, wave.size());
        for (std::size_t i = first; i < end; ++i) examine(level, wave[i], next[worker]);
        const std::lock_guard lock(mutex_);
        options_.control.check_stop();
        done_ += end - first;
        report("verify", header.seeds, done_, total_);
      });
      wave.clear();
      for (const std::vector<LevelIndex>& found : next) wave.insert(wave.end(), found.begin(), found.end());
    }
    for (LevelIndex index = 0; index < header.positions; ++index) {
      if (level.reached(index)) continue;
      const auto [position, shape] = position_of_key(level.key(index), shape_);
      add_fault(level, index, position, shape, "it cannot be reached from the start");
    }
    if (endless_moves_ != header.endless_moves) {
      add_fault(level, 0, root_, shape_,
                "the level is said to have " + std::to_string(header.endless_moves) + " endless moves and has " +
                    std::to_string(endless_moves_));
    }
    end_faults();
    verified.faults = verification_.fault_count - faults_before;
    verified.seconds = watch.seconds();
    verification_.levels.push_back(verified);
  }

  // Of the faults of a level the first ones by index are listed.
  void add_fault(const Level& level, LevelIndex index, const Position& position, Shape shape, std::string what) {
    const std::lock_guard lock(mutex_);
    ++verification_.fault_count;
    faults_.push_back({level.header().seeds, index, position, shape, std::move(what)});
    if (faults_.size() > 2 * options_.max_faults + 2) shorten_faults();
  }
  void shorten_faults() {
    std::sort(faults_.begin(), faults_.end(),
              [](const VerifyFault& a, const VerifyFault& b) { return std::tie(a.index, a.what) < std::tie(b.index, b.what); });
    if (faults_.size() > options_.max_faults) faults_.resize(options_.max_faults);
  }
  void end_faults() {
    shorten_faults();
    verification_.faults.insert(verification_.faults.begin(), faults_.begin(), faults_.end());
    faults_.clear();
  }

  // Looks at a position and reaches its children.
  void examine(Level& level, LevelIndex index, std::vector<LevelIndex>& next) {
    const auto [position, shape] = position_of_key(level.key(index), shape_);
    const auto fault = [&](std::string what) { add_fault(level, index, position, shape, std::move(what)); };
    const int value = level.value(index);
    MoveList list;
    generator_.generate(position, shape, list);
    if (list.endless != 0) endless_moves_ += static_cast<unsigned>(std::popcount(list.endless));
    if (list.legal == 0) {
      const int end = generator_.end(position, shape).value();
      if (value != end) {
        fault("value " + std::to_string(value) + ", the round is over with " + std::to_string(end));
      } else {
        check_distance(level, index, value == 0 ? kNoDistance : 0, fault);
      }
      return;
    }
    int best = -256;
    unsigned least = kNoDistance, greatest = 0;  // over moves that have the best value so far
    bool closed = true;
    for_each_move(list, [&](unsigned move) {
      int outcome = int{list.captured[move]} - int{list.captured_opponent[move]};
      unsigned behind = 0;
      if (!has_bit(list.endless, move)) {
        const unsigned taken = unsigned{list.captured[move]} + list.captured_opponent[move];
        Level* const below = levels_[number_of(level.header().seeds - taken)].get();
        const LevelIndex at =
            below == nullptr ? Level::kNone : below->find(round_key(list.result[move], shape.swapped(), shape_));
        if (at == Level::kNone) {
          fault("the move of hole " + std::to_string(move + 1) + " leads to " +
                format_position(list.result[move], shape.swapped()) + ", which is not among the positions");
          closed = false;
          return;
        }
        if (below->reach(at) && below == &level) next.push_back(at);
        outcome -= below->value(at);
        if (taken == 0 && level.has_distances()) behind = level.distance(at);
      }
      if (outcome < best) return;
      if (outcome > best) {
        best = outcome;
        least = kNoDistance;
        greatest = 0;
      }
      least = std::min(least, behind);
      greatest = std::max(greatest, behind);
    });
    if (!closed) return;
    if (value != best) {
      fault("value " + std::to_string(value) + ", the best move has " + std::to_string(best));
      return;
    }
    const unsigned wanted = value == 0 ? kNoDistance : std::min<unsigned>(1 + (value > 0 ? least : greatest), kNoDistance);
    check_distance(level, index, wanted, fault);
  }

  template <typename Fault>
  void check_distance(const Level& level, LevelIndex index, unsigned wanted, Fault&& fault) const {
    if (!level.has_distances()) return;
    const unsigned found = level.distance(index);
    // A value that is not 0 has a distance, so that "one more than none" is none of them.
    if (found == wanted && (found != kNoDistance || level.value(index) == 0)) return;
    const auto plies = [](unsigned distance) {
      return distance == kNoDistance ? std::string("none") : std::to_string(distance) + " plies";
    };
    fault("distance " + plies(found) + ", the moves give " + plies(wanted));
  }

  const TableFolder& folder_;
  const RuleSet& rules_;
  const Position& root_;
  Shape shape_;
  const VerifyOptions& options_;
  unsigned workers_;
  MoveGenerator generator_;
  const Stopwatch watch_;
  std::vector<const TableReader*> values_;      // by level number; null: the round has no such level
  std::vector<std::unique_ptr<Level>> levels_;  // the same
  std::uint64_t total_ = 0, done_ = 0;
  std::atomic<std::uint64_t> endless_moves_{0};  // of the level in work
  std::mutex mutex_;                             // guards the faults and the progress
  std::vector<VerifyFault> faults_;              // of the level in work
  Verification verification_;
};

}  // namespace

Verification verify_round(const TableFolder& folder, const RuleSet& rules, const Position& root, Shape shape,
                          const VerifyOptions& options) {
  return RoundVerifier(folder, rules, root, shape, options).run();
}

}  // namespace retrosow
