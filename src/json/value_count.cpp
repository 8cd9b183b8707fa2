// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/value_count.h"

#include <algorithm>

namespace ep::json {

TextShape shapeOf(std::string_view text)
{
    TextShape shape;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        const bool opens = !quoted && (c == '[' || c == '{');
        const bool closes = !quoted && (c == ']' || c == '}');
        shape.values += opens || (!quoted && c == ',') ? 1 : 0;
        depth += opens ? 1 : closes ? -1 : 0;
        shape.depth = std::max(shape.depth, depth);
    }
    return shape;
}

} // namespace ep::json
