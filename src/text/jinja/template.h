// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render_limits.h"

#include "ep/core/result.h"
#include "ep/json/document.h"

#include <ctime>
#include <memory>
#include <string>
#include <string_view>

namespace ep::text::jinja {

// A Jinja template as used by HuggingFace for chat templates: with trim_blocks and lstrip_blocks,
// immutable values, {% break %} and {% continue %}, plain tojson. Inheritance, imports and
// autoescaping are not supported. Immutable, so it may be shared between threads.
class Template {
public:
    // InvalidInput with "line 3: ..." if the template is invalid. Invalid UTF-8 becomes U+FFFD.
    static Result<Template> parse(std::string_view source);

    // The variables are the members of a JSON object; `now` is for strftime_now. InvalidInput with
    // the line if the evaluation fails or exceeds the limits; Unsupported with the template's
    // message if it calls raise_exception().
    Result<std::string> render(const json::OrderedJson& variables, const std::tm& now,
                               const Limits& limits = {}) const;

private:
    struct Syntax;
    explicit Template(std::shared_ptr<const Syntax> syntax);
    std::shared_ptr<const Syntax> m_syntax;
};

} // namespace ep::text::jinja
