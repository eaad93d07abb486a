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
$marks0 << EOD
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
set label '302.5 ×1e-15 s' at screen 0.98, screen 0.942308 right front font 'Liberation Sans Bold,24' tc rgb ink
set label 'at 2d1f6bc, +5.26 % from base 640df13' at screen 0.83418, screen 0.940705 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.942308 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  time, lower is better' at screen 0.02, screen 0.891026 left front font 'Liberation Sans,17' tc rgb grey
set label '●' at screen 0.02, screen 0.839744 left front font 'Liberation Sans,15' tc rgb blue
set label 'median and its interval' at screen 0.0333333, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set label '○' at screen 0.18005, screen 0.839744 left front font 'Liberation Sans Bold,15' tc rgb blue
set label 'disturbed: dirty, throttled or shared' at screen 0.193383, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.405413, screen 0.839744 to screen 0.428746, screen 0.839744 nohead back lc rgb blue lw 1.5 dt (5,5)
set label 'no runs' at screen 0.435412, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.5046, screen 0.829327 to screen 0.498317, screen 0.85016 to screen 0.510883, screen 0.85016 to screen 0.5046, screen 0.829327 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label 'regressed' at screen 0.516267, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.593508, screen 0.839744 to screen 0.598508, screen 0.847756 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.598508, screen 0.847756 to screen 0.604342, screen 0.831731 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.604342, screen 0.831731 to screen 0.609342, screen 0.839744 nohead back lc rgb grey lw 1.5 dt solid
set label 'axis does not start at 0' at screen 0.616008, screen 0.839744 left front font 'Liberation Sans,15' tc rgb grey
set label '2d1f6bc  +5.26 %' at screen 0.905849, screen 0.147436 center front font 'Liberation Sans Bold,16' tc rgb ink
set label '2026-11-21' at screen 0.905849, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label 'Change something' at screen 0.905849, screen 0.0801282 center front font 'Liberation Sans,15' tc rgb ink
set label '1471b9a' at screen 0.785094, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-18' at screen 0.785094, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label '1cc3068' at screen 0.302075, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-15' at screen 0.302075, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set label '0426535' at screen 0.181321, screen 0.147436 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-12' at screen 0.181321, screen 0.113782 center front font 'Liberation Sans,15' tc rgb grey
set xtics scale 0.6 nomirror out ('' 2, '' 5, '' 17, '' 20)
set lmargin at screen 0.0766667
set rmargin at screen 0.93
set tmargin at screen 0.762821
set bmargin at screen 0.185897
set label '×1e-15 s' at screen 0.0683333, screen 0.790064 right front font 'Liberation Sans,15' tc rgb grey
set xrange [-0.6:20.6]
set yrange [279.539465:306.675935]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('280' 280, '285' 285, '290' 290, '295' 295, '300' 300, '305' 305) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set arrow from screen 0.0783333, screen 0.185897 to screen 0.0783333, screen 0.197115 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0783333, screen 0.197115 to screen 0.0741667, screen 0.203526 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0741667, screen 0.203526 to screen 0.0825, screen 0.214744 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0825, screen 0.214744 to screen 0.0783333, screen 0.221154 nohead back lc rgb grey lw 1.5 dt solid
set arrow from screen 0.0783333, screen 0.221154 to screen 0.0783333, screen 0.233974 nohead back lc rgb grey lw 1.5 dt solid
set object rectangle from screen 0.0766667, screen 0.2299 to screen 0.93, screen 0.474269 behind fc rgb band fs solid noborder
set arrow from screen 0.0766667, screen 0.352084 to screen 0.93, screen 0.352084 nohead back lc rgb mid_grey lw 1 dt (2,4)
set label 'base' at screen 0.936667, screen 0.352084 left front font 'Liberation Sans,15' tc rgb grey
set label '+2 %' at screen 0.936667, screen 0.474269 left front font 'Liberation Sans,15' tc rgb grey
set label '−2 %' at screen 0.936667, screen 0.2299 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.704591, screen 0.769231 to screen 0.704591, screen 0.185897 nohead back lc rgb mid_grey lw 1.2 dt (6,4)
set label 'base 640df13' at screen 0.704591, screen 0.785256 center front font 'Liberation Sans,15' tc rgb grey
set object polygon from screen 0.865597, screen 0.636809 to screen 0.855931, screen 0.66886 to screen 0.875264, screen 0.66886 to screen 0.865597, screen 0.636809 front lw 1.6 fc rgb vermilion fs solid border lc rgb vermilion
set label '−5.00 % new' at screen 0.865597, screen 0.620784 left front font 'Liberation Sans Bold,15' tc rgb vermilion
plot $gaps0 using 1:2 with lines lw 1.5 dt (5,5) lc rgb blue, \
     $line0 using 1:2 with lines lw 2 lc rgb blue, \
     $marks0 using 1:3:(0):($4-$3) with vectors heads size screen 0.0025,90 fixed lw 1.3 lc rgb blue, \
     $clean0 using 1:2 with points pt 7 ps 1.1*dot lc rgb blue, \
     $disturbed0 using 1:2 with points pt 7 ps 1.1*dot lc rgb ground, \
     $disturbed0 using 1:2 with points pt 6 ps 1.1*dot lw 1.6 lc rgb blue
unset label
unset arrow
unset object
