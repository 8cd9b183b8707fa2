// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/conversation_edit.h"

#include "pages/prompt_text_edit.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/collapsible_box.h"
#include "widgets/flow_layout.h"

#include "ep/core/utf8.h"
#include "ep/json/conversation.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kListLines = 4;
constexpr int kMessageLines = 4;
constexpr int kToolLines = 5;
constexpr std::size_t kPreviewCharacters = 80;

void setLines(QPlainTextEdit& edit, int lines)
{
    edit.setFixedHeight(edit.fontMetrics().lineSpacing() * lines + 2 * kGrid);
    edit.setTabChangesFocus(true);
}

// The message of a reader names the place in the text; the caller puts the source in front.
QString sentenceOf(const Error& error)
{
    return term({"%1: %2.", "Conversation", error.message});
}

QString rowText(const ChatMessage& message)
{
    const std::string words = message.text.empty() ? furtherFields(message) : message.text;
    return toQString(message.role) + u": "_s
        + toQString(previewUtf8(words, kPreviewCharacters)).simplified();
}

} // namespace

using json::OrderedJson;

std::string furtherFields(const ChatMessage& message)
{
    OrderedJson members = json::parsedOrNull(message.json);
    if (!members.is_object())
        return {};
    members.erase("role");
    members.erase("content");
    return members.empty() ? std::string() : json::textOf(members);
}

std::string spokenText(const Conversation& conversation)
{
    std::string all;
    for (const ChatMessage& message : conversation.messages)
        all += (all.empty() ? "" : "\n") + message.role + ": "
            + (message.text.empty() ? furtherFields(message) : message.text);
    return all;
}

Result<ChatMessage> changedMessage(const ChatMessage& message, std::size_t number,
                                   const std::string& role, const std::string& text,
                                   const std::string& further)
{
    const Message who("message %1", number);
    OrderedJson members = OrderedJson::object();
    if (further.find_first_not_of(" \t\n") != std::string::npos) {
        auto read = json::parseOrdered(further);
        if (!read)
            return Error{ErrorCode::InvalidInput,
                         {"%1 has further fields that are %2", who, read.error().message}};
        if (!read->is_object())
            return Error{
                ErrorCode::InvalidInput,
                {"%1 has further fields that are no object, as {\"tool_calls\": []} is", who}};
        members = *std::move(read);
    }
    OrderedJson given = json::parsedOrNull(message.json);
    const bool sameText = text == message.text;
    OrderedJson changed = OrderedJson::object();
    for (const auto& [key, value] : given.items()) {
        if (key == "role")
            changed[key] = role;
        else if (key == "content")
            changed[key] = sameText ? value : OrderedJson(text);
        else if (members.contains(key))
            changed[key] = members.at(key);
    }
    for (const auto& [key, value] : members.items()) {
        if (key != "role" && key != "content")
            changed[key] = value;
    }
    changed["role"] = role;
    if (!changed.contains("content") && !text.empty())
        changed["content"] = text;
    return json::chatMessage(changed, number);
}

