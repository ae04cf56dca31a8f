#include "graph/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace tritonsmith::graph {
namespace {

int64_t floor_divide(int64_t a, int64_t b) {
    const int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

bool same_factor(const Index::Term& a, const Index::Term& b) {
    if (a.factor != b.factor) return false;
    if (a.factor == Index::Factor::axis) return a.axis == b.axis;
    return a.divisor == b.divisor && *a.argument == *b.argument;
}

/// An order that depends on contents alone, so that equal sums are written alike.
int compare(const Index& a, const Index& b);
int compare(const Index::Term& a, const Index::Term& b) {
    if (a.factor != b.factor) return a.factor < b.factor ? -1 : 1;
    if (a.factor == Index::Factor::axis) return a.axis - b.axis;
    if (int order = compare(*a.argument, *b.argument)) return order;
    return a.divisor == b.divisor ? 0 : a.divisor < b.divisor ? -1 : 1;
}
int compare(const Index& a, const Index& b) {
    for (size_t i = 0; i < std::min(a.terms().size(), b.terms().size()); ++i) {
        if (int order = compare(a.terms()[i], b.terms()[i])) return order;
        if (a.terms()[i].coefficient != b.terms()[i].coefficient)
            return a.terms()[i].coefficient < b.terms()[i].coefficient ? -1 : 1;
    }
    if (a.terms().size() != b.terms().size()) return a.terms().size() < b.terms().size() ? -1 : 1;
    return a.constant() == b.constant() ? 0 : a.constant() < b.constant() ? -1 : 1;
}

/// (x // a) of an argument that is nothing else: x // (a·divisor) and (x // a) % divisor belong together.
const Index::Term* lone_quotient(const Index& of) {
    const bool lone = of.constant() == 0 && of.terms().size() == 1 && of.terms()[0].coefficient == 1;
    return lone && of.terms()[0].factor == Index::Factor::quotient ? &of.terms()[0] : nullptr;
}

/// What divisor·whole + part is, where `whole` is a quotient and `part` the remainder that goes with it.
std::optional<Index> rejoined(const Index::Term& whole, const Index::Term& part, Index (*make)(Index::Term)) {
    if (whole.coefficient != part.coefficient * part.divisor) return std::nullopt;
    if (whole.divisor == part.divisor && *whole.argument == *part.argument) return *part.argument;
    const Index::Term* inner = lone_quotient(*part.argument);
    if (inner && inner->divisor * part.divisor == whole.divisor && *inner->argument == *whole.argument)
        return make(*inner);
    return std::nullopt;
}

}  // namespace

Index Index::axis(int number) {
    return of({1, Factor::axis, number, nullptr, 1});
}

Index Index::of(Term term) {
    Index out;
    if (term.coefficient != 0) out.terms_.push_back(std::move(term));
    return out;
}

int Index::plain_axis() const {
    const bool plain = constant_ == 0 && terms_.size() == 1 && terms_[0].coefficient == 1;
    return plain && terms_[0].factor == Factor::axis ? terms_[0].axis : -1;
}

bool Index::affine() const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [](const Term& term) { return term.factor == Factor::axis; });
}

int64_t Index::coefficient(int axis) const {
    for (const Term& term : terms_)
        if (term.factor == Factor::axis && term.axis == axis) return term.coefficient;
    return 0;
}

bool Index::mentions(int axis) const {
    return std::any_of(terms_.begin(), terms_.end(), [&](const Term& term) {
        return term.factor == Factor::axis ? term.axis == axis : term.argument->mentions(axis);
    });
}

