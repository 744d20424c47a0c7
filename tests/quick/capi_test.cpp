// The C library, through the shared library: what it says, how it fails, and what it shows of itself.
#include <gtest/gtest.h>
#include <stdio.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "solver/capi/retrosow.h"
#include "tests/support/boards.h"
#include "tests/support/building.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_bytes.h"
#include "tests/support/test_data.h"

namespace retrosow::test {
namespace {

// A handle that closes itself.
using CTables = std::unique_ptr<retrosow_tables, decltype(&retrosow_close)>;

CTables open_c(const std::filesystem::path& folder, const char* game = "urim",
               const char* options = nullptr, std::size_t cache_bytes = 0) {
  retrosow_tables* tables = nullptr;
  char message[512] = "";
  EXPECT_EQ(
      retrosow_open(folder.c_str(), game, options, cache_bytes, &tables, message, sizeof message),
      RETROSOW_OK)
      << message;
  EXPECT_STREQ(message, "");
  return {tables, &retrosow_close};
}

retrosow_position c_position(const std::vector<int>& board) {
  retrosow_position position{};
  position.pits = static_cast<uint8_t>(board.size() / 2);
  for (std::size_t i = 0; i < board.size(); ++i) position.seeds[i] = static_cast<uint8_t>(board[i]);
  return position;
}

std::vector<int> plain_board(const retrosow_position& position) {
  return {position.seeds, position.seeds + 2 * position.pits};
}

std::string c_text(const retrosow_position& position) {
  char text[RETROSOW_POSITION_BYTES];
  char message[128];
  EXPECT_EQ(retrosow_format(&position, text, sizeof text, message, sizeof message), RETROSOW_OK)
      << message;
  return text;
}

// Urim 2x2 with a pit limit of 5 and distances to 7 seeds; of 8 seeds values only.
class CLibrary : public testing::Test {
 protected:
  static constexpr int kSeeds = 7;
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    BuildOptions options = options_for(folder_->path());
    options.distances = true;
    build_levels(urim_rules("pit-limit=5"), 2, kSeeds, options);
    options.distances = false;
    build_levels(urim_rules("pit-limit=5"), 2, kSeeds + 1, options);
    solution_ = std::make_unique<reference::UrimSolution>(
        reference_rules(urim_rules("pit-limit=5"), 2), kSeeds);
  }
  static void TearDownTestSuite() {
    folder_.reset();
    solution_.reset();
  }
  CTables tables() const { return open_c(folder_->path(), "urim", "pit-limit=5"); }

  static inline std::unique_ptr<ScratchFolder> folder_;
  static inline std::unique_ptr<reference::UrimSolution> solution_;
};

TEST_F(CLibrary, SaysOfEveryBoardWhatBruteForceSays) {
  const CTables tables = this->tables();
  char message[256];
  std::size_t boards = 0;
  for (int seeds = 0; seeds <= kSeeds; ++seeds) {
    solution_->for_each(seeds, [&](const std::vector<int>& board, reference::Solved known) {
      ++boards;
      const retrosow_position position = c_position(board);
      const std::string text = c_text(position);
      int32_t value = 99, by_text = 99, distance = 99, pit = 99;
      ASSERT_EQ(retrosow_value(tables.get(), &position, &value, message, sizeof message), 0)
          << message;
      ASSERT_EQ(retrosow_value_of(tables.get(), text.c_str(), &by_text, message, sizeof message),
                0);
      ASSERT_EQ(retrosow_distance(tables.get(), &position, &distance, message, sizeof message), 0);
      ASSERT_EQ(retrosow_best_move(tables.get(), &position, &pit, message, sizeof message), 0);
      EXPECT_EQ(value, known.value) << text;
      EXPECT_EQ(by_text, known.value) << text;
      EXPECT_EQ(distance, known.distance) << text;

      retrosow_evaluation all{};
      ASSERT_EQ(retrosow_probe(tables.get(), &position, &all, message, sizeof message), 0)
          << message;
      EXPECT_EQ(all.value, known.value) << text;
      EXPECT_EQ(all.distance, known.distance) << text;
      EXPECT_EQ(all.has_distances, 1);
      const std::vector<reference::UrimMove> moves =
          reference::legal_moves(solution_->rules(), board);
      const std::vector<reference::MoveValue> values = solution_->move_values(board);
      ASSERT_EQ(all.move_count, static_cast<int>(moves.size())) << text;
      int progress = 0;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const retrosow_move& move = all.moves[i];
        EXPECT_EQ(move.pit, moves[i].pit) << text;
        EXPECT_EQ(move.captured, moves[i].captured) << text;
        EXPECT_EQ(move.captured_opponent, 0) << text;
        EXPECT_EQ(plain_board(move.result), moves[i].result) << text;
        EXPECT_EQ(move.value, values[i].value) << text;
        const int behind = solution_->at(moves[i].result).distance;
        const int expected = move.value == 0     ? RETROSOW_NO_DISTANCE
                             : move.captured > 0 ? 1
                                                 : 1 + behind;
        EXPECT_EQ(move.distance, expected) << text << " pit " << move.pit;
        const bool best = move.value == known.value;
        const bool progresses = best && (known.value == 0 || move.distance == known.distance);
        EXPECT_EQ(move.flags, (best ? RETROSOW_BEST : 0U) | (progresses ? RETROSOW_PROGRESS : 0U))
            << text;
        if (progresses && progress++ == 0) {
          EXPECT_EQ(pit, move.pit) << text;
        }
      }
      if (moves.empty()) {
        EXPECT_EQ(pit, 0) << text;
      }
    });
  }
  EXPECT_GT(boards, 300u);
}

