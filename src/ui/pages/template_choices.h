// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/text/chat_template.h"

#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QFormLayout;

namespace ep::ui {

// The switches that the model's chat template reads, such as enable_thinking, each with its
// values. A choice is kept for other models that have the same switch.
class TemplateChoices : public QWidget {
    Q_OBJECT

public:
    explicit TemplateChoices(QWidget* parent = nullptr);

    void setChoices(const std::vector<text::TemplateChoice>& choices); // hidden if there are none

    // JSON objects: the switches shown, and all switches that were ever chosen.
    std::string variables() const;
    std::string remembered() const;
    void setRemembered(const std::string& variables);

Q_SIGNALS:
    void changed();

private:
    void fill();

    std::vector<text::TemplateChoice> m_choices;
    std::map<std::string, std::string> m_chosen; // values as JSON, by name
    QFormLayout* m_form;
};

} // namespace ep::ui
