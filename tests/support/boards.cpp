#include "tests/support/boards.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "bitboard/notation.h"
#include "tests/reference/urim_reference.h"

namespace retrosow::test {

Shape rows(unsigned mover_pits, unsigned opponent_pits) {
  return {static_cast<std::uint8_t>(mover_pits), static_cast<std::uint8_t>(opponent_pits)};
}

Shape equal_rows(unsigned pits) { return rows(pits, pits); }

Position position_of(const std::vector<int>& board, Shape shape) {
  if (board.size() != shape.pits()) throw std::logic_error("test: board and shape differ");
  Position position;
  for (unsigned i = 0; i < shape.pits(); ++i) {
    if (board[i] < 0 || board[i] > 255) throw std::logic_error("test: a pit that no lane holds");
    set_seeds(position, shape, i, static_cast<unsigned>(board[i]));
  }
  return position;
}

Shape shape_of(const reference::RioPosition& position) {
  return rows(static_cast<unsigned>(position.mover.size()),
              static_cast<unsigned>(position.opponent.size()));
}

Position position_of(const reference::RioPosition& position) {
  std::vector<int> board = position.mover;
  board.insert(board.end(), position.opponent.begin(), position.opponent.end());
  return position_of(board, shape_of(position));
}

std::vector<int> board_of(const Position& position, Shape shape) {
  std::vector<int> board;
  for (unsigned i = 0; i < shape.pits(); ++i) {
    board.push_back(static_cast<int>(seeds_in(position, shape, i)));
  }
  return board;
}

reference::RioPosition rio_position_of(const std::vector<int>& board, Shape shape) {
  const auto middle = board.begin() + shape.mover_pits;
  return {{board.begin(), middle}, {middle, board.end()}};
}

Placed placed(const std::string& text) {
  // The rules that allow the most: closed holes, no pit limit.
  const Board board = parse_board(preset(Game::kRioKadalis), text, 0, 4);
  return {board.position, board.shape()};
}

std::string text_of(const std::vector<int>& board, Shape shape) {
  return format_position(position_of(board, shape), shape);
}

namespace {

void fill(std::vector<int>& board, std::size_t pit, unsigned left, unsigned pit_limit,
          const std::function<void(const std::vector<int>&)>& callback) {
  if (pit == board.size()) {
    callback(board);
    return;
  }
  for (unsigned here = 0; here <= left && (pit_limit == 0 || here <= pit_limit); ++here) {
    board[pit] = static_cast<int>(here);
    fill(board, pit + 1, left - here, pit_limit, callback);
  }
}

}  // namespace

void for_each_board_up_to(unsigned pits, unsigned max_seeds, unsigned pit_limit,
                          const std::function<void(const std::vector<int>&)>& callback) {
  std::vector<int> board(pits, 0);
  fill(board, 0, max_seeds, pit_limit, callback);
}

std::uint64_t RandomNumbers::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

unsigned RandomNumbers::below(unsigned bound) {
  return static_cast<unsigned>(((next() >> 32) * bound) >> 32);
}

unsigned RandomNumbers::between(unsigned low, unsigned high) { return low + below(high - low + 1); }

namespace {

// Throws seeds into random pits that can take one, until none is left or no pit can.
void throw_seeds(RandomNumbers& random, std::vector<int>& board, unsigned seeds, unsigned most) {
  std::vector<std::size_t> open;
  for (std::size_t pit = 0; pit < board.size(); ++pit) {
    if (board[pit] < static_cast<int>(most)) open.push_back(pit);
  }
  while (seeds > 0 && !open.empty()) {
    const std::size_t pick = random.below(static_cast<unsigned>(open.size()));
    --seeds;
    if (++board[open[pick]] == static_cast<int>(most)) {
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(pick));
    }
  }
}

unsigned sum(const std::vector<int>& board) {
  return static_cast<unsigned>(std::accumulate(board.begin(), board.end(), 0));
}

}  // namespace

std::vector<int> random_urim_board(RandomNumbers& random, unsigned pits, unsigned pit_limit) {
  std::vector<int> board(std::size_t{2} * pits, 0);
  const unsigned most = pit_limit == 0 ? kMaxBoardSeeds : pit_limit;
  const unsigned mine = random.below(pits);
  switch (random.below(8)) {
    case 0: throw_seeds(random, board, random.below(13), most); break;
    case 1: throw_seeds(random, board, random.between(8, 60), most); break;
    case 2: throw_seeds(random, board, random.between(60, kMaxBoardSeeds), most); break;
    case 3:  // every pit full, nearly full, or nearly empty
      if (pit_limit == 0) {
        board[random.below(2 * pits)] = static_cast<int>(random.between(100, 240));
      } else {
        for (int& seeds : board) {
          const unsigned gap = random.below(3);
          seeds = static_cast<int>(random.one_in(3) ? std::min(most, random.below(4))
                                                    : most - std::min(most, gap));
        }
      }
      break;
    case 4:  // one long sowing over a board of captures
      throw_seeds(random, board, random.below(4 * pits), most);
      board[mine] = static_cast<int>(std::min(most, random.between(11, 36)));
      break;
    case 5: {  // full laps exactly: the last seed falls into the pit before the start
      throw_seeds(random, board, random.below(4 * pits), std::min(most, 4U));
      const unsigned lap = 2 * pits - 1;
      board[mine] = static_cast<int>(std::min(most, lap * random.between(1, 3)));
      break;
    }
    case 6:  // the opponent's row empty, or next to empty
      throw_seeds(random, board, random.between(1, 5 * pits), most);
      for (std::size_t pit = pits; pit < board.size(); ++pit) board[pit] = 0;
      if (random.one_in(3)) board[pits + random.below(pits)] = 1;
      break;
    default:  // sowings with more seeds than a byte's sign allows
      throw_seeds(random, board, random.below(40), std::min(most, 20U));
      board[mine] = static_cast<int>(std::min(most, random.between(120, 200)));
      break;
  }
  // Without a limit a board may hold 255 seeds and no more.
  while (pit_limit == 0 && sum(board) > kMaxBoardSeeds) {
    int& fullest = *std::max_element(board.begin(), board.end());
    fullest -= static_cast<int>(
        std::min<unsigned>(static_cast<unsigned>(fullest), sum(board) - kMaxBoardSeeds));
  }
  return board;
}

std::vector<int> random_rio_board(RandomNumbers& random, Shape shape, unsigned max_stones) {
  std::vector<int> board(shape.pits(), 0);
  if (random.one_in(2)) {
    // After the opening a hole rests with at most three stones.
    const unsigned most = random.between(2, 3);
    for (int& stones : board) stones = static_cast<int>(random.below(most + 1));
    if (shape.mover_pits > 0 && random.one_in(4)) {
      board[random.below(shape.mover_pits)] = static_cast<int>(random.below(max_stones / 2));
    }
    return board;
  }
  const unsigned stones = random.below(max_stones + 1);
  unsigned heavy = 0;
  if (shape.mover_pits > 0 && random.one_in(2)) {
    heavy = random.below(stones + 1);
    board[random.below(shape.mover_pits)] = static_cast<int>(heavy);
  }
  throw_seeds(random, board, stones - heavy, random.one_in(2) ? kMaxBoardSeeds : 5);
  return board;
}

}  // namespace retrosow::test
