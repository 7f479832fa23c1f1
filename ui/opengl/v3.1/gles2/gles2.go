// Package gles2 provides package gl under the path that fyne.io/fyne/v2 imports for OpenGL ES. Build tags make
// package gl look up the functions through EGL.
package gles2

import "github.com/go-gl/gl/v2.1/gl"

const (
	ARRAY_BUFFER             = gl.ARRAY_BUFFER
	BLEND                    = gl.BLEND
	CLAMP_TO_EDGE            = gl.CLAMP_TO_EDGE
	COLOR_BUFFER_BIT         = gl.COLOR_BUFFER_BIT
	COMPILE_STATUS           = gl.COMPILE_STATUS
	CONSTANT_ALPHA           = gl.CONSTANT_ALPHA
	DEPTH_BUFFER_BIT         = gl.DEPTH_BUFFER_BIT
	DEPTH_TEST               = gl.DEPTH_TEST
	FALSE                    = gl.FALSE
	FLOAT                    = gl.FLOAT
	FRAGMENT_SHADER          = gl.FRAGMENT_SHADER
	FRONT                    = gl.FRONT
	INFO_LOG_LENGTH          = gl.INFO_LOG_LENGTH
	LINEAR                   = gl.LINEAR
	LINK_STATUS              = gl.LINK_STATUS
	NEAREST                  = gl.NEAREST
	ONE                      = gl.ONE
	ONE_MINUS_CONSTANT_ALPHA = gl.ONE_MINUS_CONSTANT_ALPHA
	ONE_MINUS_SRC_ALPHA      = gl.ONE_MINUS_SRC_ALPHA
	RGBA                     = gl.RGBA
	SCISSOR_TEST             = gl.SCISSOR_TEST
	SRC_ALPHA                = gl.SRC_ALPHA
	STATIC_DRAW              = gl.STATIC_DRAW
	TEXTURE0                 = gl.TEXTURE0
	TEXTURE_2D               = gl.TEXTURE_2D
	TEXTURE_MAG_FILTER       = gl.TEXTURE_MAG_FILTER
	TEXTURE_MIN_FILTER       = gl.TEXTURE_MIN_FILTER
	TEXTURE_WRAP_S           = gl.TEXTURE_WRAP_S
	TEXTURE_WRAP_T           = gl.TEXTURE_WRAP_T
	TRIANGLES                = gl.TRIANGLES
	TRIANGLE_STRIP           = gl.TRIANGLE_STRIP
	UNSIGNED_BYTE            = gl.UNSIGNED_BYTE
	VERTEX_SHADER            = gl.VERTEX_SHADER
)

// Functions, as in package gl.
var (
	ActiveTexture                 = gl.ActiveTexture
	AttachShader                  = gl.AttachShader
	BindBuffer                    = gl.BindBuffer
	BindTexture                   = gl.BindTexture
	BlendColor                    = gl.BlendColor
	BlendFunc                     = gl.BlendFunc
	BufferData                    = gl.BufferData
	BufferSubData                 = gl.BufferSubData
	Clear                         = gl.Clear
	ClearColor                    = gl.ClearColor
	CompileShader                 = gl.CompileShader
	CreateProgram                 = gl.CreateProgram
	CreateShader                  = gl.CreateShader
	DeleteBuffers                 = gl.DeleteBuffers
	DeleteTextures                = gl.DeleteTextures
	Disable                       = gl.Disable
	DrawArrays                    = gl.DrawArrays
	Enable                        = gl.Enable
	EnableVertexAttribArray       = gl.EnableVertexAttribArray
	GenBuffers                    = gl.GenBuffers
	GenTextures                   = gl.GenTextures
	GetAttribLocation             = gl.GetAttribLocation
	GetError                      = gl.GetError
	GetProgramInfoLog             = gl.GetProgramInfoLog
	GetProgramiv                  = gl.GetProgramiv
	GetShaderInfoLog              = gl.GetShaderInfoLog
	GetShaderiv                   = gl.GetShaderiv
	GetUniformLocation            = gl.GetUniformLocation
	Init                          = gl.Init
	LinkProgram                   = gl.LinkProgram
	Ptr                           = gl.Ptr
	ReadBuffer                    = gl.ReadBuffer
	ReadPixels                    = gl.ReadPixels
	Scissor                       = gl.Scissor
	ShaderSource                  = gl.ShaderSource
	Str                           = gl.Str
	Strs                          = gl.Strs
	TexImage2D                    = gl.TexImage2D
	TexParameteri                 = gl.TexParameteri
	Uniform1f                     = gl.Uniform1f
	Uniform2f                     = gl.Uniform2f
	Uniform4f                     = gl.Uniform4f
	UseProgram                    = gl.UseProgram
	VertexAttribPointerWithOffset = gl.VertexAttribPointerWithOffset
	Viewport                      = gl.Viewport
)
