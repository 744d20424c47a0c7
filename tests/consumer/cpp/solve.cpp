// solve FOLDER POSITION: builds Urim tables up to the position's seeds, and prints its value from them and by search.
#include <iostream>

#include "bitboard/notation.h"
#include "solver/solve.h"
#include "tables/build.h"
#include "tables/prober.h"

int main(int argc, char** argv) {
  using namespace retrosow;
  if (argc != 3) return 2;
  const RuleSet rules = preset(Game::kUrim);
  const Board board = parse_board(rules, argv[2], 0, default_seeds_per_pit(rules.game));
  BuildOptions options;
  options.folder = argv[1];
  options.threads = 1;
  build_levels(rules, board.pits, total_seeds(board.position), options);
  SolveOptions search;
  search.method = Method::kSearch;
  search.threads = 1;
  search.value_only = true;
  std::cout << Prober(argv[1], rules).probe(board).value << " "
            << solve(rules, board.position, board.shape(), search).value.value() << "\n";
}
