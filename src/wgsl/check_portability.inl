/* What check_portability.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(NEEDS_ENABLE, 1, "this needs 'enable {0};' at the top of the module",
       "esto necesita 'enable {0};' al comienzo del módulo")
SAYING(ADD_ENABLE, 1, "add 'enable {0};' as the first line", "añadir 'enable {0};' como primera línea")
SAYING(NAGA_REQUIRES, 0, "naga (wgpu) does not know 'requires'", "naga (wgpu) no conoce 'requires'")
SAYING(NAGA_ENABLE, 0, "naga (wgpu) refuses 'enable subgroups;', and takes the functions of subgroups without it",
       "naga (wgpu) rechaza 'enable subgroups;', y acepta sin ello las funciones de subgroups")
SAYING(WEAVE_FOR_READER, 0, "print the module for its reader: 'telar weave --dialect naga' leaves the line out",
       "imprimir el módulo para quien lo lee: 'telar weave --dialect naga' quita la línea")
SAYING(NAGA_POINTER, 1, "naga (wgpu) refuses pointers to {0} memory as parameters",
       "naga (wgpu) rechaza como parámetros los punteros a memoria {0}")
SAYING(NAME_VARIABLE, 0, "name the variable in the function, or pass what it holds",
       "nombrar la variable en la función, o pasar lo que contiene")
SAYING(NAGA_ELECT, 0, "naga (wgpu) does not know 'subgroupElect'", "naga (wgpu) no conoce 'subgroupElect'")
SAYING(COMPARE_LANE, 0, "compare @builtin(subgroup_invocation_id) with subgroupBroadcastFirst(subgroup_invocation_id)",
       "comparar @builtin(subgroup_invocation_id) con subgroupBroadcastFirst(subgroup_invocation_id)")
SAYING(NAGA_DIAGNOSTIC, 0, "naga (wgpu) refuses '@diagnostic' on statements",
       "naga (wgpu) rechaza '@diagnostic' en sentencias")
SAYING(
    UNIFORM_MISFIT, 2,
    "uniform '{0}' has an array stride or a structure at byte {1} that is no multiple of 16; only implementations with "
    "the language extension uniform_buffer_standard_layout take it",
    "el uniform '{0}' tiene en el byte {1} un paso de array o una estructura que no es múltiplo de 16; solo lo aceptan "
    "las implementaciones con la extensión del lenguaje uniform_buffer_standard_layout")
SAYING(PACK_INTO_VEC4, 0, "pack the elements into vec4, or bind it as var<storage, read>",
       "agrupar los elementos en vec4, o enlazarlo como var<storage, read>")
SAYING(VEC3_APART, 3,
       "elements of '{0}' are {1} bytes apart, though their members are {2} bytes: vec3 is aligned to 16",
       "los elementos de '{0}' están a {1} bytes uno de otro, aunque sus miembros son {2} bytes: vec3 se alinea a 16")
SAYING(
    VEC3_PACKED, 3,
    "elements of '{0}' are {1} bytes apart, though their members are {2} bytes: vec3 is aligned to 16, and the bytes "
    "bound are whole elements only when they are packed",
    "los elementos de '{0}' están a {1} bytes uno de otro, aunque sus miembros son {2} bytes: vec3 se alinea a 16, y los "
    "bytes enlazados solo son elementos enteros si van empaquetados")
SAYING(THREE_FLOATS, 0, "use array<f32> and three elements a point, or vec4 on both sides",
       "usar array<f32> y tres elementos por punto, o vec4 en los dos lados")
SAYING(WRITE_PADDING, 0, "write the padding out as members, on both sides",
       "escribir el relleno como miembros, en los dos lados")
SAYING(
    BINDING_UNUSED, 3,
    "no entry point uses '{0}' (group {1}, binding {2}), so an automatic layout leaves it out and a bind group that has "
    "it fails",
    "ningún punto de entrada usa '{0}' (group {1}, binding {2}), así que un layout automático lo omite y falla un bind "
    "group que lo tenga")
SAYING(MENTION_IT, 1, "remove it, or mention it as `_ = {0};`", "quitarlo, o mencionarlo como `_ = {0};`")
SAYING(MENTION_ITS_ADDRESS, 1, "remove it, or mention it as `_ = &{0};`", "quitarlo, o mencionarlo como `_ = &{0};`")
SAYING(NAN_TRUE, 0, "implementations may assume that floats are never NaN, so this may be true always",
       "las implementaciones pueden suponer que un float nunca es NaN, así que esto puede ser siempre cierto")
SAYING(NAN_FALSE, 0, "implementations may assume that floats are never NaN, so this may be false always",
       "las implementaciones pueden suponer que un float nunca es NaN, así que esto puede ser siempre falso")
SAYING(LOOK_AT_BITS, 0, "look at the bits: (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u",
       "mirar los bits: (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u")
