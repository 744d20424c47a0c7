#include "tables/distance.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <numeric>
#include <string>

#include "tables/atomic_file.h"
#include "tables/distance_waves.h"
#include "tables/forward.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"
#include "tables/table_file.h"
#include "tables/value_packing.h"

namespace retrosow {
namespace {

// What the forward pass says about a position.
enum class StartMark : unsigned { kNone = 0, kOver = 1, kKeeps = 2 };

StartMark start_mark(unsigned word, unsigned biased_value) {
  if (biased_value == kDistanceBias) return StartMark::kNone;
  if ((word & kWordOver) != 0) return StartMark::kOver;
  return (word & kWordBest) == biased_value ? StartMark::kKeeps : StartMark::kNone;
}

std::uint16_t start_state(StartMark mark, unsigned biased_value) {
  unsigned state = DistanceState::kUnknown;
  if (mark == StartMark::kOver) state = 0;
  if (mark == StartMark::kKeeps) state = biased_value > kDistanceBias ? 1 : DistanceState::kUnknown | DistanceState::kKeeps;
  return static_cast<std::uint16_t>(state);
}

std::uint8_t biased(Value value) { return static_cast<std::uint8_t>(value + static_cast<int>(kDistanceBias)); }

// Start marks of a level, four in a byte.
class StartMarks {
 public:
  explicit StartMarks(LevelIndex size) : bytes_(size / 4 + 1) {}

  StartMark get(LevelIndex index) const {
    return static_cast<StartMark>(bytes_[index / 4] >> (index % 4 * 2) & 3U);
  }

  // Enters mark(i) for the positions first + i below first + count. Each position once, from any thread: runs share their
  // first and last bytes with others.
  template <typename Mark>
  void enter(LevelIndex first, std::size_t count, Mark&& mark) {
    unsigned byte = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const LevelIndex index = first + i;
      byte |= static_cast<unsigned>(mark(i)) << (index % 4 * 2);
      if (index % 4 != 3 && i + 1 != count) continue;
      if (byte != 0) {
        std::atomic_ref(bytes_[index / 4]).fetch_or(static_cast<std::uint8_t>(byte), std::memory_order_relaxed);
      }
      byte = 0;
    }
  }

  static std::uint64_t memory_bytes(LevelIndex size) { return HugeArray<std::uint8_t>::memory_bytes(size / 4 + 1); }

 private:
  HugeArray<std::uint8_t> bytes_;
};

using ValueCounts = std::array<LevelIndex, 129>;  // by |value|

std::size_t magnitude(Value value) { return static_cast<std::size_t>(value < 0 ? -value : value); }

// Reads the values of first .. last - 1 by all workers, in pieces that do not cross multiples of kPositionsAtOnce:
// use(worker, first, values). The reporter's share does not move.
template <typename Use>
void for_values(const DistanceLevel::ValueReader& values, LevelIndex first, LevelIndex last, unsigned threads,
                Reporter& reporter, Use&& use) {
  if (first == last) return;
  const LevelIndex first_piece = first / kPositionsAtOnce;
  const auto pieces = static_cast<std::size_t>((last - 1) / kPositionsAtOnce - first_piece + 1);
  std::vector<std::vector<Value>> buffers(threads);
  parallel_loop(threads, pieces, [&](unsigned worker, std::size_t i) {
    reporter.tick(0);
    const LevelIndex from = std::max(first, (first_piece + i) * kPositionsAtOnce);
    const LevelIndex to = std::min(last, (first_piece + i + 1) * kPositionsAtOnce);
    std::vector<Value>& buffer = buffers[worker];
    buffer.resize(static_cast<std::size_t>(to - from));
    values(from, buffer);
    use(worker, from, std::span<const Value>(buffer));
  });
}

// Groups |values| other than 0 so that each batch has at most `most` members: the most frequent ones first, each into the
// first batch that has room. Gives the number of batches, and the batch of each |value|.
// Pre: none has more than `most`.
unsigned group_values(const ValueCounts& counts, LevelIndex most, std::array<std::uint8_t, 129>& batch_of) {
  std::array<std::uint8_t, 128> order;
  std::iota(order.begin(), order.end(), std::uint8_t{1});
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return counts[a] > counts[b]; });
  std::vector<LevelIndex> members;
  for (const unsigned value : order) {
    std::size_t batch = 0;
    while (batch < members.size() && members[batch] + counts[value] > most) ++batch;
    if (batch == members.size() && counts[value] != 0) members.push_back(0);
    if (counts[value] != 0) members[batch] += counts[value];
    batch_of[value] = static_cast<std::uint8_t>(counts[value] != 0 ? batch : 0);
  }
  return static_cast<unsigned>(members.size());
}

