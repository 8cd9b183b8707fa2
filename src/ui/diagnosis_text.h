// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/explain.h"

#include <QString>
#include <QStringList>

// The sentences of a diagnosis in the language of the window. In English they are those of the
// terminal and the API, word for word.
namespace ep::ui {

QString answerText(const energy::Diagnosis& diagnosis); // where it went, one sentence
QString reasonText(const energy::Diagnosis& diagnosis); // why, one sentence
QString causeText(const energy::Diagnosis& diagnosis, const energy::Finding& finding);
QStringList doubtTexts(const energy::Diagnosis& diagnosis);
QString remedyTitle(const energy::Remedy& remedy); // "Compute in int8"
QString remedyText(const energy::Diagnosis& diagnosis, const energy::Remedy& remedy);
QString triedText(const session::TriedRemedy& tried);
QString trackRecordText(const std::vector<session::TriedRemedy>& tried); // empty: nothing tried

} // namespace ep::ui
