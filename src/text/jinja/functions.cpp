// SPDX-License-Identifier: GPL-3.0-or-later
#include "date_format.h"
#include "library.h"
#include "text_forms.h"

#include <algorithm>
#include <memory>

namespace ep::text::jinja {

namespace {

Value range(Runtime& runtime, const Arguments& arguments)
{
    const Parameters p("range", arguments, {"start", "stop", "step"});
    const bool one = !p.has("stop");
    const std::int64_t begin = one ? 0 : p.integer("start");
    const std::int64_t end = one ? p.integer("start") : p.integer("stop");
    const std::int64_t step = p.integer("step", 1);
    if (step == 0)
        throw Failure("the step of a range cannot be zero");
    Values items;
    for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
        if (items.size() >= kMaxRange)
            throw Failure("a range is longer than " + std::to_string(kMaxRange));
        items.emplace_back(i);
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    runtime.charge(items.size());
    const Value list = Value::list(std::move(items));
    auto sequence = std::make_shared<Sequence>(*list.asSequence());
    sequence->kind = Sequence::Kind::Range;
    sequence->name = "range(" + std::to_string(begin) + ", " + std::to_string(end)
        + (step == 1 ? "" : ", " + std::to_string(step)) + ")";
    return Value(std::shared_ptr<const Sequence>(std::move(sequence)));
}

// The pairs of dict(other, name=value).
std::vector<std::pair<Value, Value>> pairsOf(Runtime& runtime, const std::string& function,
                                             const Arguments& arguments)
{
    std::vector<std::pair<Value, Value>> entries;
    if (arguments.positional.size() > 1)
        throw Failure(function + " takes at most one argument without a name");
    if (!arguments.positional.empty()) {
        const Value& other = arguments.positional.front();
        if (const Dict* dict = other.asDict()) {
            entries = dict->entries;
        } else {
            for (const Value& pair : itemsOf(other)) {
                const Values both = itemsOf(pair);
                if (both.size() != 2)
                    throw Failure(function + " needs pairs");
                entries.emplace_back(both[0], both[1]);
            }
        }
    }
    for (const auto& [name, value] : arguments.named)
        entries.emplace_back(Value::text(name), value);
    runtime.charge(entries.size() * entries.size());
    return entries;
}

Value dict(Runtime& runtime, const Arguments& arguments)
{
    return Value::dict(pairsOf(runtime, "dict", arguments));
}

Value makeNamespace(Runtime& runtime, const Arguments& arguments)
{
    const Value attributes = Value::dict(pairsOf(runtime, "namespace", arguments));
    std::vector<std::pair<std::string, Value>> named;
    for (const auto& [key, value] : attributes.asDict()->entries) {
        if (!key.isText())
            throw Failure("the names in a namespace must be texts");
        named.emplace_back(*key.asText(), value);
    }
    return Value(runtime.makeNamespace(std::move(named)));
}

Value raiseException(Runtime& runtime, const Arguments& arguments)
{
    const Parameters p("raise_exception", arguments, {"message"});
    throw Refusal(toText(runtime, p.at("message")));
}

Value strftimeNow(Runtime& runtime, const Arguments& arguments)
{
    const Parameters p("strftime_now", arguments, {"format"});
    return Value::text(formatDate(runtime.now(), p.text("format")));
}

// joiner(): nothing the first time, the separator afterwards.
Value joiner(Runtime&, const Arguments& arguments)
{
    const Parameters p("joiner", arguments, {"sep"});
    const auto used = std::make_shared<bool>(false);
    return makeFunction(
        "joiner", [used, separator = p.text("sep", ", ")](Runtime&, const Arguments&) {
            return Value::text(std::exchange(*used, true) ? separator : std::string());
        });
}

class CyclerObject final : public Object {
public:
    explicit CyclerObject(Values items)
        : m_items(std::move(items))
        , m_at(std::make_shared<std::size_t>(0))
    {
    }
    std::string typeName() const override { return "Cycler"; }
    Value attribute(const std::string& name) override
    {
        if (name == "current")
            return m_items[*m_at];
        if (name == "reset") {
            return makeFunction(name, [at = m_at](Runtime&, const Arguments&) {
                *at = 0;
                return Value::none();
            });
        }
        if (name == "next") {
            return makeFunction(name, [at = m_at, items = m_items](Runtime&, const Arguments&) {
                const Value item = items[*at];
                *at = (*at + 1) % items.size();
                return item;
            });
        }
        return {};
    }

private:
    Values m_items;
    std::shared_ptr<std::size_t> m_at;
};

Value cycler(Runtime& runtime, const Arguments& arguments)
{
    if (arguments.positional.empty())
        throw Failure("cycler needs at least one value");
    runtime.charge(16 * arguments.positional.size());
    return Value(std::shared_ptr<Object>(std::make_shared<CyclerObject>(arguments.positional)));
}

} // namespace

std::vector<std::pair<std::string, Value>> globalFunctions()
{
    std::vector<std::pair<std::string, Value>> functions;
    const auto add = [&](const char* name, FunctionObject::Body body) {
        functions.emplace_back(name, makeFunction(name, std::move(body)));
    };
    add("range", range);
    add("dict", dict);
    add("namespace", makeNamespace);
    add("raise_exception", raiseException);
    add("strftime_now", strftimeNow);
    add("joiner", joiner);
    add("cycler", cycler);
    return functions;
}

} // namespace ep::text::jinja
