// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/assembly.h"

#include "ep/session/run_settings.h"

#include <QDoubleSpinBox>
#include <QLocale>
#include <QSpinBox>

#include <functional>
#include <vector>

namespace ep::ui {

// A number with as many decimals as were typed, and at least a few.
class DecimalBox : public QDoubleSpinBox {
public:
    explicit DecimalBox(QWidget* parent = nullptr)
        : QDoubleSpinBox(parent)
    {
        constexpr int kMost = 9;
        setDecimals(kMost);
    }
    void setLeastDecimals(int least) { m_least = least; }
    QString textFromValue(double value) const override
    {
        QLocale style = locale();
        if (!isGroupSeparatorShown())
            style.setNumberOptions(style.numberOptions() | QLocale::OmitGroupSeparator);
        QString text = style.toString(value, 'f', m_least);
        for (int more = m_least; more <= decimals() && style.toDouble(text) != value; ++more)
            text = style.toString(value, 'f', more);
        return text;
    }

private:
    int m_least = 2;
};

// Spin boxes of numbers of a run, by their names in the table of settings: each accepts the whole
// range stated there.
class SettingBoxes {
public:
    template <typename Box>
    void add(Box& box, std::string_view setting)
    {
        const session::RunSetting& row = session::runSetting(setting);
        box.setRange(static_cast<decltype(box.value())>(row.values.least),
                     static_cast<decltype(box.value())>(row.values.most));
        if (!row.values.unit.empty())
            box.setSuffix(u' '
                          + QString::fromLatin1(row.values.unit.data(),
                                                static_cast<qsizetype>(row.values.unit.size())));
        m_boxes.push_back(
            {[&box, &row](const session::RunRequest& run) {
                 box.setValue(static_cast<decltype(box.value())>(session::valueOf(row, run)));
             },
             [&box, &row](session::RunRequest& run) { session::setValue(row, run, box.value()); }});
    }
    // A new box, with the names that tests and assistive technology read.
    template <typename Box>
    Box* make(QWidget* parent, const QString& id, std::string_view setting,
              const QString& name = {})
    {
        auto* box = named(new Box(parent), id, name);
        add(*box, setting);
        return box;
    }
    void show(const session::RunRequest& run) const
    {
        for (const Entry& entry : m_boxes)
            entry.show(run);
    }
    void read(session::RunRequest& run) const
    {
        for (const Entry& entry : m_boxes)
            entry.read(run);
    }

private:
    struct Entry {
        std::function<void(const session::RunRequest&)> show;
        std::function<void(session::RunRequest&)> read;
    };
    std::vector<Entry> m_boxes;
};

} // namespace ep::ui
