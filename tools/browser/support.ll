; What LLVM or numba calls and what is in no library here.

; The product of two integers of 128 bits. LLVM wants the high half of a product of 64.
define void @__multi3(ptr %r, i64 %a, i64 %ah, i64 %b, i64 %bh) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %c = lshr i64 %p00, 32
  %m = add i64 %p01, %c
  %m0 = and i64 %m, 4294967295
  %m1 = lshr i64 %m, 32
  %n = add i64 %m0, %p10
  %n1 = lshr i64 %n, 32
  %h1 = add i64 %p11, %m1
  %h2 = add i64 %h1, %n1
  %x = mul i64 %ah, %b
  %y = mul i64 %a, %bh
  %h3 = add i64 %h2, %x
  %h4 = add i64 %h3, %y
  %lo = mul i64 %a, %b
  store i64 %lo, ptr %r
  %p = getelementptr i8, ptr %r, i32 8
  store i64 %h4, ptr %p
  ret void
}

; The part of x from 1/2 to 1, and at p the power of 2 that it has lost.
define double @numba_frexp(double %x, ptr %p) {
  %b = bitcast double %x to i64
  %field = lshr i64 %b, 52
  %e = and i64 %field, 2047
  %all = icmp eq i64 %e, 2047
  %tiny = icmp eq i64 %e, 0
  %larger = fmul double %x, 0x4350000000000000
  %lb = bitcast double %larger to i64
  %lfield = lshr i64 %lb, 52
  %le = and i64 %lfield, 2047
  %word = select i1 %tiny, i64 %lb, i64 %b
  %power = select i1 %tiny, i64 %le, i64 %e
  %bias = select i1 %tiny, i64 1076, i64 1022
  %n = sub i64 %power, %bias
  %sign = and i64 %word, -9218868437227405313
  %half = or i64 %sign, 4602678819172646912
  %part = bitcast i64 %half to double
  %zero = fcmp oeq double %x, 0.0
  %same = or i1 %all, %zero
  %found = select i1 %same, double %x, double %part
  %lost = select i1 %same, i64 0, i64 %n
  %lost32 = trunc i64 %lost to i32
  store i32 %lost32, ptr %p
  ret double %found
}

; The strides of an array in one piece, with another shape; numba has compared the sizes.
define i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %dims, ptr %strides, i64 %newnd, ptr %newdims,
                                         ptr %newstrides, i64 %itemsize, i32 %order) {
start:
  br label %next
next:
  %k = phi i64 [ %newnd, %start ], [ %at, %one ]
  %stride = phi i64 [ %itemsize, %start ], [ %wider, %one ]
  %done = icmp eq i64 %k, 0
  br i1 %done, label %end, label %one
one:
  %at = sub i64 %k, 1
  %place = trunc i64 %at to i32
  %to = getelementptr i64, ptr %newstrides, i32 %place
  store i64 %stride, ptr %to
  %from = getelementptr i64, ptr %newdims, i32 %place
  %dim = load i64, ptr %from
  %wider = mul i64 %stride, %dim
  br label %next
end:
  ret i32 1
}
