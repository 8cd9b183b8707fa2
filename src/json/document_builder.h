// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/document.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::json {

Error tooDeep();

// Builds a document from the events of nlohmann's parser. Unlike the library's own builder with a
// callback, which visits all children of an object after each of them, an event takes at most the
// logarithm of the object's size, or kMaxOrderedMembers if the order of members is kept. Value:
// Json or OrderedJson.
template <typename Value>
class DocumentBuilder {
public:
    using Keep = typename Value::parser_callback_t;
    using Event = typename Value::parse_event_t;
    enum class Keys : std::uint8_t { LastCounts, Unique };
    // keep may be empty; it is called with keys, values and the ends of lists and objects, and
    // values for which it returns false are left out (see parser_callback_t).
    DocumentBuilder(Keys keys, Keep keep, std::string_view except = {})
        : m_keys(keys)
        , m_keep(std::move(keep))
        , m_except(except)
    {
    }

    Value takeDocument() { return std::move(m_root); }
    // After a failure: what the builder refused; otherwise the position of a syntax error;
    // otherwise a number is out of range.
    const Message& refusal() const { return m_refusal; }
    std::optional<std::size_t> position() const { return m_position; }

    // Called by the parser.
    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_float(double value, const std::string& /*text*/) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(typename Value::binary_t& /*value*/) { return false; }
    bool start_object(std::size_t /*size*/) { return open(Value::object()); }
    bool start_array(std::size_t /*size*/) { return open(Value::array()); }
    bool key(std::string& key);
    bool end_object() { return close(Event::object_end); }
    bool end_array() { return close(Event::array_end); }
    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error);

private:
    struct Open {
        Value* value; // stays valid: its parent does not grow until it is closed
        typename Value::object_t::iterator member{}; // of an object: the member being read
    };

    bool tell(Event event, std::size_t depth, Value& value) const
    {
        return !m_keep || m_keep(static_cast<int>(depth), event, value);
    }
    bool add(Value value);
    bool open(Value value);
    bool close(Event event);
    Value* put(Value value);
    void dropLast(); // of the innermost open value

    Keys m_keys;
    Keep m_keep;
    std::string m_except; // a key that may occur again nevertheless
    Value m_root;
    std::vector<Open> m_open;
    Message m_refusal;
    std::optional<std::size_t> m_position;
};

extern template class DocumentBuilder<Json>;
extern template class DocumentBuilder<OrderedJson>;

} // namespace ep::json
