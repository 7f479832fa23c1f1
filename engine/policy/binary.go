package policy

import (
	"bytes"
	"strings"
)

// headSize is how much of a file is looked at to tell binary from text (RFC 5.2: first 8 KB).
const headSize = 8 << 10

// binaryExts are extensions whose files are never text. Extensions that also name a text format are left out (ts, mod,
// obj, dat, svg, ps, rtf, xpm): there the content decides.
var binaryExts = set(strings.Fields(`
	3dm 3ds 3g2 3gp 3mf 7z a aab aac aar abw aif aifc aiff alz ape apk ar arj arrow arw asf au avi avif avro bcmap bin
	blend bmp br bz2 bzip2 cab caf class cpio cr2 cr3 cso cur dcm deb dex djvu dll dmg dng doc docm docx dotm dotx dra
	dsk dtshd dvb dwg dxf dylib ear ecelp4800 egg eol eot epub exe f4v fbx feather fh fla flac flatpak flv fpx fvt g3
	gguf gif glb gpg graffle gz gzip h261 h263 h264 h5 hdf5 heic heif icns ico ief img ipa iso jar jfif jp2 jpe jpeg jpg
	jpgv jpm jxl jxr ktx ktx2 lha lib lmdb lvp lz lz4 lzh lzma lzo m2ts m4a m4b m4p m4v mar mdb mdi mid midi mj2 mka mkv
	mmr mng mobi mov movie mp3 mp4 mp4a mpeg mpg mpga msi msix mxu nef npy npz numbers nupkg o odb odg odp ods odt oga
	ogg ogv onnx opus orc orf otf ott pages parquet pbm pcx pdb pdf pgm pickle pkg pkl plc png pnm potm potx ppa ppam
	ppm pps ppsm ppsx ppt pptm pptx psd pth pya pyc pyo pyv qt rar ras rip rlc rmf rmvb rpm rz s3m s7z safetensors scpt
	sgi sil sketch smv snap so sqlite sqlite3 stl swf tar tbz tbz2 tga tgz tif tiff tflite tlz tmdx ttc ttf txz udf uvh
	uvi uvm uvp uvs uvu vhd vhdx viv vmdk vob war wasm wav wax wbmp wdp weba webm webp whl wim wm wma wmv wmx woff woff2
	wvx xapk xcf xif xla xlam xls xlsb xlsm xlsx xlt xltm xltx xm xmind xpi xwd xz zip zipx zst zstd
`)...)

// binaryName reports whether the extension says that a file is binary.
func binaryName(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return false
	}
	return binaryExts[lower(name[i+1:])]
}

// binaryHead reports a NUL in the first 8 KB. It is asked whatever the extension says, so a renamed binary is found
// under any name; text in UTF-16 is decoded before.
func binaryHead(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), headSize)], 0) >= 0
}
