// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/terms.h"

#include "ep/core/format.h"
#include "ep/ui/to_qstring.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>
#include <string>
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
    WindowWords{"With --dtype f16", "In the format f16"},
    WindowWords{"than they get with --dtype", "than they get in the format"}};

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

// The translated pattern, with the translated arguments.
QString messageText(const Message& message)
{
    if (message.arguments().empty())
        return translation(message.pattern());
    std::vector<std::string> parts;
    for (const Message& argument : message.arguments())
        parts.push_back(withLocalPoint(messageText(argument)).toStdString());
    return toQString(filled(translation(message.pattern()).toStdString(), parts));
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
