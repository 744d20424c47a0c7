#include "solver/cli/text_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace retrosow::cli {
namespace {

std::string with_decimals(double number, int decimals) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, number);
  return buffer.data();
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string with_sign(int value) {
  return value > 0 ? "+" + std::to_string(value) : std::to_string(value);
}

std::string plain_number(double number) {
  std::array<char, 64> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  return {buffer.data(), result.ptr};
}

std::string duration(double seconds) {
  if (seconds < 10) return with_decimals(seconds, 3) + " s";
  if (seconds < 60) return with_decimals(seconds, 1) + " s";
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return grouped(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string short_number(double number) {
  static constexpr std::array<const char*, 4> kUnits = {"", " k", " M", " G"};
  std::size_t unit = 0;
  while (number >= 1000 && unit + 1 < kUnits.size()) {
    number /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || number >= 100 ? 0 : number >= 10 ? 1 : 2;
  return with_decimals(number, decimals) + kUnits[unit];
}

std::string counted(std::uint64_t number, std::string_view plural) {
  if (number == 1) plural.remove_suffix(1);
  return grouped(number) + " " + std::string(plural);
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

void TextTable::add_column(std::string header, Align align) {
  headers_.push_back(std::move(header));
  aligns_.push_back(align);
}

void TextTable::add_row(std::vector<std::string> cells) {
  assert(cells.size() == headers_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::line(const std::vector<std::string>& cells,
                            const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) text += "  ";
    const std::string padding(widths[i] - cells[i].size(), ' ');
    text += aligns_[i] == Align::kRight ? padding + cells[i] : cells[i] + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headers_.size(); ++i) {
    widths.push_back(headers_[i].size());
    for (const auto& row : rows_) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = line(headers_, widths);
  for (const auto& row : rows_) text += line(row, widths);
  return text;
}

}  // namespace retrosow::cli
