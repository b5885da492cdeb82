fn f() {
	let a = 1
	if ( { b c; }
}
struct S { a : f32; }
@nope var x : u32;
const y = 1z;
