# dragnet-trace-kernel, where libbpf and a Clang for its program in the kernel are there; without it, programs that
# nothing can be loaded into are stopped at their system calls instead.
pkg_check_modules(bpf IMPORTED_TARGET libbpf)
find_program(KERNEL_COMPILER NAMES clang-19 clang)
if(NOT bpf_FOUND OR NOT KERNEL_COMPILER)
  message(STATUS "No libbpf or Clang: dragnet-trace-kernel is left out")
  return()
endif()

set(kernel_program ${PROJECT_BINARY_DIR}/calls.bpf.o)
set(kernel_source ${PROJECT_SOURCE_DIR}/src/kernel/calls.bpf.c)
add_custom_command(OUTPUT ${kernel_program}
                   COMMAND ${KERNEL_COMPILER} -target bpf -mcpu=v3 -O2 -g -ffreestanding -Wall -Werror
                           -Wno-unused-function -I${PROJECT_SOURCE_DIR}/src -I/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}
                           -c ${kernel_source} -o ${kernel_program}
                   DEPENDS ${kernel_source} ${PROJECT_SOURCE_DIR}/src/kernel/kernel_parts.inc ${PROJECT_SOURCE_DIR}/src/kernel/kernel_wire.h
                           ${PROJECT_SOURCE_DIR}/src/runtime/stacks_format.h ${PROJECT_SOURCE_DIR}/src/runtime/call_meanings.h
                   COMMENT "Compiling the program for the kernel"
                   VERBATIM)
room(kernel)
target_link_libraries(kernel PRIVATE PkgConfig::bpf)
set_source_files_properties(kernel/kernel_calls.cpp PROPERTIES COMPILE_DEFINITIONS DRAGNET_KERNEL_PROGRAM="${kernel_program}"
                            OBJECT_DEPENDS ${kernel_program})
add_executable(dragnet-trace-kernel kernel/main.cpp)
target_link_libraries(dragnet-trace-kernel PRIVATE kernel warnings)
install(TARGETS dragnet-trace-kernel RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/dragnet)
add_dependencies(dragnet dragnet-trace-kernel)
