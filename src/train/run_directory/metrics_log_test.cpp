#include "train/run_directory/metrics_log.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "base/json.h"
#include "base/process/files.h"
#include "train/run_directory/crc32c.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    return read_file(path, "file", 1 << 20);
}

TEST(Crc32c, HasTheValuesOfTheStandard) {
    EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);  // RFC 3720, B.4
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
    EXPECT_EQ(crc32c(""), 0U);
}

TEST(EventFile, RecordsAreThoseOfTensorFlow) {
    const std::string record = framed_record("abc");
    ASSERT_EQ(record.size(), 8u + 4 + 3 + 4);
    EXPECT_EQ(record.substr(0, 8), std::string("\3\0\0\0\0\0\0\0", 8));
    const auto unmasked = [&](size_t at) {
        uint32_t masked = 0;
        std::memcpy(&masked, record.data() + at, 4);
        const uint32_t rotated = masked - 0xa282ead8U;
        return (rotated >> 17) | (rotated << 15);
    };
    EXPECT_EQ(unmasked(8), crc32c(record.substr(0, 8)));
    EXPECT_EQ(record.substr(12, 3), "abc");
    EXPECT_EQ(unmasked(15), crc32c("abc"));
}

TEST(EventFile, EventsAreProtocolBuffers) {
    const TemporaryFolder folder;
    EventFile file(folder.path() / "tensorboard");
    const size_t head = fs::file_size(file.path());
    file.write(300, 2.0, {{"loss", 1.5}});
    const std::string bytes = read(file.path()).substr(head + 12);
    // Event{wall_time: 2.0, step: 300, summary{value{tag: "loss", simple_value: 1.5}}}
    const std::string expected =
        std::string("\x09\0\0\0\0\0\0\0\x40\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04", 18) + "loss" +
        std::string("\x15\0\0\xc0\x3f", 5);
    EXPECT_EQ(bytes.substr(0, bytes.size() - 4), expected);
}

TEST(MetricsLog, GoesOnWithoutRepeatingSteps) {
    const TemporaryFolder folder;
    {
        MetricsLog log(folder.path(), 0);
        for (int step = 1; step <= 5; ++step) log.write(step, {{"loss", step}, {"time", {{"data", 0.5}}}});
    }
    const fs::path path = folder.path() / "metrics.jsonl";
    write_file(path, read(path) + "{\"step\": 6, \"lo");  // the machine stopped
    {
        MetricsLog log(folder.path(), 3);
        log.write(4, {{"loss", 40}});
    }
    std::vector<int> losses;
    std::string text = read(path);
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.find('\n', at);
        losses.push_back(Json::parse(text.substr(at, end - at))["loss"]);
        at = end + 1;
    }
    EXPECT_EQ(losses, (std::vector<int>{1, 2, 3, 40}));
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder.path() / "tensorboard"))
        files += entry.is_regular_file();
    EXPECT_EQ(files, 2);
}

}  // namespace
}  // namespace tritonsmith::train
