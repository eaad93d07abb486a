$line << EOD
0 288.5104 287.6448 289.3759
1 287.3563 286.4943 288.2184
2 286.2115 285.3528 287.0701
3 287.9322 287.0684 288.796
4 286.7828 285.9224 287.6431
5 288.5104 287.6448 289.3759

15 287.3563 286.4943 288.2184
16 286.2115 285.3528 287.0701
17 287.9322 287.0684 288.796
18 286.7828 285.9224 287.6431
19 303.6951 302.784 304.6062
20 302.4803 301.5729 303.3878
EOD
$gaps << EOD
5 288.5104 287.6448 289.3759
15 287.3563 286.4943 288.2184

EOD
$clean << EOD
0 288.5104 287.6448 289.3759
1 287.3563 286.4943 288.2184
2 286.2115 285.3528 287.0701
4 286.7828 285.9224 287.6431
5 288.5104 287.6448 289.3759
15 287.3563 286.4943 288.2184
16 286.2115 285.3528 287.0701
17 287.9322 287.0684 288.796
18 286.7828 285.9224 287.6431
19 303.6951 302.784 304.6062
20 302.4803 301.5729 303.3878
EOD
$disturbed << EOD
3 287.9322 287.0684 288.796
EOD
reset
unset key
set bars 0.6
set lmargin at screen 0.07
set rmargin at screen 0.941667
set tmargin at screen 0.789655
set bmargin at screen 0.131034
set label '302.5 ×1e-15 s' at screen 0.98, screen 0.941379 right front font 'Liberation Sans Bold,22' tc rgb ink
set label 'at 2d1f6bc, +5.26 % from base' at screen 0.847165, screen 0.939655 right front font 'Liberation Sans,15' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.941379 left front font 'Liberation Sans Bold,22' tc rgb ink
set label '○ disturbed: dirty, throttled or shared' at screen 0.98, screen 0.886207 right front font 'Liberation Sans,14' tc rgb grey
set label '● median with interval' at screen 0.773518, screen 0.886207 right front font 'Liberation Sans,14' tc rgb grey
set label 'nvidia-h200-140gib-700w  ·  time, lower is better' at screen 0.02, screen 0.886207 left front font 'Liberation Sans,15' tc rgb grey
set label '×1e-15 s' at screen 0.07, screen 0.817241 left front font 'Liberation Sans,14' tc rgb grey
set xrange [-0.6:20.6]
set yrange [279.539465:306.675935]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('280' 280, '285' 285, '290' 290, '295' 295, '300' 300, '305' 305) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set label '2d1f6bc' at screen 0.916997, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-21' at screen 0.916997, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '7caba45' at screen 0.834764, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-19' at screen 0.834764, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label 'cc37ddf' at screen 0.752531, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-17' at screen 0.752531, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '1cc3068' at screen 0.300252, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-15' at screen 0.300252, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label '5c504f1' at screen 0.218019, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-13' at screen 0.218019, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set label 'acec78a' at screen 0.135786, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-11' at screen 0.135786, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set xtics scale 0.6 nomirror out ('' 20, '' 18, '' 16, '' 5, '' 3, '' 1)
set object rectangle from screen 0.07, screen 0.181268 to screen 0.941667, screen 0.460242 behind fc rgb band fs solid noborder
set arrow from screen 0.07, screen 0.320755 to screen 0.941667, screen 0.320755 nohead back lc rgb mid_grey lw 1 dt (2,4)
set label 'base' at screen 0.948333, screen 0.320755 left front font 'Liberation Sans,14' tc rgb grey
set label '+2 %' at screen 0.948333, screen 0.460242 left front font 'Liberation Sans,14' tc rgb grey
set label '−2 %' at screen 0.948333, screen 0.181268 left front font 'Liberation Sans,14' tc rgb grey
set arrow from screen 0.711415, screen 0.789655 to screen 0.711415, screen 0.131034 nohead back lc rgb mid_grey lw 1.2 dt (6,4)
set label 'base 640df13' at screen 0.717248, screen 0.772414 left front font 'Liberation Sans,14' tc rgb grey
plot $gaps using 1:2 with lines lw 1.5 dt (5,5) lc rgb blue, \
     $line using 1:2 with lines lw 2 lc rgb blue, \
     $line using 1:2:3:4 with yerrorbars pt 0 lw 1.3 lc rgb blue, \
     $clean using 1:2 with points pt 7 ps 1 lc rgb blue, \
     $disturbed using 1:2 with points pt 7 ps 1 lc rgb ground, \
     $disturbed using 1:2 with points pt 6 ps 1 lw 1.6 lc rgb blue
