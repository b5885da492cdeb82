# Files as C arrays of bytes: compilers need not take a literal of more than 4095.

# kernels(OUT FILES...): `const char tl_wgsl_NAME[]` for each NAME.wgsl, in OUT/kernels.c and kernels.h.
function(kernels out_dir)
    texts(${out_dir} kernels tl_wgsl_ ${ARGN})
endfunction()

# texts(OUT BASE PREFIX FILES...): `const char PREFIXNAME[]` for each file NAME.*, ended by a zero, in OUT/BASE.c and BASE.h.
function(texts out_dir base prefix)
    string(TOUPPER ${base} guard)
    set(declarations "/* Made by the build. */\n#ifndef TL_${guard}_H\n#define TL_${guard}_H\n\n")
    set(definitions "/* Made by the build. */\n#include \"${base}.h\"\n")
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        get_filename_component(name ${file} NAME_WE)
        file(READ ${file} text HEX)
        # What a char may not hold as a number is written as one.
        string(REGEX REPLACE "(..)" "'\\\\x\\1'," text "${text}")
        string(REPLACE "'\\x0a'," "'\\x0a',\n    " text "${text}")
        string(APPEND declarations "extern const char ${prefix}${name}[];\n")
        string(APPEND definitions "\nconst char ${prefix}${name}[] = {\n    ${text}0};\n")
    endforeach()
    string(APPEND declarations "\n#endif\n")
    file(CONFIGURE OUTPUT ${out_dir}/${base}.h CONTENT "${declarations}" @ONLY)
    file(CONFIGURE OUTPUT ${out_dir}/${base}.c CONTENT "${definitions}" @ONLY)
endfunction()
