$line0 << EOD
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
$gaps0 << EOD
5 288.5104 287.6448 289.3759
15 287.3563 286.4943 288.2184

EOD
$clean0 << EOD
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
$disturbed0 << EOD
3 287.9322 287.0684 288.796
EOD
reset
unset key
set tics font ',16'
unset xtics
set label '302.5 ×1e-15 s' at screen 0.98, screen 0.938356 right front font 'Liberation Sans Bold,24' tc rgb ink
set label 'at 2d1f6bc, +5.26 % from base' at screen 0.83418, screen 0.936644 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.938356 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  time, lower is better' at screen 0.02, screen 0.883562 left front font 'Liberation Sans,17' tc rgb grey
set label '●' at screen 0.02, screen 0.828767 left front font 'Liberation Sans,15' tc rgb blue
set label 'median and its interval' at screen 0.0333333, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set label '○' at screen 0.18005, screen 0.828767 left front font 'Liberation Sans Bold,15' tc rgb blue
set label 'disturbed: dirty, throttled or shared' at screen 0.193383, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.405413, screen 0.828767 to screen 0.428746, screen 0.828767 nohead back lc rgb blue lw 1.5 dt (5,5)
set label 'no runs' at screen 0.435412, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.5046, screen 0.817637 to screen 0.498317, screen 0.839897 to screen 0.510883, screen 0.839897 to screen 0.5046, screen 0.817637 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label 'regressed' at screen 0.516267, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set label 'hollow: new, not settled' at screen 0.593508, screen 0.828767 left front font 'Liberation Sans,15' tc rgb grey
set label '2d1f6bc' at screen 0.905849, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-21' at screen 0.905849, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '1471b9a' at screen 0.785094, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-18' at screen 0.785094, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '1cc3068' at screen 0.302075, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-15' at screen 0.302075, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set label '0426535' at screen 0.181321, screen 0.0890411 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-12' at screen 0.181321, screen 0.0513699 center front font 'Liberation Sans,15' tc rgb grey
set xtics scale 0.6 nomirror out ('' 20, '' 17, '' 5, '' 2)
set lmargin at screen 0.0766667
set rmargin at screen 0.93
set tmargin at screen 0.746575
set bmargin at screen 0.130137
set label '×1e-15 s' at screen 0.0683333, screen 0.775685 right front font 'Liberation Sans,15' tc rgb grey
set xrange [-0.6:20.6]
set yrange [279.539465:306.675935]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('280' 280, '285' 285, '290' 290, '295' 295, '300' 300, '305' 305) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set object rectangle from screen 0.0766667, screen 0.177153 to screen 0.93, screen 0.43826 behind fc rgb band fs solid noborder
set arrow from screen 0.0766667, screen 0.307707 to screen 0.93, screen 0.307707 nohead back lc rgb mid_grey lw 1 dt (2,4)
set label 'base' at screen 0.936667, screen 0.307707 left front font 'Liberation Sans,15' tc rgb grey
set label '+2 %' at screen 0.936667, screen 0.43826 left front font 'Liberation Sans,15' tc rgb grey
set label '−2 %' at screen 0.936667, screen 0.177153 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.704591, screen 0.753425 to screen 0.704591, screen 0.130137 nohead back lc rgb mid_grey lw 1.2 dt (6,4)
set label 'base 640df13' at screen 0.704591, screen 0.770548 center front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.865597, screen 0.616214 to screen 0.858347, screen 0.641899 to screen 0.872847, screen 0.641899 to screen 0.865597, screen 0.616214 front lw 1.6 fc rgb ground fs solid border lc rgb vermilion
set label '−5.00 % new' at screen 0.865597, screen 0.59481 left front font 'Liberation Sans Bold,15' tc rgb vermilion
plot $gaps0 using 1:2 with lines lw 1.5 dt (5,5) lc rgb blue, \
     $line0 using 1:2 with lines lw 2 lc rgb blue, \
     $line0 using 1:3:(0):($4-$3) with vectors heads size screen 0.0025,90 fixed lw 1.3 lc rgb blue, \
     $clean0 using 1:2 with points pt 7 ps 1.1*dot lc rgb blue, \
     $disturbed0 using 1:2 with points pt 7 ps 1.1*dot lc rgb ground, \
     $disturbed0 using 1:2 with points pt 6 ps 1.1*dot lw 1.6 lc rgb blue
unset label
unset arrow
unset object
