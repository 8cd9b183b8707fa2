// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/sequences.h"

namespace ep::model {

Status checkSequences(std::size_t sequences, bool draftsOrCaches)
{
    if (sequences <= 1 || !draftsOrCaches)
        return {};
    return Error{ErrorCode::Unsupported,
                 "Drafts and the prompt cache work for one sequence at a time: give one prompt, "
                 "without copies."};
}

} // namespace ep::model
