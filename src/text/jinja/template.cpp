// SPDX-License-Identifier: GPL-3.0-or-later
#include "template.h"

#include "evaluator.h"
#include "expression_parser.h"
#include "library.h"
#include "syntax.h"
#include "text_forms.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <exception>
#include <initializer_list>
#include <utility>

namespace ep::text::jinja {
namespace {

using Kind = Token::Kind;

constexpr std::array<std::string_view, 9> kUnsupportedTags{
    "extends", "include", "import", "from", "block", "autoescape", "do", "trans", "debug"};

class StatementParser : private ExpressionParser {
public:
    using ExpressionParser::ExpressionParser;

    Block run()
    {
        Block block = parseBlock({});
        if (current().kind != Kind::End)
            fail("\"" + following().text + "\" has no beginning");
        return block;
    }

private:
    using Names = std::initializer_list<std::string_view>;

    // Parses statements up to a tag with one of these names, which is not consumed.
    Block parseBlock(Names ends)
    {
        const Nesting nesting(*this);
        Block block;
        for (;;) {
            const int at = line();
            switch (current().kind) {
            case Kind::Text:
                block.push_back({Output{nullptr, take().text}, at});
                break;
            case Kind::BeginPrint: {
                take();
                Output output{parseTuple(true), {}};
                if (current().kind != Kind::EndPrint)
                    unexpected("\"}}\"");
                take();
                block.push_back({std::move(output), at});
                break;
            }
            case Kind::BeginBlock:
                if (following().kind == Kind::Name
                    && (std::find(ends.begin(), ends.end(), following().text) != ends.end()
                        || following().text.starts_with("end") || following().text == "else"
                        || following().text == "elif"))
                    return block;
                take();
                parseStatement(block);
                break;
            default:
                return block;
            }
        }
    }

    void endTag()
    {
        if (current().kind != Kind::EndBlock)
            unexpected("\"%}\"");
        take();
    }

    // Consumes the tag that ends a block: "{% endfor".
    std::string takeEnd(Names names, const std::string& opened, int openedAt)
    {
        if (current().kind == Kind::BeginBlock && following().kind == Kind::Name
            && std::find(names.begin(), names.end(), following().text) != names.end()) {
            take();
            return take().text;
        }
        if (current().kind == Kind::BeginBlock) {
            fail("\"" + following().text + "\" does not end the \"" + opened + "\" of line "
                 + std::to_string(openedAt));
        }
        throw Failure("\"" + opened + "\" is not ended", openedAt);
    }

    Block parseBody(const std::string& opened, int openedAt)
    {
        const std::string end = "end" + opened;
        Block body = parseBlock({end});
        takeEnd({end}, opened, openedAt);
        endTag();
        return body;
    }

    void parseStatement(Block& block)
    {
        const int at = line();
        const std::string tag = expectName();
        if (tag == "if") {
            block.push_back({parseIf(at), at});
        } else if (tag == "for") {
            block.push_back({parseFor(at), at});
        } else if (tag == "set") {
            block.push_back({parseSet(at), at});
        } else if (tag == "macro") {
            block.push_back({parseMacro(at), at});
        } else if (tag == "call") {
            block.push_back({parseCallBlock(at), at});
        } else if (tag == "filter") {
            FilterBlock filter{parseFilters(parseOneFilter(nullptr)), {}};
            endTag();
            filter.body = parseBody(tag, at);
            block.push_back({std::move(filter), at});
        } else if (tag == "with") {
            block.push_back({parseWith(at), at});
        } else if (tag == "generation") {
            endTag();
            block.push_back({Generation{parseBody(tag, at)}, at});
        } else if (tag == "break" || tag == "continue") {
            if (m_loops == 0)
                throw Failure("\"" + tag + "\" is outside of a loop", at);
            endTag();
            block.push_back({LoopControl{tag == "break"}, at});
        } else if (std::find(kUnsupportedTags.begin(), kUnsupportedTags.end(), tag)
                   != kUnsupportedTags.end()) {
            throw Failure("the tag \"" + tag + "\" is not supported", at);
        } else {
            throw Failure("the tag \"" + tag + "\" is not known", at);
        }
    }

    If parseIf(int at)
    {
        If result;
        std::string tag = "if";
        while (tag != "endif") {
            if (tag == "else") {
                endTag();
                result.otherwise = parseBlock({"endif"});
                tag = takeEnd({"endif"}, "if", at);
                continue;
            }
            ExpressionPtr test = parseTuple(false);
            endTag();
            Block body = parseBlock({"elif", "else", "endif"});
            result.branches.emplace_back(std::move(test), std::move(body));
            tag = takeEnd({"elif", "else", "endif"}, "if", at);
        }
        endTag();
        return result;
    }

    Target parseTarget()
    {
        Target target;
        const bool parenthesised = takeOperator("(");
        target.isTuple = parenthesised;
        target.names.push_back(expectName());
        while (takeOperator(",")) {
            target.isTuple = true;
            if (current().kind != Kind::Name || atName("in"))
                break;
            target.names.push_back(expectName());
        }
        if (parenthesised)
            expectOperator(")");
        for (const std::string& name : target.names) {
            if (name == "true" || name == "false" || name == "none" || name == "True"
                || name == "False" || name == "None")
                fail("\"" + name + "\" cannot be assigned to");
        }
        return target;
    }

