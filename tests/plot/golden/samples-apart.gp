$base_dots << EOD
0.24 0.63403
0.5 0.66243
0.76 0.67663
2.24 0.60569
2.5 0.63403
2.76 0.6482
4.24 0.66238
4.5 0.69083
4.76 0.70506
EOD
$base_left_out << EOD
1.24 0.69072
1.5 0.71923
1.76 0.73349
EOD
$base_medians << EOD
0.08 0.66243
2.08 0.63403
4.08 0.69083
EOD
$candidate_dots << EOD
7.24 0.080808
7.5 0.09444
7.76 0.1217
8.24 0.69073
8.5 0.70497
8.76 0.73346
9.24 0.053571
9.5 0.067176
9.76 0.094385
10.24 0.66239
10.5 0.6766
10.76 0.70503
EOD
$candidate_medians << EOD
7.08 0.09444
8.08 0.70497
9.08 0.067176
10.08 0.6766
EOD
$base_density << EOD
-0.0068409 0.57333
-0.028375 0.58
-0.084988 0.58667
-0.18444 0.59333
-0.29387 0.6
-0.36105 0.60667
-0.39531 0.61333
-0.48024 0.62
-0.6533 0.62667
-0.83091 0.63333
-0.9211 0.64
-0.94554 0.64667
-0.97384 0.65333
-1 0.66
-0.96594 0.66667
-0.86731 0.67333
-0.7615 0.68
-0.69001 0.68667
-0.64117 0.69333
-0.57404 0.7
-0.45741 0.70667
-0.30157 0.71333
-0.15559 0.72
-0.060565 0.72667
-0.017412 0.73333
EOD
$candidate_density << EOD
0.11084 0
0.11545 0.0066667
0.11985 0.013333
0.12401 0.02
0.12789 0.026667
0.13146 0.033333
0.13467 0.04
0.13751 0.046667
0.13994 0.053333
0.14195 0.06
0.1435 0.066667
0.1446 0.073333
0.14522 0.08
0.14536 0.086667
0.14502 0.093333
0.1442 0.1
0.14291 0.10667
0.14116 0.11333
0.13898 0.12
0.13638 0.12667
0.13338 0.13333
0.13001 0.14
0.12632 0.14667
0.12232 0.15333
0.11806 0.16
0.11357 0.16667
0.10889 0.17333
0.10405 0.18
0.099109 0.18667
0.094087 0.19333
0.089025 0.2
0.083958 0.20667
0.07892 0.21333
0.073941 0.22
0.06905 0.22667
0.064272 0.23333
0.059632 0.24
0.05515 0.24667
0.050842 0.25333
0.046724 0.26
0.042809 0.26667
0.039105 0.27333
0.035619 0.28
0.032356 0.28667
0.029318 0.29333
0.026507 0.3
0.023922 0.30667
0.02156 0.31333
0.019417 0.32
0.017491 0.32667
0.015775 0.33333
0.014266 0.34
0.012958 0.34667
0.011847 0.35333
0.010927 0.36
0.010195 0.36667
0.0096465 0.37333
0.0092797 0.38
0.0090925 0.38667
0.0090838 0.39333
0.0092537 0.4
0.0096029 0.40667
0.010133 0.41333
0.010847 0.42
0.011749 0.42667
0.012841 0.43333
0.01413 0.44
0.015619 0.44667
0.017313 0.45333
0.019218 0.46
0.021339 0.46667
0.023679 0.47333
0.026241 0.48
0.029028 0.48667
0.032042 0.49333
0.03528 0.5
0.038741 0.50667
0.042421 0.51333
0.046312 0.52
0.050405 0.52667
0.054689 0.53333
0.059149 0.54
0.063767 0.54667
0.068524 0.55333
0.073396 0.56
0.078358 0.56667
0.083382 0.57333
0.088436 0.58
0.093488 0.58667
0.098503 0.59333
0.10345 0.6
0.10828 0.60667
0.11296 0.61333
0.11746 0.62
0.12173 0.62667
0.12575 0.63333
0.12947 0.64
0.13285 0.64667
0.13588 0.65333
0.13852 0.66
0.14074 0.66667
0.14252 0.67333
0.14386 0.68
0.14472 0.68667
0.14511 0.69333
0.14503 0.7
0.14446 0.70667
0.14342 0.71333
0.14192 0.72
0.13998 0.72667
0.1376 0.73333
0.13482 0.74
0.13166 0.74667
0.12815 0.75333
0.12432 0.76
0.12021 0.76667
0.11585 0.77333
0.11129 0.78
0.10655 0.78667
0.10167 0.79333
0.096701 0.8
0.09167 0.80667
0.086615 0.81333
0.081568 0.82
0.076563 0.82667
0.071627 0.83333
0.06679 0.84
0.062073 0.84667
0.0575 0.85333
0.053088 0.86
0.048853 0.86667
0.044808 0.87333
0.040962 0.88
0.037323 0.88667
0.033895 0.89333
0.03068 0.9
0.027679 0.90667
0.024889 0.91333
0.022307 0.92
0.019926 0.92667
0.017741 0.93333
0.015744 0.94
0.013925 0.94667
0.012276 0.95333
0.010786 0.96
0.0094458 0.96667
0.0082449 0.97333
0.0071729 0.98
0.0062197 0.98667
0.0053754 0.99333
0.0046304 1
EOD
reset
unset key
unset border
unset tics
set yrange [0:1]
set multiplot
set label '−2.10 % [−2.50, −1.80]' at screen 0.98, screen 0.940199 right front font 'Liberation Sans Bold,24' tc rgb vermilion
set label 'regressed, the threshold is 2 %' at screen 0.98, screen 0.887043 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/2048x2048' at screen 0.02, screen 0.940199 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.887043 left front font 'Liberation Sans,16' tc rgb grey
set label '' at screen 0.025, screen 0.830565 front point pt 7 ps 0.8*dot lw 1.6 lc rgb mid_grey
set arrow from screen 0.02, screen 0.830565 to screen 0.0416667, screen 0.830565 nohead back lc rgb ink lw 3 dt solid
set label '' at screen 0.0366667, screen 0.830565 front point pt 7 ps 0.8*dot lw 1.6 lc rgb mid_grey
set label 'base main (acec78a)' at screen 0.05, screen 0.830565 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.202827, screen 0.830565 front point pt 7 ps 0.8*dot lw 1.6 lc rgb pale_blue
set arrow from screen 0.197827, screen 0.830565 to screen 0.219493, screen 0.830565 nohead back lc rgb blue lw 3 dt solid
set label '' at screen 0.214493, screen 0.830565 front point pt 7 ps 0.8*dot lw 1.6 lc rgb pale_blue
set label 'candidate HEAD (0426535)' at screen 0.227827, screen 0.830565 left front font 'Liberation Sans,16' tc rgb blue
set label 'dot: a repetition, line: the median of an invocation' at screen 0.4142, screen 0.830565 left front font 'Liberation Sans,16' tc rgb grey
set object rectangle from screen 0.0766667, screen 0.368806 to screen 0.666667, screen 0.717905 behind fc rgb band fs solid noborder
set object rectangle from screen 0.68, screen 0.368806 to screen 0.866667, screen 0.717905 behind fc rgb band fs solid noborder
set label 'TB/s' at screen 0.02, screen 0.777409 left front font 'Liberation Sans,15' tc rgb grey
set label '3.35' at screen 0.0683333, screen 0.21733 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.0766667, screen 0.21733 to screen 0.666667, screen 0.21733 nohead back lc rgb grid_line lw 1 dt solid
set arrow from screen 0.68, screen 0.21733 to screen 0.866667, screen 0.21733 nohead back lc rgb grid_line lw 1 dt solid
set label '3.40' at screen 0.0683333, screen 0.342724 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.0766667, screen 0.342724 to screen 0.666667, screen 0.342724 nohead back lc rgb grid_line lw 1 dt solid
set arrow from screen 0.68, screen 0.342724 to screen 0.866667, screen 0.342724 nohead back lc rgb grid_line lw 1 dt solid
set label '3.45' at screen 0.0683333, screen 0.468119 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.0766667, screen 0.468119 to screen 0.666667, screen 0.468119 nohead back lc rgb grid_line lw 1 dt solid
set arrow from screen 0.68, screen 0.468119 to screen 0.866667, screen 0.468119 nohead back lc rgb grid_line lw 1 dt solid
set label '3.50' at screen 0.0683333, screen 0.593513 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.0766667, screen 0.593513 to screen 0.666667, screen 0.593513 nohead back lc rgb grid_line lw 1 dt solid
set arrow from screen 0.68, screen 0.593513 to screen 0.866667, screen 0.593513 nohead back lc rgb grid_line lw 1 dt solid
set label '3.55' at screen 0.0683333, screen 0.718908 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.0766667, screen 0.718908 to screen 0.666667, screen 0.718908 nohead back lc rgb grid_line lw 1 dt solid
set arrow from screen 0.68, screen 0.718908 to screen 0.866667, screen 0.718908 nohead back lc rgb grid_line lw 1 dt solid
set arrow from screen 0.0766667, screen 0.543355 to screen 0.666667, screen 0.543355 nohead back lc rgb ink lw 1 dt (7,5)
set arrow from screen 0.68, screen 0.543355 to screen 0.866667, screen 0.543355 nohead back lc rgb ink lw 1 dt (7,5)
set arrow from screen 0.0766667, screen 0.360079 to screen 0.666667, screen 0.360079 nohead back lc rgb blue lw 1 dt (7,5)
set arrow from screen 0.68, screen 0.360079 to screen 0.866667, screen 0.360079 nohead back lc rgb blue lw 1 dt (7,5)
set label '3.480 TB/s' at screen 0.876667, screen 0.559967 left front font 'Liberation Sans Bold,18' tc rgb ink
set label 'base' at screen 0.876667, screen 0.525083 left front font 'Liberation Sans,15' tc rgb ink
set label '3.407 TB/s' at screen 0.876667, screen 0.37669 left front font 'Liberation Sans Bold,18' tc rgb blue
set label 'candidate' at screen 0.876667, screen 0.341806 left front font 'Liberation Sans,15' tc rgb blue
set label 'base: 4 invocations in 2 jobs' at screen 0.210758, screen 0.106312 center front font 'Liberation Sans,15' tc rgb grey
set label 'candidate: 4 invocations' at screen 0.559394, screen 0.106312 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.264394, screen 0.750831 to screen 0.264394, screen 0.136213 nohead back lc rgb mid_grey lw 1 dt (2,5)
set label 'base' at screen 0.765, screen 0.106312 right front font 'Liberation Sans,15' tc rgb grey
set label 'candidate' at screen 0.781667, screen 0.106312 left front font 'Liberation Sans,15' tc rgb grey
set label 'how often' at screen 0.773333, screen 0.0664452 center front font 'Liberation Sans,15' tc rgb grey
set label '○ excluded: 1 invocation that does not count   ·   shaded: within the threshold' at screen 0.02, screen 0.0332226 left front font 'Liberation Sans,15' tc rgb grey
set lmargin at screen 0.0766667
set rmargin at screen 0.666667
set tmargin at screen 0.750831
set bmargin at screen 0.136213
set xrange [0:11]
plot $base_dots using 1:2 with points pt 7 ps 0.75*dot lc rgb mid_grey, \
     $base_left_out using 1:2 with points pt 6 ps 0.75*dot lw 1.2 lc rgb mid_grey, \
     $base_medians using 1:2:(0.84):(0) with vectors nohead lw 3 lc rgb ink, \
     $candidate_dots using 1:2 with points pt 7 ps 0.75*dot lc rgb pale_blue, \
     $candidate_medians using 1:2:(0.84):(0) with vectors nohead lw 3 lc rgb blue
unset label
unset arrow
unset object
set lmargin at screen 0.68
set rmargin at screen 0.866667
set tmargin at screen 0.750831
set bmargin at screen 0.136213
set xrange [-1.05:1.05]
plot $base_density using 1:2 with filledcurves x=0 fs solid noborder fc rgb pale_grey, \
     $base_density using 1:2 with lines lw 1.6 lc rgb ink, \
     $candidate_density using 1:2 with filledcurves x=0 fs solid noborder fc rgb haze_blue, \
     $candidate_density using 1:2 with lines lw 1.6 lc rgb blue
unset multiplot
