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
$marks0 << EOD
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
set label '2.092 TB/s' at screen 0.98, screen 0.942308 right front font 'Liberation Sans Bold,24' tc rgb ink
set label 'at 7caba45, −39.6 % from base 1cc3068' at screen 0.87106, screen 0.940705 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.942308 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.891026 left front font 'Liberation Sans,17' tc rgb grey
set label '●' at screen 0.02, screen 0.839744 left front font 'Liberation Sans,15' tc rgb blue
set label 'median and its interval' at screen 0.0333333, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.185883, screen 0.829327 to screen 0.1796, screen 0.85016 to screen 0.192167, screen 0.85016 to screen 0.185883, screen 0.829327 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label 'regressed' at screen 0.19755, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.274792, screen 0.839744 to screen 0.279792, screen 0.847756 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.279792, screen 0.847756 to screen 0.285625, screen 0.831731 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.285625, screen 0.831731 to screen 0.290625, screen 0.839744 nohead back lc rgb grey lw 1.5 dt solid
set label 'axis does not start at 0' at screen 0.297292, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set label '7caba45  −39.6 %' at screen 0.887333, screen 0.147436 center front font 'Liberation Sans Bold,16' tc rgb ink
set label '2026-11-19' at screen 0.887333, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label 'Change something' at screen 0.887333, screen 0.0801282 center front font 'Liberation Sans,15' tc rgb ink
set label '1471b9a' at screen 0.787353, screen 0.147436 center front font 'Liberation Sans Bold,16' tc rgb vermilion
set label '2026-11-18' at screen 0.781704, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label 'Change something' at screen 0.76121, screen 0.0801282 center front font 'Liberation Sans,15' tc rgb ink
set label '640df13' at screen 0.631333, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-16' at screen 0.631333, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label '1cc3068' at screen 0.546, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-15' at screen 0.546, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label 'b49a2ac' at screen 0.460667, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-14' at screen 0.460667, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label '5c504f1' at screen 0.375333, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-13' at screen 0.375333, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label '0426535' at screen 0.29, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-12' at screen 0.29, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label 'acec78a' at screen 0.204667, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-11' at screen 0.204667, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label '54b28ce' at screen 0.119333, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-10' at screen 0.119333, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set xtics scale 0.6 nomirror out ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 8, '' 9)
set lmargin at screen 0.0766667
set rmargin at screen 0.93
set tmargin at screen 0.762821
set bmargin at screen 0.185897
set label 'TB/s' at screen 0.0683333, screen 0.790064 right front font 'Liberation Sans,15' tc rgb grey
set xrange [-0.5:9.5]
set yrange [1.57363377:5.17183544]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('2' 2, '3' 3, '4' 4, '5' 5) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set arrow from screen 0.0783333, screen 0.185897 to screen 0.0783333, screen 0.197115 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0783333, screen 0.197115 to screen 0.0741667, screen 0.203526 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0741667, screen 0.203526 to screen 0.0825, screen 0.214744 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0825, screen 0.214744 to screen 0.0783333, screen 0.221154 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0783333, screen 0.221154 to screen 0.0783333, screen 0.233974 nohead back lc rgb grey lw 1.5 dt solid
set object rectangle from screen 0.0766667, screen 0.478211 to screen 0.93, screen 0.50044 behind fc rgb band fs solid noborder
set arrow from screen 0.0766667, screen 0.489326 to screen 0.93, screen 0.489326 nohead back lc rgb mid_grey lw 1 dt (2,4)
set label '±2 %' at screen 0.936667, screen 0.489326 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.546, screen 0.769231 to screen 0.546, screen 0.185897 nohead back lc rgb mid_grey lw 1.2 dt (6,4)
set label 'base 1cc3068' at screen 0.546, screen 0.785256 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.0766667, screen 0.563709 to screen 0.93, screen 0.563709 nohead back lc rgb purple lw 1.5 dt solid
set arrow from screen 0.0766667, screen 0.721801 to screen 0.93, screen 0.721801 nohead back lc rgb purple lw 1.5 dt solid
set label 'copy_row 3.930 TB/s' at screen 0.928333, screen 0.58294 right front font 'Liberation Sans,15' tc rgb purple
set label 'theoretical peak 4.916 TB/s' at screen 0.928333, screen 0.741032 right front font 'Liberation Sans,15' tc rgb purple
set object polygon from screen 0.802, screen 0.222756 to screen 0.792333, screen 0.254808 to screen 0.811667, screen 0.254808 to screen 0.802, screen 0.222756 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label '−40.0 % new' at screen 0.764775, screen 0.206731 left front font 'Liberation Sans Bold,15' tc rgb vermilion
plot $line0 using 1:2 with lines lw 2 lc rgb blue, \
     $marks0 using 1:3:(0):($4-$3) with vectors heads size screen 0.0025,90 fixed lw 1.3 lc rgb blue, \
     $clean0 using 1:2 with points pt 7 ps 1.1*dot lc rgb blue
unset label
unset arrow
unset object
