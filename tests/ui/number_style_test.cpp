// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#include <QDoubleSpinBox>
#include <QLocale>

#include <gtest/gtest.h>

#include <algorithm>

namespace ep::ui {
namespace {

// Numbers of our own and of Qt's fields stand beside each other.
TEST(NumberStyle, HasOneKindOfDigitsInEveryLanguage)
{
    const QLocale before;
    for (const char* name : {"en_US", "de_DE", "ar_EG", "fa_IR", "mr_IN", "my_MM"}) {
        QLocale::setDefault(QLocale(QString::fromLatin1(name)));
        useNumberStyle(EnergyUnit::Joules);
        QDoubleSpinBox field;
        field.setDecimals(1);
        field.setValue(12.5);
        const QString sign = numberText(12.5).mid(2, 1);
        EXPECT_EQ(field.text().toStdString(), "12" + sign.toStdString() + "5") << name;
        const QString date = dateText(1'769'862'896'789);
        EXPECT_TRUE(std::ranges::all_of(
            date, [](QChar c) { return !c.isDigit() || (c >= u'0' && c <= u'9'); }))
            << name << ": " << date.toStdString();
    }
    QLocale::setDefault(before);
    useNumberStyle(EnergyUnit::Joules);
}

} // namespace
} // namespace ep::ui
