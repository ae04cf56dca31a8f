# Several sources as one: nearly all of a source's compile time is its headers' (torch's above all). ./tritonsmith, ./test
# and so CI build this way (preset "setup"); the developers' presets compile each source alone.
#
# Names in an anonymous namespace are then the module's, not the file's: tests/structure/test_unity.py holds them apart. A
# source with compile options of its own stays alone; so does one with the property SKIP_UNITY_BUILD_INCLUSION.
option(TRITONSMITH_UNITY "Compile the sources of a target together" OFF)
set(CMAKE_UNITY_BUILD ${TRITONSMITH_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)
if(TRITONSMITH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # It asks that a header's classes hold nothing of an anonymous namespace, and takes a unit's sources for headers.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()
# What tests do is in the libraries that they link: optimising their own code costs as much as its compilation, and twice
# as much with sanitizers.
set(TRITONSMITH_TEST_OPTIONS "")
if(TRITONSMITH_UNITY)
  set(TRITONSMITH_TEST_OPTIONS -O0)
endif()
