@echo off
rem Drag workbooks or campaign folders onto this file: gathered, checked, recomputed; in Excel where they are open there.
setlocal
chcp 65001 >nul
if "%~1"=="" (
    echo Drag a workbook or a campaign folder onto this file.
    pause
    exit /b 2
)
pushd "%~dp0..\.."
set "PYTHON=python"
where py >nul 2>nul && set "PYTHON=py -3"
set "OUTCOME=0"
:next
if "%~1"=="" goto done
%PYTHON% run.py attach "%~1"
if errorlevel 1 set "OUTCOME=1"
shift
goto next
:done
popd
echo.
pause
exit /b %OUTCOME%
