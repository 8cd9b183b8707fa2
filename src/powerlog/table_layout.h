// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cell.h"
#include "formats.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ep::powerlog {

inline constexpr std::size_t kLongestHeader = 200;
inline constexpr char kBlanks = ' '; // as delimiter: any number of blanks

// A column of a table, as its format or its header describes it.
struct Column {
    std::size_t index = 0;
    Role role = Role::Ignored;
    double factor = 1.0; // converts to watts, joules, seconds
    bool unit_known = false;
    Unit::Of header_unit = Unit::Of::None; // as stated by the header
    double header_factor = 1.0;
    std::string rail{}; // without the device's number
    bool numbered = false; // the device's number is appended
    energy::Measured measured = energy::Measured::Machine;
    std::string part{};
    bool by_name = false; // its kind follows from the rail's name
    bool unsure = false; // energies that may be a running total as well
    std::optional<std::size_t> length{}; // column with the length of this one's windows
    std::string counted_with{};
};

// The words of a description for roles of columns.
inline constexpr std::pair<std::string_view, Role> kRoles[] = {
    {"time", Role::Time},       {"start", Role::Start},          {"length", Role::Length},
    {"power", Role::Power},     {"mean power", Role::MeanPower}, {"energy", Role::Energy},
    {"counter", Role::Counter}, {"device", Role::Device},        {"use", Role::Use}};

struct Layout {
    const TableFormat* format = nullptr; // null: described by the user, or guessed
    char delimiter = ',';
    std::size_t header_line = 0; // index among the first lines
    std::string header_text; // as in the file
    std::size_t prefix = 0; // words before the first column, from a tool that timestamps lines
    std::vector<Header> headers;
    std::vector<Column> columns; // columns with a role
    bool units_line = false; // the line after the header has the units
    double length_s = 0.0; // of every row's window; 0: not known
    unsigned flags = 0;

    bool has(Role role) const;
};

// Gives the column the unit in its header, or otherwise the assumed one.
void takeUnit(Column& column, const Header& header, std::string_view assumed);
bool isRailRole(Role role);
Unit::Of unitOf(Role role); // None: any unit, or none
bool isTimeName(const std::string& name);
// A limit, a factor or the like, which is not power that anything draws.
bool isOtherPower(const Header& header);
std::string genericRail(const Header& header); // "gpu" of "gpu_power_w"
// Binds columns by their names and units; false: there is no power or energy.
bool guessLayout(Layout& layout, const std::vector<std::string>& head,
                 Energies energies = Energies::Unknown);
// Renames the rail of a column if another column has a rail of that name.
void nameApart(Column& column, std::unordered_map<std::string, int>& names);

char delimiterOf(std::string_view line); // the sign that seems to separate its cells
// Splits a line; quotes protect delimiters.
void splitLine(std::string_view line, char delimiter, std::vector<std::string_view>& cells);

// Reads the headers of a line, without a `#` in front, into a layout.
void readHeaders(std::string_view line, Layout& layout);
// The headers of a line and what separates them; no columns yet.
Layout headersAt(const std::vector<std::string>& head, std::size_t line);

// Where the table begins and what its columns are; absent: there is no table of power.
std::optional<Layout> findLayout(const std::vector<std::string>& head, const ReadOptions& options);

} // namespace ep::powerlog
