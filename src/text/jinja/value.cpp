// SPDX-License-Identifier: GPL-3.0-or-later
#include "value.h"

#include "characters.h"
#include "render_limits.h"

#include <algorithm>

namespace ep::text::jinja {

namespace {

constexpr std::size_t kMaxWeight = 1U << 20U;
constexpr std::size_t kMaxKeyWeight = 64;
constexpr std::size_t kMaxEntries = 4096;
constexpr std::size_t kBytesPerWeight = 16;

// Depth and weight count shared parts once per occurrence, so that comparing lists of lists of the
// same list cannot take forever.
void requireSmall(int depth, std::size_t weight)
{
    if (depth > kMaxValueDepth)
        throw Failure("lists and dictionaries are nested too deeply");
    if (weight > kMaxWeight)
        throw Failure("a list or dictionary grows too large");
}

bool isHashable(const Value& key)
{
    if (const Sequence* sequence = key.asSequence()) {
        return sequence->kind == Sequence::Kind::Tuple
            && std::all_of(sequence->items.begin(), sequence->items.end(), isHashable);
    }
    return !key.asDict();
}

std::shared_ptr<Sequence> makeSequence(Sequence::Kind kind, Values items)
{
    auto sequence = std::make_shared<Sequence>();
    sequence->kind = kind;
    int depth = 0;
    for (const Value& item : items) {
        depth = std::max(depth, item.depth());
        sequence->weight += item.weight();
    }
    sequence->depth = depth + 1;
    requireSmall(sequence->depth, sequence->weight);
    sequence->items = std::move(items);
    return sequence;
}

template <typename T>
int order(const T& a, const T& b)
{
    return a < b ? -1 : (b < a ? 1 : 0);
}

} // namespace

Value Value::undefined(std::string why)
{
    Value value;
    value.m_state = Undefined{std::make_shared<const std::string>(std::move(why))};
    return value;
}

Value Value::none()
{
    Value value;
    value.m_state = None{};
    return value;
}

Value Value::markup(std::string text)
{
    Value value = Value::text(std::move(text));
    value.m_markup = true;
    return value;
}

Value Value::text(std::string text)
{
    requireTextSize(text.size());
    Value value;
    value.m_state = std::make_shared<const std::string>(std::move(text));
    return value;
}

Value Value::list(Values items)
{
    return Value(makeSequence(Sequence::Kind::List, std::move(items)));
}

Value Value::tuple(Values items)
{
    return Value(makeSequence(Sequence::Kind::Tuple, std::move(items)));
}

Value Value::generator(Values items)
{
    return Value(makeSequence(Sequence::Kind::Generator, std::move(items)));
}

Value Value::dict(std::vector<std::pair<Value, Value>> entries)
{
    auto dict = std::make_shared<Dict>();
    int depth = 0;
    if (entries.size() > kMaxEntries)
        throw Failure("a dictionary grows too large");
    for (auto& [key, item] : entries) {
        if (!isHashable(key) || (!key.isText() && key.weight() > kMaxKeyWeight))
            throw Failure("a " + key.typeName() + " cannot be the key of a dictionary");
        depth = std::max({depth, key.depth(), item.depth()});
        dict->weight += key.weight() + item.weight();
        const Value& wanted = key;
        const auto known =
            std::find_if(dict->entries.begin(), dict->entries.end(),
                         [&](const auto& entry) { return equal(entry.first, wanted); });
        if (known == dict->entries.end())
            dict->entries.emplace_back(std::move(key), std::move(item));
        else
            known->second = std::move(item);
    }
    dict->depth = depth + 1;
    requireSmall(dict->depth, dict->weight);
    Value value;
    value.m_state = std::shared_ptr<const Dict>(std::move(dict));
    return value;
}

Value::Value(std::shared_ptr<const Sequence> sequence)
    : m_state(std::move(sequence))
{
}

Value::Value(std::shared_ptr<Object> object)
    : m_state(std::move(object))
{
}

const std::string* Value::asText() const
{
    const Text* text = std::get_if<Text>(&m_state);
    return text ? text->get() : nullptr;
}

const Sequence* Value::asSequence() const
{
    const auto* sequence = std::get_if<std::shared_ptr<const Sequence>>(&m_state);
    return sequence ? sequence->get() : nullptr;
}

const Dict* Value::asDict() const
{
    const auto* dict = std::get_if<std::shared_ptr<const Dict>>(&m_state);
    return dict ? dict->get() : nullptr;
}

Object* Value::asObject() const
{
    const auto* object = std::get_if<std::shared_ptr<Object>>(&m_state);
    return object ? object->get() : nullptr;
}

std::int64_t Value::integer() const
{
    return isBool() ? static_cast<std::int64_t>(boolean()) : std::get<std::int64_t>(m_state);
}

double Value::number() const
{
    return isFloat() ? std::get<double>(m_state) : static_cast<double>(integer());
}

bool Value::isTrue() const
{
    if (isBool())
        return boolean();
    if (isInt())
        return integer() != 0;
    if (isFloat())
        return number() != 0;
    if (const std::string* text = asText())
        return !text->empty();
    if (const Sequence* sequence = asSequence())
        return sequence->kind == Sequence::Kind::Generator || !sequence->items.empty();
    if (const Dict* dict = asDict())
        return !dict->entries.empty();
    return asObject() != nullptr;
}

std::string Value::typeName() const
{
    if (isUndefined())
        return "Undefined";
    if (isNone())
        return "NoneType";
    if (isBool())
        return "bool";
    if (isInt())
        return "int";
    if (isFloat())
        return "float";
    if (isText())
        return "str";
    if (asDict())
        return "dict";
    if (const Object* object = asObject())
        return object->typeName();
    switch (asSequence()->kind) {
    case Sequence::Kind::List:
        return "list";
    case Sequence::Kind::Tuple:
        return "tuple";
    case Sequence::Kind::Range:
        return "range";
    case Sequence::Kind::View:
        return asSequence()->name;
    case Sequence::Kind::Generator:
        break;
    }
    return "generator";
}

void Value::requireDefined() const
{
    if (const auto* undefined = std::get_if<Undefined>(&m_state))
        throw Failure(undefined->why ? *undefined->why : "a value is undefined");
}

int Value::depth() const
{
    if (const Sequence* sequence = asSequence())
        return sequence->depth;
    const Dict* dict = asDict();
    return dict ? dict->depth : 0;
}

std::size_t Value::weight() const
{
    if (const std::string* text = asText())
        return 1 + text->size() / kBytesPerWeight;
    if (const Sequence* sequence = asSequence())
        return sequence->weight;
    const Dict* dict = asDict();
    return dict ? dict->weight : 1;
}

bool Value::sameAs(const Value& other) const
{
    if (m_state.index() != other.m_state.index())
        return false;
    if (isUndefined() || isNone())
        return true;
    if (isNumber() || isText())
        return equal(*this, other);
    return asSequence() == other.asSequence() && asDict() == other.asDict()
        && asObject() == other.asObject();
}

const Value* Dict::find(const Value& key) const
{
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return equal(entry.first, key); });
    return found == entries.end() ? nullptr : &found->second;
}

