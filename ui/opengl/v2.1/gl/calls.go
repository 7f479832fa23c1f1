package gl

// #include "proc.h"
import "C"

import "unsafe"

const (
	ARRAY_BUFFER             = 0x8892
	BLEND                    = 0x0BE2
	CLAMP_TO_EDGE            = 0x812F
	COLOR_BUFFER_BIT         = 0x4000
	COMPILE_STATUS           = 0x8B81
	CONSTANT_ALPHA           = 0x8003
	DEPTH_BUFFER_BIT         = 0x0100
	DEPTH_TEST               = 0x0B71
	FALSE                    = 0
	FLOAT                    = 0x1406
	FRAGMENT_SHADER          = 0x8B30
	FRONT                    = 0x0404
	INFO_LOG_LENGTH          = 0x8B84
	LINEAR                   = 0x2601
	LINK_STATUS              = 0x8B82
	NEAREST                  = 0x2600
	ONE                      = 1
	ONE_MINUS_CONSTANT_ALPHA = 0x8004
	ONE_MINUS_SRC_ALPHA      = 0x0303
	RGBA                     = 0x1908
	SCISSOR_TEST             = 0x0C11
	SRC_ALPHA                = 0x0302
	STATIC_DRAW              = 0x88E4
	TEXTURE0                 = 0x84C0
	TEXTURE_2D               = 0x0DE1
	TEXTURE_MAG_FILTER       = 0x2800
	TEXTURE_MIN_FILTER       = 0x2801
	TEXTURE_WRAP_S           = 0x2802
	TEXTURE_WRAP_T           = 0x2803
	TRIANGLES                = 0x0004
	TRIANGLE_STRIP           = 0x0005
	UNSIGNED_BYTE            = 0x1401
	VERTEX_SHADER            = 0x8B31
)

func ActiveTexture(texture uint32) { C.callActiveTexture(C.uint32_t(texture)) }

func AttachShader(program, shader uint32) {
	C.callAttachShader(C.uint32_t(program), C.uint32_t(shader))
}

func BindBuffer(target, buffer uint32)   { C.callBindBuffer(C.uint32_t(target), C.uint32_t(buffer)) }
func BindTexture(target, texture uint32) { C.callBindTexture(C.uint32_t(target), C.uint32_t(texture)) }

func BlendColor(red, green, blue, alpha float32) {
	C.callBlendColor(C.float(red), C.float(green), C.float(blue), C.float(alpha))
}

func BlendFunc(source, destination uint32) {
	C.callBlendFunc(C.uint32_t(source), C.uint32_t(destination))
}

func BufferData(target uint32, size int, data unsafe.Pointer, usage uint32) {
	C.callBufferData(C.uint32_t(target), C.intptr_t(size), data, C.uint32_t(usage))
}

func BufferSubData(target uint32, offset, size int, data unsafe.Pointer) {
	C.callBufferSubData(C.uint32_t(target), C.intptr_t(offset), C.intptr_t(size), data)
}

func Clear(mask uint32) { C.callClear(C.uint32_t(mask)) }

func ClearColor(red, green, blue, alpha float32) {
	C.callClearColor(C.float(red), C.float(green), C.float(blue), C.float(alpha))
}

func CompileShader(shader uint32)     { C.callCompileShader(C.uint32_t(shader)) }
func CreateProgram() uint32           { return uint32(C.callCreateProgram()) }
func CreateShader(kind uint32) uint32 { return uint32(C.callCreateShader(C.uint32_t(kind))) }

func DeleteBuffers(n int32, buffers *uint32) {
	C.callDeleteBuffers(C.int32_t(n), (*C.uint32_t)(unsafe.Pointer(buffers)))
}

func DeleteTextures(n int32, textures *uint32) {
	C.callDeleteTextures(C.int32_t(n), (*C.uint32_t)(unsafe.Pointer(textures)))
}

func Disable(capability uint32) { C.callDisable(C.uint32_t(capability)) }

func DrawArrays(mode uint32, first, count int32) {
	C.callDrawArrays(C.uint32_t(mode), C.int32_t(first), C.int32_t(count))
}

func Enable(capability uint32)             { C.callEnable(C.uint32_t(capability)) }
func EnableVertexAttribArray(index uint32) { C.callEnableVertexAttribArray(C.uint32_t(index)) }

