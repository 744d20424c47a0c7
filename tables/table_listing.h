// What a table folder holds, in words: for listings, and for saying what is missing.
#pragma once

#include <string>
#include <vector>

#include "bitboard/notation.h"
#include "tables/table_file.h"

namespace retrosow {

// The written form of a canonical position: where rows differ, the missing holes are shown closed.
Board board_of(const Position& position, Shape shape);

// "2x6", or "2x6 with 5 and 6 open holes"
std::string rows_text(Shape shape);

// "urim 2x6 (pit-limit=17 …) levels 0..12 with distances, 13..14; …", at most five groups, on one line.
std::string contents_text(const std::vector<TableReader>& files);

// The faults of a folder, on one line: "FILE: what is wrong; …".
std::string faults_text(const std::vector<TableFolder::Fault>& faults);

// The class that stands for all of them: corrupt if any is, else that of the first. Pre: not empty.
ErrorClass worst_class(const std::vector<TableFolder::Fault>& faults);

}  // namespace retrosow
