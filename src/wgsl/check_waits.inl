/* What check_waits.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(WAITS_FOR_ANOTHER, 0,
       "this loop ends only when another invocation has written what it looks at, and nothing promises that one runs",
       "este bucle solo acaba cuando otra invocación ha escrito lo que mira, y nada garantiza que esa se ejecute")
SAYING(
    BOUND_ROUNDS, 0,
    "bound the number of rounds and compute the value here when it does not come, or use a dispatch of its own for what "
    "comes after",
    "acotar el número de vueltas y calcular aquí el valor si no llega, o usar otro dispatch para lo que sigue")
SAYING(
    EXCHANGE_COMPARES_FLOATS, 0,
    "the loop of compare-exchange decides by comparing floats: NaN is never equal to itself, and 0 equals -0 though "
    "their bits differ",
    "el bucle de compare-exchange decide comparando floats: NaN nunca es igual a sí mismo, y 0 es igual a -0 aunque sus "
    "bits difieran")
SAYING(TEST_EXCHANGED, 0, "test .exchanged, or compare the bits", "mirar .exchanged, o comparar los bits")
SAYING(POSITION_UNORDERED, 0,
       "the position comes from an atomic counter, so the order of the elements changes from run to run",
       "la posición viene de un contador atómico, así que el orden de los elementos cambia de una ejecución a otra")
SAYING(
    POSITION_NOT_STABLE, 0,
    "the position comes from an atomic counter, so the order of the elements changes from run to run, although the "
    "source calls it stable",
    "la posición viene de un contador atómico, así que el orden de los elementos cambia de una ejecución a otra, aunque "
    "el código lo llama estable")
SAYING(POSITION_FROM_SUM, 0, "take the position from a prefix sum, which keeps the order",
       "tomar la posición de una suma de prefijos, que conserva el orden")
