#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ttir/ir/ir.h"
#include "ttir/ir/lexer.h"

namespace tritonsmith::ttir {

/// Reads `loc(…)` and `#loc7 = loc(…)`. Aliases may be defined after their use, so positions are kept as
/// nodes and turned into Locations when the whole text has been read.
class LocationTable {
  public:
    explicit LocationTable(Lexer& lexer) : lexer_(lexer) {}

    /// Reads a trailing `loc(…)` if one follows. Returns an index for Module::locations, -1 where there is
    /// none.
    int trailing();
    /// Reads and forgets one (of a parameter or block argument).
    void skip_trailing();
    /// Reads the definition after `#name =`.
    void define(std::string_view name);
    /// All locations that trailing() gave out, in order. @throws ParseError for missing or circular aliases
    std::vector<Location> resolve();

  private:
    struct Node {
        enum class Kind : uint8_t { unknown, file, name, call, fused, alias } kind = Kind::unknown;
        std::string text;  ///< file: path; name: the name
        std::string_view alias;
        int line = 0, column = 0;
        int first = -1, second = -1;  ///< name: child; call: callee, caller; fused: two of them
        size_t position = 0;
    };
    int inner(int depth);
    int fused(Node& node, int depth);
    int add(Node node);
    Location make(int node, int depth);

    Lexer& lexer_;
    std::vector<Node> nodes_;
    std::vector<int> given_;
    std::unordered_map<std::string_view, int> aliases_;
    std::unordered_map<std::string_view, int> shared_;  ///< alias → index given out
    int64_t budget_ = int64_t{256} << 20;               ///< bytes that all locations together may take
};

}  // namespace tritonsmith::ttir
