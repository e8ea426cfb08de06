# clang_libraries: the shared libraries of Clang and LLVM 19, as Debian has them. Their own CMake packages ask for tools and
# static libraries that nothing here needs.
find_program(LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE llvm_headers OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE llvm_folder OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
find_library(CLANG_LIBRARY NAMES clang-cpp libclang-cpp.so.19.1 HINTS ${llvm_folder} NO_DEFAULT_PATH REQUIRED)
find_library(LLVM_LIBRARY NAMES LLVM-19 LLVM HINTS ${llvm_folder} NO_DEFAULT_PATH REQUIRED)
find_path(CLANG_RESOURCES include/stddef.h HINTS ${llvm_folder}/clang/19 NO_DEFAULT_PATH REQUIRED)

add_library(clang_libraries INTERFACE)
target_include_directories(clang_libraries SYSTEM INTERFACE ${llvm_headers})
target_link_libraries(clang_libraries INTERFACE ${CLANG_LIBRARY} ${LLVM_LIBRARY})
target_compile_definitions(clang_libraries INTERFACE DRAGNET_CLANG_RESOURCES="${CLANG_RESOURCES}")
