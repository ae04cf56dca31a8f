#include "train/tokenizer/tokenizer_settings.h"

#include "train/data/row_stream.h"
#include "train/settings/setting_fields.h"

namespace tritonsmith::train {

TokenizerSettings read_tokenizer_settings(const Json& configuration, const std::string& where) {
    TokenizerSettings settings;
    SettingFields whole(configuration, where);
    SettingFields fields = whole.table("tokenizer");
    settings.folder = fields.text("folder", std::nullopt);
    settings.vocabulary = fields.integer("vocabulary", 16384, 300, 1 << 20);
    settings.context = fields.integer("context", 4096, 16, 1 << 24);
    settings.bytes = fields.integer("bytes", 200'000'000, 1, int64_t{1} << 36);
    fields.finish();
    SettingFields data = whole.table("data");
    for (SettingFields& source : data.tables("sources")) {
        settings.sources.push_back(
            {matching_files(source.text("files", std::nullopt)), source.number("weight", 1, 1e-9, 1e9)});
        source.finish();
    }
    if (settings.sources.empty()) data.wrong("sources", "is missing: [[data.sources]] with files = \"...\"");
    data.finish();
    whole.finish();
    return settings;
}

}  // namespace tritonsmith::train
