// value FOLDER POSITION: the value of an Urim position, from tables.
#include <iostream>

#include "bitboard/notation.h"
#include "tables/prober.h"

int main(int argc, char** argv) {
  using namespace retrosow;
  if (argc != 3) return 2;
  const RuleSet rules = preset(Game::kUrim);
  const Prober prober(argv[1], rules);
  std::cout << prober.probe(parse_board(rules, argv[2], 0, default_seeds_per_pit(rules.game))).value << "\n";
}
