// SPDX-License-Identifier: GPL-3.0-or-later
#include "template.h"

#include "evaluator.h"
#include "library.h"
#include "parser.h"
#include "text_forms.h"

#include "ep/core/utf8.h"

#include <nlohmann/json.hpp>

#include <exception>
#include <utility>

namespace ep::text::jinja {

namespace {

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

Result<std::string> Template::render(const nlohmann::ordered_json& variables, const std::tm& now,
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
