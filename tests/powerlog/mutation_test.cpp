// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of known energies are changed as tools, spreadsheets and accidents change them: whatever is
// then called good has the right energies. EP_LOG_MUTATIONS sets the number of rounds.
#include "log_forms.h"
#include "powerlog/read_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace ep::powerlog::test {
namespace {

using Cell = std::string;

// Splits a cell into blanks, number and unit.
struct NumberCell {
    std::string before;
    double value = 0.0;
    int decimals = 0;
    std::string after;
};

bool numberOf(const Cell& cell, NumberCell& number)
{
    const std::size_t begin = cell.find_first_of("0123456789");
    if (begin == std::string::npos || cell.find(',') != std::string::npos)
        return false;
    const std::size_t end = std::min(cell.find_first_not_of("0123456789.", begin), cell.size());
    const std::string digits = cell.substr(begin, end - begin);
    if (std::count(digits.begin(), digits.end(), '.') > 1)
        return false;
    number = {cell.substr(0, begin), std::atof(digits.c_str()),
              digits.find('.') == std::string::npos
                  ? 0
                  : static_cast<int>(digits.size() - digits.find('.') - 1),
              cell.substr(end)};
    return true;
}

// The digits with a sign between thousands and another one before the decimals.
std::string grouped(double value, int decimals, const std::string& group, char decimal)
{
    std::string text = fixed(value, decimals);
    std::size_t point = text.find('.');
    if (point != std::string::npos)
        text[point] = decimal;
    point = std::min(point, text.size());
    for (std::size_t at = point; at > 3; at -= 3)
        text.insert(at - 3, group);
    return text;
}

// Rewrites the numbers of the values; `in`: on average, one row in this many.
template <typename Rewrite>
void rewrite(MadeLog& log, Dice& dice, std::size_t in, const Rewrite& how)
{
    for (std::size_t r = 1; r < log.rows.size(); ++r) {
        if (!dice.once(in))
            continue;
        for (const std::size_t column : log.values) {
            NumberCell number;
            if (column < log.rows[r].size() && numberOf(log.rows[r][column], number))
                log.rows[r][column] = how(number);
        }
    }
}

std::string quoted(const MadeLog& log, const std::string& text)
{
    return log.delimiter == ',' ? '"' + text + '"' : text;
}

void keep(MadeLog&, Dice&) { }

void signs(MadeLog& log, Dice& dice, const std::string& group, char decimal, std::size_t in)
{
    rewrite(log, dice, in, [&](const NumberCell& number) {
        return quoted(log,
                      number.before + grouped(number.value, number.decimals, group, decimal)
                          + number.after);
    });
}
void decimalCommas(MadeLog& log, Dice& dice)
{
    signs(log, dice, "", ',', 1);
}
void commaThousands(MadeLog& log, Dice& dice)
{
    signs(log, dice, ",", '.', 1);
}
void someCommaThousands(MadeLog& log, Dice& dice)
{
    signs(log, dice, ",", '.', 2);
}
void pointThousands(MadeLog& log, Dice& dice)
{
    signs(log, dice, ".", ',', 1);
}
void blankThousands(MadeLog& log, Dice& dice)
{
    signs(log, dice, "\xC2\xA0", ',', 1);
}
void apostrophes(MadeLog& log, Dice& dice)
{
    signs(log, dice, "'", '.', 1);
}

void wholeThousands(MadeLog& log, Dice& dice)
{
    if (log.form == "counter") // its differences are too small for whole joules
        return;
    const char* const group = dice.once(2) ? "," : ".";
    rewrite(log, dice, 1, [&](const NumberCell& number) {
        return quoted(log, number.before + grouped(number.value, 0, group, '.') + number.after);
    });
}

void threeDecimals(MadeLog& log, Dice& dice)
{
    const char decimal = dice.once(2) ? ',' : '.';
    rewrite(log, dice, 1, [&](const NumberCell& number) {
        return quoted(log, number.before + grouped(number.value, 3, "", decimal) + number.after);
    });
}

void exponents(MadeLog& log, Dice& dice)
{
    rewrite(log, dice, 2, [](const NumberCell& number) {
        char text[40];
        std::snprintf(text, sizeof text, "%.8e", number.value);
        return number.before + text + number.after;
    });
}

void odd(MadeLog& log, Dice& dice)
{
    static const char* const kOdd[] = {"nan", "1e400", "0x1F4", "12 %", "1.2.3", "-inf",
                                       "",    "#N/A",  "1,2,3", "5 A",  "3 J",   "--",
                                       "١٢",  "1 2",   "12e",   "=A1"};
    const std::size_t row = 1 + dice.below(log.rows.size() - 1);
    const std::size_t column = log.values[dice.below(log.values.size())];
    if (column < log.rows[row].size())
        log.rows[row][column] = quoted(log, kOdd[dice.below(std::size(kOdd))]);
}

// The values in another unit, which the cells, the header or nothing states.
void unitInCells(MadeLog& log, Dice& dice)
{
    rewrite(log, dice, 2, [](const NumberCell& number) {
        const bool watts = number.after == " W" || number.after.empty();
        return watts && number.after == " W"
            ? number.before + fixed(number.value * 1e3, 0) + " mW"
            : number.before + fixed(number.value, number.decimals) + number.after;
    });
}

void unitChanges(MadeLog& log, Dice& dice)
{
    const double factor = dice.once(2) ? 1e3 : 1e-3;
    const std::size_t from = 1 + log.rows.size() * (2 + dice.below(5)) / 10;
    for (std::size_t r = from; r < log.rows.size(); ++r) {
        for (const std::size_t column : log.values) {
            NumberCell number;
            if (column < log.rows[r].size() && numberOf(log.rows[r][column], number))
                log.rows[r][column] =
                    number.before + fixed(number.value * factor, 6) + number.after;
        }
    }
}

void timeChanges(MadeLog& log, Dice& dice)
{
    const double factor = dice.once(2) ? 1e3 : 1e-3;
    const std::size_t from = 1 + log.rows.size() * (2 + dice.below(5)) / 10;
    for (std::size_t r = from; r < log.rows.size(); ++r) {
        NumberCell number;
        if (log.time < log.rows[r].size()
            && log.rows[r][log.time].find_first_of("/:-") == std::string::npos
            && numberOf(log.rows[r][log.time], number))
            log.rows[r][log.time] = fixed(number.value * factor, 6);
    }
}

void headerAgain(MadeLog& log, Dice& dice)
{
    std::vector<Cell> header = log.rows.front();
    if (dice.once(2) && log.delimiter == ',') {
        for (Cell& cell : header)
            cell = '"' + cell + '"';
    }
    log.rows.insert(log.rows.begin() + 1 + static_cast<std::ptrdiff_t>(dice.below(log.rows.size())),
                    header);
}

// A header with another unit or another order of its columns.
void otherHeader(MadeLog& log, Dice& dice)
{
    const std::size_t from = 1 + dice.below(log.rows.size() - 1);
    std::vector<Cell> header = log.rows.front();
    const std::size_t a = dice.below(header.size());
    const std::size_t b = dice.below(header.size());
    for (std::size_t r = from; r < log.rows.size(); ++r) {
        if (a < log.rows[r].size() && b < log.rows[r].size())
            std::swap(log.rows[r][a], log.rows[r][b]);
    }
    std::swap(header[a], header[b]);
    log.rows.insert(log.rows.begin() + static_cast<std::ptrdiff_t>(from), header);
}

// Another column of the same name.
void columnTwice(MadeLog& log, Dice& dice)
{
    const std::size_t column = log.values[dice.below(log.values.size())];
    if (log.rows.front().size() <= column)
        return;
    for (auto& row : log.rows) {
        if (row.size() > column)
            row.insert(row.begin() + static_cast<std::ptrdiff_t>(column) + 1, row[column]);
    }
    for (std::size_t& value : log.values)
        value += value > column ? 1 : 0;
}

void unknownRail(MadeLog& log, Dice& dice)
{
    static const char* const kNames[] = {"fan [W]", "SSD Power [W]", "nic_power_w", "Pump (W)"};
    if (log.delimiter == ' ' || log.form == "perf" || log.form == "long"
        || log.form == "home-assistant")
        return;
    log.rows.front().push_back(kNames[dice.below(std::size(kNames))]);
    const char* const value = dice.once(3) ? "0.00" : "4.50";
    for (std::size_t r = 1; r < log.rows.size(); ++r)
        log.rows[r].push_back(log.form == "german" ? "4,5" : value);
}

void rowsTwice(MadeLog& log, Dice& dice)
{
    const std::size_t at = 1 + dice.below(log.rows.size() - 1);
    const auto row = log.rows[at];
    log.rows.insert(log.rows.begin() + static_cast<std::ptrdiff_t>(at), row);
}

void swapped(MadeLog& log, Dice& dice)
{
    if (log.options.period_s || log.form == "rapl" || log.form == "perf" || log.rows.size() < 4)
        return;
    const std::size_t at = 1 + dice.below(log.rows.size() - 2);
    std::swap(log.rows[at], log.rows[at + 1]);
}

void messages(MadeLog& log, Dice& dice)
{
    log.rows.insert(log.rows.begin() + 1 + static_cast<std::ptrdiff_t>(dice.below(log.rows.size())),
                    {dice.once(2) ? "" : "# paused"});
}

struct Mutation {
    const char* name;
    void (*change)(MadeLog& log, Dice& dice);
};
constexpr Mutation kMutations[] = {
    {"nothing", keep},
    {"decimal commas", decimalCommas},
    {"commas between thousands", commaThousands},
    {"commas between some thousands", someCommaThousands},
    {"points between thousands", pointThousands},
    {"blanks between thousands", blankThousands},
    {"apostrophes between thousands", apostrophes},
    {"whole numbers with thousands", wholeThousands},
    {"three decimals", threeDecimals},
    {"exponents", exponents},
    {"an odd cell", odd},
    {"units in cells", unitInCells},
    {"a unit that changes", unitChanges},
    {"times that change their unit", timeChanges},
    {"the header again", headerAgain},
    {"another header", otherHeader},
    {"a column twice", columnTwice},
    {"an unknown rail", unknownRail},
    {"a row twice", rowsTwice},
    {"rows swapped", swapped},
    {"messages", messages},
};

// Changes bytes, after cells have been changed.
std::string changedText(const std::string& text, Dice& dice)
{
    switch (dice.below(8)) {
    case 0: { // cut off
        return text.substr(0, text.size() - dice.below(12));
    }
    case 1: {
        std::string lines;
        for (const char c : text)
            lines += c == '\n' ? "\r\n" : std::string(1, c);
        return lines;
    }
    case 2:
        return "\xEF\xBB\xBF" + text;
    default:
        return text;
    }
}

// The largest deviation from the truth, as a fraction; 0 if a rail is only said to be cut off.
double deviation(const Recording& recording, const MadeLog& log)
{
    double most = 0.0;
    for (const Truth& truth : log.truths) {
        const RailRecording* rail = recording.rail(truth.rail);
        for (const RailRecording& other : recording.rails) {
            if (rail == nullptr && other.name.starts_with(truth.rail)
                && (!truth.rail.empty() || other.joules > 0.5 * truth.joules))
                rail = &other;
        }
        const double joules = rail == nullptr ? 0.0 : rail->joules;
        // A reported gap beside an unavailable value has no energy.
        if (rail != nullptr && rail->unavailable > 0 && joules < truth.joules
            && joules > 0.7 * truth.joules)
            continue;
        most = std::max(most, std::abs(joules / truth.joules - 1.0));
    }
    return most;
}

// Up to two rows may be left out with a note.
constexpr double kTolerance = 0.10;

TEST(LogMutations, WhatIsCalledGoodHasTheRightEnergy)
{
    const char* const rounds = std::getenv("EP_LOG_MUTATIONS");
    const std::uint32_t count =
        rounds == nullptr ? 8 : static_cast<std::uint32_t>(std::atoi(rounds));
    std::map<std::string, int> good;
    int read = 0;
    int total = 0;
    for (std::uint32_t seed = 1; seed <= count; ++seed) {
        for (const LogForm& form : logForms()) {
            for (const Mutation& mutation : kMutations) {
                Dice dice(seed);
                MadeLog log = form.make(dice);
                mutation.change(log, dice);
                const std::string text = changedText(log.text(), dice);
                const auto recording = readText(text, log.options);
                ++total;
                if (!recording || recording->verdict() != Weight::Note)
                    continue;
                ++read;
                ++good[mutation.name];
                EXPECT_LE(deviation(*recording, log), kTolerance)
                    << form.name << ", " << mutation.name << ", round " << seed << "\n"
                    << testing::PrintToString(recording->notes()) << "\n"
                    << text.substr(0, 700);
            }
        }
    }
    // Every log without a fault is read.
    EXPECT_EQ(good["nothing"], static_cast<int>(count * logForms().size()));
    EXPECT_GE(total, 500);
    std::printf("%d of %d changed logs are good\n", read, total);
}

} // namespace
} // namespace ep::powerlog::test
