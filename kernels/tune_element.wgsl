// One value and the same again: an element function, woven as a user's. `value`, a word or a vector of four, and the constant
// `salt` are printed before.
@group(0) @binding(0) var<storage, read> input: array<value>;
@group(0) @binding(1) var<storage, read_write> output: array<value>;

fn element(i: u32) {
    output[i] = input[i] + salt;
}
