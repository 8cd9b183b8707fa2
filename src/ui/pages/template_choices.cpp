// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/template_choices.h"

#include "theme/design.h"

#include "ep/json/conversation.h"
#include "ep/ui/to_qstring.h"

#include <QComboBox>
#include <QFormLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

std::string objectOf(const std::map<std::string, std::string>& values)
{
    json::OrderedJson object = json::OrderedJson::object();
    for (const auto& [name, value] : values)
        object[name] = json::parsedOrNull(value);
    return object.empty() ? std::string() : object.dump();
}

} // namespace

TemplateChoices::TemplateChoices(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setVerticalSpacing(kHalfGrid);
    hide();
}

void TemplateChoices::setChoices(const std::vector<text::TemplateChoice>& choices)
{
    if (choices == m_choices)
        return;
    m_choices = choices;
    fill();
}

std::string TemplateChoices::variables() const
{
    std::map<std::string, std::string> shown;
    for (const text::TemplateChoice& choice : m_choices) {
        const auto chosen = m_chosen.find(choice.name);
        if (chosen != m_chosen.end() && std::ranges::count(choice.values, chosen->second) > 0)
            shown.insert(*chosen);
    }
    return objectOf(shown);
}

std::string TemplateChoices::remembered() const
{
    return objectOf(m_chosen);
}

void TemplateChoices::setRemembered(const std::string& variables)
{
    m_chosen.clear();
    const json::OrderedJson object = json::parsedOrNull(variables);
    if (object.is_object()) {
        for (const auto& [name, value] : object.items())
            m_chosen[name] = value.dump();
    }
    fill();
}

void TemplateChoices::fill()
{
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    for (const text::TemplateChoice& choice : m_choices) {
        auto* box = new QComboBox(this);
        box->setObjectName(u"choice_"_s + toQString(choice.name));
        box->setAccessibleName(toQString(choice.name));
        box->addItem(tr("As the template sets it"), QString());
        for (const std::string& value : choice.values) {
            const json::OrderedJson json = json::parsedOrNull(value);
            const QString text = value == "true" ? tr("On")
                : value == "false"               ? tr("Off")
                : json.is_string()               ? toQString(json.get<std::string>())
                                                 : toQString(value);
            box->addItem(text, toQString(value));
        }
        const auto chosen = m_chosen.find(choice.name);
        if (chosen != m_chosen.end())
            box->setCurrentIndex(std::max(0, box->findData(toQString(chosen->second))));
        connect(box, &QComboBox::currentIndexChanged, this, [this, box, name = choice.name] {
            const std::string value = box->currentData().toString().toStdString();
            if (value.empty())
                m_chosen.erase(name);
            else
                m_chosen[name] = value;
            Q_EMIT changed();
        });
        m_form->addRow(toQString(choice.name), box);
    }
    setVisible(!m_choices.empty());
}

} // namespace ep::ui