const Value* Dict::find(std::string_view key) const
{
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
        const std::string* text = entry.first.asText();
        return text && *text == key;
    });
    return found == entries.end() ? nullptr : &found->second;
}

Value Object::call(Runtime&, const Arguments&)
{
    throw Failure("a " + typeName() + " cannot be called");
}

bool equal(const Value& a, const Value& b)
{
    if (a.isNumber() && b.isNumber()) {
        if (a.isIntegral() && b.isIntegral())
            return a.integer() == b.integer();
        return a.number() == b.number();
    }
    if (a.isText() && b.isText())
        return *a.asText() == *b.asText();
    const Sequence* left = a.asSequence();
    const Sequence* right = b.asSequence();
    if (left && right) {
        const bool comparable =
            left->kind == right->kind && left->kind != Sequence::Kind::Generator;
        return left == right
            || (comparable
                && std::equal(left->items.begin(), left->items.end(), right->items.begin(),
                              right->items.end(), equal));
    }
    if (a.asDict() && b.asDict()) {
        const auto& entries = a.asDict()->entries;
        return entries.size() == b.asDict()->entries.size()
            && std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
                   const Value* other = b.asDict()->find(entry.first);
                   return other && equal(entry.second, *other);
               });
    }
    return a.sameAs(b);
}

int compare(const Value& a, const Value& b)
{
    a.requireDefined();
    b.requireDefined();
    if (a.isNumber() && b.isNumber()) {
        if (a.isIntegral() && b.isIntegral())
            return order(a.integer(), b.integer());
        return order(a.number(), b.number());
    }
    if (a.isText() && b.isText())
        return order(*a.asText(), *b.asText());
    const Sequence* left = a.asSequence();
    const Sequence* right = b.asSequence();
    if (left && right && left->kind == right->kind
        && (left->kind == Sequence::Kind::List || left->kind == Sequence::Kind::Tuple)) {
        const std::size_t common = std::min(left->items.size(), right->items.size());
        for (std::size_t i = 0; i < common; ++i) {
            if (!equal(left->items[i], right->items[i]))
                return compare(left->items[i], right->items[i]);
        }
        return order(left->items.size(), right->items.size());
    }
    throw Failure("a " + a.typeName() + " and a " + b.typeName() + " have no order");
}

Values itemsOf(const Value& value)
{
    if (value.isUndefined())
        return {};
    if (const Sequence* sequence = value.asSequence()) {
        if (sequence->kind != Sequence::Kind::Generator)
            return sequence->items;
        Values rest(sequence->items.begin() + static_cast<std::ptrdiff_t>(sequence->consumed),
                    sequence->items.end());
        sequence->consumed = sequence->items.size();
        return rest;
    }
    Values items;
    if (const std::string* text = value.asText()) {
        for (const std::string_view character : charactersOf(*text))
            items.push_back(Value::text(std::string(character)));
        return items;
    }
    if (const Dict* dict = value.asDict()) {
        for (const auto& entry : dict->entries)
            items.push_back(entry.first);
        return items;
    }
    throw Failure("a " + value.typeName() + " cannot be looped over");
}

} // namespace ep::text::jinja