static_assert(kPositionsAtOnce == LevelIndex{1} << MemberRanks::kBlockShift, "what is read at once is entered at once");
constexpr std::size_t kPiecesInFlight = 128;  // for each worker, while distances of a batch are packed

LevelIndex pieces_of(LevelIndex size) { return (size + DistanceLevel::kPieceSize - 1) / DistanceLevel::kPieceSize; }

// Members of a batch with the least memory: see the header.
LevelIndex least_members(LevelIndex size) {
  constexpr LevelIndex kSmall = LevelIndex{1} << 24, kThird = LevelIndex{1} << 28;
  return std::min(size, std::max({size / 4, std::min(size / 3, kThird), kSmall}));
}

std::uint64_t waves_bytes(LevelIndex size, unsigned threads) {
  return UpdateQueues::memory_bytes(size, threads) + LinkedChunks::memory_bytes(size) +
         DistanceWaves<EveryPosition>::memory_bytes(size);
}

std::uint64_t members_bytes(LevelIndex members) {
  return HugeArray<std::uint8_t>::memory_bytes(members) + HugeArray<std::uint16_t>::memory_bytes(members);
}

// All but the members.
std::uint64_t batches_bytes(LevelIndex size, unsigned threads) {
  // Two batches next to each other have more members than fit one, so no more than 8 of a quarter each; 127 at most.
  constexpr std::uint64_t kBatches = 9;
  return waves_bytes(size, threads) + StartMarks::memory_bytes(size) + MemberRanks::memory_bytes(size) +
         kBatches * sizeof(std::uint64_t) * (pieces_of(size) + 1);
}

}  // namespace

// The distances of batches, on disk: for each kPieceSize positions of the level and each batch those of the members among
// them, in order.
class DistanceLevel::Batches {
 public:
  explicit Batches(const std::filesystem::path& scratch, LevelIndex size) : size_(size), file_(scratch) {}

  std::array<std::uint8_t, 129> batch_of{};  // by |value|, none for 0

  // Appends the next batch. Fails: as ScratchFile; interrupted error.
  void append(const MemberRanks& members, const std::uint16_t* states, unsigned threads, Reporter& reporter) {
    const auto pieces = static_cast<std::size_t>(pieces_of(size_));
    std::vector<std::uint64_t>& starts = starts_.emplace_back();
    starts.reserve(pieces + 1);
    std::vector<DistancePacker> packers;
    for (unsigned worker = 0; worker < threads; ++worker) packers.emplace_back(kScratchLevel, true);
    std::vector<std::vector<std::byte>> packed(std::min(pieces, kPiecesInFlight * threads));
    for (std::size_t first = 0; first < pieces; first += packed.size()) {
      reporter.tick(1);
      const std::size_t count = std::min(packed.size(), pieces - first);
      parallel_loop(threads, count, [&](unsigned worker, std::size_t i) {
        const LevelIndex from = (first + i) * kPieceSize;
        LevelIndex begin = 0, here = 0;
        members.for_each(from, std::min(size_, from + kPieceSize), [&](LevelIndex, LevelIndex number) {
          if (here++ == 0) begin = number;
        });
        packed[i].clear();
        if (here != 0) packers[worker].pack({states + begin, static_cast<std::size_t>(here)}, packed[i]);
      });
      for (std::size_t i = 0; i < count; ++i) {
        starts.push_back(file_.size());
        file_.append(packed[i]);
      }
    }
    starts.push_back(file_.size());
  }

