// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/prompt_edit.h"

#include "pages/conversation_edit.h"
#include "pages/prompt_text_edit.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/flow_layout.h"

#include "ep/json/conversation.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/settings.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSyntaxHighlighter>

#include <algorithm>
#include <numeric>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kPauseMs = 150;
constexpr int kMinLines = 5;
constexpr int kMaxPromptLines = 14;
constexpr int kMaxShown = 6; // prompts of a batch whose counts are shown

std::string objectOf(const std::map<std::string, std::string>& values)
{
    json::OrderedJson object = json::OrderedJson::object();
    for (const auto& [name, value] : values)
        object[name] = json::parsedOrNull(value);
    return object.empty() ? std::string() : json::textOf(object);
}

// Uses the accent of the palette, which is visible in both themes.
class SpecialTokens : public QSyntaxHighlighter {
public:
    SpecialTokens(QStringList tokens, const QColor& colour, QTextDocument* document)
        : QSyntaxHighlighter(document)
    {
        m_format.setForeground(colour);
        m_format.setFontWeight(QFont::Bold);
        tokens.removeAll(QString());
        // Longest first, because one token may be a prefix of another.
        std::sort(tokens.begin(), tokens.end(),
                  [](const QString& a, const QString& b) { return a.size() > b.size(); });
        for (QString& token : tokens)
            token = QRegularExpression::escape(token);
        m_pattern.setPattern(tokens.join(u'|'));
    }

protected:
    void highlightBlock(const QString& text) override
    {
        if (m_pattern.pattern().isEmpty())
            return;
        for (auto found = m_pattern.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            setFormat(static_cast<int>(match.capturedStart()),
                      static_cast<int>(match.capturedLength()), m_format);
        }
    }

private:
    QRegularExpression m_pattern;
    QTextCharFormat m_format;
};

} // namespace

RenderedPromptDialog::RenderedPromptDialog(const QString& prompt, const QStringList& specialTokens,
                                           QWidget* parent)
    : QDialog(parent)
{
    prepareDialog(*this, u"renderedPrompt"_s, tr("Rendered Prompt"));
    resize(80 * kGrid, 60 * kGrid);
    auto* text = named(new QPlainTextEdit(this), u"renderedText"_s, tr("What the model gets"));
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setTabChangesFocus(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    new SpecialTokens(specialTokens, palette().color(QPalette::Link), text->document());
    text->setPlainText(prompt);

    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    auto* copy =
        named(buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole), u"copyRendered"_s);
    connect(copy, &QPushButton::clicked, this,
            [prompt] { QApplication::clipboard()->setText(prompt); });
    inColumn(this, {{text, 1}, buttons});
}

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
            m_chosen[name] = json::textOf(value);
    }
    fill();
}