TEST_F(CLibrary, ProbesArraysAndSaysHowFarItGot) {
  const CTables tables = this->tables();
  std::vector<retrosow_position> positions;
  std::vector<int> expected;
  for (int seeds = 0; seeds <= kSeeds; ++seeds) {
    solution_->for_each(seeds, [&](const std::vector<int>& board, reference::Solved known) {
      positions.push_back(c_position(board));
      expected.push_back(known.value);
    });
  }
  std::vector<int32_t> values(positions.size(), 99);
  std::size_t done = 0;
  char message[256];
  ASSERT_EQ(retrosow_values(tables.get(), positions.data(), positions.size(), values.data(), &done,
                            message, sizeof message),
            RETROSOW_OK)
      << message;
  EXPECT_EQ(done, positions.size());
  EXPECT_TRUE(std::ranges::equal(values, expected));

  positions[10] = c_position({5, 5, 5, 5});
  std::ranges::fill(values, 99);
  EXPECT_EQ(retrosow_values(tables.get(), positions.data(), positions.size(), values.data(), &done,
                            message, sizeof message),
            RETROSOW_IO);
  EXPECT_EQ(done, 10u);
  EXPECT_EQ(values[9], expected[9]);
  EXPECT_EQ(values[10], 99);
  EXPECT_EQ(retrosow_values(tables.get(), nullptr, 0, nullptr, &done, message, sizeof message),
            RETROSOW_OK);
  EXPECT_EQ(done, 0u);
}

