// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jinja/template.h"

#include "ep/core/conversation.h"
#include "ep/json/document.h"

#include <ctime>

// Messages in the form that a template reads. OpenAI's API has two forms of a content and two of a
// call's arguments; many templates read only one of each, and servers convert them as here.
namespace ep::text {

// Which of the two forms of a content a template reads: a text, or a list of parts.
struct ContentForm {
    bool texts = true;
    bool parts = false;
};

// Some templates read parts of everybody but not of the system message.
struct ContentForms {
    ContentForm system{};
    ContentForm others{};
};

// Renders a message in both forms. variables: those that do not depend on the messages.
ContentForms contentFormsOf(const jinja::Template& chat, const json::OrderedJson& variables,
                            const std::tm& now);

// As given, except that parts become a text, or a text becomes a part, if the template reads only
// that form.
json::OrderedJson messagesFor(const Conversation& conversation, const ContentForms& forms);

// The arguments of all calls in the other form: a text becomes the object that it holds, an object
// its text. False if nothing could be converted.
bool exchangeArguments(json::OrderedJson& messages, const std::tm& now);
// An empty text for every content that is null or absent. False if there is none.
bool fillContents(json::OrderedJson& messages);

} // namespace ep::text
