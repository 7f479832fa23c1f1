#Requires -Version 5
<#
 .SYNOPSIS
 Copies logs.
#>
function Copy-Log {
    param([string] $Path)
    Get-Content $Path
}

class Box {
    [int] $Size
    [int] Grow([int] $by) { return $this.Size + $by }
}
