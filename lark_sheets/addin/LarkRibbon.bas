Attribute VB_Name = "LarkRibbon"
Option Explicit

' What ribbon.xml calls. A callback has the control as its argument; the macro behind it has none, so that form buttons can call it too.

Public Sub OnNew(control As IRibbonControl)
    LarkNew
End Sub

Public Sub OnUpdate(control As IRibbonControl)
    LarkUpdate
End Sub

Public Sub OnPreview(control As IRibbonControl)
    LarkPreview
End Sub

Public Sub OnApply(control As IRibbonControl)
    LarkApply
End Sub

Public Sub OnUndo(control As IRibbonControl)
    LarkUndo
End Sub

Public Sub OnEstimate(control As IRibbonControl)
    LarkEstimate
End Sub

Public Sub OnCalibrate(control As IRibbonControl)
    LarkCalibrate
End Sub

Public Sub OnJudge(control As IRibbonControl)
    LarkJudge
End Sub

Public Sub OnStoreKey(control As IRibbonControl)
    LarkStoreKey
End Sub

Public Sub OnReport(control As IRibbonControl)
    LarkReport
End Sub

Public Sub OnSelfTest(control As IRibbonControl)
    LarkSelfTest
End Sub
