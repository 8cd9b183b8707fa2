// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/json_reader.h"

#include "ep/json/conversation.h"

#include <algorithm>

namespace ep::store {

std::string JsonPlace::text() const
{
    std::string before = parent ? parent->text() : std::string();
    if (key.empty() && parent)
        return before + "[" + std::to_string(index) + "]";
    if (!before.empty())
        before += '.';
    return before += key;
}

void JsonProblem::report(const JsonPlace& place, const std::string& what)
{
    if (!m_text)
        m_text = place.text() + " " + what;
}

JsonObject::JsonObject(const Json& value, const JsonPlace& place, JsonProblem& problem)
    : m_object(value.is_object() ? &value : nullptr)
    , m_place(place)
    , m_problem(problem)
{
    if (!m_object)
        m_problem.report(place, "must be an object");
}

JsonObject::~JsonObject()
{
    if (!m_object || m_problem.found() || m_present == m_object->size())
        return;
    for (const auto& [name, value] : m_object->items()) {
        if (std::find(m_known.begin(), m_known.end(), name) == m_known.end()
            && std::find(m_derived.begin(), m_derived.end(), name) == m_derived.end())
            m_problem.report({&m_place, name}, "is not a member of the format");
    }
}

const Json* JsonObject::find(const char* name)
{
    m_known.push_back(name);
    if (!m_object)
        return nullptr;
    const auto found = m_object->find(name);
    if (found == m_object->end())
        return nullptr;
    ++m_present;
    return &*found;
}

void JsonObject::ignoreMilliseconds(std::string_view field)
{
    constexpr std::string_view kNanoseconds = "_ns";
    if (!m_object || !field.ends_with(kNanoseconds))
        return;
    field.remove_suffix(kNanoseconds.size());
    std::string name = std::string(field) + "_ms";
    if (!m_object->contains(name))
        return;
    ++m_present;
    m_derived.push_back(std::move(name));
}

void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, bool& field)
{
    if (value.is_boolean())
        field = value.get<bool>();
    else
        problem.report(place, "must be true or false");
}

// NaN was written as null.
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, double& field)
{
    if (value.is_number())
        field = value.get<double>();
    else if (value.is_null())
        field = std::numeric_limits<double>::quiet_NaN();
    else
        problem.report(place, "must be a number or null");
}

void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, float& field)
{
    double number = 0.0;
    readValue(value, place, problem, number);
    constexpr double kMax = std::numeric_limits<float>::max();
    if (number > kMax || number < -kMax)
        problem.report(place, "is too large");
    else
        field = static_cast<float>(number);
}

void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, std::string& field)
{
    if (value.is_string())
        field = value.get_ref<const std::string&>();
    else
        problem.report(place, "must be a string");
}

void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, Message& field)
{
    std::string text;
    readValue(value, place, problem, text);
    field = std::move(text);
}

void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, EnergyValue& field)
{
    field = {};
    JsonObject object(value, place, problem);
    object.read("total_mj", field.total_mj);
    object.read("provenance", field.provenance);
    object.read("sd_mj", field.sd_mj);
    object.read("alternative_mj", field.alternative_mj);
    if (const Json* rails = object.find("rails"))
        readRails(*rails, {&place, "rails"}, problem, field.rails_mj);
}

void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, Conversation& field)
{
    field = {};
    if (value.is_null())
        return;
    auto read = json::conversationOf(value);
    if (read)
        field = *std::move(read);
    else
        problem.report(place, "is no conversation, as " + read.error().message.english());
}

} // namespace ep::store