    For parseFor(int at)
    {
        For loop;
        loop.target = parseTarget();
        if (!takeName("in"))
            unexpected("\"in\"");
        loop.items = parseTuple(false);
        if (takeName("if"))
            loop.filter = parseExpression();
        loop.isRecursive = takeName("recursive");
        endTag();
        ++m_loops;
        loop.body = parseBlock({"else", "endfor"});
        --m_loops;
        if (takeEnd({"else", "endfor"}, "for", at) == "else") {
            endTag();
            loop.otherwise = parseBlock({"endfor"});
            takeEnd({"endfor"}, "for", at);
        }
        endTag();
        return loop;
    }

    Assignment parseSet(int at)
    {
        Assignment result;
        result.target = parseTarget();
        if (!result.target.isTuple && takeOperator("."))
            result.target.attribute = expectName();
        if (takeOperator("=")) {
            result.value = parseTuple(true);
            endTag();
            return result;
        }
        result.filter = parseFilters(nullptr);
        endTag();
        result.body = parseBody("set", at);
        return result;
    }

    void parseParameters(MacroSyntax& macro)
    {
        while (!atOperator(")")) {
            std::string name = expectName();
            ExpressionPtr byDefault;
            if (takeOperator("="))
                byDefault = parseExpression();
            else if (!macro.parameters.empty() && macro.parameters.back().second)
                fail("a parameter without a default follows one with a default");
            macro.parameters.emplace_back(std::move(name), std::move(byDefault));
            if (!takeOperator(","))
                break;
        }
        expectOperator(")");
    }

    std::shared_ptr<const MacroSyntax> parseMacroBody(std::shared_ptr<MacroSyntax> macro,
                                                      const std::string& tag, int at)
    {
        const int loops = std::exchange(m_loops, 0);
        macro->body = parseBody(tag, at);
        m_loops = loops;
        return macro;
    }

    std::shared_ptr<const MacroSyntax> parseMacro(int at)
    {
        auto macro = std::make_shared<MacroSyntax>();
        macro->name = expectName();
        expectOperator("(");
        parseParameters(*macro);
        endTag();
        return parseMacroBody(std::move(macro), "macro", at);
    }

    CallBlock parseCallBlock(int at)
    {
        auto caller = std::make_shared<MacroSyntax>();
        caller->name = "caller";
        if (takeOperator("("))
            parseParameters(*caller);
        CallBlock block;
        block.call = parseExpression();
        if (!std::holds_alternative<Call>(block.call->form))
            throw Failure("\"call\" needs the call of a macro", at);
        endTag();
        block.body = parseMacroBody(std::move(caller), "call", at);
        return block;
    }

    With parseWith(int at)
    {
        With with;
        while (current().kind != Kind::EndBlock) {
            if (!with.values.empty())
                expectOperator(",");
            Target target = parseTargetOfWith();
            expectOperator("=");
            with.values.emplace_back(std::move(target), parseExpression());
        }
        endTag();
        with.body = parseBody("with", at);
        return with;
    }

    Target parseTargetOfWith()
    {
        Target target;
        target.names.push_back(expectName());
        return target;
    }

    int m_loops = 0;
};

// Throws Failure with the line.
Block parseTemplate(std::string_view source)
{
    return StatementParser(tokensOfTemplate(source)).run();
}

std::string atLine(int line, const std::string& message)
{
    return "line " + std::to_string(line) + ": " + message;
}

} // namespace

struct Template::Syntax {
    Block block;
};

Template::Template(std::shared_ptr<const Syntax> syntax)
    : m_syntax(std::move(syntax))
{
}

Result<Template> Template::parse(std::string_view source)
{
    if (source.size() > kMaxTemplateBytes)
        return Error{ErrorCode::InvalidInput, "it is too large for a template"};
    try {
        auto syntax = std::make_shared<Syntax>();
        syntax->block = parseTemplate(replaceInvalidUtf8(source));
        return Template(std::move(syntax));
    } catch (const Failure& failure) {
        return Error{ErrorCode::InvalidInput, atLine(failure.line(), failure.what())};
    } catch (const std::exception& problem) {
        return Error{ErrorCode::Internal, problem.what()};
    }
}

Result<std::string> Template::render(const json::OrderedJson& variables, const std::tm& now,
                                     const Limits& limits) const
{
    Runtime runtime(limits, now);
    try {
        const auto globals = std::make_shared<Scope>();
        for (auto& [name, value] : globalFunctions())
            globals->set(name, value);
        const auto given = std::make_shared<Scope>(globals);
        for (const auto& [name, value] : variables.items())
            given->set(name, fromJson(value));
        Evaluator evaluator(runtime, given);
        std::string text;
        evaluator.render(m_syntax->block, text);
        return text;
    } catch (const Refusal& refusal) {
        return Error{ErrorCode::Unsupported, refusal.what()};
    } catch (const Failure& failure) {
        const int line = failure.line() > 0 ? failure.line() : runtime.line;
        return Error{ErrorCode::InvalidInput, atLine(line, failure.what())};
    } catch (const std::exception& problem) {
        return Error{ErrorCode::Internal, atLine(runtime.line, problem.what())};
    }
}

} // namespace ep::text::jinja