  // The distances of a piece, whose values are given.
  void read(LevelIndex piece, std::span<const Value> values, std::span<std::uint16_t> out) const {
    struct Buffers {
      DistanceUnpacker unpacker;
      std::vector<std::byte> bytes;
      std::vector<std::uint16_t> distances;
    };
    thread_local Buffers buffers;
    std::array<std::size_t, 129> next{};  // by batch: members before the next one, in all batches one behind the other
    for (const Value value : values) {
      if (value != 0) ++next[batch_of[magnitude(value)] + 1U];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    buffers.distances.resize(values.size());
    for (std::size_t batch = 0; batch < starts_.size(); ++batch) {
      const std::span<std::uint16_t> distances =
          std::span(buffers.distances).subspan(next[batch], next[batch + 1] - next[batch]);
      if (distances.empty()) continue;
      const std::uint64_t start = starts_[batch][static_cast<std::size_t>(piece)];
      buffers.bytes.resize(static_cast<std::size_t>(starts_[batch][static_cast<std::size_t>(piece) + 1] - start));
      file_.read(start, buffers.bytes);
      if (!buffers.unpacker.unpack(buffers.bytes, distances)) {
        throw Error(ErrorClass::kCorrupt, "distances that this build has put aside cannot be read back as they were");
      }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      out[i] = values[i] == 0 ? std::uint16_t{kNoDistance} : buffers.distances[next[batch_of[magnitude(values[i])]]++];
    }
  }

 private:
  static constexpr int kScratchLevel = 1;  // of zstd

  LevelIndex size_;
  ScratchFile file_;
  std::vector<std::vector<std::uint64_t>> starts_;  // by batch, of each piece, and the end of the last
};

DistanceLevel::DistanceLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds, LowerLevels& lower,
                             ValueReader values, unsigned threads, DistanceSpace space)
    : rules_(rules),
      half_board_(half_board),
      seeds_(seeds),
      lower_(lower),
      values_(std::move(values)),
      threads_(threads),
      space_(std::move(space)),
      bases_(half_board, seeds),
      size_(bases_.size(seeds)) {
  assert(seeds <= half_board.ranks().max_seeds() && lower.levels() >= seeds);
}

DistanceLevel::~DistanceLevel() = default;

std::uint64_t DistanceLevel::whole_memory_bytes(LevelIndex size, unsigned threads) {
  return members_bytes(size) + waves_bytes(size, threads);
}

std::uint64_t DistanceLevel::memory_bytes(LevelIndex size, unsigned threads) {
  // The part of the level that the forward pass holds is smaller than the members that come later.
  return std::min(whole_memory_bytes(size, threads), batches_bytes(size, threads) + members_bytes(least_members(size)));
}

LevelIndex DistanceLevel::members_within(std::uint64_t memory, std::uint64_t lower, LevelIndex size, unsigned threads) {
  if (memory >= whole_memory_bytes(size, threads)) return 0;
  memory += lower;
  const std::uint64_t others = batches_bytes(size, threads) + members_bytes(0);
  const std::uint64_t members = memory > others ? (memory - others) / (members_bytes(1) - members_bytes(0)) : 0;
  return std::clamp<LevelIndex>(members, 1, std::max<LevelIndex>(size, 1));
}

void DistanceLevel::solve(const std::function<void(double)>& on_done, const RunControl& control) {
  space_.members == 0 ? solve_whole(on_done, control) : solve_batches(on_done, control);
}

