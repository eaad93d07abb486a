$line0 << EOD
0 3.46608 3.45564 3.47652
1 3.48 3.46956 3.49044
2 3.49392 3.48348 3.50436
3 3.47304 3.4626 3.48348
4 3.48696 3.47652 3.4974
5 3.46608 3.45564 3.47652
6 3.48 3.46956 3.49044
7 3.49392 3.48348 3.50436
8 3.299388 3.288948 3.309828
9 3.312612 3.302172 3.323052
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
8 3.299388 3.288948 3.309828
9 3.312612 3.302172 3.323052
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
8 3.299388 3.288948 3.309828
9 3.312612 3.302172 3.323052
EOD
reset
unset key
set tics font ',16'
unset xtics
set label '3.313 TB/s' at screen 0.98, screen 0.946746 right front font 'Liberation Sans Bold,24' tc rgb ink
set label 'at 7caba45, −4.43 % from base 1cc3068' at screen 0.87106, screen 0.945266 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.946746 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.899408 left front font 'Liberation Sans,17' tc rgb grey
set label '●' at screen 0.02, screen 0.852071 left front font 'Liberation Sans,15' tc rgb blue
set label 'median and its interval' at screen 0.0333333, screen 0.852071 left front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.185883, screen 0.842456 to screen 0.1796, screen 0.861686 to screen 0.192167, screen 0.861686 to screen 0.185883, screen 0.842456 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label 'regressed' at screen 0.19755, screen 0.852071 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.274792, screen 0.852071 to screen 0.279792, screen 0.859467 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.279792, screen 0.859467 to screen 0.285625, screen 0.844675 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.285625, screen 0.844675 to screen 0.290625, screen 0.852071 nohead back lc rgb grey lw 1.5 dt solid
set label 'axis does not start at 0' at screen 0.297292, screen 0.852071 left front font 'Liberation Sans,15' tc rgb grey
set label '7caba45  −4.43 %' at screen 0.887333, screen 0.136095 center front font 'Liberation Sans Bold,16' tc rgb ink
set label '2026-11-19' at screen 0.887333, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label 'Change something' at screen 0.887333, screen 0.0739645 center front font 'Liberation Sans,15' tc rgb ink
set label '1471b9a' at screen 0.787353, screen 0.136095 center front font 'Liberation Sans Bold,16' tc rgb vermilion
set label '2026-11-18' at screen 0.781704, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label 'Change something' at screen 0.76121, screen 0.0739645 center front font 'Liberation Sans,15' tc rgb ink
set label '640df13' at screen 0.631333, screen 0.136095 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-16' at screen 0.631333, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label '1cc3068' at screen 0.546, screen 0.136095 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-15' at screen 0.546, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label 'b49a2ac' at screen 0.460667, screen 0.136095 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-14' at screen 0.460667, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label '5c504f1' at screen 0.375333, screen 0.136095 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-13' at screen 0.375333, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label '0426535' at screen 0.29, screen 0.136095 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-12' at screen 0.29, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label 'acec78a' at screen 0.204667, screen 0.136095 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-11' at screen 0.204667, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set label '54b28ce' at screen 0.119333, screen 0.136095 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-10' at screen 0.119333, screen 0.10503 center front font 'Liberation Sans,15' tc rgb grey
set xtics scale 0.6 nomirror out ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 8, '' 9)
set lmargin at screen 0.0766667
set rmargin at screen 0.93
set tmargin at screen 0.704142
set bmargin at screen 0.171598
set arrow from screen 0.0766667, screen 0.803254 to screen 0.758279, screen 0.803254 nohead back lc rgb purple lw 1.5 dt (14,5)
set label 'theoretical peak 4.916 TB/s ↑' at screen 0.93, screen 0.803254 right front font 'Liberation Sans,15' tc rgb purple
set arrow from screen 0.0766667, screen 0.764793 to screen 0.793029, screen 0.764793 nohead back lc rgb purple lw 1.5 dt (14,5)
set label 'copy_row 3.930 TB/s ↑' at screen 0.93, screen 0.764793 right front font 'Liberation Sans,15' tc rgb purple
set label 'TB/s' at screen 0.0683333, screen 0.72929 right front font 'Liberation Sans,15' tc rgb grey
set xrange [-0.5:9.5]
set yrange [3.24561987:3.55758242]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('3.25' 3.25, '3.30' 3.3, '3.35' 3.35, '3.40' 3.4, '3.45' 3.45, '3.50' 3.5, '3.55' 3.55) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set arrow from screen 0.0783333, screen 0.171598 to screen 0.0783333, screen 0.181953 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0783333, screen 0.181953 to screen 0.0741667, screen 0.18787 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0741667, screen 0.18787 to screen 0.0825, screen 0.198225 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0825, screen 0.198225 to screen 0.0783333, screen 0.204142 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0783333, screen 0.204142 to screen 0.0783333, screen 0.215976 nohead back lc rgb grey lw 1.5 dt solid
set object rectangle from screen 0.0766667, screen 0.429603 to screen 0.93, screen 0.666278 behind fc rgb band fs solid noborder
set arrow from screen 0.0766667, screen 0.54794 to screen 0.93, screen 0.54794 nohead back lc rgb mid_grey lw 1 dt (2,4)
set label 'base' at screen 0.936667, screen 0.54794 left front font 'Liberation Sans,15' tc rgb grey
set label '+2 %' at screen 0.936667, screen 0.666278 left front font 'Liberation Sans,15' tc rgb grey
set label '−2 %' at screen 0.936667, screen 0.429603 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.546, screen 0.710059 to screen 0.546, screen 0.171598 nohead back lc rgb mid_grey lw 1.2 dt (6,4)
set label 'base 1cc3068' at screen 0.546, screen 0.724852 center front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.802, screen 0.205621 to screen 0.792333, screen 0.235207 to screen 0.811667, screen 0.235207 to screen 0.802, screen 0.205621 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label '−5.00 % new' at screen 0.764775, screen 0.190828 left front font 'Liberation Sans Bold,15' tc rgb vermilion
plot $line0 using 1:2 with lines lw 2 lc rgb blue, \
     $marks0 using 1:3:(0):($4-$3) with vectors heads size screen 0.0025,90 fixed lw 1.3 lc rgb blue, \
     $clean0 using 1:2 with points pt 7 ps 1.1*dot lc rgb blue
unset label
unset arrow
unset object
