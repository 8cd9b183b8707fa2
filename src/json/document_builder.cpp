// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_builder.h"

#include <utility>

namespace ep::json {

bool DocumentBuilder::add(Json value)
{
    if (tell(Json::parse_event_t::value, m_open.size(), value))
        put(std::move(value));
    else if (!m_open.empty() && m_open.back().value->is_object())
        dropLast();
    return true;
}

bool DocumentBuilder::open(Json value)
{
    if (m_open.size() >= static_cast<std::size_t>(kMaxDepth)) {
        m_refusal = "nested more than " + std::to_string(kMaxDepth)
            + " levels deep, too deep for a file of this kind";
        return false;
    }
    m_open.push_back({put(std::move(value))});
    return true;
}

bool DocumentBuilder::close(Json::parse_event_t event)
{
    Json* const value = m_open.back().value;
    m_open.pop_back();
    if (tell(event, m_open.size(), *value))
        return true;
    if (m_open.empty())
        m_root = nullptr;
    else
        dropLast();
    return true;
}

bool DocumentBuilder::key(std::string& key)
{
    if (m_keep) {
        Json text = key;
        static_cast<void>(tell(Json::parse_event_t::key, m_open.size(), text));
    }
    auto& object = m_open.back().value->get_ref<Json::object_t&>();
    const auto [member, isNew] = object.try_emplace(std::move(key));
    if (!isNew && m_keys == Keys::Unique) {
        m_refusal = "ambiguous: it holds the key \"" + member->first + "\" twice";
        return false;
    }
    m_open.back().member = member;
    return true;
}

Json* DocumentBuilder::put(Json value)
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
    auto& list = parent.value->get_ref<Json::array_t&>();
    list.push_back(std::move(value));
    return &list.back();
}

void DocumentBuilder::dropLast()
{
    const Open& parent = m_open.back();
    if (parent.value->is_object())
        parent.value->get_ref<Json::object_t&>().erase(parent.member);
    else
        parent.value->get_ref<Json::array_t&>().pop_back();
}

bool DocumentBuilder::parse_error(std::size_t position, const std::string& /*token*/,
                                  const Json::exception& error)
{
    constexpr int kNumberTooLarge = 406; // "1e999"
    if (error.id != kNumberTooLarge)
        m_position = position;
    return false;
}

} // namespace ep::json
