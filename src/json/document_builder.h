// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/document.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::json {

// Builds a document from the events of nlohmann's parser. In contrast to the library's own builder
// with a callback, which goes through all children of an object after each of them, every event
// takes at most the logarithm of the size of its object.
class DocumentBuilder {
public:
    enum class Keys : std::uint8_t { LastCounts, Unique };
    // keep may be empty: see parser_callback_t; a value for which it returns false is left out.
    DocumentBuilder(Keys keys, Json::parser_callback_t keep)
        : m_keys(keys)
        , m_keep(std::move(keep))
    {
    }

    Json takeDocument() { return std::move(m_root); }
    // After a failure: what the builder refused, or else the position at which the text is no JSON,
    // or else a number is too large.
    const std::string& refusal() const { return m_refusal; }
    std::optional<std::size_t> position() const { return m_position; }

    // Called by the parser.
    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_float(double value, const std::string& /*text*/) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(Json::binary_t& /*value*/) { return false; }
    bool start_object(std::size_t /*size*/) { return open(Json::object()); }
    bool start_array(std::size_t /*size*/) { return open(Json::array()); }
    bool key(std::string& key);
    bool end_object() { return close(Json::parse_event_t::object_end); }
    bool end_array() { return close(Json::parse_event_t::array_end); }
    bool parse_error(std::size_t position, const std::string& token, const Json::exception& error);

private:
    struct Open {
        Json* value; // stays in place: its parent does not grow until it is closed
        Json::object_t::iterator member{}; // of an object: the one that is being read
    };

    bool tell(Json::parse_event_t event, std::size_t depth, Json& value) const
    {
        return !m_keep || m_keep(static_cast<int>(depth), event, value);
    }
    bool add(Json value);
    bool open(Json value);
    bool close(Json::parse_event_t event);
    Json* put(Json value);
    void dropLast(); // of the innermost open value

    Keys m_keys;
    Json::parser_callback_t m_keep;
    Json m_root;
    std::vector<Open> m_open;
    std::string m_refusal;
    std::optional<std::size_t> m_position;
};

} // namespace ep::json
