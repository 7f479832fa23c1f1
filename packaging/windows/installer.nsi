; The installer of Search MCP for one person: no administrator, nothing outside of the person's own folders and registry.
; makensis defines: VERSION (1.2.3-dev.4+abc), NUMBERS (1.2.3.0), FILES (folder to install), OUTPUT, SIGN (packaging/windows/sign.sh).
Unicode true
Target amd64-unicode
!include MUI2.nsh
!include FileFunc.nsh

!define NAME "Search MCP"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define LOGIN_KEY "Software\Microsoft\Windows\CurrentVersion\Run" ; the settings of the app write the same value

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "Software\${NAME}" "Folder"
RequestExecutionLevel user
SetCompressor lzma ; not solid: minutes less for 3 % more
ManifestDPIAware true
!finalize '"${SIGN}" "%1"' = 0
!uninstfinalize '"${SIGN}" "%1"' = 0

VIProductVersion "${NUMBERS}"
VIAddVersionKey ProductName "${NAME}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileDescription "${NAME} installer"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "The Search MCP maintainers. Apache License 2.0."

!define MUI_ICON "${FILES}\..\app.ico"
!define MUI_UNICON "${FILES}\..\app.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\search-mcp-window.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open ${NAME}"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "${FILES}\LICENSE.txt"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!define MUI_UNCONFIRMPAGE_TEXT_TOP "Indexes, settings and logs stay in $PROFILE\.mcp\search; delete that folder to be rid of them."
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

; A running app holds its files: it finishes what it is writing and ends. It is asked by the version that is there.
!macro StopApp
	IfFileExists "$INSTDIR\search-mcp.exe" 0 +2
	nsExec::Exec '"$INSTDIR\search-mcp.exe" stop'
!macroend

Section "${NAME}" Programs
	SectionIn RO
	!insertmacro StopApp
	SetOutPath "$INSTDIR"
	File /r "${FILES}\*.*"
	CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\search-mcp-window.exe" "" "$INSTDIR\search-mcp-window.exe"
	WriteUninstaller "$INSTDIR\uninstall.exe"
	WriteRegStr HKCU "Software\${NAME}" "Folder" "$INSTDIR"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\search-mcp-window.exe"
	WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Search MCP maintainers"
	WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
	WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
	WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
	WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
	${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
	WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Section /o "Start at login" Login
	WriteRegStr HKCU "${LOGIN_KEY}" "${NAME}" '"$INSTDIR\search-mcp-app.exe"'
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
	!insertmacro MUI_DESCRIPTION_TEXT ${Programs} "The programs, the model and the libraries."
	!insertmacro MUI_DESCRIPTION_TEXT ${Login} "Keeps the indexes of your projects fresh from login on. Can be changed in the settings."
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Section Uninstall
	!insertmacro StopApp
	; Only what the installer has put there: somebody may have chosen a folder with other things in it.
	Delete "$INSTDIR\search-mcp.exe"
	Delete "$INSTDIR\search-mcp-app.exe"
	Delete "$INSTDIR\search-mcp-worker.exe"
	Delete "$INSTDIR\search-mcp-window.exe"
	Delete "$INSTDIR\lancedb_go.dll"
	Delete "$INSTDIR\onnxruntime.dll"
	Delete "$INSTDIR\LICENSE.txt"
	Delete "$INSTDIR\sbom.cdx.json"
	Delete "$INSTDIR\uninstall.exe"
	RMDir /r "$INSTDIR\licences"
	RMDir /r "$INSTDIR\model"
	RMDir "$INSTDIR"
	Delete "$SMPROGRAMS\${NAME}.lnk"
	DeleteRegValue HKCU "${LOGIN_KEY}" "${NAME}"
	DeleteRegKey HKCU "${UNINSTALL}"
	DeleteRegKey HKCU "Software\${NAME}"
	DetailPrint "Indexes, settings and logs stay in $PROFILE\.mcp\search; delete that folder to be rid of them."
SectionEnd
