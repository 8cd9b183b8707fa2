// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"

#include <QObject>

#include <functional>

namespace ep::store {
class Store;
}

namespace ep::ui {

// Where a document reads what was left out when its run was opened: the window's database, which
// is read on another thread, or the store of a report, which answers at once.
class RunReader : public QObject {
public:
    using QObject::QObject;

    using Answer = std::function<void()>; // called on the thread that asked; empty: there is none
    // Called on the database's thread, with the reason if the database cannot be opened.
    using Question = std::function<Answer(const Result<const store::Store*>& store)>;

    // Answers arrive in the order of the questions. The reader cancels the token if the question
    // must give way because another run is opened or the window is closed.
    virtual void read(const CancelToken& cancel, Question question) = 0;
};

} // namespace ep::ui