void TemplateChoices::fill()
{
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    for (const text::TemplateChoice& choice : m_choices) {
        auto* box = named(new QComboBox(this), u"choice_"_s + toQString(choice.name),
                          toQString(choice.name));
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

std::vector<std::string> batchPrompts(const QString& text)
{
    std::vector<std::string> prompts;
    QStringList lines;
    bool several = false;
    const auto finish = [&] {
        const QString prompt = lines.join(u'\n');
        lines.clear();
        if (!prompt.isEmpty() && !(several && prompt.trimmed().isEmpty()))
            prompts.push_back(prompt.toStdString());
    };
    for (const QString& line : text.split(u'\n')) {
        if (line == "---"_L1) {
            several = true;
            finish();
        } else {
            lines += line == "\\---"_L1 ? line.mid(1) : line;
        }
    }
    finish();
    return prompts;
}

QString conversationLines(const std::vector<Conversation>& conversations)
{
    QStringList lines;
    for (const Conversation& conversation : conversations)
        lines << toQString(json::conversationText(conversation));
    return lines.join(u'\n');
}

std::vector<Conversation> conversationsOfLines(const QString& lines)
{
    std::vector<Conversation> conversations;
    for (const QString& line : lines.split(u'\n', Qt::SkipEmptyParts)) {
        if (auto one = json::conversationFromText(line.toStdString()); !one.empty())
            conversations.push_back(std::move(one));
    }
    return conversations;
}

Result<PromptModel> loadPromptModel(const std::filesystem::path& folder)
{
    auto tokenizer = text::Tokenizer::load(folder);
    if (!tokenizer)
        return tokenizer.error();
    PromptModel loaded{.tokenizer = std::move(*tokenizer), .chat = nullptr, .chatProblem = {}};
    auto chat = text::ChatTemplate::load(folder);
    loaded.hasChat = chat || chat.error().code != ErrorCode::NotFound;
    if (chat)
        loaded.chat = std::move(*chat);
    else
        loaded.chatProblem = term(chat.error().message);
    return loaded;
}

PromptCounts countPrompts(const text::Tokenizer& tokenizer, const text::ChatTemplate* chat,
                          const std::vector<Conversation>& conversations,
                          const std::vector<std::string>& prompts, std::size_t shown)
{
    PromptCounts counted;
    if (chat == nullptr) {
        for (const std::string& prompt : prompts)
            counted.tokens.push_back(tokenizer.encode(prompt).size());
        return counted;
    }
    for (const Conversation& conversation : conversations) {
        const bool isShown = counted.tokens.size() == shown;
        const auto text = chat->render(conversation);
        const auto ids = text ? tokenizer.encode(*text, false) : std::vector<text::TokenId>();
        counted.tokens.push_back(ids.size());
        if (!text && counted.problem.isEmpty())
            counted.problem = term(text.error().message);
        if (!text || !isShown)
            continue;
        counted.rendered = toQString(*text);
        for (const text::TokenId id : ids) {
            if (const QString token = toQString(tokenizer.tokenString(id));
                tokenizer.isSpecial(id) && !counted.special.contains(token))
                counted.special << token;
        }
    }
    return counted;
}

PromptEdit::PromptEdit(QWidget* parent)
    : QWidget(parent)
    , m_edit(named(new PromptTextEdit(this), u"promptEdit"_s, tr("Prompt")))
    , m_conversation(named(new ConversationEdit(this), u"conversationEdit"_s))
    , m_isConversation(named(new QCheckBox(tr("Conversation"), this), u"isConversation"_s))
    , m_chatBox(named(new QCheckBox(tr("Ch&at template"), this), u"chatTemplate"_s))
    , m_fields(new QWidget(this))
    , m_system(named(new QLineEdit(m_fields), u"systemMessage"_s, tr("System message")))
    , m_choices(named(new TemplateChoices(m_fields), u"templateChoices"_s))
    , m_count(named(new QLabel(this), u"promptTokenCount"_s))
    , m_show(named(new QPushButton(tr("Rendered prompt…"), m_fields), u"showRendered"_s))
    , m_note(wrapped(named(new QLabel(this), u"promptNote"_s)))
{
    build();
    connectParts();
    showChat();
    showMode(false);
}

PromptEdit::~PromptEdit() = default;

void PromptEdit::build()
{
    m_edit->setPlaceholderText(
        tr("Text for the model to continue\n\n---\nseparates several prompts of one batch"));
    m_edit->setToolTip(tr("A line with only --- separates several prompts, which run as one batch; "
                          "write \\--- for a literal line"));
    m_edit->setTabChangesFocus(true);
    const int line = m_edit->fontMetrics().lineSpacing();
    m_edit->setMinimumHeight(line * kMinLines);
    m_edit->setMaximumHeight(line * kMaxPromptLines);
    m_isConversation->setToolTip(
        tr("Several messages with roles and tools instead of one prompt; they can be opened, "
           "pasted or dropped as JSON in OpenAI's form"));
    m_system->setPlaceholderText(tr("System message (optional)"));
    m_system->setToolTip(tr("Instructions that the chat template places before the conversation"));
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_show->setToolTip(tr("Shows what the chat template makes of the prompt, with the special "
                          "tokens"));
    m_note->hide();
    setFocusProxy(m_edit);
    setAcceptDrops(true);

    auto* boxes = new QWidget(this);
    auto* row = new FlowLayout(boxes, kGrid); // wraps, since words are long in some languages
    row->addWidget(m_isConversation);
    row->addWidget(m_chatBox);
    auto* above = inRow({{boxes, 1}, {m_count, 0, Qt::AlignTop}});
    // Above the editors, which differ in height, so that it stays where it was clicked.
    flush(inColumn(this, {above, {m_edit, 1}, m_conversation, m_note}))->setSpacing(kHalfGrid);
    flush(inColumn(m_fields, {m_system, m_choices, {m_show, 0, Qt::AlignLeft}}));
}

void PromptEdit::connectParts()
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PromptEdit::startCounting);
    const auto edited = [this] {
        m_fileProblem.clear();
        m_pause.start();
        Q_EMIT changed();
    };
    connect(m_edit, &QPlainTextEdit::textChanged, this, edited);
    connect(m_conversation, &ConversationEdit::changed, this, edited);
    connect(m_conversation, &ConversationEdit::openRequested, this, &PromptEdit::browse);
    for (const PromptTextEdit* const edit :
         std::initializer_list<PromptTextEdit*>{m_edit, m_conversation->editor()}) {
        connect(edit, &PromptTextEdit::conversationsGiven, this, &PromptEdit::setConversations);
        connect(edit, &PromptTextEdit::fileGiven, this, &PromptEdit::openFile);
    }
    connect(m_choices, &TemplateChoices::changed, this, edited);
    connect(m_isConversation, &QCheckBox::clicked, this, [this](bool checked) {
        const QString prompt = m_edit->toPlainText();
        const auto& shown = m_conversation->conversations();
        if (checked && toQString(questionOf(shown.front())) != prompt)
            m_conversation->setConversations(
                {json::promptConversation(m_system->text().toStdString(), prompt.toStdString())});
        else if (!checked)
            m_edit->setPlainText(toQString(questionOf(shown.at(m_conversation->current()))));
        showMode(checked);
    });
    connect(m_chatBox, &QCheckBox::clicked, this, [this](bool checked) {
        m_wantsChat = checked;
        showChat();
        startCounting();
    });
    connect(m_system, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(m_show, &QPushButton::clicked, this, &PromptEdit::showRendered);
}

void PromptEdit::readSettings(const Settings& settings)
{
    m_edit->setPlainText(settings.prompt);
    m_system->setText(toQString(settings.run.system));
    m_wantsChat = settings.run.chat != session::ChatUse::Off;
    m_choices->setRemembered(settings.templateVariables.toStdString());
    if (auto conversations = conversationsOfLines(settings.conversation); !conversations.empty())
        m_conversation->setConversations(std::move(conversations));
    showMode(settings.isConversation);
    showChat();
}

void PromptEdit::writeSettings(Settings& settings) const
{
    settings.prompt = m_edit->toPlainText();
    settings.run.system = m_system->text().toStdString();
    settings.run.chat = m_wantsChat ? session::ChatUse::IfThere : session::ChatUse::Off;
    settings.templateVariables = toQString(m_choices->remembered());
    settings.isConversation = m_isConversation->isChecked();
    settings.conversation = conversationLines(m_conversation->conversations());
}

void PromptEdit::setText(const QString& text)
{
    m_edit->setPlainText(text);
    showMode(false);
}

void PromptEdit::setConversations(std::vector<Conversation> conversations)
{
    m_conversation->setConversations(std::move(conversations));
    showMode(true);
}

void PromptEdit::openFile(const std::filesystem::path& file)
{
    m_opening.start([file] { return json::readConversationFile(file); },
                    [this](Result<json::ReadConversations> read) {
                        if (read)
                            setConversations(std::move(read->conversations));
                        m_fileProblem = read ? QString() : term(read.error().message);
                        showNote();
                    });
}

void PromptEdit::browse()
{
    auto* dialog = makeFileDialog(this, tr("Open a Conversation"), u"conversationDialog"_s);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Conversations (*.json *.jsonl)"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { openFile(toPath(file)); });
    dialog->open();
}

void PromptEdit::dragEnterEvent(QDragEnterEvent* event)
{
    if (conversationFileIn(*event->mimeData()))
        event->acceptProposedAction();
}

void PromptEdit::dropEvent(QDropEvent* event)
{
    if (const auto file = conversationFileIn(*event->mimeData())) {
        event->acceptProposedAction();
        openFile(*file);
    }
}

void PromptEdit::setModelFolder(const std::filesystem::path& folder)
{
    if (folder == m_folder)
        return;
    m_folder = folder;
    m_model = {};
    m_counting.drop();
    showCounts({});
    m_count->clear();
    showChat();
    if (!folder.empty())
        loadTokenizer();
    else
        m_loading.drop();
}

void PromptEdit::focusEditor()
{
    QPlainTextEdit* const edit = m_isConversation->isChecked() ? m_conversation->editor() : m_edit;
    edit->setFocus();
    edit->selectAll();
}

QPlainTextEdit* PromptEdit::editor() const
{
    return m_edit;
}

std::vector<Conversation> PromptEdit::conversations() const
{
    return m_isConversation->isChecked() ? m_conversation->conversations()
                                         : std::vector<Conversation>();
}

bool PromptEdit::usesTemplate() const
{
    return m_model.chat && (m_isConversation->isChecked() || m_chatBox->isChecked());
}

std::string PromptEdit::templateVariables() const
{
    return m_choices->isHidden() ? std::string() : m_choices->variables();
}

QString PromptEdit::problem() const
{
    if (!m_isConversation->isChecked())
        return batchPrompts(m_edit->toPlainText()).empty() ? tr("Type a prompt.") : QString();
    if (m_model.tokenizer && !m_model.hasChat)
        return tr("This model has no chat template, which messages need.");
    return m_conversation->problem();
}

// A conversation always uses the template, and has its own system message.
void PromptEdit::showMode(bool conversation)
{
    m_isConversation->setChecked(conversation);
    m_edit->setVisible(!conversation);
    m_conversation->setVisible(conversation);
    m_chatBox->setVisible(!conversation);
    // A prompt is no taller than its editor; a conversation also takes the spare room of a tall
    // window.
    setSizePolicy(QSizePolicy::Preferred,
                  conversation ? QSizePolicy::Preferred : QSizePolicy::Maximum);
    showChat();
    m_pause.start();
    Q_EMIT changed();
}

// Without a template, the box is empty and disabled.
void PromptEdit::showChat()
{
    const bool conversation = m_isConversation->isChecked();
    m_chatBox->setEnabled(m_model.hasChat);
    m_chatBox->setChecked(m_model.hasChat && m_wantsChat);
    m_system->setVisible(m_chatBox->isChecked() && !conversation);
    m_chatBox->setToolTip(m_model.chat ? tr("Applies the model's own chat template to the prompt.")
                                       : m_model.chatProblem);
    const bool used = usesTemplate();
    m_choices->setChoices(used ? m_model.chat->choices() : std::vector<text::TemplateChoice>());
    m_show->setVisible(used);
}

void PromptEdit::loadTokenizer()
{
    m_loading.start([folder = m_folder] { return loadPromptModel(folder); },
                    [this](Result<PromptModel> loaded) {
                        if (!loaded) {
                            m_count->setToolTip(richText(term(loaded.error().message)));
                            return;
                        }
                        m_count->setToolTip({});
                        m_model = *std::move(loaded);
                        showChat();
                        startCounting();
                        Q_EMIT changed();
                    });
}

void PromptEdit::startCounting()
{
    if (!m_model.tokenizer)
        return;
    const bool isConversation = m_isConversation->isChecked();
    const std::string system = m_system->text().toStdString();
    const std::string variables = templateVariables();
    const std::vector<std::string> prompts =
        isConversation ? std::vector<std::string>() : batchPrompts(m_edit->toPlainText());
    std::vector<Conversation> all = conversations();
    for (const std::string& prompt : prompts)
        all.push_back(json::promptConversation(system, prompt));
    for (Conversation& one : all)
        one.variables = json::mergedVariables(one.variables, variables);
    m_counting.start(
        [tokenizer = m_model.tokenizer,
         chat = isConversation || m_wantsChat ? m_model.chat : nullptr, all = std::move(all),
         prompts, shown = isConversation ? m_conversation->current() : 0] {
            return countPrompts(*tokenizer, chat.get(), all, prompts, shown);
        },
        [this](const PromptCounts& counted) { showCounts(counted); });
}

std::size_t PromptEdit::longestPrompt() const
{
    const auto& tokens = m_counted.tokens;
    return tokens.empty() ? 0 : *std::ranges::max_element(tokens);
}

void PromptEdit::showCounts(const PromptCounts& counted)
{
    m_counted = counted;
    Q_EMIT tokensCounted();
    showNote();
    m_show->setEnabled(!counted.rendered.isEmpty());
    const auto number = [](std::size_t count) {
        return QLocale().toString(static_cast<qulonglong>(count));
    };
    const std::vector<std::size_t>& tokens = counted.tokens;
    QStringList counts;
    for (const std::size_t count : tokens)
        counts << number(count);
    const std::size_t all = std::accumulate(tokens.begin(), tokens.end(), std::size_t{0});
    m_count->setToolTip(
        tokens.size() > 1 ? tr("Tokens of each prompt: %1").arg(counts.join(u" + "_s)) : QString());
    if (tokens.size() > kMaxShown)
        m_count->setText(tr("%1 prompts, %2 tokens").arg(number(tokens.size()), number(all)));
    else if (tokens.size() > 1)
        m_count->setText(tr("%1 tokens").arg(counts.join(u" + "_s)));
    else
        m_count->setText(all == 1 ? tr("1 token") : tr("%1 tokens").arg(number(all)));
}

void PromptEdit::showNote()
{
    m_note->setText(m_fileProblem.isEmpty() ? m_counted.problem : m_fileProblem);
    m_note->setVisible(!m_note->text().isEmpty());
}

void PromptEdit::showRendered()
{
    (new RenderedPromptDialog(m_counted.rendered, m_counted.special, window()))->open();
}

} // namespace ep::ui
