// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/privacy.h"

#include <QByteArray>
#include <QCryptographicHash>

namespace ep::session {

std::string hashedText(std::string_view text)
{
    if (text.empty())
        return {};
    const QByteArray bytes(text.data(), static_cast<qsizetype>(text.size()));
    return "sha256:"
        + QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

void hashTexts(RunInfo& info)
{
    info.prompt = hashedText(info.prompt);
    info.response = hashedText(info.response);
    for (BatchSequence& sequence : info.batch) {
        sequence.prompt = hashedText(sequence.prompt);
        sequence.response = hashedText(sequence.response);
    }
    for (std::string& stop : info.sampling.stop)
        stop = hashedText(stop);
}

void hashTexts(Run& run)
{
    hashTexts(run.info);
    for (TokenSpan& token : run.trace.tokens)
        leaveTextOut(token);
}

// The id reveals as much as the text.
void leaveTextOut(TokenSpan& token)
{
    token.text.clear();
    token.id = 0;
}

} // namespace ep::session