void DistanceLevel::refuse_without(LevelIndex first_without) const {
  if (first_without == size_) return;
  throw Error(ErrorClass::kCorrupt, "the values of level " + std::to_string(seeds_) +
                                        " cannot be right: nothing leads from the board with index " +
                                        std::to_string(first_without) + " to its value");
}

void DistanceLevel::solve_whole(const std::function<void(double)>& on_done, const RunControl& control) {
  const Stopwatch forward_watch;
  HugeArray<std::uint8_t> values(size_);
  states_ = HugeArray<std::uint16_t>(size_);
  std::vector<Link> links;
  {
    Reporter reporter(on_done, control, 0, 0.15);
    for_values(values_, 0, size_, threads_, reporter, [&](unsigned, LevelIndex first, std::span<const Value> some) {
      for (std::size_t i = 0; i < some.size(); ++i) values[first + i] = biased(some[i]);
    });
    const auto enter = [&](LevelIndex first, std::span<const std::uint16_t> words) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        const unsigned value = values[first + i];
        states_[first + i] = start_state(start_mark(words[i], value), value);
      }
    };
    links = forward_pass(rules_, half_board_, bases_, seeds_, lower_, threads_, enter, reporter);
  }
  stats_.forward_seconds = forward_watch.seconds();

  const Stopwatch wave_watch;
  Reporter reporter(on_done, control, 0.15, 0.9);
  const LinkedChunks linked(size_, links);
  UpdateQueues queues(size_, threads_);
  const EveryPosition places;
  DistanceWaves<EveryPosition> waves(
      {half_board_, bases_, seeds_, links, linked, places, values.data(), states_.data()}, queues, threads_);
  refuse_without(waves.run(reporter));
  stats_.batches = 1;
  stats_.longest = waves.longest();
  stats_.rounds = waves.rounds();
  stats_.count_seconds = waves.count_seconds();
  stats_.wave_seconds = wave_watch.seconds() - waves.count_seconds();
}

