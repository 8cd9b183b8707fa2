// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/terms.h"

#include "ep/core/format.h"
#include "ep/core/message.h"
#include "ep/ui/to_qstring.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

struct WindowWords {
    const char* terminal; // both in the context "ep::terms" of the translation
    const char* window; // empty: left out
};

// A phrase comes before those that are parts of it.
constexpr std::array kWindowWords{
    WindowWords{"--power modelled", "the power source Modelled"},
    WindowWords{"--power none; energy-profiler doctor", "None; Tools > This Machine"},
    WindowWords{"choose another file with --db", "choose another database"},
    WindowWords{"name another file with --db", "choose another database"},
    WindowWords{"name a database file with --db", "choose a database"},
    WindowWords{"Use it with --db", "Open it"},
    WindowWords{"choose another file with --out", "choose another file"},
    WindowWords{"name another file with --out", "choose another file"},
    WindowWords{"align them with --offset auto, or state the difference with --offset SECONDS",
                "align them, or state the difference"},
    WindowWords{"State the difference with --offset SECONDS", "State the difference"},
    WindowWords{" with --period SECONDS", ""},
    WindowWords{" (--offset moves the power)", ""},
    WindowWords{" (--dates states the order)", ""},
    WindowWords{" (--offset)", ""},
    WindowWords{" (--decimal)", ""},
    WindowWords{" (--energies)", ""},
    WindowWords{" (--unit)", ""},
    WindowWords{" (--zone)", ""},
    WindowWords{" --restore", ""},
    WindowWords{" --recover", ""},
    WindowWords{"--warmup 1 loads it before", "a warm-up loads it before"},
    WindowWords{"record it with --python --auto", "record it with what it computes inside"},
    WindowWords{"with --depth none", "at depth None"},
    WindowWords{"Pin them with --kernels", "Pin them"},
    WindowWords{"with --dtype int8 or q4_k to compute from fewer bits",
                "in the format int8 or q4_k to compute from fewer bits"},
    WindowWords{"that --dtype rounds to", "offered"},
    WindowWords{"with --dtype auto", "in the format As stored"},
    WindowWords{"With --dtype f16", "In the format f16"}};

QString inLanguage(const char* text)
{
    return *text ? QCoreApplication::translate("ep::terms", text) : QString();
}

// Removes from a text of the lower layers, already translated, the command-line switches that it
// names: "choose another file with --db" is advice for a terminal.
QString withoutSwitches(QString text)
{
    if (!text.contains(QLatin1String("--")))
        return text;
    for (const WindowWords& words : kWindowWords) {
        text.replace(inLanguage(words.terminal), inLanguage(words.window));
        // A text without a translation stays English.
        text.replace(QLatin1String(words.terminal), QLatin1String(words.window));
    }
    return text;
}

// Finds the message that has this English text among the patterns of the translation, because
// databases and files hold a run's notes and errors in English. Returns the text itself if there is
// none.
Message messageOf(std::string_view text);

constexpr std::size_t kMinFixed = 12; // "%1 of %2" fits too many texts

struct Pattern {
    std::string text;
    std::vector<std::string> fixed; // the text around %1, %2, ..., which must be in this order

    std::size_t fixedSize() const
    {
        std::size_t size = 0;
        for (const std::string& part : fixed)
            size += part.size();
        return size;
    }
};

Pattern patternOf(std::string text)
{
    Pattern pattern{.text = std::move(text), .fixed = {}};
    std::size_t begin = 0;
    for (int place = 1;; ++place) {
        const std::string mark = '%' + std::to_string(place);
        const std::size_t at = pattern.text.find(mark, begin);
        pattern.fixed.push_back(pattern.text.substr(begin, at - begin));
        if (at == std::string::npos)
            return pattern;
        begin = at + mark.size();
    }
}

struct KnownTexts {
    std::set<std::string, std::less<>> all;
    std::vector<Pattern> patterns; // most specific first: with the most fixed text
};

// Written by scripts/cmake/EpTranslations.cmake; empty if the program was built without
// translations.
const KnownTexts& knownTexts()
{
    static const KnownTexts known = [] {
        KnownTexts texts;
        QFile file(QStringLiteral(":/i18n/patterns.txt"));
        if (!file.open(QIODevice::ReadOnly))
            return texts;
        while (!file.atEnd()) {
            const std::string text = file.readLine().trimmed().toStdString();
            texts.all.insert(text);
            Pattern pattern = patternOf(text);
            if (pattern.fixed.size() > 1 && pattern.fixedSize() >= kMinFixed)
                texts.patterns.push_back(std::move(pattern));
        }
        std::ranges::stable_sort(texts.patterns, std::ranges::greater(), &Pattern::fixedSize);
        return texts;
    }();
    return known;
}

