#include "train/tokenizer/texts.h"

#include "base/json.h"
#include "base/process/files.h"
#include "train/data/row_stream.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* chatml =
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor "
    "%}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

bool holds_rows(const fs::path& file) {
    return file.extension() == ".jsonl" || file.extension() == ".zst";
}

/// Texts of one file until there are `most` bytes. @return the bytes
int64_t texts_of(const fs::path& file, int64_t most, const PairSettings& pairs,
                 const std::function<void(const std::string&)>& emit) {
    int64_t bytes = 0;
    const auto take = [&](const std::string& text) {
        bytes += static_cast<int64_t>(text.size());
        emit(text);
    };
    if (!holds_rows(file)) {
        take(read_file(file, file.string(), 64 << 20));
        return bytes;
    }
    RowStream stream({file}, 0);
    uint64_t number = 0;
    while (bytes < most) {
        const std::optional<Row> row = stream.next();
        if (!row) break;
        Random random(0, number++);
        for (const Conversation& conversation : conversations_of(row->text, row->where, pairs, random))
            for (const auto& message : conversation.messages)
                if (message.contains("content") && message["content"].is_string())
                    take(message["content"].get<std::string>());
    }
    return bytes;
}

}  // namespace

int64_t for_each_text(const TokenizerSettings& settings,
                      const std::function<void(const std::string& text)>& emit) {
    double weights = 0;
    for (const TokenizerSettings::Source& source : settings.sources) weights += source.weight;
    int64_t all = 0;
    for (const TokenizerSettings::Source& source : settings.sources) {
        const auto most = static_cast<int64_t>(static_cast<double>(settings.bytes) * source.weight / weights);
        int64_t bytes = 0;
        for (const fs::path& file : source.files)
            if (bytes < most) bytes += texts_of(file, most - bytes, settings.pairs, emit);
        all += bytes;
    }
    return all;
}

const std::vector<std::string>& special_tokens() {
    static const std::vector<std::string> tokens = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
    return tokens;
}

void write_tokenizer_files(const TokenizerSettings& settings) {
    const Json configuration = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                                {"bos_token", nullptr},
                                {"eos_token", "<|im_end|>"},
                                {"pad_token", "<|endoftext|>"},
                                {"clean_up_tokenization_spaces", false},
                                {"model_max_length", settings.context}};
    write_file(settings.folder / "tokenizer_config.json", dump(configuration, 2) + "\n");
    write_file(settings.folder / "generation_config.json",
               dump({{"eos_token_id", {2, 0}}, {"pad_token_id", 0}}, 2) + "\n");
    write_file(settings.folder / "chat_template.jinja", chatml);
}

}  // namespace tritonsmith::train
