#include "run/worker/sample/coverage.h"

#include <algorithm>

#include "plan/ir/json.h"
#include "run/worker/sample/elements.h"

namespace tritonsmith::run::sample {

namespace {

constexpr int64_t kProgramsOfPiece = 64;
constexpr size_t kMostProgramsOfPiece = 256;
constexpr int kPiecesBetween = 2;
constexpr int64_t kWorkForPieces = 60'000;  ///< Footprint::writers
constexpr int64_t kWorkForAll = 20'000;     ///< Footprint::written_by_all
constexpr int kMostGaps = 4;

class Gaps {
  public:
    Gaps(const Events& events, const plan::Tensor& tensor)
        : tensor_(tensor), buffer_(events.buffer(tensor.buffer)) {
        for (const Launch& launch : events.launches())
            if (launch.footprint && launch.writes.contains(buffer_)) launches_.push_back(&launch);
    }

    ttir::ByteRanges find(std::mt19937_64& random) {
        if (launches_.empty() || buffer_ == nullptr) return {};
        const int64_t size = plan::element_size(tensor_.dtype), begin = tensor_.offset * size,
                      end = last_byte();
        ttir::ByteRanges of_any;
        for (const Launch* launch : launches_)
            of_any.add(launch->footprint->written_by_all(kWorkForAll)[buffer_]);
        found_ = of_any.gaps({begin, end});
        for (const Launch* launch : launches_)
            for (int64_t program : {int64_t{0}, launch->programs() - 1}) {
                const ttir::ByteRanges written = of(*launch, program);
                if (written.empty()) continue;
                const int64_t each = std::max(written.bytes(), size);
                most_of_a_program_ = std::max(most_of_a_program_, each);
                piece(written.ranges().front().begin - 2 * each, written.ranges().front().begin);
                piece(written.ranges().back().end, written.ranges().back().end + 2 * each);
            }
        const int64_t length = kProgramsOfPiece * most_of_a_program_;
        piece(begin, begin + length);
        piece(end - length, end);
        for (int i = 0; i < kPiecesBetween && end - begin > length; i++) {
            const int64_t at = std::uniform_int_distribution<int64_t>(begin, end - length)(random);
            piece(at, at + length);
        }
        return found_;
    }

  private:
    int64_t last_byte() const {
        int64_t last = tensor_.offset;
        for (size_t d = 0; d < tensor_.shape.size(); d++) last += (tensor_.shape[d] - 1) * tensor_.stride[d];
        return (last + 1) * plan::element_size(tensor_.dtype);
    }

    ttir::ByteRanges of(const Launch& launch, int64_t program) const {
        return launch.footprint->of(program).written[buffer_];
    }

    void piece(int64_t from, int64_t to) {
        const int64_t size = plan::element_size(tensor_.dtype);
        ttir::ByteRange all{std::max(from, tensor_.offset * size), std::min(to, last_byte())};
        if (all.begin >= all.end) return;
        ttir::BufferBytes wanted;
        wanted[buffer_].add(all.begin, all.end);
        ttir::ByteRanges taken;
        for (const Launch* launch : launches_) {
            const auto programs = launch->footprint->writers(wanted, kMostProgramsOfPiece, work_);
            if (!programs) return;  // not known
            for (int64_t program : *programs) taken.add(of(*launch, program));
        }
        found_.add(taken.gaps(all));
    }

    const plan::Tensor& tensor_;
    const ttir::Buffer* buffer_;
    std::vector<const Launch*> launches_;
    int64_t most_of_a_program_ = 1, work_ = kWorkForPieces;
    ttir::ByteRanges found_;
};

}  // namespace

std::vector<int64_t> gaps(const Events& events, const plan::Tensor& tensor, std::mt19937_64& random) {
    return elements_within(gap_bytes(events, tensor, random), tensor, kMostGaps, random);
}

ttir::ByteRanges gap_bytes(const Events& events, const plan::Tensor& tensor, std::mt19937_64& random) {
    return Gaps(events, tensor).find(random);
}

}  // namespace tritonsmith::run::sample
