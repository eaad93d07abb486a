$line << EOD
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
$clean << EOD
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
set bars 0.6
set lmargin at screen 0.07
set rmargin at screen 0.941667
set tmargin at screen 0.789655
set bmargin at screen 0.131034
set label '3.313 TB/s' at screen 0.98, screen 0.941379 right front font 'Liberation Sans Bold,22' tc rgb ink
set label 'at 7caba45, −4.43 % from base' at screen 0.880972, screen 0.939655 right front font 'Liberation Sans,15' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.941379 left front font 'Liberation Sans Bold,22' tc rgb ink
set label '● median with interval' at screen 0.98, screen 0.886207 right front font 'Liberation Sans,14' tc rgb grey
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.886207 left front font 'Liberation Sans,15' tc rgb grey
set label 'TB/s' at screen 0.07, screen 0.817241 left front font 'Liberation Sans,14' tc rgb grey
set label 'copy_row 3.930 TB/s ↑     theoretical peak 4.916 TB/s ↑' at screen 0.941667, screen 0.817241 right front font 'Liberation Sans,14' tc rgb vermilion
set xrange [-0.5:9.5]
set yrange [3.26676718:3.55758242]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('3.30' 3.3, '3.35' 3.35, '3.40' 3.4, '3.45' 3.45, '3.50' 3.5, '3.55' 3.55) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set label '7caba45' at screen 0.898083, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-19' at screen 0.898083, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '1471b9a' at screen 0.810917, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-18' at screen 0.810917, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label 'cc37ddf' at screen 0.72375, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-17' at screen 0.72375, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '640df13' at screen 0.636583, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-16' at screen 0.636583, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '1cc3068' at screen 0.549417, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-15' at screen 0.549417, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label 'b49a2ac' at screen 0.46225, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-14' at screen 0.46225, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '5c504f1' at screen 0.375083, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-13' at screen 0.375083, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '0426535' at screen 0.287917, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-12' at screen 0.287917, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label 'acec78a' at screen 0.20075, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-11' at screen 0.20075, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '54b28ce' at screen 0.113583, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-10' at screen 0.113583, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set xtics scale 0.6 nomirror out ('' 9, '' 8, '' 7, '' 6, '' 5, '' 4, '' 3, '' 2, '' 1, '' 0)
set object rectangle from screen 0.07, screen 0.425431 to screen 0.941667, screen 0.739421 behind fc rgb band fs solid noborder
set arrow from screen 0.07, screen 0.582426 to screen 0.941667, screen 0.582426 nohead back lc rgb mid_grey lw 1 dt (2,4)
set label 'base' at screen 0.948333, screen 0.582426 left front font 'Liberation Sans,14' tc rgb grey
set label '+2 %' at screen 0.948333, screen 0.739421 left front font 'Liberation Sans,14' tc rgb grey
set label '−2 %' at screen 0.948333, screen 0.425431 left front font 'Liberation Sans,14' tc rgb grey
set arrow from screen 0.549417, screen 0.789655 to screen 0.549417, screen 0.131034 nohead back lc rgb mid_grey lw 1.2 dt (6,4)
set label 'base 1cc3068' at screen 0.55525, screen 0.772414 left front font 'Liberation Sans,14' tc rgb grey
plot $line using 1:2 with lines lw 2 lc rgb blue, \
     $line using 1:2:3:4 with yerrorbars pt 0 lw 1.3 lc rgb blue, \
     $clean using 1:2 with points pt 7 ps 1 lc rgb blue
