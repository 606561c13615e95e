// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <new>

namespace kvplan::cli {

namespace {

constexpr std::array table{
    Verb{"plan", "what the cache costs, what fits, and what would make it fit", runPlan},
    Verb{"measure", "allocate the planned cache on this machine and decode over it", runMeasure},
    Verb{"import", "read a model's config.json", runImport},
    Verb{"models", "list the models of the catalogue", runModels},
    Verb{"accelerators", "list the cards of the catalogue", runAccelerators},
    Verb{"formats", "list the formats of a cached element", runFormats},
    Verb{"render", "write the picture that the window would show", runRender},
};

const Verb* findVerb(std::string_view name)
{
    const auto* found = std::ranges::find(table, name, &Verb::name);
    return found == table.end() ? nullptr : found;
}

bool namesFile(const std::string& argument)
{
    std::error_code error;
    return argument.find_first_of("./") != std::string::npos || std::filesystem::exists(argument, error);
}

std::string verbNames()
{
    std::string names;
    for (const Verb& verb : table) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", verb.name);
    }
    return names;
}

std::string usage()
{
    std::string text = "kvplan plans the KV cache of language models.\n\n"
                       "Usage: kvplan [FILE]              open the window\n"
                       "       kvplan VERB [FLAGS]        answer here, without a display\n\nVerbs:\n";
    for (const Verb& verb : table) {
        text += fmt::format("  {:<13} {}\n", verb.name, verb.purpose);
    }
    return text
        + "\nkvplan VERB --help lists a verb's flags. With --json a verb prints one JSON object.\n"
          "Exit: 0 done, 2 bad input, 3 does not fit (plan --check), 130 interrupted.\n";
}

Result<ExitCode> dispatch(const Arguments& arguments)
{
    const std::string& first = arguments.front();
    if (const Verb* verb = findVerb(first)) {
        return verb->run(Arguments(arguments.begin() + 1, arguments.end()));
    }
    if (first == "--help" || first == "-h" || first == "help") {
        return printAndEnd(usage());
    }
    if (first == "--version") {
        return printAndEnd(fmt::format("kvplan {}\n", KVPLAN_VERSION));
    }
    if (first.starts_with('-')) {
        return failure(ErrorCode::InvalidValue, fmt::format("\"{}\" comes before a verb", first.substr(0, 60)),
            "the command line", "write kvplan VERB first; the verbs are " + verbNames());
    }
    return failure(ErrorCode::NotFound, fmt::format("there is no verb \"{}\"", first.substr(0, 60)), "the command line",
        "the verbs are " + verbNames());
}

Result<ExitCode> dispatchSafely(const Arguments& arguments)
{
    try {
        return guarded("a figure", [&] { return dispatch(arguments); });
    } catch (const std::bad_alloc&) {
        return failure(
            ErrorCode::OutOfMemory, "there is not enough memory", "", "close other programs, or ask for less");
    }
}

} // namespace

Result<ExitCode> answer(Flags& flags, const Arguments& arguments, const std::function<Result<ExitCode>()>& work)
{
    if (Flags::asksForHelp(arguments)) {
        return printAndEnd(flags.help());
    }
    return flags.parse(arguments).and_then(work);
}

Result<ExitCode> printAndEnd(std::string_view text, ExitCode code)
{
    return print(text).map([code] { return code; });
}

bool isForCommandLine(const Arguments& arguments)
{
    return !arguments.empty()
        && (findVerb(arguments.front()) != nullptr || !namesFile(arguments.front())
            || arguments.front().starts_with('-'));
}

int runCommandLine(const Arguments& arguments)
{
    std::signal(SIGPIPE, SIG_IGN);
    const auto code = dispatchSafely(arguments);
    return code ? *code : complain(code.error(), arguments.front());
}

} // namespace kvplan::cli
