#include "textflag.h"

// func addRow(v *float32, row *int8, scale float32, n int)
// Eight dimensions a step: sign-extended, made floats, multiplied and added, each rounded as in Go.
TEXT ·addRow(SB), NOSPLIT, $0-32
	MOVQ v+0(FP), DI
	MOVQ row+8(FP), SI
	VBROADCASTSS scale+16(FP), Y0
	MOVQ n+24(FP), CX

step:
	VPMOVSXBD (SI), Y1
	VCVTDQ2PS Y1, Y1
	VMULPS Y0, Y1, Y1
	VADDPS (DI), Y1, Y1
	VMOVUPS Y1, (DI)
	ADDQ $8, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ step
	VZEROUPPER
	RET
