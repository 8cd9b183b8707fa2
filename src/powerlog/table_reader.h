// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "log.h"
#include "table_layout.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ep::powerlog {

// A device of a table, such as one of several GPUs.
struct Device {
    std::vector<std::string> ids; // cells of the device columns
    std::vector<std::size_t> rails; // by column; kNoRail: none yet
    std::int64_t rows = 0;
};
inline constexpr std::size_t kNoRail = SIZE_MAX;
inline constexpr std::size_t kMaxDevices = 4096;

// Reads the rows of one table.
class TableReader {
public:
    TableReader(Log& log, Layout layout)
        : m_log(log)
        , m_layout(std::move(layout))
    {
        for (const Column& column : m_layout.columns)
            m_last = std::max(m_last, std::max(column.index, column.length.value_or(0)));
        m_gpuDevices = std::ranges::any_of(m_layout.columns, [&](const Column& column) {
            return column.role == Role::Device
                && matches("*gpu*|uuid", m_layout.headers[column.index].name);
        });
        m_oneValue =
            std::ranges::count_if(m_layout.columns,
                                  [](const Column& column) { return isRailRole(column.role); })
            == 1;
        if (flag(table::kMonthFirst))
            log.clock.setMonthFirst();
    }

    Status read();

private:
    bool flag(unsigned one) const { return (m_layout.flags & one) != 0; }
    bool skip(std::string_view line);
    Status row(std::string_view line);
    Status shape(std::string_view line);
    bool wasCut(std::string_view line) const;
    Status values();
    Result<Nanoseconds> timeOf();
    std::optional<NumberText> numberIn(std::size_t column);
    Status lengthOf(std::size_t column, double factor, double& seconds);
    Status valueOf(const Column& column, std::string_view cell, std::optional<double>& value);
    Result<Device*> deviceOf();
    Result<std::size_t> railOf(const Column& column, Device& device, std::string_view name);
    Result<double> rowLength(Nanoseconds at);
    void setRated(const Column& column, const Device& device);
    void addStated(const Column& column, double length);
    Status addReading(const Column& column, Device& device, std::string_view railName,
                      Reading reading);
    Status answerOf();
    bool isPowerEntity() const;
    bool isHeaderAgain() const;
    bool isOtherHeader() const;
    void nameRails();
    void describe();
    void describeAnswers();
    std::string_view cellOf(std::size_t index) const
    {
        return index < m_cells.size() ? m_cells[index] : std::string_view();
    }
    const Column* columnOf(Role role) const
    {
        const auto found = std::ranges::find(m_layout.columns, role, &Column::role);
        return found == m_layout.columns.end() ? nullptr : &*found;
    }

    Log& m_log;
    Layout m_layout;
    bool m_gpuDevices = false;
    bool m_oneValue = true; // a row has one value, so that its name is that of the rail
    std::size_t m_last = 0; // largest index of a column that is read
    std::vector<std::string_view> m_cells;
    std::string m_joined; // a number that was split at its decimal comma
    std::optional<std::size_t> m_join; // column of the number
    std::int64_t m_row = 0;
    std::int64_t m_rows = 0;
    bool m_ended = false; // the header occurred again, followed by other lines
    std::optional<Error> m_pending; // error in the last row, if that was truncated
    std::map<std::string, Device> m_devices;
    Device* m_device = nullptr;
    std::string m_deviceKey;
    std::string m_key;
    Nanoseconds m_lastTime = 0;
    bool m_anyTime = false;
    double m_sum_s = 0.0; // sum of the lengths, for tables without times
    // Common properties of the last cells of all rows, to detect one that was cut off.
    struct LastCells {
        bool any = false;
        bool unit = true; // all have a unit
        int decimals = 0;
        bool same_decimals = true;
        std::size_t length = 0;
        bool same_length = true;
    };
    LastCells m_lastCells;
    std::int64_t m_noise = 0;
    std::int64_t m_otherEntities = 0;
    struct Stated {
        double joules = 0.0;
        std::size_t rail = kNoRail;
        double power_joules = 0.0;
        std::int64_t rows = 0;
    };
    std::map<std::string, Stated> m_stated; // energies of rails from their stated power
    std::int64_t m_rateIsThreads = 0;
    std::int64_t m_rates = 0;
    energy::RowList m_tokensWithoutJoules;
    double m_most_w = 0.0; // largest value in guessed units
};

} // namespace ep::powerlog
