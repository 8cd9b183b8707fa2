// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/terms.h"

#include "sentences.h"
#include "window_words.h"

#include "ep/core/format.h"
#include "ep/ui/to_qstring.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <string>
#include <vector>

namespace ep::ui {

namespace {

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
