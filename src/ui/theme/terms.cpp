// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/terms.h"

#include "sentences.h"
#include "window_words.h"

#include "ep/core/format.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <string>

namespace ep::ui {

namespace {

QString translation(const std::string& text)
{
    return QCoreApplication::translate("ep::terms", text.c_str());
}

// Replaces %1, %2, .. by `parts`.
QString filled(const QString& pattern, const QStringList& parts)
{
    QString text;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const int place =
            pattern[i] == u'%' && i + 1 < pattern.size() ? pattern[i + 1].digitValue() : 0;
        if (place >= 1 && place <= parts.size()) {
            text += parts[place - 1];
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
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

// "99.4 %" as the language writes it. Versions such as 6.4.2 stay as they are.
QString withLocalPoint(QString text)
{
    static const QRegularExpression kNumber(QStringLiteral("^[0-9]+\\.[0-9]+(?= |$)"));
    if (numberStyle().decimal_point != '.' && kNumber.match(text).hasMatch())
        text[text.indexOf(u'.')] = QLatin1Char(numberStyle().decimal_point);
    return text;
}

std::optional<QString> withoutNumbers(std::string_view word)
{
    std::string pattern;
    QStringList numbers;
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t end = endOfNumber(word, at);
        if (end == at) {
            pattern += word[at++];
            continue;
        }
        numbers << QString::fromStdString(std::string(word.substr(at, end - at)));
        pattern += '%' + std::to_string(numbers.size());
        at = end;
    }
    const QString found = translation(pattern);
    if (found == QString::fromStdString(pattern))
        return std::nullopt;
    return filled(found, numbers);
}

bool hasClauses(std::string_view text)
{
    return text.find(". ") != text.npos || text.find("; ") != text.npos;
}

// Translates several sentences, clauses or list items one by one.
std::optional<QString> partByPart(std::string_view text)
{
    for (const std::string_view between : {". ", "; ", ", "}) {
        const std::size_t end = text.find(between);
        if (end == std::string_view::npos)
            continue;
        const std::size_t kept = between.front() == '.' ? end + 1 : end;
        const std::size_t next = end + between.size();
        return term(text.substr(0, kept))
            + QString::fromStdString(std::string(text.substr(kept, next - kept)))
            + term(text.substr(next));
    }
    return std::nullopt;
}

QString termWithSwitches(std::string_view word)
{
    const std::string whole(word);
    const QString exact = translation(whole);
    if (exact != QString::fromStdString(whole))
        return exact;
    if (const auto found = withoutNumbers(word))
        return *found;
    const auto sentence = recognised(word);
    // A variable part may contain a sentence or clause, but only if nothing else fits.
    const bool several = sentence && std::ranges::any_of(sentence->varying, hasClauses);
    if (several || !sentence) {
        if (const auto parts = partByPart(word); parts && *parts != exact)
            return *parts;
    }
    if (!sentence)
        return exact;
    QStringList parts;
    for (const std::string_view part : sentence->varying)
        parts << withLocalPoint(term(part));
    return filled(translation(sentence->pattern), parts);
}

} // namespace

QString term(std::string_view word)
{
    return withoutSwitches(termWithSwitches(word));
}

} // namespace ep::ui
