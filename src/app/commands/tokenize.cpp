// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"

#include <nlohmann/json.hpp>

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
            return Error{ErrorCode::InvalidInput,
                         "'" + word + "' is not a token id: write numbers from 0 to "
                             + std::to_string(vocabulary - 1) + ", separated by blanks."};
        }
        ids.push_back(id);
    }
    return ids;
}

Result<std::string> conversationText(const std::filesystem::path& folder, const std::string& system,
                                     const std::string& prompt)
{
    const auto chat = text::ChatTemplate::load(folder);
    if (!chat)
        return chat.error();
    return text::renderPrompt(**chat, system, prompt);
}

std::string asJson(const text::Tokenizer& tokenizer, const Ids& ids, const std::string& text)
{
    nlohmann::ordered_json json;
    json["ids"] = ids;
    nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
    for (const text::TokenId id : ids)
        tokens.push_back(tokenizer.tokenString(id));
    json["tokens"] = std::move(tokens);
    json["text"] = text;
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

int tokenize(const TokenizeOptions& options)
{
    const auto folder = findModel(options.model);
    if (!folder)
        return fail(folder.error());
    const auto tokenizer = text::Tokenizer::load(*folder);
    if (!tokenizer)
        return fail(tokenizer.error());
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
        options.json ? printJson(asJson(words, *ids, decoded)) : print(decoded + '\n');
        return kExitDone;
    }
    bool addSpecialTokens = !options.no_special;
    if (options.chat) {
        auto conversation = conversationText(*folder, options.system, text);
        if (!conversation)
            return fail(conversation.error());
        text = std::move(*conversation);
        addSpecialTokens = false; // the template writes them
    }
    const auto ids = words.tryEncode(text, addSpecialTokens);
    if (!ids)
        return fail(ids.error());
    if (options.json) {
        printJson(asJson(words, *ids, text));
        return kExitDone;
    }
    std::string line;
    for (const text::TokenId id : *ids)
        line += (line.empty() ? "" : " ") + std::to_string(id);
    print(line + '\n');
    return kExitDone;
}

} // namespace

void addTokenizeCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<TokenizeOptions>();
    CLI::App* command =
        app.add_subcommand("tokenize", "Convert a text to token ids, or ids to text");
    command
        ->add_option("--model", options->model,
                     "Folder with tokenizer.json, or name of a known model")
        ->required()
        ->type_name("DIR");
    auto* text = command->add_option_group("text");
    text->add_option("--text", options->text, "Text, or ids to decode")->type_name("TEXT");
    text->add_option("--text-file", options->text_file, "File with the text or the ids (-: stdin)")
        ->type_name("FILE");
    text->require_option(1);
    auto* decode = command->add_flag("--decode", options->decode, "Convert ids to text");
    auto* chat =
        command->add_flag("--chat", options->chat, "Apply the model's chat template to the text");
    chat->excludes(decode);
    command->add_option("--system", options->system, "System message of the chat template")
        ->type_name("TEXT")
        ->needs(chat);
    command->add_flag("--no-special-tokens", options->no_special,
                      "Do not add start or end tokens; omit them when decoding");
    command->add_flag("--json", options->json, "Print ids, token strings and text as JSON");
    options->database.addTo(*command);
    command->callback(
        [options, &invocation] { invocation.action = [options] { return tokenize(*options); }; });
}

} // namespace ep::app