// The texts between the fixed parts; nothing if a fixed part is missing or a text is empty.
std::vector<std::string_view> varyingIn(std::string_view text, const Pattern& pattern)
{
    const std::string& last = pattern.fixed.back();
    if (!text.starts_with(pattern.fixed.front()) || !text.ends_with(last))
        return {};
    std::vector<std::string_view> varying;
    std::size_t begin = pattern.fixed.front().size();
    for (std::size_t i = 1; i < pattern.fixed.size(); ++i) {
        const bool atEnd = i + 1 == pattern.fixed.size();
        const std::size_t end =
            atEnd ? text.size() - last.size() : text.find(pattern.fixed[i], begin + 1);
        if (end > text.size() || end <= begin)
            return {};
        varying.push_back(text.substr(begin, end - begin));
        begin = end + pattern.fixed[i].size();
    }
    return varying;
}

// End of a number such as "8" or "2.5", with either decimal sign; `at` if there is none.
std::size_t endOfNumber(std::string_view word, std::size_t at)
{
    const auto digits = [&](std::size_t from) {
        return std::min(word.find_first_not_of("0123456789", from), word.size());
    };
    const std::size_t end = digits(at);
    if (end == at || end >= word.size() || (word[end] != '.' && word[end] != ','))
        return end;
    const std::size_t fraction = digits(end + 1);
    return fraction > end + 1 ? fraction : end;
}

// "Layer 3" as "Layer %1" and 3.
std::optional<Message> withoutNumbers(std::string_view text)
{
    std::string pattern;
    std::vector<Message> numbers;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = endOfNumber(text, at);
        if (end == at) {
            pattern += text[at++];
            continue;
        }
        numbers.emplace_back(text.substr(at, end - at));
        pattern += '%' + std::to_string(numbers.size());
        at = end;
    }
    if (numbers.empty() || !knownTexts().all.contains(pattern))
        return std::nullopt;
    return Message(std::move(pattern), std::move(numbers));
}

bool hasClauses(std::string_view text)
{
    return text.find(". ") != text.npos || text.find("; ") != text.npos;
}

bool isKnown(const Message& message)
{
    return knownTexts().all.contains(message.pattern())
        || std::ranges::any_of(message.arguments(), isKnown);
}

// Several sentences, clauses or list items, if at least one of them is known.
std::optional<Message> partByPart(std::string_view text)
{
    for (const std::string_view between : {". ", "; ", ", "}) {
        const std::size_t end = text.find(between);
        if (end == std::string_view::npos)
            continue;
        const std::size_t kept = between.front() == '.' ? end + 1 : end;
        const std::size_t next = end + between.size();
        Message parts("%1" + std::string(text.substr(kept, next - kept)) + "%2",
                      {messageOf(text.substr(0, kept)), messageOf(text.substr(next))});
        return isKnown(parts) ? std::optional(std::move(parts)) : std::nullopt;
    }
    return std::nullopt;
}

Message messageOf(std::string_view text)
{
    if (knownTexts().all.contains(text))
        return text;
    if (auto numbered = withoutNumbers(text))
        return *std::move(numbered);
    std::vector<std::string_view> varying;
    const auto found = std::ranges::find_if(knownTexts().patterns, [&](const Pattern& pattern) {
        varying = varyingIn(text, pattern);
        return !varying.empty();
    });
    // A variable part may contain a sentence or clause, but only if nothing else fits.
    if (varying.empty() || std::ranges::any_of(varying, hasClauses)) {
        if (auto parts = partByPart(text))
            return *std::move(parts);
    }
    if (varying.empty())
        return text;
    std::vector<Message> arguments;
    for (const std::string_view part : varying)
        arguments.push_back(messageOf(part));
    return {found->text, std::move(arguments)};
}

QString translation(const std::string& text)
{
    return QCoreApplication::translate("ep::terms", text.c_str());
}

// "99.4 %" as the language writes it. Versions such as 6.4.2 stay as they are.
QString withLocalPoint(QString text)
{
    static const QRegularExpression kNumber(QStringLiteral("^[0-9]+\\.[0-9]+(?= |$)"));
    if (numberStyle().decimal_point != '.' && kNumber.match(text).hasMatch())
        text[text.indexOf(u'.')] = QLatin1Char(numberStyle().decimal_point);
    return text;
}

QString messageText(const Message& message);

// The translated pattern, with the translated arguments.
QString filledIn(const std::string& pattern, const std::vector<Message>& arguments)
{
    std::vector<std::string> parts;
    for (const Message& argument : arguments)
        parts.push_back(withLocalPoint(messageText(argument)).toStdString());
    return toQString(filled(translation(pattern).toStdString(), parts));
}

QString messageText(const Message& message)
{
    if (message.arguments().empty()) {
        const QString exact = translation(message.pattern());
        if (exact != toQString(message.pattern()))
            return exact;
        const Message found = messageOf(message.pattern());
        return found.arguments().empty() ? exact : filledIn(found.pattern(), found.arguments());
    }
    return filledIn(message.pattern(), message.arguments());
}

} // namespace

QString term(const Message& message)
{
    return withoutSwitches(messageText(message));
}

QString translated(const char* text)
{
    return QCoreApplication::translate("ep::ui", text);
}

} // namespace ep::ui
