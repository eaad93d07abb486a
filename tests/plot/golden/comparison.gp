reset
unset key
unset border
unset tics
set label 'main (acec78a) → HEAD (0426535)' at screen 0.02, screen 0.927039 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  change of each benchmark, with its interval: 99 % for all of them together' at screen 0.02, screen 0.858369 left front font 'Liberation Sans,16' tc rgb grey
set label '' at screen 0.025, screen 0.791845 front point pt 11 ps 1.7*dot lw 1.6 lc rgb vermilion
set label '2 regressed' at screen 0.0358333, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.131233, screen 0.791845 front point pt 5 ps 1.3*dot lw 1.6 lc rgb vermilion
set label '1 below floor' at screen 0.142067, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.242653, screen 0.791845 front point pt 2 ps 1.2*dot lw 1.6 lc rgb vermilion
set label '1 missing' at screen 0.253487, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.334793, screen 0.791845 front point pt 13 ps 1.7*dot lw 1.6 lc rgb ink
set label '1 same code' at screen 0.345627, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.44696, screen 0.791845 front point pt 6 ps 1.2*dot lw 1.6 lc rgb grey
set label '1 inconclusive' at screen 0.457793, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.566527, screen 0.791845 front point pt 9 ps 1.7*dot lw 1.6 lc rgb green
set label '1 improved' at screen 0.57736, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.668307, screen 0.791845 front point pt 1 ps 1.2*dot lw 1.6 lc rgb blue
set label '1 new' at screen 0.67914, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.739713, screen 0.791845 front point pt 7 ps 0.9*dot lw 1.6 lc rgb mid_grey
set label '1 unchanged' at screen 0.750547, screen 0.791845 left front font 'Liberation Sans,16' tc rgb ink
set object rectangle from screen 0.339805, screen 0.261803 to screen 0.515035, screen 0.682403 behind fc rgb band fs solid noborder
set arrow from screen 0.42742, screen 0.682403 to screen 0.42742, screen 0.141631 nohead back lc rgb mid_grey lw 1.5 dt solid
set label '0' at screen 0.42742, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.379584, screen 0.682403 to screen 0.379584, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '−1 %' at screen 0.379584, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.263672, screen 0.682403 to screen 0.263672, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '−5 %' at screen 0.263672, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.197545, screen 0.682403 to screen 0.197545, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '−10 %' at screen 0.197545, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.129373, screen 0.682403 to screen 0.129373, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '−20 %' at screen 0.129373, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.475256, screen 0.682403 to screen 0.475256, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '+1 %' at screen 0.475256, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.591168, screen 0.682403 to screen 0.591168, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '+5 %' at screen 0.591168, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.657295, screen 0.682403 to screen 0.657295, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '+10 %' at screen 0.657295, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.725467, screen 0.682403 to screen 0.725467, screen 0.141631 nohead back lc rgb grid_line lw 1 dt solid
set label '+20 %' at screen 0.725467, screen 0.107296 center front font 'Liberation Sans,15' tc rgb grey
set label '← slower' at screen 0.0891933, screen 0.716738 left front font 'Liberation Sans,15' tc rgb grey
set label 'faster →' at screen 0.765647, screen 0.716738 right front font 'Liberation Sans,15' tc rgb grey
set label 'change' at screen 0.850647, screen 0.716738 right front font 'Liberation Sans,15' tc rgb grey
set label 'base → candidate' at screen 0.98, screen 0.716738 right front font 'Liberation Sans,15' tc rgb grey
set label 'shaded: within the threshold  ·  hollow: fails nothing  ·  the axis is narrower farther out' at screen 0.42742, screen 0.055794 center front font 'Liberation Sans,15' tc rgb grey
set label 'slow' at screen 0.0741933, screen 0.652361 right front font 'Liberation Sans,16' tc rgb ink
set label '3.480 → 3.097 TB/s' at screen 0.98, screen 0.652361 right front font 'Liberation Sans,16' tc rgb ink
set label '−11.0 %' at screen 0.850647, screen 0.652361 right front font 'Liberation Sans Bold,16' tc rgb vermilion
set arrow from screen 0.184743, screen 0.652361 to screen 0.190942, screen 0.652361 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.184743, screen 0.66309 to screen 0.184743, screen 0.641631 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.190942, screen 0.66309 to screen 0.190942, screen 0.641631 nohead back lc rgb vermilion lw 2 dt solid
set label '' at screen 0.188239, screen 0.652361 front point pt 11 ps 1.7*dot lw 1.6 lc rgb vermilion
set label 'same' at screen 0.0741933, screen 0.592275 right front font 'Liberation Sans,16' tc rgb ink
set label '3.480 → 3.271 TB/s' at screen 0.98, screen 0.592275 right front font 'Liberation Sans,16' tc rgb ink
set label '−6.00 %' at screen 0.850647, screen 0.592275 right front font 'Liberation Sans Bold,16' tc rgb ink
set arrow from screen 0.240547, screen 0.592275 to screen 0.251477, screen 0.592275 nohead back lc rgb ink lw 2 dt solid
set arrow from screen 0.240547, screen 0.603004 to screen 0.240547, screen 0.581545 nohead back lc rgb ink lw 2 dt solid
set arrow from screen 0.251477, screen 0.603004 to screen 0.251477, screen 0.581545 nohead back lc rgb ink lw 2 dt solid
set label '' at screen 0.246652, screen 0.592275 front point pt 13 ps 1.7*dot lw 1.6 lc rgb ink
set label 'waived' at screen 0.0741933, screen 0.532189 right front font 'Liberation Sans,16' tc rgb ink
set label '3.480 → 3.306 TB/s' at screen 0.98, screen 0.532189 right front font 'Liberation Sans,16' tc rgb ink
set label '−5.00 %' at screen 0.850647, screen 0.532189 right front font 'Liberation Sans Bold,16' tc rgb vermilion
set arrow from screen 0.256533, screen 0.532189 to screen 0.269358, screen 0.532189 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.256533, screen 0.542918 to screen 0.256533, screen 0.521459 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.269358, screen 0.542918 to screen 0.269358, screen 0.521459 nohead back lc rgb vermilion lw 2 dt solid
set label '' at screen 0.263672, screen 0.532189 front point pt 10 ps 1.7*dot lw 1.6 lc rgb vermilion
set label 'floor' at screen 0.0741933, screen 0.472103 right front font 'Liberation Sans,16' tc rgb ink
set label '3.480 → 3.438 TB/s' at screen 0.98, screen 0.472103 right front font 'Liberation Sans,16' tc rgb ink
set label '−1.20 %' at screen 0.850647, screen 0.472103 right front font 'Liberation Sans Bold,16' tc rgb vermilion
set arrow from screen 0.354587, screen 0.472103 to screen 0.384073, screen 0.472103 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.354587, screen 0.482833 to screen 0.354587, screen 0.461373 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.384073, screen 0.482833 to screen 0.384073, screen 0.461373 nohead back lc rgb vermilion lw 2 dt solid
set label '' at screen 0.370874, screen 0.472103 front point pt 5 ps 1.3*dot lw 1.6 lc rgb vermilion
set label 'unknown' at screen 0.0741933, screen 0.412017 right front font 'Liberation Sans,16' tc rgb grey
set label '3.480 → 3.445 TB/s' at screen 0.98, screen 0.412017 right front font 'Liberation Sans,16' tc rgb grey
set label '−1.00 %' at screen 0.850647, screen 0.412017 right front font 'Liberation Sans,16' tc rgb grey
set arrow from screen 0.0891933, screen 0.412017 to screen 0.765647, screen 0.412017 nohead back lc rgb grey lw 2 dt solid
set label '◄' at screen 0.0891933, screen 0.412017 left front font 'Liberation Sans,13' tc rgb grey
set label '►' at screen 0.765647, screen 0.412017 right front font 'Liberation Sans,13' tc rgb grey
set label '' at screen 0.379584, screen 0.412017 front point pt 6 ps 1.2*dot lw 1.6 lc rgb grey
set label 'calm' at screen 0.0741933, screen 0.351931 right front font 'Liberation Sans,16' tc rgb grey
set label '3.480 → 3.483 TB/s' at screen 0.98, screen 0.351931 right front font 'Liberation Sans,16' tc rgb grey
set label '+0.10 %' at screen 0.850647, screen 0.351931 right front font 'Liberation Sans,16' tc rgb grey
set arrow from screen 0.412564, screen 0.351931 to screen 0.447171, screen 0.351931 nohead back lc rgb mid_grey lw 2 dt solid
set arrow from screen 0.412564, screen 0.362661 to screen 0.412564, screen 0.341202 nohead back lc rgb mid_grey lw 2 dt solid
set arrow from screen 0.447171, screen 0.362661 to screen 0.447171, screen 0.341202 nohead back lc rgb mid_grey lw 2 dt solid
set label '' at screen 0.432388, screen 0.351931 front point pt 7 ps 0.9*dot lw 1.6 lc rgb mid_grey
set label 'fast' at screen 0.0741933, screen 0.291845 right front font 'Liberation Sans,16' tc rgb ink
set label '3.480 → 3.758 TB/s' at screen 0.98, screen 0.291845 right front font 'Liberation Sans,16' tc rgb ink
set label '+8.00 %' at screen 0.850647, screen 0.291845 right front font 'Liberation Sans Bold,16' tc rgb green
set arrow from screen 0.630712, screen 0.291845 to screen 0.639205, screen 0.291845 nohead back lc rgb green lw 2 dt solid
set arrow from screen 0.630712, screen 0.302575 to screen 0.630712, screen 0.281116 nohead back lc rgb green lw 2 dt solid
set arrow from screen 0.639205, screen 0.302575 to screen 0.639205, screen 0.281116 nohead back lc rgb green lw 2 dt solid
set label '' at screen 0.635651, screen 0.291845 front point pt 9 ps 1.7*dot lw 1.6 lc rgb green
set label 'missing' at screen 0.0741933, screen 0.23176 right front font 'Liberation Sans,16' tc rgb ink
set label '3.480 → – TB/s' at screen 0.98, screen 0.23176 right front font 'Liberation Sans,16' tc rgb ink
set label 'missing' at screen 0.850647, screen 0.23176 right front font 'Liberation Sans Bold,16' tc rgb vermilion
set label '' at screen 0.42742, screen 0.23176 front point pt 2 ps 1.2*dot lw 1.6 lc rgb vermilion
set label 'new' at screen 0.0741933, screen 0.171674 right front font 'Liberation Sans,16' tc rgb ink
set label '– → 3.480 TB/s' at screen 0.98, screen 0.171674 right front font 'Liberation Sans,16' tc rgb ink
set label 'new' at screen 0.850647, screen 0.171674 right front font 'Liberation Sans Bold,16' tc rgb blue
set label '' at screen 0.42742, screen 0.171674 front point pt 1 ps 1.2*dot lw 1.6 lc rgb blue
set lmargin at screen 0.0891933
set rmargin at screen 0.765647
set tmargin at screen 0.682403
set bmargin at screen 0.141631
plot [0:1][0:1] 2
unset label
unset arrow
unset object
