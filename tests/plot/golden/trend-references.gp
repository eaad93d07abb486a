$line0 << EOD
0 3.46608 3.45564 3.47652
1 3.48 3.46956 3.49044
2 3.49392 3.48348 3.50436
3 3.47304 3.4626 3.48348
4 3.48696 3.47652 3.4974
5 3.46608 3.45564 3.47652
6 3.48 3.46956 3.49044
7 3.49392 3.48348 3.50436
8 2.083824 2.073384 2.094264
9 2.092176 2.081736 2.102616
EOD
$clean0 << EOD
0 3.46608 3.45564 3.47652
1 3.48 3.46956 3.49044
2 3.49392 3.48348 3.50436
3 3.47304 3.4626 3.48348
4 3.48696 3.47652 3.4974
5 3.46608 3.45564 3.47652
6 3.48 3.46956 3.49044
7 3.49392 3.48348 3.50436
8 2.083824 2.073384 2.094264
9 2.092176 2.081736 2.102616
EOD
reset
unset key
set tics font ',16'
unset xtics
set label '2.092 TB/s' at screen 0.98, screen 0.938356 right front font 'Liberation Sans Bold,24' tc rgb ink
set label 'at 7caba45, −39.6 % from base' at screen 0.87106, screen 0.936644 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.938356 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.883562 left front font 'Liberation Sans,17' tc rgb grey
set label '●' at screen 0.02, screen 0.828767 left front font 'Liberation Sans,15' tc rgb blue
set label 'median and its interval' at screen 0.0333333, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.185883, screen 0.817637 to screen 0.1796, screen 0.839897 to screen 0.192167, screen 0.839897 to screen 0.185883, screen 0.817637 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label 'regressed' at screen 0.19755, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set label 'hollow: new, not settled' at screen 0.274792, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set label '7caba45' at screen 0.887333, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-19' at screen 0.887333, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '1471b9a' at screen 0.802, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-18' at screen 0.802, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label 'cc37ddf' at screen 0.716667, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-17' at screen 0.716667, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '640df13' at screen 0.631333, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-16' at screen 0.631333, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '1cc3068' at screen 0.546, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-15' at screen 0.546, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label 'b49a2ac' at screen 0.460667, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-14' at screen 0.460667, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '5c504f1' at screen 0.375333, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-13' at screen 0.375333, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '0426535' at screen 0.29, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-12' at screen 0.29, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label 'acec78a' at screen 0.204667, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-11' at screen 0.204667, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '54b28ce' at screen 0.119333, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-10' at screen 0.119333, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set xtics scale 0.6 nomirror out ('' 9, '' 8, '' 7, '' 6, '' 5, '' 4, '' 3, '' 2, '' 1, '' 0)
set lmargin at screen 0.0766667
set rmargin at screen 0.93
set tmargin at screen 0.746575
set bmargin at screen 0.130137
set label 'TB/s' at screen 0.0683333, screen 0.775685 right front font 'Liberation Sans,15' tc rgb grey
set xrange [-0.5:9.5]
set yrange [1.57363377:5.17183544]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('2' 2, '3' 3, '4' 4, '5' 5) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set object rectangle from screen 0.0766667, screen 0.442472 to screen 0.93, screen 0.466224 behind fc rgb band fs solid noborder
set arrow from screen 0.0766667, screen 0.454348 to screen 0.93, screen 0.454348 nohead back lc rgb mid_grey lw 1 dt (2,4)
set label '±2 %' at screen 0.936667, screen 0.454348 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.546, screen 0.753425 to screen 0.546, screen 0.130137 nohead back lc rgb mid_grey lw 1.2 dt (6,4)
set label 'base 1cc3068' at screen 0.546, screen 0.770548 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.0766667, screen 0.533826 to screen 0.93, screen 0.533826 nohead back lc rgb purple lw 1.5 dt solid
set arrow from screen 0.0766667, screen 0.702746 to screen 0.93, screen 0.702746 nohead back lc rgb purple lw 1.5 dt solid
set label 'copy_row 3.930 TB/s' at screen 0.928333, screen 0.554374 right front font 'Liberation Sans,15' tc rgb purple
set label 'theoretical peak 4.916 TB/s' at screen 0.928333, screen 0.723294 right front font 'Liberation Sans,15' tc rgb purple
set object polygon from screen 0.802, screen 0.173801 to screen 0.79475, screen 0.199486 to screen 0.80925, screen 0.199486 to screen 0.802, screen 0.173801 front lw 1.6 fc rgb ground fs solid border lc rgb vermilion
set label '−40.0 % new' at screen 0.764775, screen 0.152397 left front font 'Liberation Sans Bold,15' tc rgb vermilion
plot $line0 using 1:2 with lines lw 2 lc rgb blue, \
     $line0 using 1:3:(0):($4-$3) with vectors heads size screen 0.0025,90 fixed lw 1.3 lc rgb blue, \
     $clean0 using 1:2 with points pt 7 ps 1.1*dot lc rgb blue
unset label
unset arrow
unset object
