#pragma once

#include <string>

#include "endpoint/address.h"

namespace tritonsmith::endpoint {

/// A secret that is sent as a bearer token. Never part of a message.
struct Key {
    std::string value;   ///< empty: none
    std::string source;  ///< for messages: "$OPENAI_API_KEY", "the file key.txt"
};

/// @param variable name of an environment variable; empty: OPENAI_API_KEY where that is set and the address
/// is on this
///                 machine or reached by https, since a key that nobody named must not cross a network in the
///                 open
/// @param file     whose first line is the key; empty: none
/// @throws InputError for a variable or file that was named and holds no key, or both named
Key find_key(const std::string& variable, const std::string& file, const Address& address);

/// Every place of the key in `text` becomes "[key]": servers repeat what they were sent.
std::string without_key(std::string text, const Key& key);

}  // namespace tritonsmith::endpoint
