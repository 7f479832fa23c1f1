; The installer of Search MCP for one user. It needs no administrator and changes only the user's folders and registry.
; makensis defines: VERSION (1.2.3-dev.4+abc), NUMBERS (1.2.3.0), FILES (folder to install), OUTPUT, SIGN (packaging/windows/sign.sh).
;
; Switches: /S silent, /LOGIN start at login, /D=FOLDER (last, without quotes). Switches of the uninstaller: /S silent, /DATA also removes
; indexes, settings and logs.
Unicode true
Target amd64-unicode
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include Sections.nsh

!define NAME "Search MCP"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define LOGIN_KEY "Software\Microsoft\Windows\CurrentVersion\Run" ; the settings of the app write the same value
!define APPROVED_KEY "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" ; login items that the user has disabled

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "Software\${NAME}" "Folder"
RequestExecutionLevel user
SetCompressor lzma ; not solid, which saves minutes and makes the installer 3 % larger
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
!define MUI_WELCOMEFINISHPAGE_BITMAP "${NSISDIR}/Contrib/Graphics/Wizard/nsis3-metro.bmp"
!define MUI_UNWELCOMEFINISHPAGE_BITMAP "${NSISDIR}/Contrib/Graphics/Wizard/nsis3-metro.bmp"
!define MUI_WELCOMEPAGE_TEXT "This installs ${NAME} for your user account. You do not need to be an administrator.$\r$\n$\r$\n${NAME} indexes projects on this computer and lets your coding assistant search them. Nothing leaves the computer.$\r$\n$\r$\nYou can leave an older version and your editors running. The older version is replaced, and your indexes are kept."
!define MUI_FINISHPAGE_RUN "$INSTDIR\search-mcp-window.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open ${NAME}"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "${FILES}\LICENSE.txt"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!define DATA "$PROFILE\.mcp\search"
!define KEPT "Indexes, settings and logs were kept in ${DATA}. To remove them, delete this folder."
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

Var Ran ; "yes" if this program stopped the app

; Stops a running app with the installed version. The app finishes its writes first.
!macro StopApp
	StrCpy $Ran ""
	${If} ${FileExists} "$INSTDIR\search-mcp.exe"
		nsExec::ExecToStack '"$INSTDIR\search-mcp.exe" stop'
		Pop $0 ; exit status
		Pop $1 ; output
		StrCpy $2 $1 26
		${If} $0 == 0
		${AndIf} $2 != "Search MCP is not running."
			StrCpy $Ran yes
		${EndIf}
	${EndIf}
!macroend

; Moves an existing file away. Windows can't remove or overwrite a running program, such as the bridge of an open editor, but can rename it.
!macro Remove FILE
	ClearErrors
	Delete "$INSTDIR\${FILE}"
	${If} ${Errors}
		System::Call "kernel32::GetTickCount() i .r0"
		ClearErrors
		Rename "$INSTDIR\${FILE}" "$TEMP\replaced-$0-${FILE}"
		${If} ${Errors} ; another disk
			Rename "$INSTDIR\${FILE}" "$INSTDIR\${FILE}.replaced"
		${EndIf}
	${EndIf}
!macroend
!macro RemovePrograms
	Delete "$INSTDIR\*.replaced"
	!insertmacro Remove "search-mcp.exe"
	!insertmacro Remove "search-mcp-app.exe"
	!insertmacro Remove "search-mcp-worker.exe"
	!insertmacro Remove "search-mcp-window.exe"
	!insertmacro Remove "lancedb_go.dll"
	!insertmacro Remove "onnxruntime.dll"
!macroend

Section "${NAME}" Programs
	SectionIn RO
	!insertmacro StopApp
	!insertmacro RemovePrograms
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
	${If} $Ran == yes ; the old version was running
		Exec '"$INSTDIR\search-mcp-app.exe" -detach'
	${EndIf}
SectionEnd

Section /o "Start at login" Login
	WriteRegStr HKCU "${LOGIN_KEY}" "${NAME}" '"$INSTDIR\search-mcp-app.exe" -quiet'
SectionEnd

; An upgrade keeps the setting "Start at login".
Function .onInit
	ReadRegStr $0 HKCU "${LOGIN_KEY}" "${NAME}"
	${GetParameters} $1
	ClearErrors
	${GetOptions} $1 "/LOGIN" $2
	${IfNot} ${Errors}
	${OrIf} $0 != ""
		!insertmacro SelectSection ${Login}
	${EndIf}
FunctionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
	!insertmacro MUI_DESCRIPTION_TEXT ${Programs} "The programs, the model and the libraries."
	!insertmacro MUI_DESCRIPTION_TEXT ${Login} "Keeps the indexes of your projects up to date after login. You can change this in the settings."
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Section Uninstall
	!insertmacro StopApp
	; Removes only installed files, because the user may have chosen a folder with other files.
	!insertmacro RemovePrograms
	Delete "$INSTDIR\LICENSE.txt"
	Delete "$INSTDIR\sbom.cdx.json"
	Delete "$INSTDIR\uninstall.exe"
	RMDir /r "$INSTDIR\licences"
	RMDir /r "$INSTDIR\model"
	RMDir "$INSTDIR"
	Delete "$SMPROGRAMS\${NAME}.lnk"
	DeleteRegValue HKCU "${LOGIN_KEY}" "${NAME}"
	DeleteRegValue HKCU "${APPROVED_KEY}" "${NAME}"
	DeleteRegKey HKCU "${UNINSTALL}"
	DeleteRegKey HKCU "Software\${NAME}"
	; The user's data is removed only if the user agrees.
	StrCpy $0 keep
	${GetParameters} $1
	ClearErrors
	${GetOptions} $1 "/DATA" $2
	${IfNot} ${Errors}
		StrCpy $0 remove
	${ElseIf} ${FileExists} "${DATA}\*.*"
		MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Delete the indexes, settings and logs of ${NAME} as well?$\r$\n$\r$\nThey are in ${DATA}. Your projects are not changed." /SD IDNO IDNO +2
		StrCpy $0 remove
	${EndIf}
	${If} $0 == remove
		RMDir /r "${DATA}"
		RMDir "$PROFILE\.mcp"
	${Else}
		DetailPrint "${KEPT}"
	${EndIf}
SectionEnd
