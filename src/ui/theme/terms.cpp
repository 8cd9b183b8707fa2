// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/terms.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <string>

namespace ep::ui {

namespace {

// "8" or "2.5", with either decimal point; `at` if there is no number.
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

} // namespace

QString term(std::string_view word)
{
    const std::string whole(word);
    const QString exact = QCoreApplication::translate("ep::terms", whole.c_str());
    if (exact != QString::fromStdString(whole))
        return exact;
    std::string pattern;
    QStringList numbers;
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t end = endOfNumber(word, at);
        if (end == at) {
            pattern += word[at++];
            continue;
        }
        numbers << QString::fromStdString(whole.substr(at, end - at));
        pattern += '%' + std::to_string(numbers.size());
        at = end;
    }
    const std::string found =
        QCoreApplication::translate("ep::terms", pattern.c_str()).toStdString();
    if (found == pattern)
        return exact;
    QString text = QString::fromStdString(found);
    for (const QString& number : numbers)
        text = text.arg(number);
    return text;
}

} // namespace ep::ui
