// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "messages_option.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/json/conversation.h"
#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"

#include <memory>
#include <sstream>

namespace ep::app {

namespace {

using Ids = std::vector<text::TokenId>;

struct TokenizeOptions {
    DatabaseOption database; // accepted by every subcommand; not used by this one
    std::string model{};
    std::string text{};
    std::string text_file{};
    bool decode = false;
    bool no_special = false;
    bool chat = false;
    std::string system{};
    MessagesOption messages{};
    bool json = false;
};

Result<Ids> parseIds(const std::string& text, std::size_t vocabulary)
{
    Ids ids;
    std::string spaced = text;
    for (char& c : spaced)
        c = c == ',' || c == '[' || c == ']' ? ' ' : c;
    std::istringstream stream(spaced);
    for (std::string word; stream >> word;) {
        text::TokenId id = -1;
        std::istringstream number(word);
        if (!(number >> id) || !number.eof() || id < 0
            || static_cast<std::size_t>(id) >= vocabulary) {
            return Error{
                ErrorCode::InvalidInput,
                {"'%1' is not a token id: write numbers from 0 to %2, separated by blanks.", word,
                 vocabulary - 1}};
        }
        ids.push_back(id);
    }
    return ids;
}

using Json = json::OrderedJson;

// Renders the conversations with the model's chat template and the variables of the options.
Result<std::vector<std::string>> rendered(const std::filesystem::path& folder,
                                          const TokenizeOptions& options,
                                          std::vector<Conversation> conversations)
{
    const auto variables = options.messages.variables();
    if (!variables)
        return variables.error();
    const auto chat = text::ChatTemplate::load(folder);
    if (!chat)
        return chat.error();
    std::vector<std::string> texts;
    for (Conversation& conversation : conversations) {
        conversation.variables = json::mergedVariables(conversation.variables, *variables);
        auto text = (*chat)->render(conversation);
        if (!text)
            return text.error();
        texts.push_back(*std::move(text));
    }
    return texts;
}

Json asJson(const text::Tokenizer& tokenizer, const Ids& ids, const std::string& text)
{
    Json json{{"format", "energy-profiler-tokens"}, {"version", 1}};
    json["ids"] = ids;
    Json tokens = Json::array();
    for (const text::TokenId id : ids)
        tokens.push_back(tokenizer.tokenString(id));
    json["tokens"] = std::move(tokens);
    json["text"] = text;
    return json;
}

// Prints the rendered prompts; as JSON with their ids, in a list if the file is a batch.
int printConversations(const text::Tokenizer& words, const std::vector<std::string>& texts,
                       bool asDocument)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!asDocument) {
            print((i > 0 ? "---\n" : "") + texts[i] + (texts[i].ends_with('\n') ? "" : "\n"));
            continue;
        }
        const auto ids = words.tryEncode(texts[i], false); // the template writes special tokens
        if (!ids)
            return fail(ids.error());
        list.push_back(asJson(words, *ids, texts[i]));
    }
    if (asDocument)
        printAsJson(list.size() == 1 ? list.front() : list);
    return kExitDone;
}

int tokenize(const TokenizeOptions& options)
{
    const auto folder = findModel(options.model);
    if (!folder)
        return fail(folder.error());
    const auto tokenizer = text::Tokenizer::load(*folder);
    if (!tokenizer)
        return fail(tokenizer.error());
    if (options.messages.given()) {
        auto conversations = options.messages.read();
        if (!conversations)
            return fail(conversations.error());
        const auto texts = rendered(*folder, options, *std::move(conversations));
        return texts ? printConversations(**tokenizer, *texts, options.json) : fail(texts.error());
    }
    std::string text = options.text;
    if (!options.text_file.empty()) {
        auto read = readText(options.text_file);
        if (!read)
            return fail(read.error());
        text = std::move(*read);
    }

    const text::Tokenizer& words = **tokenizer;
    if (options.decode) {
        const auto ids = parseIds(text, words.vocabularySize());
        if (!ids)
            return fail(ids.error());
        const std::string decoded = words.decode(*ids, options.no_special);
        options.json ? printAsJson(asJson(words, *ids, decoded)) : print(decoded + '\n');
        return kExitDone;
    }
    bool addSpecialTokens = !options.no_special;
    if (options.chat) {
        auto texts = rendered(*folder, options, {json::promptConversation(options.system, text)});
        if (!texts)
            return fail(texts.error());
        text = std::move(texts->front());
        addSpecialTokens = false; // the template writes them itself
    }
    const auto ids = words.tryEncode(text, addSpecialTokens);
    if (!ids)
        return fail(ids.error());
    if (options.json) {
        printAsJson(asJson(words, *ids, text));
        return kExitDone;
    }
    std::string line;
    for (const text::TokenId id : *ids)
        line += (line.empty() ? "" : " ") + std::to_string(id);
    print(line + '\n');
    return kExitDone;
}

} // namespace

void addTokenizeCommand(CLI::App& models, Invocation& invocation)
{
    auto options = std::make_shared<TokenizeOptions>();
    CLI::App* command = models.add_subcommand(
        "tokenize", "Convert a text to token ids, ids to text, or messages to the prompt");
    command
        ->add_option("--model", options->model,
                     "Folder with tokenizer.json, or name of a known model")
        ->required()
        ->type_name("DIR");
    auto* text = command->add_option_group("text");
    text->add_option("--text", options->text, "Text, or ids to decode")->type_name("TEXT");
    text->add_option("--text-file", options->text_file, "File with the text or the ids (-: stdin)")
        ->type_name("FILE");
    auto* messages = options->messages.addFile(*text);
    text->require_option(1);
    auto* decode = command->add_flag("--decode", options->decode, "Convert ids to text");
    auto* chat =
        command->add_flag("--chat", options->chat, "Apply the model's chat template to the text");
    chat->excludes(decode);
    messages->excludes(decode);
    options->messages.addVariables(*command);
    command->add_option("--system", options->system, "System message of the chat template")
        ->type_name("TEXT")
        ->needs(chat);
    command->add_flag("--no-special-tokens", options->no_special,
                      "Do not add start or end tokens; omit them when decoding");
    command->add_flag("--json", options->json, "Print ids, token strings and text as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        options->messages.check({.system = !options->system.empty(), .chat = options->chat});
        invocation.action = [options] { return tokenize(*options); };
    });
}

} // namespace ep::app
