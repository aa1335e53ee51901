"""Write the extension as a `.vsix`: a zip with a manifest, the list of content types, and the files below `extension/`.

    python editors/vscode/package_vsix.py [OUTPUT]

The bundle `dist/extension.js` has to be there; `make vscode` makes it. The same files give the same bytes.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FILES = (
    "package.json",
    "README.md",
    "language-configuration.json",
    "syntaxes/cafeobj.tmLanguage.json",
    "snippets/cafeobj.json",
    "dist/extension.js",
)
_LONG_AGO = (1980, 1, 1, 0, 0, 0)

_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension=".json" ContentType="application/json"/>\
<Default Extension=".vsixmanifest" ContentType="text/xml"/>\
<Default Extension=".md" ContentType="text/markdown"/>\
<Default Extension=".txt" ContentType="text/plain"/>\
<Default Extension=".js" ContentType="application/javascript"/></Types>
"""


def manifest(package: dict[str, object]) -> str:
    """What the editor reads first: who and what the extension is, and for which versions."""
    engines = package["engines"]
    assert isinstance(engines, dict)
    identity = (
        f"<Identity Language='en-US' Id={_quoted(package['name'])} Version={_quoted(package['version'])}"
        f" Publisher={_quoted(package['publisher'])}/>"
    )
    properties = (
        f"<Property Id='Microsoft.VisualStudio.Code.Engine' Value={_quoted(engines['vscode'])}/>"
        "<Property Id='Microsoft.VisualStudio.Code.ExtensionKind' Value='workspace'/>"
    )
    assets = (
        "<Asset Type='Microsoft.VisualStudio.Code.Manifest' Path='extension/package.json' Addressable='true'/>"
        "<Asset Type='Microsoft.VisualStudio.Services.Content.Details' Path='extension/README.md' Addressable='true'/>"
        "<Asset Type='Microsoft.VisualStudio.Services.Content.License' Path='extension/LICENSE.txt'"
        " Addressable='true'/>"
    )
    return (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        "<PackageManifest Version='2.0.0' xmlns='http://schemas.microsoft.com/developer/vsx-schema/2011'>"
        f"<Metadata>{identity}<DisplayName>{package['displayName']}</DisplayName>"
        f"<Description xml:space='preserve'>{package['description']}</Description>"
        "<Categories>Programming Languages,Snippets,Linters</Categories><GalleryFlags>Public</GalleryFlags>"
        f"<License>extension/LICENSE.txt</License><Properties>{properties}</Properties></Metadata>"
        "<Installation><InstallationTarget Id='Microsoft.VisualStudio.Code'/></Installation><Dependencies/>"
        f"<Assets>{assets}</Assets></PackageManifest>\n"
    )


def _quoted(value: object) -> str:
    return quoteattr(str(value))


def write(target: Path) -> None:
    """Write the package."""
    package = json.loads((HERE / "package.json").read_text("utf-8"))
    contents = {
        "extension.vsixmanifest": manifest(package).encode(),
        "[Content_Types].xml": _TYPES.encode(),
        "extension/LICENSE.txt": (ROOT / "LICENSE").read_bytes(),
        **{f"extension/{name}": (HERE / name).read_bytes() for name in FILES},
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)


if __name__ == "__main__":
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "otsrw.vsix"
    write(output)
    print(f"{output}: {output.stat().st_size} bytes")
