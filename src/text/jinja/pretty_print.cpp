// SPDX-License-Identifier: GPL-3.0-or-later
#include "pretty_print.h"

#include "characters.h"
#include "render_limits.h"
#include "text_forms.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::text::jinja {

namespace {

constexpr int kPrettyWidth = 80;

using SortedEntries = std::vector<std::pair<Value, Value>>;

// Orders keys that Python cannot compare by their type, as Python does.
bool keyBefore(const Value& a, const Value& b)
{
    const bool comparable = (a.isNumber() && b.isNumber()) || (a.isText() && b.isText());
    if (comparable)
        return compare(a, b) < 0;
    return a.typeName() < b.typeName();
}

SortedEntries sortedEntries(const Dict& dict)
{
    SortedEntries entries = dict.entries;
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return keyBefore(a.first, b.first); });
    return entries;
}

bool isPlainSequence(const Value& value)
{
    const Sequence* sequence = value.asSequence();
    return sequence
        && (sequence->kind == Sequence::Kind::List || sequence->kind == Sequence::Kind::Tuple);
}

// The same value with all dictionaries sorted by key.
Value sortedKeys(const Value& value)
{
    if (const Dict* dict = value.asDict()) {
        SortedEntries entries = sortedEntries(*dict);
        for (auto& [key, item] : entries)
            item = sortedKeys(item);
        return Value::dict(std::move(entries));
    }
    if (!isPlainSequence(value))
        return value;
    Values items = value.asSequence()->items;
    for (Value& item : items)
        item = sortedKeys(item);
    return value.asSequence()->kind == Sequence::Kind::List ? Value::list(std::move(items))
                                                            : Value::tuple(std::move(items));
}

// Words, each with the white space after it.
std::vector<std::string> wordsWithSpaces(std::string_view line)
{
    std::vector<std::string> words;
    bool spaces = true;
    for (const std::string_view character : charactersOf(line)) {
        const bool blank = isSpace(codePointOf(character));
        if (words.empty() || (spaces && !blank))
            words.emplace_back();
        words.back() += character;
        spaces = blank;
    }
    return words;
}

// Lines, each with its line end.
std::vector<std::string> linesWithEnds(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = text.find_first_of("\n\r", begin);
        if (end == std::string::npos)
            end = text.size();
        else
            end += text.compare(end, 2, "\r\n") == 0 ? 2 : 1;
        lines.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return lines;
}

class Printer {
public:
    explicit Printer(Runtime& runtime)
        : m_runtime(runtime)
    {
    }

    // indent: column at which the value begins; allowance: characters that follow it on its line.
    void print(const Value& value, int indent, int allowance, int level)
    {
        const Runtime::Nesting nesting(m_runtime);
        const std::string source = sourceOf(value);
        if (size(source) <= kPrettyWidth - indent - allowance)
            add(source);
        else if (const Dict* dict = value.asDict())
            printDict(*dict, indent, allowance, level + 1);
        else if (isPlainSequence(value))
            printList(*value.asSequence(), indent, allowance, level + 1);
        else if (value.isText() && !value.asText()->empty())
            printText(*value.asText(), indent, allowance, level + 1);
        else
            add(source);
    }

    std::string take() { return std::move(m_out); }

private:
    std::string sourceOf(const Value& value) { return toSource(m_runtime, value); }
    static int size(const std::string& text) { return static_cast<int>(characterCount(text)); }

    void add(const std::string& text)
    {
        m_out += text;
        m_runtime.charge(text.size());
        if (m_out.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
    }
    void newLine(int indent) { add("\n" + std::string(static_cast<std::size_t>(indent), ' ')); }

    void printDict(const Dict& dict, int indent, int allowance, int level)
    {
        add("{");
        std::size_t left = dict.entries.size();
        for (const auto& [key, item] : sortedEntries(dict)) {
            const std::string name = sourceOf(key) + ": ";
            add(name);
            const bool last = --left == 0;
            print(item, indent + 1 + size(name), last ? allowance + 1 : 1, level);
            if (!last) {
                add(",");
                newLine(indent + 1);
            }
        }
        add("}");
    }

    void printList(const Sequence& list, int indent, int allowance, int level)
    {
        const bool isTuple = list.kind == Sequence::Kind::Tuple;
        const std::string end = !isTuple ? "]" : list.items.size() == 1 ? ",)" : ")";
        add(isTuple ? "(" : "[");
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const bool last = i + 1 == list.items.size();
            print(list.items[i], indent + 1, last ? allowance + size(end) : 1, level);
            if (!last) {
                add(",");
                newLine(indent + 1);
            }
        }
        add(end);
    }

    // Several literals, one below the other.
    void printText(const std::string& text, int indent, int allowance, int level)
    {
        const bool outermost = level == 1;
        indent += outermost ? 1 : 0;
        allowance += outermost ? 1 : 0;
        const std::vector<std::string> literals = literalsOf(text, indent, allowance);
        if (literals.size() == 1)
            return add(literals.front());
        if (outermost)
            add("(");
        for (std::size_t i = 0; i < literals.size(); ++i) {
            if (i > 0)
                newLine(indent);
            add(literals[i]);
        }
        if (outermost)
            add(")");
    }

    std::vector<std::string> literalsOf(const std::string& text, int indent, int allowance)
    {
        const auto quoted = [this](const std::string& part) { return sourceOf(Value::text(part)); };
        std::vector<std::string> literals;
        const std::vector<std::string> lines = linesWithEnds(text);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const bool lastLine = i + 1 == lines.size();
            const int width = kPrettyWidth - indent;
            if (const std::string whole = quoted(lines[i]);
                size(whole) <= width - (lastLine ? allowance : 0)) {
                literals.push_back(whole);
                continue;
            }
            std::string current;
            const std::vector<std::string> words = wordsWithSpaces(lines[i]);
            for (std::size_t j = 0; j < words.size(); ++j) {
                const bool last = lastLine && j + 1 == words.size();
                if (size(quoted(current + words[j])) > width - (last ? allowance : 0)) {
                    if (!current.empty())
                        literals.push_back(quoted(current));
                    current.clear();
                }
                current += words[j];
            }
            if (!current.empty())
                literals.push_back(quoted(current));
        }
        return literals;
    }

    Runtime& m_runtime;
    std::string m_out;
};

} // namespace

std::string prettyPrinted(Runtime& runtime, const Value& value)
{
    runtime.charge(16 * value.weight());
    Printer printer(runtime);
    printer.print(sortedKeys(value), 0, 0, 0);
    return printer.take();
}

} // namespace ep::text::jinja
