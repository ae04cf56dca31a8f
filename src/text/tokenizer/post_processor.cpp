#include "text/tokenizer/post_processor.h"

#include "text/tokenizer/bpe.h"

namespace tritonsmith::text {
namespace {

Token token(const Field& json) {
    return static_cast<Token>(json.integer(0, Bpe::token_most));
}

/// ["</s>", 2]
Token token_named(const Field& json) {
    if (json.array().size() != 2) json.fail("must be a token's content and its number");
    return token(json.element(1));
}

PostProcessor read_template(const Field& json) {
    PostProcessor result;
    const Field parts = json.at("single").array();
    bool seen = false;
    for (size_t i = 0; i < parts.size(); ++i) {
        const Field part = parts.element(i);
        if (part.has("Sequence")) {
            if (seen) part.fail("the text twice is not supported");
            seen = true;
            continue;
        }
        const std::string& name = part.at("SpecialToken").at("id").string();
        const Field ids = json.at("special_tokens").at(name.c_str()).at("ids").array();
        for (size_t k = 0; k < ids.size(); ++k)
            (seen ? result.after : result.before).push_back(token(ids.element(k)));
    }
    if (!seen) parts.fail("the text itself is missing: one element must be {\"Sequence\": ...}");
    return result;
}

}  // namespace

PostProcessor read_post_processor(const Field& json) {
    if (json.json().is_null()) return {};
    const std::string& type = json.type();
    if (type == "ByteLevel") return {};  // changes offsets alone
    if (type == "TemplateProcessing") return read_template(json);
    if (type == "BertProcessing" || type == "RobertaProcessing")
        return {{token_named(json.at("cls"))}, {token_named(json.at("sep"))}};
    if (type != "Sequence")
        json.fail("the post-processor \"" + type +
                  "\" is not supported (Sequence, ByteLevel, TemplateProcessing, BertProcessing and "
                  "RobertaProcessing are)");
    PostProcessor result;
    const Field list = json.at("processors").array();
    if (list.size() > 100) list.fail("more than 100 post-processors");
    for (size_t i = 0; i < list.size(); ++i) {
        if (list.element(i).type() == "Sequence")
            list.element(i).fail("a Sequence in a Sequence is not supported");
        const PostProcessor one = read_post_processor(list.element(i));
        result.before.insert(result.before.begin(), one.before.begin(), one.before.end());
        result.after.insert(result.after.end(), one.after.begin(), one.after.end());
    }
    return result;
}

}  // namespace tritonsmith::text
