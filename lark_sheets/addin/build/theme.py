"""A theme as plain as one may be: Excel repairs a workbook that has none."""

from __future__ import annotations

_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_COLOURS = {
    "dk1": "14202B",
    "lt1": "FFFFFF",
    "dk2": "0B4F8A",
    "lt2": "EEF3F7",
    "accent1": "0B4F8A",
    "accent2": "A9C7E4",
    "accent3": "8A1C1C",
    "accent4": "FFE08A",
    "accent5": "5B6770",
    "accent6": "23507C",
    "hlink": "0B4F8A",
    "folHlink": "5B6770",
}


def theme() -> str:
    """Return the part."""
    colours = "".join(f'<a:{name}><a:srgbClr val="{value}"/></a:{name}>' for name, value in _COLOURS.items())
    fonts = "".join(
        f'<a:{kind}Font><a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/></a:{kind}Font>'
        for kind in ("major", "minor")
    )
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    lines = "".join(
        f'<a:ln w="{width}" cap="flat" cmpd="sng" algn="ctr">{fill}<a:prstDash val="solid"/></a:ln>'
        for width in (6350, 12700, 19050)
    )
    effects = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<a:theme xmlns:a="{_DRAWING}" name="Lark"><a:themeElements><a:clrScheme name="Lark">{colours}</a:clrScheme>'
        f'<a:fontScheme name="Lark">{fonts}</a:fontScheme><a:fmtScheme name="Lark"><a:fillStyleLst>{fill * 3}</a:fillStyleLst>'
        f"<a:lnStyleLst>{lines}</a:lnStyleLst><a:effectStyleLst>{effects}</a:effectStyleLst>"
        f"<a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )
