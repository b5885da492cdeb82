/* What check_barriers.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(OF_GROUP, 0, "the group", "del grupo")
SAYING(OF_DRAW, 0, "the draw", "del draw")
SAYING(OF_SUBGROUP, 0, "the subgroup", "del subgroup")
SAYING(NOT_SAME, 4, "an argument of '{0}'{1} must be the same for all invocations of {2}, and it depends on {3}",
       "un argumento de '{0}'{1} debe ser el mismo en todas las invocaciones {2}, y depende de {3}")
SAYING(NOT_REACHED, 4, "'{0}'{1} must be reached by all invocations of {2}, and whether it is depends on {3}",
       "a '{0}'{1} deben llegar todas las invocaciones {2}, y que lleguen depende de {3}")
SAYING(CALLED_BY, 2, " (called by '{0}', line {1})", " (llamada por '{0}', línea {1})")
SAYING(
    ALL_ARRIVE, 0,
    "let every invocation reach it: keep the condition in a variable and guard the memory accesses with it, or make the "
    "condition uniform (workgroup_id, uniform buffers, workgroupUniformLoad)",
    "hacer que lleguen todas las invocaciones: guardar la condición en una variable y proteger con ella los accesos a "
    "memoria, o hacerla uniforme (workgroup_id, búferes uniform, workgroupUniformLoad)")
SAYING(UNIFORM_IN_SUBGROUP_ONLY, 1,
       "'{0}' is in uniform control flow within the subgroup only; implementations without the language extension "
       "subgroup_uniformity refuse it",
       "'{0}' está en flujo de control uniforme solo dentro del subgroup; lo rechazan las implementaciones sin la "
       "extensión del lenguaje subgroup_uniformity")
/* The way from the call to the cause, a step each. */
SAYING(STEP_CONDITION, 2, "'{0}' (line {1})", "'{0}' (línea {1})")
SAYING(STEP_UNDER_CONDITION, 2, ", which is set under the condition '{0}' (line {1})",
       ", que se fija bajo la condición '{0}' (línea {1})")
SAYING(STEP_BUILTIN, 1, ", which is {0}", ", que es {0}")
SAYING(STEP_INPUT, 0, ", which is an input of the stage", ", que es una entrada de la etapa")
SAYING(AN_INPUT, 0, "an input", "una entrada")
SAYING(STEP_READ, 1, "'{0}'", "'{0}'")
SAYING(STEP_STORAGE, 1, "what other invocations may write to '{0}'",
       "lo que otras invocaciones pueden escribir en '{0}'")
SAYING(STEP_WORKGROUP, 1, "workgroup memory '{0}'", "la memoria workgroup '{0}'")
SAYING(STEP_PRIVATE, 1, "private variable '{0}'", "la variable private '{0}'")
SAYING(STEP_POINTER, 1, "the memory behind parameter '{0}'", "la memoria a la que apunta el parámetro '{0}'")
SAYING(STEP_RESULT, 1, "the result of '{0}'", "el resultado de '{0}'")
SAYING(STEP_TEXTURE, 1, "a texture that can be written, '{0}'", "una textura que se puede escribir, '{0}'")
SAYING(STEP_CALL, 1, "what is returned by '{0}'", "lo que devuelve '{0}'")
SAYING(WHICH_DEPENDS_ON, 0, ", which depends on ", ", que depende de ")
