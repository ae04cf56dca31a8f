#include "model/request_lines.h"

#include <iostream>
#include <string>

#include "base/json.h"

namespace tritonsmith::model {

void answer_request_lines(const std::function<Json(const JsonFields& request)>& answer) {
    for (std::string line; std::getline(std::cin, line);) {
        Json reply;
        try {
            const auto request = parse_untrusted_json(line);
            if (!request) throw InputError("the request is not valid JSON");
            reply = answer(JsonFields(*request, "request"));
            reply["ok"] = true;
        } catch (const InputError& error) {
            reply = {{"ok", false}, {"kind", "input"}, {"error", error.what()}};
        } catch (const std::exception& error) {
            reply = {{"ok", false}, {"kind", "machine"}, {"error", error.what()}};
        }
        std::cout << dump(reply) << std::endl;
    }
}

}  // namespace tritonsmith::model
