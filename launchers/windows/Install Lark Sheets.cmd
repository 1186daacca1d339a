@echo off
rem Puts the ribbon "Lark" into Excel. Double-click; nothing has to be typed.
setlocal
chcp 65001 >nul
cd /d "%~dp0..\.."
set "PYTHON=python"
where py >nul 2>nul && set "PYTHON=py -3"
%PYTHON% run.py addin install %*
set "OUTCOME=%ERRORLEVEL%"
echo.
pause
exit /b %OUTCOME%
