Attribute VB_Name = "LarkButtons"
Option Explicit

' One macro per button. Each runs one Python function, which does the work and says what came of it; nothing is decided here.

Public Sub LarkNew()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.new()"
End Sub

Public Sub LarkUpdate()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.update()"
End Sub

Public Sub LarkPreview()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.preview()"
End Sub

Public Sub LarkApply()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.apply()"
End Sub

Public Sub LarkUndo()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.undo()"
End Sub

Public Sub LarkEstimate()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.estimate()"
End Sub

Public Sub LarkCalibrate()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.calibrate()"
End Sub

Public Sub LarkJudge()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.judge()"
End Sub

Public Sub LarkStoreKey()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.store_key()"
End Sub

Public Sub LarkReport()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.report()"
End Sub

Public Sub LarkSelfTest()
    RunPython "import lark_sheets.ribbon; lark_sheets.ribbon.self_test()"
End Sub
