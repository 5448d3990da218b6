#!/usr/bin/env bash
# Draws workbook.png, the sheets of the example workbook. Needs LibreOffice Calc, pdftoppm and
# ImageMagick.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm run -s rental -- fleet template --output "$work/fleet.xlsx"
soffice --headless --convert-to pdf --outdir "$work" "$work/fleet.xlsx" > /dev/null
pdftoppm -r 110 -png "$work/fleet.pdf" "$work/sheet"
convert "$work"/sheet-*.png -trim -bordercolor white -border 12x16 -append docs/screenshots/workbook.png