ConversationEdit::ConversationEdit(QWidget* parent)
    : QWidget(parent)
    , m_conversations{json::promptConversation({}, {})}
    , m_batch(new QWidget(this))
    , m_which(
          named(new QSpinBox(m_batch), u"conversationNumber"_s, tr("Conversation of the batch")))
    , m_list(named(new QListWidget(this), u"messageList"_s, tr("Messages")))
    , m_add(named(new QPushButton(tr("Add"), this), u"addMessage"_s))
    , m_remove(named(new QPushButton(tr("Remove"), this), u"removeMessage"_s))
    , m_up(new QToolButton(this))
    , m_down(new QToolButton(this))
    , m_open(named(new QPushButton(tr("Open…"), this), u"openConversation"_s))
    , m_role(named(new QComboBox(this), u"messageRole"_s, tr("Role of the message")))
    , m_text(named(new PromptTextEdit(this), u"messageText"_s, tr("Text of the message")))
    , m_further(named(new QLineEdit(this), u"messageFields"_s, tr("Other fields of the message")))
    , m_toolsBox(named(new CollapsibleBox(tr("Tools"), this), u"toolsBox"_s))
    , m_tools(named(new QPlainTextEdit, u"toolsText"_s, tr("Tools")))
{
    build();
    connect(m_which, &QSpinBox::valueChanged, this, [this](int number) {
        showConversation(static_cast<std::size_t>(number - 1));
        Q_EMIT changed(); // because another conversation is rendered
    });
    connect(m_list, &QListWidget::currentRowChanged, this, &ConversationEdit::showMessage);
    connect(m_add, &QPushButton::clicked, this, &ConversationEdit::add);
    connect(m_remove, &QPushButton::clicked, this, &ConversationEdit::remove);
    connect(m_up, &QToolButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { move(1); });
    connect(m_open, &QPushButton::clicked, this, &ConversationEdit::openRequested);
    connect(m_role, &QComboBox::currentTextChanged, this, &ConversationEdit::takeMessage);
    connect(m_text, &QPlainTextEdit::textChanged, this, &ConversationEdit::takeMessage);
    connect(m_further, &QLineEdit::textChanged, this, &ConversationEdit::takeMessage);
    connect(m_tools, &QPlainTextEdit::textChanged, this, &ConversationEdit::takeTools);
    const auto key = [this](const QKeySequence& keys, auto act) {
        auto* shortcut = new QShortcut(keys, m_list);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    key(QKeySequence(Qt::Key_Delete), [this] { remove(); });
    key(QKeySequence(Qt::ALT | Qt::Key_Up), [this] { move(-1); });
    key(QKeySequence(Qt::ALT | Qt::Key_Down), [this] { move(1); });
    showConversation(0);
}

void ConversationEdit::build()
{
    flush(inRow(m_batch, {new QLabel(tr("Conversation"), m_batch), m_which, Stretch{1}}));

    m_list->setToolTip(tr("Delete removes a message, Alt with the arrows moves it"));
    m_list->setUniformItemSizes(true);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFixedHeight(m_list->fontMetrics().lineSpacing() * kListLines + 3 * kGrid);
    m_role->addItems({u"system"_s, u"user"_s, u"assistant"_s, u"tool"_s, u"developer"_s});
    m_text->setPlaceholderText(tr("Text of the message"));
    setLines(*m_text, kMessageLines);
    const QString example = u"{\"tool_calls\": […]}"_s;
    m_further->setPlaceholderText(example);
    m_further->setToolTip(tr("Other fields of the message as JSON: tool_calls, tool_call_id, "
                             "name, reasoning_content"));
    m_tools->setPlaceholderText(tr("JSON list of the tools that the model may call, in the form of "
                                   "OpenAI's API"));
    setLines(*m_tools, kToolLines);
    m_toolsBox->setContent(m_tools);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Role"), m_role);
    auto* fields = new QFormLayout;
    fields->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    fields->addRow(tr("Other fields"), m_further);
    auto* layout =
        flush(inColumn(this, {m_batch, m_list, buildButtons(), form, m_text, fields, m_toolsBox}));
    layout->setSpacing(kHalfGrid);
}

QWidget* ConversationEdit::buildButtons()
{
    m_add->setToolTip(tr("Adds a message after the selected one"));
    m_open->setToolTip(tr("Opens a file with messages in OpenAI's form: JSON, or JSONL for a "
                          "batch. It can also be pasted or dropped here"));
    const auto arrow = [](QToolButton& button, const QString& id, Qt::ArrowType type,
                          const QString& name) {
        button.setObjectName(id);
        button.setArrowType(type);
        button.setAccessibleName(name);
        button.setToolTip(name);
        button.setFocusPolicy(Qt::StrongFocus);
        button.setMinimumSize(kControlHeight, kControlHeight);
    };
    arrow(*m_up, u"messageUp"_s, Qt::UpArrow, tr("Move the message up"));
    arrow(*m_down, u"messageDown"_s, Qt::DownArrow, tr("Move the message down"));
    auto* buttons = new QWidget(this);
    auto* row = new FlowLayout(buttons, kHalfGrid);
    for (QWidget* const one :
         std::initializer_list<QWidget*>{m_add, m_remove, m_up, m_down, m_open})
        row->addWidget(one);
    return buttons;
}

void ConversationEdit::setConversations(std::vector<Conversation> conversations)
{
    std::erase_if(conversations, [](const Conversation& one) { return one.empty(); });
    if (conversations.empty())
        conversations.push_back(json::promptConversation({}, {}));
    m_conversations = std::move(conversations);
    {
        const QScopedValueRollback filling(m_filling, true);
        const int count = static_cast<int>(m_conversations.size());
        const QSignalBlocker quiet(m_which);
        m_which->setRange(1, count);
        m_which->setSuffix(tr(" of %1").arg(count));
        m_which->setValue(1);
        m_batch->setVisible(count > 1);
    }
    showConversation(0);
    Q_EMIT changed();
}

QString ConversationEdit::problem() const
{
    return m_messageProblem.isEmpty() ? m_toolsProblem : m_messageProblem;
}

void ConversationEdit::showConversation(std::size_t index)
{
    m_current = std::min(index, m_conversations.size() - 1);
    m_batch->setVisible(m_conversations.size() > 1);
    m_messageProblem.clear();
    m_toolsProblem.clear();
    {
        const QScopedValueRollback filling(m_filling, true);
        m_list->clear();
        QStringList rows;
        for (const ChatMessage& message : shown().messages)
            rows << rowText(message);
        m_list->addItems(rows);
        m_tools->setPlainText(toQString(shown().tools));
        m_toolsBox->setExpanded(!shown().tools.empty());
    }
    m_list->setCurrentRow(m_list->count() - 1);
    showMessage(m_list->currentRow());
}

void ConversationEdit::showMessage(int row)
{
    if (m_filling || row < 0)
        return;
    const QScopedValueRollback filling(m_filling, true);
    const ChatMessage& message = shown().messages.at(static_cast<std::size_t>(row));
    const QString role = toQString(message.role);
    if (m_role->findText(role) < 0)
        m_role->addItem(role);
    m_role->setCurrentText(role);
    m_text->setPlainText(toQString(message.text));
    m_further->setText(toQString(furtherFields(message)));
    m_messageProblem.clear();
    showButtons();
}

void ConversationEdit::showButtons()
{
    const int row = m_list->currentRow();
    m_remove->setEnabled(m_list->count() > 1);
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
}

void ConversationEdit::takeMessage()
{
    const int row = m_list->currentRow();
    if (m_filling || row < 0)
        return;
    ChatMessage& message = shown().messages.at(static_cast<std::size_t>(row));
    auto changed = changedMessage(
        message, static_cast<std::size_t>(row) + 1, m_role->currentText().toStdString(),
        m_text->toPlainText().toStdString(), m_further->text().toStdString());
    m_messageProblem = changed ? QString() : sentenceOf(changed.error());
    if (changed) {
        message = *std::move(changed);
        m_list->item(row)->setText(rowText(message));
    }
    Q_EMIT this->changed();
}

void ConversationEdit::takeTools()
{
    if (m_filling)
        return;
    const std::string text = m_tools->toPlainText().trimmed().toStdString();
    m_toolsProblem.clear();
    if (text.empty()) {
        shown().tools.clear();
    } else {
        const auto tools = json::parseOrdered(text);
        const auto read = tools ? json::conversationOf(json::messagesJson(shown()), *tools, nullptr)
                                : Result<Conversation>(Error{
                                    tools.error().code, {"tools is %1", tools.error().message}});
        if (read)
            shown().tools = read->tools;
        else
            m_toolsProblem = sentenceOf(read.error());
    }
    Q_EMIT changed();
}

void ConversationEdit::add()
{
    auto& messages = shown().messages;
    const auto row = static_cast<std::size_t>(std::max(0, m_list->currentRow()));
    const bool answers = !messages.empty() && messages[row].role == "user";
    messages.insert(messages.begin() + static_cast<std::ptrdiff_t>(row) + 1,
                    json::chatMessage(std::string(answers ? "assistant" : "user"), std::string()));
    {
        const QScopedValueRollback filling(m_filling, true);
        m_list->insertItem(static_cast<int>(row) + 1, rowText(messages[row + 1]));
    }
    m_list->setCurrentRow(static_cast<int>(row) + 1);
    m_text->setFocus();
    Q_EMIT changed();
}

void ConversationEdit::remove()
{
    const int row = m_list->currentRow();
    if (row < 0 || m_list->count() < 2)
        return;
    shown().messages.erase(shown().messages.begin() + row);
    {
        const QScopedValueRollback filling(m_filling, true);
        delete m_list->takeItem(row);
    }
    showMessage(m_list->currentRow());
    Q_EMIT changed();
}

void ConversationEdit::move(int by)
{
    const int row = m_list->currentRow();
    const int to = row + by;
    if (row < 0 || to < 0 || to >= m_list->count())
        return;
    auto& messages = shown().messages;
    std::swap(messages[static_cast<std::size_t>(row)], messages[static_cast<std::size_t>(to)]);
    for (const int one : {row, to})
        m_list->item(one)->setText(rowText(messages[static_cast<std::size_t>(one)]));
    m_list->setCurrentRow(to);
    showButtons();
    Q_EMIT changed();
}

} // namespace ep::ui
