// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/setting_range.h"

#include "ep/ui/settings.h"

#include <QWidget>

#include <string>
#include <vector>

class QLineEdit;
class QSpinBox;

namespace ep::ui {

// How tokens are sampled, when generation ends, and the number of sequences.
class SamplingFields : public QWidget {
    Q_OBJECT

public:
    explicit SamplingFields(QWidget* parent = nullptr);

    void readSettings(const Settings& settings);
    void writeSettings(Settings& settings) const;
    void setModel(const ModelFacts& facts); // bounds the context; an unknown model leaves no choice
    void addStop(const QString& stop); // adds the stop text unless it is there already

private:
    void showContext();
    void tellOfContext();

    SettingBoxes m_boxes;
    QLineEdit* m_seed = nullptr;
    QLineEdit* m_stop = nullptr;
    QSpinBox* m_context = nullptr;
    int m_contextAsked = 0; // 0: what the model allows
    std::int64_t m_bytesPerToken = 0; // of its keys and values
};

// The stop texts on one line, separated by commas; \n, \t, \, and \\ stand for a line break, a
// tab, a comma and a backslash.
QString stopLine(const std::vector<std::string>& stops);
std::vector<std::string> stopTexts(const QString& line);

} // namespace ep::ui
