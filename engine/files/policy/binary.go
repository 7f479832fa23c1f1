package policy

import (
	"bytes"
	"strings"
)

// headSize is the number of bytes checked to detect a binary file (RFC 5.2).
const headSize = 8 << 10

// binaryExts are extensions of files that are never text. Extensions that text formats also use (ts, mod, svg, lib,
// pdb) are omitted.
var binaryExts = set(strings.Fields(`
	3dm 3ds 3g2 3gp 3mf 7z aab aac aar aif aifc aiff alz apk ar arj arw avi avif avro bcmap blend bmp br bz2 bzip2 cab
	caf cpio cr2 cr3 dcm djvu dll dmg dng docm docx dotm dotx dsk dtshd dvb dwg dylib ecelp4800 eot epub exe f4v fbx
	feather flac flatpak flv fpx gguf gif glb gz gzip h261 h263 h264 h5 hdf5 heic heif icns ico ipa iso jar jfif jp2
	jpe jpeg jpg jpgv jpm jxl jxr ktx ktx2 lha lmdb lz lz4 lzh lzma lzo m2ts m4a m4b m4p m4v mdb midi mj2 mka mkv mng
	mobi mp3 mp4 mp4a mpeg mpg mpga msi msix mxu nef npy npz nupkg odb odg odp ods odt oga ogg ogv onnx opus otf ott
	parquet pcx pdf png potm potx ppa ppam pps ppsm ppsx ppt pptm pptx psd pth pyc pyo rar rmvb rpm s3m s7z
	safetensors sqlite sqlite3 swf tar tbz tbz2 tga tgz tif tiff tflite tlz ttc ttf txz udf vmdk vob wasm wav wax wbmp
	wdp weba webm webp whl wim wma wmv wmx woff woff2 wvx xapk xcf xif xla xlam xls xlsb xlsm xlsx xlt xltm xltx xmind
	xz zip zipx zst zstd
`)...)

func binaryName(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return false
	}
	return binaryExts[lower(name[i+1:])]
}

// binaryHead reports whether head begins a PDF or contains a NUL. UTF-16 must be decoded first.
func binaryHead(head []byte) bool {
	return bytes.HasPrefix(head, []byte("%PDF-")) || bytes.IndexByte(head[:min(len(head), headSize)], 0) >= 0
}
