# tree_sitter: the C core of tree-sitter 0.23.2 and its Python grammar 0.23.6 as one static library.
#
# Debian's library is too old for this grammar, so both come from the source packages on PyPI; ./tritonsmith fetches
# and unpacks them into .cache/third_party/ (tools/vendor carries them to machines without a network).
# Exports tree_sitter/api.h and `extern "C" const TSLanguage* tree_sitter_python()`.
set(TREE_SITTER_CORE tree-sitter-0.23.2/tree_sitter/core/lib)
set(TREE_SITTER_PYTHON tree_sitter_python-0.23.6/src)
find_path(TREE_SITTER_SOURCES ${TREE_SITTER_PYTHON}/parser.c NO_DEFAULT_PATH NO_CACHE
  PATHS ${TRITONSMITH_VENDOR_DIR} ${CMAKE_SOURCE_DIR}/.cache/third_party)
if(NOT TREE_SITTER_SOURCES OR NOT EXISTS ${TREE_SITTER_SOURCES}/${TREE_SITTER_CORE}/src/lib.c)
  message(FATAL_ERROR
    "the sources of tree-sitter are absent: run ./tritonsmith once (it fetches them from PyPI), or, without a "
    "network, copy the folder that tools/vendor makes on another machine to ${CMAKE_SOURCE_DIR}/.vendor")
endif()
set(TREE_SITTER_CORE_DIR ${TREE_SITTER_SOURCES}/${TREE_SITTER_CORE})
set(TREE_SITTER_GRAMMAR_DIR ${TREE_SITTER_SOURCES}/${TREE_SITTER_PYTHON})

# A generated grammar includes these as tree_sitter/*.h; the core has them among its own sources.
foreach(header parser.h array.h alloc.h)
  configure_file(${TREE_SITTER_CORE_DIR}/src/${header} ${CMAKE_BINARY_DIR}/tree_sitter/tree_sitter/${header} COPYONLY)
endforeach()
add_library(tree_sitter STATIC ${TREE_SITTER_CORE_DIR}/src/lib.c ${TREE_SITTER_GRAMMAR_DIR}/parser.c ${TREE_SITTER_GRAMMAR_DIR}/scanner.c)
target_include_directories(tree_sitter SYSTEM PUBLIC ${TREE_SITTER_CORE_DIR}/include
  PRIVATE ${TREE_SITTER_CORE_DIR}/src ${CMAKE_BINARY_DIR}/tree_sitter)
# The core asks glibc for endian conversions, which strict C11 hides. Its warnings are not ours to fix.
target_compile_definitions(tree_sitter PRIVATE _GNU_SOURCE)
# Nobody replaces its functions, so they may be inlined: a tenth of the parser's time.
target_compile_options(tree_sitter PRIVATE -w -fno-semantic-interposition)
set_target_properties(tree_sitter PROPERTIES UNITY_BUILD OFF)
