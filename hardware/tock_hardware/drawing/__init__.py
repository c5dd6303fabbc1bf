"""One drawing, three files at 1:1, the same bytes every time: SVG, PDF and DXF."""
