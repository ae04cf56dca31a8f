#include "forge/forge.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "forge/emit/refused.h"
#include "forge/module/draft.h"
#include "forge/module/module.h"

namespace tritonsmith::forge {

namespace {

/// Python numbers among forward's arguments, by name.
std::map<std::string, graph::Number> given(const TaskText& task, const Sized& sized) {
    std::map<std::string, graph::Number> out;
    for (const auto& [position, number] : sized.given)
        if (position < static_cast<int>(task.arguments.size()))
            out[task.arguments[static_cast<size_t>(position)]] = number;
    return out;
}

/// With these arguments the program would be another one: it is made for the task's own.
void fix_moved(const std::map<std::string, graph::Number>& moved, Draft& draft) {
    for (const auto& [argument, number] : draft.given)
        if (moved.at(argument) != number) draft.fixed[argument] = graph::text(number);
}

/// Leaves out the sizes at which something small differs (heads, taps, groups) and numbers have no expression
/// any more; a small batch may stay. The same with other arguments of forward's, which the program then is
/// not made for.
std::string without_strays(const TaskText& task, std::vector<Draft>& drafts, std::set<std::string>& unknown) {
    std::vector<Draft> kept;
    for (const Draft& draft : drafts)
        if (!draft.small && !draft.moved) kept.push_back(draft);
    std::string out = write_module(task, kept, "", unknown);
    for (const Draft& draft : drafts) {
        if (!draft.small && !draft.moved) continue;
        kept.push_back(draft);
        std::set<std::string> more;
        const std::string code = write_module(task, kept, "", more);
        if (more.size() > unknown.size()) {
            kept.pop_back();
            if (draft.moved) {
                fix_moved(draft.given, kept[0]);
                out = write_module(task, kept, "", unknown);
            }
            continue;
        }
        out = code;
        unknown = std::move(more);
    }
    drafts = std::move(kept);
    return out;
}

std::string plain(const std::string& text) {
    return replace_marks(text, [](int, bool) { return "#"; });
}

/// For people: where the programs of two sizes part.
std::string first_difference(const std::string& one, const std::string& other) {
    std::istringstream a(one), b(other);
    std::string left, right, kernel;
    while (std::getline(a, left) && std::getline(b, right)) {
        if (left.find("_kernel ") != std::string::npos) kernel = left;
        if (left != right) break;
    }
    return fmt::format("  at another size: {}: {}\n      instead of {}\n", kernel, plain(right), plain(left));
}

/// @throws Refused
Program written(const Request& request) {
    const TaskText task =
        request.text ? *request.text : read_task_text(request.source, request.entry, "ModelNew");
    Choices choices{request.choices};
    std::vector<Draft> drafts;
    Program out;
    int unlike = 0;
    std::string notes;
    for (const Sized& sized : request.sizes) {
        try {
            Draft draft =
                write_draft(sized.graph, task, request.source, choices, given(task, sized), request.relaxed);
            draft.arguments = sized.arguments;
            draft.small = sized.small;
            draft.moved = sized.moved;
            if (!drafts.empty() && !draft.like(drafts[0])) {
                ++unlike;
                notes += first_difference(drafts[0].text(), draft.text());
                if (sized.moved) fix_moved(draft.given, drafts[0]);
                continue;
            }
            drafts.push_back(std::move(draft));
        } catch (const Refused& refused) {
            if (drafts.empty()) throw;
            notes += std::string("  at another size: ") + refused.what() + "\n";
            if (sized.moved) fix_moved(given(task, sized), drafts[0]);
            ++unlike;
        }
    }
    std::set<std::string> unknown;
    out.code = write_module(task, drafts, "", unknown);
    if (!unknown.empty()) out.code = without_strays(task, drafts, unknown);
    out.specialised = !unknown.empty();
    for (const std::string& number : unknown) notes += "  only of the task's own size: " + number + "\n";
    out.explanation = fmt::format("{} kernels, written at {} sizes ({} others give another program){}\n",
                                  drafts[0].launches.size(), drafts.size(), unlike,
                                  out.specialised ? "; some numbers are of the task's own size" : "");
    out.explanation += notes;
    for (const Launch& launch : drafts[0].launches)
        out.explanation += launch.call.empty()
                               ? fmt::format("  {}: {}\n", launch.kernel.name, launch.kernel.docstring)
                               : fmt::format("  PyTorch: {}\n", plain(launch.call));
    out.own = std::any_of(drafts[0].launches.begin(), drafts[0].launches.end(),
                          [](const Launch& launch) { return launch.call.empty(); });
    out.choices = choices.made;
    out.cost = drafts[0].cost;
    return out;
}

}  // namespace

std::variant<Program, graph::Refusal> write_program(const Request& request) {
    try {
        Program out = written(request);
        if (out.own) return out;
        Request strict = request;  // nothing but products: they are the task
        strict.relaxed = false;
        return written(strict);
    } catch (const Refused& refused) {
        return graph::Refusal{refused.op, refused.what(), refused.line};
    }
}

graph::Names names_of(const std::string& source, const std::string& entry) {
    graph::Names out;
    try {
        out.inputs = read_task_text(source, entry, "ModelNew").arguments;
    } catch (const Refused&) {
        return out;
    }
    std::istringstream in(source);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const size_t begin = line.find_first_not_of(' ');
        const size_t equals = line.find(" = ");
        if (begin == std::string::npos || equals == std::string::npos || equals < begin) continue;
        const std::string left = line.substr(begin, equals - begin);
        if (left.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
            std::string::npos)
            out.lines[number] = left;
    }
    return out;
}

}  // namespace tritonsmith::forge
