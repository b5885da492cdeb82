const a = b<c>(d); const e = f(a < b, c > (d)); const g = a<b<c>>==d;
const h = array<i32, select(2, 3, a > b)>(); const i = (a < b) > c; const j = a<b> >= c;
fn f(p : ptr<storage, array<vec4<f32>, (1 >> 2)>, read_write>) { if a<b{} v<w>(x); a[b<c]=d; }
