"""Making a board file from photographs of a board that nobody has measured.

Each module names the commits that set its constants. They were chosen on these pictures, which measure nothing any more
(D01 to D12: the given stills; numbers: seeds of made boards; G: of other games):

    22 and 23 November, to `550b6b82`       D01 to D12, where holes are on D01 to D06; 9000 to 9015, 30000 to 30025
    23 November, `857949ac` to `af545868`   D01 to D12, 9100 to 9115, 30012 to 30039
    24 November, to `a61b3cdd`              D01 to D12, 30040 to 30059, 60000 to 60139
    25 November, to `2ae30786`              the same; 61 stills and G 5000 to 8005 for other games
    26 November, to `1c902529`              71000 to 81059 as far as measured by then; G 20000 to 28059
"""
