// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/csv_cell.h"
#include "exchange/json_writer.h"
#include "exchange/parsed_json.h"

#include "ep/store/run_tables.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep::store {

// One row of a table: names and values in the order of the columns.
class TableRow {
public:
    explicit TableRow(const TableOptions& options)
        : m_options(options)
    {
        m_json.beginObject(JsonWriter::Layout::Inline);
    }

    template <typename Value>
    void put(std::string_view name, const Value& value)
    {
        m_columns.emplace_back(name);
        if (m_options.json_lines) {
            m_json.member(name, value);
            return;
        }
        if (m_columns.size() > 1)
            m_line += ',';
        appendCell(m_line, value, m_options.formulas);
    }

    // Text that a user or a model wrote.
    void putText(std::string_view name, std::string_view text)
    {
        if (m_options.json_lines)
            put(name, text);
        else
            put(std::string(name) + "_json", jsonText(text));
    }

    // A list or record that is stored as JSON; empty: none.
    void putJson(std::string_view name, const std::string& text)
    {
        if (!m_options.json_lines)
            return put(name, text);
        m_columns.emplace_back(name);
        m_json.key(name);
        const auto value = nlohmann::ordered_json::parse(text, nullptr, false);
        writeParsed(m_json, value.is_discarded() ? nlohmann::ordered_json() : value);
    }

    const std::vector<std::string>& columns() const { return m_columns; }
    std::string takeLine()
    {
        if (!m_options.json_lines)
            return std::move(m_line) + "\r\n";
        m_json.endObject();
        return m_json.take() + '\n';
    }

private:
    TableOptions m_options;
    std::vector<std::string> m_columns;
    std::string m_line; // one line of CSV
    JsonWriter m_json{-1};
};

} // namespace ep::store