void Index::add(Term term) {
    if (term.coefficient == 0) return;
    for (size_t i = 0; i < terms_.size(); ++i) {
        if (!same_factor(terms_[i], term)) continue;
        term.coefficient += terms_[i].coefficient;
        terms_.erase(i);
        return add(std::move(term));
    }
    for (size_t i = 0; i < terms_.size(); ++i) {  // c·d·(x // d) + c·(x % d) = c·x
        const Term& other = terms_[i];
        if (other.factor == Factor::axis || term.factor == Factor::axis || other.factor == term.factor)
            continue;
        const Term& whole = other.factor == Factor::quotient ? other : term;
        const Term& part = other.factor == Factor::quotient ? term : other;
        const std::optional<Index> joined = rejoined(whole, part, &Index::of);
        if (!joined) continue;
        const Index scaled = *joined * part.coefficient;
        terms_.erase(i);
        add(scaled, 1);
        return;
    }
    const Term* at = std::find_if(std::as_const(terms_).begin(), std::as_const(terms_).end(),
                                  [&](const Term& other) { return compare(term, other) < 0; });
    terms_.insert(static_cast<size_t>(at - std::as_const(terms_).begin()), std::move(term));
}

void Index::add(const Index& other, int64_t factor) {
    if (factor == 0) return;
    constant_ += other.constant_ * factor;
    if (terms_.empty()) {
        terms_ = other.terms_;
        if (factor != 1)
            for (Term& term : terms_) term.coefficient *= factor;
        return;
    }
    for (Term term : other.terms_) {
        term.coefficient *= factor;
        add(std::move(term));
    }
}

Index Index::operator+(const Index& other) const {
    Index out = *this;
    out.add(other, 1);
    return out;
}
Index Index::operator-(const Index& other) const {
    Index out = *this;
    out.add(other, -1);
    return out;
}
Index Index::operator*(int64_t factor) const {
    if (factor == 0) return {};
    Index out = *this;
    out.constant_ *= factor;
    for (Term& term : out.terms_) term.coefficient *= factor;
    return out;
}
bool Index::operator==(const Index& other) const {
    return compare(*this, other) == 0;
}

Index::Range Index::range(const Extents& extents) const {
    Range out{constant_, constant_};
    for (const Term& term : terms_) {
        Range part{0, 0};
        if (term.factor == Factor::axis) {
            part.high = std::max<int64_t>(extents[static_cast<size_t>(term.axis)] - 1, 0);
        } else {
            part = term.argument->range(extents);
            if (term.factor == Factor::quotient)
                part = {floor_divide(part.low, term.divisor), floor_divide(part.high, term.divisor)};
            else if (floor_divide(part.low, term.divisor) == floor_divide(part.high, term.divisor))
                part = {part.low - floor_divide(part.low, term.divisor) * term.divisor,
                        part.high - floor_divide(part.high, term.divisor) * term.divisor};
            else
                part = {0, term.divisor - 1};
        }
        part.low *= term.coefficient;
        part.high *= term.coefficient;
        out.low += std::min(part.low, part.high);
        out.high += std::max(part.low, part.high);
    }
    return out;
}

int64_t Index::at(const std::vector<int64_t>& position) const {
    int64_t sum = constant_;
    for (const Term& term : terms_) {
        int64_t value = 0;
        if (term.factor == Factor::axis) {
            value = position[static_cast<size_t>(term.axis)];
        } else {
            const int64_t inner = term.argument->at(position);
            value = floor_divide(inner, term.divisor);
            if (term.factor == Factor::remainder) value = inner - value * term.divisor;
        }
        sum += term.coefficient * value;
    }
    return sum;
}

std::string Index::text(const std::vector<std::string>& axes) const {
    std::string out;
    for (const Term& term : terms_) {
        std::string factor;
        if (term.factor == Factor::axis) {
            const auto axis = static_cast<size_t>(term.axis);
            factor = axis < axes.size() ? axes[axis] : fmt::format("i{}", axis);
        } else {
            factor = term.argument->text(axes);
            if (term.argument->plain_axis() < 0) factor = "(" + factor + ")";
            factor += (term.factor == Factor::quotient ? " // " : " % ") + std::to_string(term.divisor);
            if (term.coefficient != 1 && term.coefficient != -1) factor = "(" + factor + ")";
        }
        const int64_t size = std::abs(term.coefficient);
        if (size != 1) factor = fmt::format("{}*{}", size, factor);
        if (out.empty())
            out = (term.coefficient < 0 ? "-" : "") + factor;
        else
            out += (term.coefficient < 0 ? " - " : " + ") + factor;
    }
    if (out.empty()) return std::to_string(constant_);
    if (constant_ != 0) out += fmt::format(" {} {}", constant_ < 0 ? '-' : '+', std::abs(constant_));
    return out;
}

