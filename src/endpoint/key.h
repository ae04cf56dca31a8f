#pragma once

#include <string>

#include "endpoint/address.h"

namespace tritonsmith::endpoint {

/// A secret that is sent as a bearer token. Never part of an error message.
struct Key {
    std::string value;   ///< empty: none
    std::string source;  ///< for messages: "$OPENAI_API_KEY", "the file key.txt"
};

/// @param variable name of an environment variable; empty: OPENAI_API_KEY if it is set and the address is on
/// this
///                 machine or uses https, since a default key must not cross a network in clear text
/// @param file     with the key as its first line; empty: none
/// @throws InputError if the variable or file holds no key, or both are given
Key find_key(const std::string& variable, const std::string& file, const Address& address);

/// Replaces every occurrence of the key in `text` by "[key]": servers may echo it.
std::string without_key(std::string text, const Key& key);

}  // namespace tritonsmith::endpoint
