// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_builder.h"

#include <type_traits>
#include <utility>

namespace ep::json {

Error tooDeep()
{
    return {ErrorCode::InvalidInput,
            {"nested more than %1 levels deep, too deep for a file of this kind", kMaxDepth}};
}

template <typename Value>
bool DocumentBuilder<Value>::add(Value value)
{
    if (tell(Event::value, m_open.size(), value))
        put(std::move(value));
    else if (!m_open.empty() && m_open.back().value->is_object())
        dropLast();
    return true;
}

template <typename Value>
bool DocumentBuilder<Value>::open(Value value)
{
    if (m_open.size() >= static_cast<std::size_t>(kMaxDepth)) {
        m_refusal = tooDeep().message;
        return false;
    }
    m_open.push_back({put(std::move(value))});
    return true;
}

template <typename Value>
bool DocumentBuilder<Value>::close(Event event)
{
    Value* const value = m_open.back().value;
    m_open.pop_back();
    if (tell(event, m_open.size(), *value))
        return true;
    if (m_open.empty())
        m_root = nullptr;
    else
        dropLast();
    return true;
}

template <typename Value>
bool DocumentBuilder<Value>::key(std::string& key)
{
    if (m_keep) {
        Value text = key;
        static_cast<void>(tell(Event::key, m_open.size(), text));
    }
    auto& object = m_open.back().value->template get_ref<typename Value::object_t&>();
    const auto [member, isNew] = object.emplace(std::move(key), nullptr);
    if (!isNew && m_keys == Keys::Unique && member->first != m_except) {
        m_refusal = Message("ambiguous: it holds the key \"%1\" twice", member->first);
        return false;
    }
    constexpr bool kOrdered = std::is_same_v<Value, OrderedJson>;
    if (kOrdered && object.size() > static_cast<std::size_t>(kMaxOrderedMembers)) {
        m_refusal =
            Message("too large: an object in it has more than %1 members", kMaxOrderedMembers);
        return false;
    }
    m_open.back().member = member;
    return true;
}

template <typename Value>
Value* DocumentBuilder<Value>::put(Value value)
{
    if (m_open.empty()) {
        m_root = std::move(value);
        return &m_root;
    }
    Open& parent = m_open.back();
    if (parent.value->is_object()) {
        parent.member->second = std::move(value);
        return &parent.member->second;
    }
    auto& list = parent.value->template get_ref<typename Value::array_t&>();
    list.push_back(std::move(value));
    return &list.back();
}

template <typename Value>
void DocumentBuilder<Value>::dropLast()
{
    const Open& parent = m_open.back();
    if (parent.value->is_object())
        parent.value->template get_ref<typename Value::object_t&>().erase(parent.member);
    else
        parent.value->template get_ref<typename Value::array_t&>().pop_back();
}

template <typename Value>
bool DocumentBuilder<Value>::parse_error(std::size_t position, const std::string& /*token*/,
                                         const nlohmann::detail::exception& error)
{
    constexpr int kNumberTooLarge = 406; // "1e999"
    if (error.id != kNumberTooLarge)
        m_position = position;
    return false;
}

template class DocumentBuilder<Json>;
template class DocumentBuilder<OrderedJson>;

} // namespace ep::json
