// Which of the table files of a folder are to be used, where several say that they are the same one.
//
// A level of a rule set and root has one file of values and one of distances; its name is table_file_name. Beside it
// there may be copies under other names:
//
//   copies    of one digest          the file under the name is used, or the first; the others are passed over
//             of several digests     the file under the name is used; every other is a fault, since nothing tells
//                                    which is right; without a file under the name none is used
//   distances of other values than   a fault of the distances; the values are those that are used
//             those of their level
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tables/table_file.h"

namespace retrosow {

struct NamedTable {
  std::filesystem::path path;
  const TableHeader* header = nullptr;
};

struct TableUse {
  bool used = true;
  std::optional<Error>
      fault;  // corrupt error that names the file and the other one; it is not used then
};

// For each of the files. Pre: the headers are those of whole files.
std::vector<TableUse> table_uses(std::span<const NamedTable> files);

}  // namespace retrosow