TEST_F(CLibrary, AnswersManyThreadsAtOnceThroughASmallCache) {
  const CTables tables = open_c(folder_->path(), "urim", "pit-limit=5", 1);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      solution_->for_each(6, [&](const std::vector<int>& board, reference::Solved known) {
        const retrosow_position position = c_position(board);
        retrosow_evaluation all{};
        if (retrosow_probe(tables.get(), &position, &all, nullptr, 0) != RETROSOW_OK ||
            all.value != known.value || all.distance != known.distance) {
          ++wrong;
        }
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(CLibrary, BestMovesTakeWhatAPositionIsWorth) {
  const CTables tables = this->tables();
  solution_->for_each(kSeeds, [&](const std::vector<int>& board, reference::Solved known) {
    if (known.value == 0) return;
    retrosow_position here = c_position(board);
    int gain = 0, sign = 1, plies = 0;
    for (; plies < 200; ++plies) {
      int32_t pit = -1;
      retrosow_evaluation all{};
      ASSERT_EQ(retrosow_best_move(tables.get(), &here, &pit, nullptr, 0), RETROSOW_OK);
      ASSERT_EQ(retrosow_probe(tables.get(), &here, &all, nullptr, 0), RETROSOW_OK);
      if (all.value == 0) break;  // what is left is even
      if (pit == 0) {
        gain += sign * all.value;
        break;
      }
      const auto move = std::find_if(all.moves, all.moves + all.move_count,
                                     [&](const retrosow_move& m) { return m.pit == pit; });
      ASSERT_NE(move, all.moves + all.move_count);
      gain += sign * move->captured;
      sign = -sign;
      here = move->result;
    }
    EXPECT_LT(plies, 200) << c_text(c_position(board));
    EXPECT_EQ(gain, known.value) << c_text(c_position(board));
  });
}

TEST_F(CLibrary, ListsWhatItOpened) {
  const CTables tables = this->tables();
  EXPECT_STREQ(retrosow_game(tables.get()), "urim");
  EXPECT_EQ(std::string(retrosow_rules(tables.get())), canonical_text(urim_rules("pit-limit=5")));
  ASSERT_EQ(retrosow_level_count(tables.get()), kSeeds + 2u);
  retrosow_level level{};
  for (int seeds = 0; seeds <= kSeeds + 1; ++seeds) {
    ASSERT_EQ(retrosow_level_at(tables.get(), static_cast<std::size_t>(seeds), &level, nullptr, 0),
              0);
    EXPECT_EQ(level.seeds, seeds);
    EXPECT_EQ(level.pits, 2);
    EXPECT_EQ(level.has_distances, seeds <= kSeeds ? 1 : 0);
    EXPECT_EQ(level.reachable, 0);
    EXPECT_EQ(level.positions, reference::count_boards(2, seeds, 5));
  }
  EXPECT_EQ(retrosow_fault_count(tables.get()), 0u);
  EXPECT_EQ(retrosow_fault(tables.get(), 0), nullptr);
  // Other rules: the folder opens, and has nothing.
  EXPECT_EQ(retrosow_level_count(open_c(folder_->path(), "urim", "").get()), 0u);
}

// What a call that fails says. Its results stay as they are.
struct CFailure {
  int status;
  std::string message;
};
template <typename Call>
CFailure failure_of(Call&& call) {
  char message[512] = "nothing was written";
  const int status = call(message, sizeof message);
  return {status, message};
}
void expect_failure(const CFailure& failure, int status, const std::vector<std::string>& parts) {
  EXPECT_EQ(failure.status, status) << failure.message;
  for (const std::string& part : parts) {
    EXPECT_NE(failure.message.find(part), std::string::npos)
        << part << " is not in: " << failure.message;
  }
}

TEST_F(CLibrary, EveryFailureHasItsStatusAndSaysWhatIsWrong) {
  const CTables tables = this->tables();
  const auto value_of = [&](const char* text) {
    int32_t value = 99;
    const CFailure failure = failure_of([&](char* message, std::size_t bytes) {
      return retrosow_value_of(tables.get(), text, &value, message, bytes);
    });
    EXPECT_EQ(value, 99) << text;
    return failure;
  };
  expect_failure(value_of("1,2/3"), RETROSOW_USAGE, {"'1,2/3'", "rows differ"});
  expect_failure(value_of("6,0/0,0"), RETROSOW_USAGE, {"pit 1", "pit limit 5"});
  expect_failure(value_of("x,0/0,0"), RETROSOW_USAGE, {"closed"});
  expect_failure(value_of("3,3/3,0"), RETROSOW_IO,
                 {"level 9", "there: urim 2x2", "0..7 with distances, 8"});
  expect_failure(value_of("1,1,1/1,1,1"), RETROSOW_IO, {"level 6", "2x3"});

  const auto open_failure = [&](const char* folder, const char* game, const char* options) {
    retrosow_tables* opened = tables.get();  // not null
    const CFailure failure = failure_of([&](char* message, std::size_t bytes) {
      return retrosow_open(folder, game, options, 0, &opened, message, bytes);
    });
    EXPECT_EQ(opened, nullptr);
    return failure;
  };
  const std::string folder = folder_->path().string();
  expect_failure(open_failure((folder + "/no").c_str(), "urim", ""), RETROSOW_IO, {folder + "/no"});
  expect_failure(open_failure(folder.c_str(), "chess", ""), RETROSOW_USAGE, {"'chess'", "oware"});
  expect_failure(open_failure(folder.c_str(), "urim", "pit-limit"), RETROSOW_USAGE,
                 {"'pit-limit'"});
  expect_failure(open_failure(folder.c_str(), "urim", "pit-limit=200"), RETROSOW_USAGE,
                 {"pit-limit", "200"});
  expect_failure(open_failure(folder.c_str(), "awari", "endless-sow=draw"), RETROSOW_USAGE,
                 {"endless-sow"});
  expect_failure(open_failure(nullptr, "urim", ""), RETROSOW_USAGE, {"folder"});
  expect_failure(open_failure(folder.c_str(), nullptr, ""), RETROSOW_USAGE, {"game"});

  // Distances that are not there, where play is not even.
  retrosow_position position = c_position({5, 3, 0, 0});
  int32_t result = 99;
  retrosow_evaluation all{};
  ASSERT_EQ(retrosow_probe(tables.get(), &position, &all, nullptr, 0), RETROSOW_OK);
  ASSERT_NE(all.value, 0);
  EXPECT_EQ(all.has_distances, 0);
  EXPECT_EQ(all.distance, RETROSOW_NO_DISTANCE);
  for (int i = 0; i < all.move_count; ++i) EXPECT_EQ(all.moves[i].flags & RETROSOW_PROGRESS, 0u);
  for (const auto call : {&retrosow_distance, &retrosow_best_move}) {
    expect_failure(failure_of([&](char* message, std::size_t bytes) {
                     return call(tables.get(), &position, &result, message, bytes);
                   }),
                   RETROSOW_IO, {"no distances of level 8", "2x2"});
  }
  EXPECT_EQ(result, 99);

  for (const int pits : {0, 9, 255}) {
    position.pits = static_cast<uint8_t>(pits);
    expect_failure(failure_of([&](char* message, std::size_t bytes) {
                     return retrosow_probe(tables.get(), &position, &all, message, bytes);
                   }),
                   RETROSOW_USAGE, {std::to_string(pits) + " pits"});
  }
  retrosow_level level{};
  expect_failure(failure_of([&](char* message, std::size_t bytes) {
                   return retrosow_level_at(tables.get(), 9, &level, message, bytes);
                 }),
                 RETROSOW_USAGE, {"no level 9"});
}

TEST_F(CLibrary, SeedsWithoutAnyTableAreALimit) {
  const CTables oware = open_c(folder_->path(), "oware");
  int32_t value = 99;
  expect_failure(failure_of([&](char* message, std::size_t bytes) {
                   return retrosow_value_of(oware.get(), "128,0/0,0", &value, message, bytes);
                 }),
                 RETROSOW_LIMIT, {"128 seeds"});
  retrosow_position position{};
  expect_failure(failure_of([&](char* message, std::size_t bytes) {
                   return retrosow_parse(oware.get(), "255,0/0,0", &position, message, bytes);
                 }),
                 RETROSOW_LIMIT, {"255"});
}

TEST_F(CLibrary, NullPointersAreErrors) {
  const CTables tables = this->tables();
  const retrosow_position position = c_position({1, 0, 1, 0});
  int32_t number = 99;
  std::size_t done = 99;
  char text[8];
  const std::vector<int> statuses = {
      retrosow_open("x", "urim", "", 0, nullptr, nullptr, 0),
      retrosow_value(nullptr, &position, &number, nullptr, 0),
      retrosow_value(tables.get(), nullptr, &number, nullptr, 0),
      retrosow_value(tables.get(), &position, nullptr, nullptr, 0),
      retrosow_value_of(tables.get(), nullptr, &number, nullptr, 0),
      retrosow_values(tables.get(), nullptr, 1, &number, &done, nullptr, 0),
      retrosow_values(tables.get(), &position, 1, nullptr, &done, nullptr, 0),
      retrosow_distance(tables.get(), &position, nullptr, nullptr, 0),
      retrosow_probe(tables.get(), &position, nullptr, nullptr, 0),
      retrosow_best_move(tables.get(), &position, nullptr, nullptr, 0),
      retrosow_parse(tables.get(), "start", nullptr, nullptr, 0),
      retrosow_start(tables.get(), 2, -1, nullptr, nullptr, 0),
      retrosow_level_at(tables.get(), 0, nullptr, nullptr, 0),
      retrosow_format(nullptr, text, sizeof text, nullptr, 0),
      retrosow_format(&position, nullptr, 8, nullptr, 0),
      retrosow_format(&position, text, 7, nullptr, 0)};
  EXPECT_EQ(statuses, std::vector<int>(statuses.size(), RETROSOW_USAGE));
  EXPECT_EQ(number, 99);
  EXPECT_EQ(done, 0u);
  EXPECT_EQ(retrosow_format(&position, text, 8, nullptr, 0),
            RETROSOW_OK);  // and one that is just enough
  EXPECT_STREQ(text, "1,0/1,0");
  retrosow_close(nullptr);
  EXPECT_EQ(retrosow_level_count(nullptr), 0u);
  EXPECT_STREQ(retrosow_game(nullptr), "");
}

TEST_F(CLibrary, MessagesAreCutAtTheEndOfACharacter) {
  std::string whole(512, '\0');
  retrosow_tables* tables = nullptr;
  const char* folder = "/f\xc3\xbcr/\xe2\x82\xac";
  ASSERT_EQ(retrosow_open(folder, "urim", "", 0, &tables, whole.data(), whole.size()), RETROSOW_IO);
  whole.resize(whole.find('\0'));
  ASSERT_NE(whole.find(folder), std::string::npos) << whole;
  for (std::size_t bytes = 1; bytes <= whole.size() + 1; ++bytes) {
    std::string cut(bytes + 1, '#');
    retrosow_open(folder, "urim", "", 0, &tables, cut.data(), bytes);
    EXPECT_EQ(cut[bytes], '#') << "written past the end";
    const std::size_t length = cut.find('\0');
    ASSERT_LT(length, bytes);
    EXPECT_EQ(cut.substr(0, length), whole.substr(0, length));
    const auto next = static_cast<unsigned char>(whole[length]);
    EXPECT_NE(next & 0xc0U, 0x80U) << "cut inside of a character";
    EXPECT_GE(length + 3, bytes) << "cut too early";
  }
}

TEST_F(CLibrary, MessagesAreUtf8WhateverTheyEcho) {
  const CTables tables = this->tables();
  int32_t value = 99;
  expect_failure(failure_of([&](char* message, std::size_t bytes) {
                   return retrosow_value_of(tables.get(), "1,\xff/\xc3\xbc,\xc2\x9b", &value, message, bytes);
                 }),
                 RETROSOW_USAGE, {"1,\\xff/\xc3\xbc,\\xc2\\x9b"});
}

TEST_F(CLibrary, ADamagedFileIsAFaultAndFailsWhereItIsNeeded) {
  ScratchFolder folder;
  std::filesystem::copy(folder_->path(), folder.path(), std::filesystem::copy_options::recursive);
  const auto files = files_ending(folder.path(), "-003.rsow");
  ASSERT_EQ(files.size(), 1u);
  Bytes bytes = read_bytes(files.front());
  bytes[kSeedsAt] ^= 1;
  write_bytes(files.front(), bytes);
  const CTables tables = open_c(folder.path(), "urim", "pit-limit=5");
  ASSERT_EQ(retrosow_fault_count(tables.get()), 1u);
  EXPECT_NE(std::string(retrosow_fault(tables.get(), 0)).find(files.front().string()),
            std::string::npos);
  int32_t value = 99;
  expect_failure(failure_of([&](char* message, std::size_t bytes_of_message) {
                   return retrosow_value_of(tables.get(), "1,1/1,0", &value, message,
                                            bytes_of_message);
                 }),
                 RETROSOW_CORRUPT, {files.front().string()});
  EXPECT_EQ(retrosow_value_of(tables.get(), "1,1/1,1", &value, nullptr, 0), RETROSOW_OK);
  // It is of other rules than these, whose level is just not there.
  const CTables oware = open_c(folder.path(), "oware");
  EXPECT_EQ(retrosow_value_of(oware.get(), "1,1/1,0", &value, nullptr, 0), RETROSOW_IO);
}

TEST(CLibraryRounds, ClosedHolesAndEndlessSowsAreShown) {
  ScratchFolder folder;
  BuildOptions options = options_for(folder.path());
  options.distances = true;
  const auto [root, shape] = placed("2,x,5/5,1,x");
  build_round(rio_rules(EndlessSow::kDraw), root, shape, options);
  const reference::RioSolution solution(reference_rules(rio_rules(EndlessSow::kDraw)),
                                        rio_position_of(board_of(root, shape), shape));
  const CTables tables = open_c(folder.path(), "rio-kadalis", "endless-sow=draw");
  char message[256];
  retrosow_position start{};
  ASSERT_EQ(retrosow_parse(tables.get(), "2,X,5/5 1,x", &start, message, sizeof message),
            RETROSOW_OK)
      << message;
  EXPECT_EQ(c_text(start), "2,x,5/5,1,x");
  EXPECT_EQ(start.seeds[1], RETROSOW_CLOSED);

  std::size_t endless = 0, fours = 0;
  for (int stones = 1; stones <= 13; stones += 4) {
    solution.for_each(
        stones, [&](const reference::RioPosition& known_position, reference::Solved known) {
          if (known_position.mover.size() != 2 || known_position.opponent.size() != 2) return;
          retrosow_position position = start;
          position.seeds[0] = static_cast<uint8_t>(known_position.mover[0]);
          position.seeds[2] = static_cast<uint8_t>(known_position.mover[1]);
          position.seeds[3] = static_cast<uint8_t>(known_position.opponent[0]);
          position.seeds[4] = static_cast<uint8_t>(known_position.opponent[1]);
          retrosow_evaluation all{};
          ASSERT_EQ(retrosow_probe(tables.get(), &position, &all, message, sizeof message), 0)
              << message;
          EXPECT_EQ(all.value, known.value) << c_text(position);
          EXPECT_EQ(all.distance, known.distance) << c_text(position);
          const auto moves = reference::legal_moves(solution.rules(), known_position);
          ASSERT_EQ(all.move_count, static_cast<int>(moves.size()));
          for (std::size_t i = 0; i < moves.size(); ++i) {
            const retrosow_move& move = all.moves[i];
            EXPECT_EQ(move.pit, moves[i].hole == 1 ? 1 : 3) << c_text(position);
            EXPECT_EQ(move.captured, moves[i].captured);
            EXPECT_EQ(move.captured_opponent, moves[i].captured_opponent);
            fours += move.captured_opponent != 0;
            const bool never_ends = moves[i].ends == reference::RioEnd::kEndless;
            endless += never_ends;
            EXPECT_EQ((move.flags & RETROSOW_ENDLESS) != 0, never_ends);
            if (never_ends) continue;
            // The rows have changed sides, and their closed holes with them.
            const auto& result = moves[i].result;
            EXPECT_EQ(c_text(move.result), std::to_string(result.mover[0]) + "," +
                                               std::to_string(result.mover[1]) + ",x/" +
                                               std::to_string(result.opponent[0]) + ",x," +
                                               std::to_string(result.opponent[1]));
          }
        });
  }
  EXPECT_GT(endless, 0u);
  EXPECT_GT(fours, 0u);
  retrosow_level level{};
  ASSERT_EQ(retrosow_level_at(tables.get(), 0, &level, nullptr, 0), RETROSOW_OK);
  EXPECT_EQ(level.reachable, 1);
}

TEST(CLibraryPositions, StartsAreThoseOfTheGames) {
  ScratchFolder folder;
  const CTables urim = open_c(folder.path()), rio = open_c(folder.path(), "rio-kadalis");
  retrosow_position position{};
  ASSERT_EQ(retrosow_start(urim.get(), 6, -1, &position, nullptr, 0), RETROSOW_OK);
  EXPECT_EQ(c_text(position), "3,3,3,3,3,3/3,3,3,3,3,3");
  ASSERT_EQ(retrosow_start(rio.get(), 2, -1, &position, nullptr, 0), RETROSOW_OK);
  EXPECT_EQ(c_text(position), "4,4/4,4");
  ASSERT_EQ(retrosow_start(urim.get(), 8, 17, &position, nullptr, 0), RETROSOW_OK);
  EXPECT_EQ(c_text(position), "17,17,17,17,17,17,17,17/17,17,17,17,17,17,17,17");
  ASSERT_EQ(retrosow_parse(urim.get(), "start", &position, nullptr, 0), RETROSOW_OK);
  EXPECT_EQ(c_text(position), "3,3,3,3,3,3/3,3,3,3,3,3");
  EXPECT_EQ(retrosow_start(urim.get(), 9, -1, &position, nullptr, 0), RETROSOW_USAGE);
  EXPECT_EQ(retrosow_start(urim.get(), 6, 18, &position, nullptr, 0), RETROSOW_USAGE);
  EXPECT_EQ(retrosow_start(urim.get(), 6, -2, &position, nullptr, 0), RETROSOW_USAGE);
  EXPECT_LE(c_text(position).size(), std::size_t{RETROSOW_POSITION_BYTES});
}

TEST(CLibraryItself, SaysWhatItIs) {
  EXPECT_STREQ(retrosow_version(), RETROSOW_VERSION);
  int first = 0, last = 0;
  retrosow_format_versions(&first, &last);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(last, int{kFormatVersion});
  retrosow_format_versions(nullptr, nullptr);
  EXPECT_STREQ(retrosow_status_name(RETROSOW_CORRUPT), "corrupt");
  EXPECT_STREQ(retrosow_status_name(-5), "unknown");
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  for (char buffer[4096]; const std::size_t got = fread(buffer, 1, sizeof buffer, pipe);) {
    output.append(buffer, got);
  }
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << output;
  return output;
}

// The symbols of a listing (nm -D --defined-only): the last word of each line, without its version.
std::set<std::string> symbols_of(const std::string& listing) {
  std::set<std::string> symbols;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string address, type, name;
    words >> address >> type >> name;
    if (type != "A")
      symbols.insert(name.substr(0, name.find('@')));  // A: the name of the version itself
  }
  return symbols;
}

TEST(CLibraryItself, ShowsTheFunctionsOfItsHeaderAndNoOther) {
  const std::string header =
      read_text(std::string(RETROSOW_SOURCE_DIR) + "/solver/capi/retrosow.h");
  static const std::regex declaration(R"(RETROSOW_API [^;]*?(retrosow_[a-z_]+)\()");
  std::set<std::string> declared;
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at) {
    declared.insert((*at)[1]);
  }
  EXPECT_GE(declared.size(), 15u);
  EXPECT_EQ(symbols_of(output_of("'" RETROSOW_NM "' -D --defined-only '" RETROSOW_C_LIBRARY "'")),
            declared);
  EXPECT_EQ(
      symbols_of("0000000000000000 A RETROSOW_0\n00000000000061f0 T retrosow_open@@RETROSOW_0\n"
                 "0000000000006200 W _ZNSt6vectorIiE4sizeEv\n"),
      (std::set<std::string>{"retrosow_open", "_ZNSt6vectorIiE4sizeEv"}));
}

TEST(CLibraryItself, NeedsNoLibraryOfTheBuildSide) {
  const std::string needed = output_of("'" RETROSOW_READELF "' -d '" RETROSOW_C_LIBRARY "'");
  EXPECT_NE(needed.find("soname: [libretrosow.so." + std::to_string(RETROSOW_ABI) + "]"),
            std::string::npos)
      << needed;
  EXPECT_NE(needed.find("[libzstd.so"), std::string::npos) << needed;
  for (const char* other : {"libtbb", "libboost", "libretrosow_"}) {
    EXPECT_EQ(needed.find(other), std::string::npos) << needed;
  }
}

}  // namespace
}  // namespace retrosow::test