func GenBuffers(n int32, buffers *uint32) {
	C.callGenBuffers(C.int32_t(n), (*C.uint32_t)(unsafe.Pointer(buffers)))
}

func GenTextures(n int32, textures *uint32) {
	C.callGenTextures(C.int32_t(n), (*C.uint32_t)(unsafe.Pointer(textures)))
}

func GetAttribLocation(program uint32, name *uint8) int32 {
	return int32(C.callGetAttribLocation(C.uint32_t(program), (*C.char)(unsafe.Pointer(name))))
}

func GetError() uint32 { return uint32(C.callGetError()) }

func GetProgramInfoLog(program uint32, size int32, length *int32, log *uint8) {
	C.callGetProgramInfoLog(C.uint32_t(program), C.int32_t(size), (*C.int32_t)(unsafe.Pointer(length)),
		(*C.char)(unsafe.Pointer(log)))
}

func GetProgramiv(program, name uint32, values *int32) {
	C.callGetProgramiv(C.uint32_t(program), C.uint32_t(name), (*C.int32_t)(unsafe.Pointer(values)))
}

func GetShaderInfoLog(shader uint32, size int32, length *int32, log *uint8) {
	C.callGetShaderInfoLog(C.uint32_t(shader), C.int32_t(size), (*C.int32_t)(unsafe.Pointer(length)),
		(*C.char)(unsafe.Pointer(log)))
}

func GetShaderiv(shader, name uint32, values *int32) {
	C.callGetShaderiv(C.uint32_t(shader), C.uint32_t(name), (*C.int32_t)(unsafe.Pointer(values)))
}

func GetUniformLocation(program uint32, name *uint8) int32 {
	return int32(C.callGetUniformLocation(C.uint32_t(program), (*C.char)(unsafe.Pointer(name))))
}

func LinkProgram(program uint32) { C.callLinkProgram(C.uint32_t(program)) }
func ReadBuffer(source uint32)   { C.callReadBuffer(C.uint32_t(source)) }

func ReadPixels(x, y, width, height int32, format, kind uint32, pixels unsafe.Pointer) {
	C.callReadPixels(C.int32_t(x), C.int32_t(y), C.int32_t(width), C.int32_t(height), C.uint32_t(format),
		C.uint32_t(kind), pixels)
}

func Scissor(x, y, width, height int32) {
	C.callScissor(C.int32_t(x), C.int32_t(y), C.int32_t(width), C.int32_t(height))
}

func ShaderSource(shader uint32, count int32, texts **uint8, lengths *int32) {
	C.callShaderSource(C.uint32_t(shader), C.int32_t(count), (**C.char)(unsafe.Pointer(texts)),
		(*C.int32_t)(unsafe.Pointer(lengths)))
}

func TexImage2D(target uint32, level, internal, width, height, border int32, format, kind uint32,
	pixels unsafe.Pointer) {
	C.callTexImage2D(C.uint32_t(target), C.int32_t(level), C.int32_t(internal), C.int32_t(width), C.int32_t(height),
		C.int32_t(border), C.uint32_t(format), C.uint32_t(kind), pixels)
}

func TexParameteri(target, name uint32, value int32) {
	C.callTexParameteri(C.uint32_t(target), C.uint32_t(name), C.int32_t(value))
}

func Uniform1f(location int32, v0 float32) { C.callUniform1f(C.int32_t(location), C.float(v0)) }

func Uniform2f(location int32, v0, v1 float32) {
	C.callUniform2f(C.int32_t(location), C.float(v0), C.float(v1))
}

func Uniform4f(location int32, v0, v1, v2, v3 float32) {
	C.callUniform4f(C.int32_t(location), C.float(v0), C.float(v1), C.float(v2), C.float(v3))
}

func UseProgram(program uint32) { C.callUseProgram(C.uint32_t(program)) }

func VertexAttribPointerWithOffset(index uint32, size int32, kind uint32, normalized bool,
	stride int32, offset uintptr) {
	C.callVertexAttribPointer(C.uint32_t(index), C.int32_t(size), C.uint32_t(kind), boolean(normalized), C.int32_t(stride),
		C.intptr_t(offset))
}

func Viewport(x, y, width, height int32) {
	C.callViewport(C.int32_t(x), C.int32_t(y), C.int32_t(width), C.int32_t(height))
}