void DistanceLevel::solve_batches(const std::function<void(double)>& on_done, const RunControl& control) {
  constexpr double kForwardShare = 0.15, kEnd = 0.9;
  const Stopwatch forward_watch;
  StartMarks marks(size_);
  ValueCounts counts{};
  std::vector<Link> links;
  {
    // The values of one part of the level at a time.
    LevelIndex part_first = 0, largest = 0;
    for (unsigned b = 0; b <= seeds_; ++b) {
      largest = std::max(largest, LevelIndex{half_board_.count(b)} * half_board_.count(seeds_ - b));
    }
    HugeArray<Value> part(largest);
    Reporter reporter(on_done, control, 0, kForwardShare);
    const auto begin_part = [&](LevelIndex first, LevelIndex last) {
      part_first = first;
      std::vector<ValueCounts> found(threads_, ValueCounts{});
      for_values(values_, first, last, threads_, reporter,
                 [&](unsigned worker, LevelIndex from, std::span<const Value> some) {
                   std::copy(some.begin(), some.end(), part.data() + (from - first));
                   for (const Value value : some) ++found[worker][magnitude(value)];
                 });
      for (const ValueCounts& some : found) {
        for (std::size_t value = 0; value < counts.size(); ++value) counts[value] += some[value];
      }
    };
    const auto enter = [&](LevelIndex first, std::span<const std::uint16_t> words) {
      const Value* const values = part.data() + (first - part_first);
      marks.enter(first, words.size(), [&](std::size_t i) { return start_mark(words[i], biased(values[i])); });
    };
    links = forward_pass(rules_, half_board_, bases_, seeds_, lower_, threads_, enter, reporter, begin_part);
  }
  lower_.drop_all();  // their memory is part of what the members may have
  stats_.forward_seconds = forward_watch.seconds();

  const Stopwatch wave_watch;
  const auto frequent = std::max_element(counts.begin() + 1, counts.end());
  if (*frequent > space_.members) {
    const std::string value = std::to_string(frequent - counts.begin());
    throw limit_error("level " + std::to_string(seeds_) + " has " + std::to_string(*frequent) + " boards of values " + value +
                      " and -" + value + ", whose distances have to be in memory together: at least " +
                      mebibytes(members_bytes(*frequent) - members_bytes(space_.members)) +
                      " more are needed than are allowed");
  }
  batches_ = std::make_unique<Batches>(space_.scratch, size_);
  stats_.batches = group_values(counts, space_.members, batches_->batch_of);
  std::vector<LevelIndex> members(stats_.batches);
  for (std::size_t value = 1; value < counts.size(); ++value) {
    if (counts[value] != 0) members[batches_->batch_of[value]] += counts[value];
  }
  const LevelIndex most = members.empty() ? 0 : *std::max_element(members.begin(), members.end());
  HugeArray<std::uint8_t> values(most);
  HugeArray<std::uint16_t> states(most);
  MemberRanks ranks(size_);
  const LinkedChunks linked(size_, links);
  UpdateQueues queues(size_, threads_);
  DistanceWaves<MemberRanks> waves({half_board_, bases_, seeds_, links, linked, ranks, values.data(), states.data()}, queues,
                                   threads_);
  LevelIndex without = size_;
  for (unsigned batch = 0; batch < stats_.batches; ++batch) {
    std::array<bool, 256> in_batch{};  // by biased value
    for (unsigned value = 1; value < counts.size(); ++value) {
      const bool in = counts[value] != 0 && batches_->batch_of[value] == batch;
      in_batch[kDistanceBias - value] = in;
      if (value < kDistanceBias) in_batch[kDistanceBias + value] = in;
    }
    const double share = (kEnd - kForwardShare) / stats_.batches;
    Reporter reporter(on_done, control, kForwardShare + share * batch, kForwardShare + share * (batch + 1));
    ranks.clear();
    for_values(values_, 0, size_, threads_, reporter, [&](unsigned, LevelIndex first, std::span<const Value> some) {
      LevelIndex number = ranks.enter(first, [&](std::size_t i) { return in_batch[biased(some[i])]; });
      for (std::size_t i = 0; i < some.size(); ++i) {
        const std::uint8_t value = biased(some[i]);
        if (!in_batch[value]) continue;
        values[number] = value;
        states[number] = start_state(marks.get(first + i), value);
        ++number;
      }
    });
    without = std::min(without, waves.run(reporter));
    batches_->append(ranks, states.data(), threads_, reporter);
  }
  refuse_without(without);
  stats_.longest = waves.longest();
  stats_.rounds = waves.rounds();
  stats_.count_seconds = waves.count_seconds();
  stats_.wave_seconds = wave_watch.seconds() - waves.count_seconds();
}

void DistanceLevel::copy_distances(LevelIndex first, std::span<std::uint16_t> out) const {
  if (!batches_) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint16_t state = states_[first + i];
      out[i] = DistanceState::known(state) ? state : std::uint16_t{kNoDistance};
    }
    return;
  }
  thread_local std::vector<Value> values;
  thread_local std::vector<std::uint16_t> distances;
  for (std::size_t done = 0; done < out.size();) {
    const LevelIndex piece = (first + done) / kPieceSize, begin = piece * kPieceSize;
    const auto count = static_cast<std::size_t>(std::min(kPieceSize, size_ - begin));
    values.resize(count);
    distances.resize(count);
    values_(begin, values);
    batches_->read(piece, values, distances);
    const auto from = static_cast<std::size_t>(first + done - begin);
    const std::size_t taken = std::min(count - from, out.size() - done);
    std::copy_n(distances.begin() + static_cast<std::ptrdiff_t>(from), taken, out.begin() + static_cast<std::ptrdiff_t>(done));
    done += taken;
  }
}

}  // namespace retrosow