std::pair<Index, Index> Index::split(int64_t divisor) const {
    std::pair<Index, Index> out;
    auto& [multiple, rest] = out;
    multiple.constant_ = floor_divide(constant_, divisor);
    rest.constant_ = constant_ - multiple.constant_ * divisor;
    for (Term term : terms_) {
        if (term.coefficient % divisor != 0) {
            rest.terms_.push_back(std::move(term));
            continue;
        }
        term.coefficient /= divisor;
        multiple.add(std::move(term));
    }
    return out;
}

std::vector<int64_t> Index::common_divisors(int64_t divisor) const {
    std::vector<int64_t> out;
    for (const Term& term : terms_)
        if (int64_t common = std::gcd(term.coefficient, divisor); common > 1) out.push_back(common);
    std::sort(out.rbegin(), out.rend());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

Index quotient(const Index& of, int64_t divisor, const Extents& extents) {
    if (divisor == 1) return of;
    const auto [multiple, rest] = of.split(divisor);
    const Index::Range bounds = rest.range(extents);
    const int64_t low = floor_divide(bounds.low, divisor);
    if (low == floor_divide(bounds.high, divisor)) return multiple + low;
    for (int64_t common : rest.common_divisors(divisor)) {
        const auto [coarse, fine] = rest.split(common);
        const Index::Range left = fine.range(extents);
        if (left.low >= 0 && left.high < common)
            return multiple + quotient(coarse, divisor / common, extents);
    }
    const Index moving = rest - rest.constant();
    if (const Index::Term* inner = lone_quotient(moving))
        return multiple + quotient(*inner->argument + rest.constant() * inner->divisor,
                                   inner->divisor * divisor, extents);
    return multiple +
           Index::of({1, Index::Factor::quotient, -1, std::make_shared<const Index>(rest), divisor});
}

Index remainder(const Index& of, int64_t divisor, const Extents& extents) {
    if (divisor == 1) return {};
    const auto [multiple, rest] = of.split(divisor);
    const Index::Range bounds = rest.range(extents);
    const int64_t low = floor_divide(bounds.low, divisor);
    if (low == floor_divide(bounds.high, divisor)) return rest - low * divisor;
    for (int64_t common : rest.common_divisors(divisor)) {
        const auto [coarse, fine] = rest.split(common);
        const Index::Range left = fine.range(extents);
        if (left.low >= 0 && left.high < common)
            return remainder(coarse, divisor / common, extents) * common + fine;
    }
    const Index::Terms& terms = rest.terms();
    if (terms.size() == 1 && terms[0].factor == Index::Factor::remainder && terms[0].coefficient == 1 &&
        terms[0].divisor % divisor == 0)
        return remainder(*terms[0].argument + rest.constant(), divisor, extents);
    return Index::of({1, Index::Factor::remainder, -1, std::make_shared<const Index>(rest), divisor});
}

Index substitute(const Index& of, const std::vector<Index>& axes, const Extents& extents) {
    if (const int axis = of.plain_axis(); axis >= 0) return axes[static_cast<size_t>(axis)];
    Index out = of.constant();
    for (const Index::Term& term : of.terms()) {
        Index factor;
        if (term.factor == Index::Factor::axis) {
            factor = axes[static_cast<size_t>(term.axis)];
        } else {
            factor = substitute(*term.argument, axes, extents);
            factor = term.factor == Index::Factor::quotient ? quotient(factor, term.divisor, extents)
                                                            : remainder(factor, term.divisor, extents);
        }
        out.add(factor, term.coefficient);
    }
    return out;
}

}  // namespace tritonsmith::graph
