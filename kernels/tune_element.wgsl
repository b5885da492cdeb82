// One word and the same again: an element function, woven as a user's. `salt` is a constant that is printed before.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

fn element(i: u32) {
    output[i] = input[i] + salt;
}
