// Text for people: numbers with separators, and tables with aligned columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace retrosow::cli {

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number);

// 8 -> "+8", 0 -> "0", -8 -> "-8"
std::string with_sign(int value);

// 0.5 -> "0.5", 3600 -> "3600": as few digits as say the number.
std::string plain_number(double number);

// 0.0031 -> "0.003 s", 75.2 -> "1 min 15 s"
std::string duration(double seconds);

// 51200000 -> "51.2 M", for rates
std::string short_number(double number);

// 3 -> "3 seeds", 1 -> "1 seed"
std::string counted(std::uint64_t number, std::string_view plural);

// A field of a CSV row as RFC 4180 has it: in quotes where it needs them.
std::string csv_field(std::string_view text);

class TextTable {
 public:
  enum class Align : unsigned char { kLeft, kRight };

  void add_column(std::string header, Align align);
  // Pre: as many cells as there are columns.
  void add_row(std::vector<std::string> cells);
  // The header and all rows, a line each; columns are two blanks apart.
  std::string text() const;

 private:
  std::string line(const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths) const;

  std::vector<std::string> headers_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace retrosow::cli
