$bound0 << EOD
170.6667 4.123077e+13
341.3333 5.36e+13
EOD
$bound1 << EOD
341.3333 6.584615e+14
682.6667 8.56e+14
EOD
$plain0 << EOD
170.6667 1.374359e+13
341.3333 1.786667e+13
EOD
$plain1 << EOD
341.3333 2.194872e+14
682.6667 2.853333e+14
EOD
$best0 << EOD
170.6667 2.748718e+13
341.3333 3.573333e+13
EOD
$best1 << EOD
341.3333 4.389744e+14
682.6667 5.706667e+14
EOD
$moving << EOD
8.333333e+11 0
1.666667e+12 0
1.333333e+12 1
2.666667e+12 1
EOD
$moving_best << EOD
2.5e+12 0
4e+12 1
EOD
reset
unset key
unset border
unset tics
set multiplot
set label 'Roofline' at screen 0.02, screen 0.963203 left front font 'Liberation Sans Bold,26' tc rgb ink
set label 'grey: the bound of others' at screen 0.98, screen 0.963203 right front font 'Liberation Sans,16' tc rgb grey
set label 'nvidia-h200-140gib-700w  ·  acec78a  ·  theoretical peaks at 1980 MHz (cores) and 3201 MHz (memory)' at screen 0.02, screen 0.924242 left front font 'Liberation Sans,17' tc rgb grey
set label '' at screen 0.108333, screen 0.885281 front point pt 7 ps 1.3*dot lw 1.6 lc rgb blue
set label 'gemm 0' at screen 0.118333, screen 0.885281 left front font 'Liberation Sans,16' tc rgb ink
set label '' at screen 0.19316, screen 0.885281 front point pt 9 ps 1.3*dot lw 1.6 lc rgb green
set label 'gemm 1' at screen 0.20316, screen 0.885281 left front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.135405, screen 0.857143 to screen 0.135405, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '50' at screen 0.135405, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.326681, screen 0.857143 to screen 0.326681, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '100' at screen 0.326681, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.517957, screen 0.857143 to screen 0.517957, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '200' at screen 0.517957, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.770811, screen 0.857143 to screen 0.770811, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '500' at screen 0.770811, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.31053 to screen 0.889675, screen 0.31053 nohead back lc rgb grid_line lw 1 dt solid
set label '10 TFLOP/s' at screen 0.095, screen 0.31053 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.384202 to screen 0.889675, screen 0.384202 nohead back lc rgb grid_line lw 1 dt solid
set label '20 TFLOP/s' at screen 0.095, screen 0.384202 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.481591 to screen 0.889675, screen 0.481591 nohead back lc rgb grid_line lw 1 dt solid
set label '50 TFLOP/s' at screen 0.095, screen 0.481591 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.555263 to screen 0.889675, screen 0.555263 nohead back lc rgb grid_line lw 1 dt solid
set label '100 TFLOP/s' at screen 0.095, screen 0.555263 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.628935 to screen 0.889675, screen 0.628935 nohead back lc rgb grid_line lw 1 dt solid
set label '200 TFLOP/s' at screen 0.095, screen 0.628935 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.726325 to screen 0.889675, screen 0.726325 nohead back lc rgb grid_line lw 1 dt solid
set label '500 TFLOP/s' at screen 0.095, screen 0.726325 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.799997 to screen 0.889675, screen 0.799997 nohead back lc rgb grid_line lw 1 dt solid
set label '1 PFLOP/s' at screen 0.095, screen 0.799997 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.294372 to screen 0.889675, screen 0.294372 nohead back lc rgb mid_grey lw 1 dt solid
set label 'arithmetic intensity: FLOP per byte, as stated and not as moved' at screen 0.889675, screen 0.244589 right front font 'Liberation Sans,16' tc rgb grey
set arrow from screen 0.103333, screen 0.635961 to screen 0.547893, screen 0.807188 nohead back lc rgb vermilion lw 2 dt solid
set label '4.800 TB/s bandwidth' at screen 0.113036, screen 0.654373 left rotate by 17 front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.103333, screen 0.616582 to screen 0.598205, screen 0.807188 nohead back lc rgb vermilion lw 1.8 dt (8,5)
set label '4.000 TB/s measured: copy_0 8192x8192' at screen 0.119197, screen 0.608017 left rotate by 17 front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.103333, screen 0.512698 to screen 0.889675, screen 0.512698 nohead back lc rgb vermilion lw 2 dt solid
set label 'FP32 peak 67.00 TFLOP/s' at screen 0.123333, screen 0.526767 left front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.547893, screen 0.807188 to screen 0.889675, screen 0.807188 nohead back lc rgb vermilion lw 2 dt solid
set label 'peak of gemm 1 1.070 PFLOP/s' at screen 0.32933, screen 0.807188 left front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.860909, screen 0.783471 to screen 0.870909, screen 0.783471 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_2  80 %' at screen 0.873409, screen 0.783471 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.860909, screen 0.740375 to screen 0.870909, screen 0.740375 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_1  53 %' at screen 0.873409, screen 0.740375 left front font 'Liberation Sans Bold,15' tc rgb green
set arrow from screen 0.860909, screen 0.666703 to screen 0.870909, screen 0.666703 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_0  27 %' at screen 0.873409, screen 0.666703 left front font 'Liberation Sans,15' tc rgb green
set arrow from screen 0.669633, screen 0.488981 to screen 0.679633, screen 0.488981 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_2  80 %' at screen 0.682133, screen 0.488981 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.669633, screen 0.445885 to screen 0.679633, screen 0.445885 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_1  53 %' at screen 0.682133, screen 0.445885 left front font 'Liberation Sans Bold,15' tc rgb blue
set arrow from screen 0.669633, screen 0.372213 to screen 0.679633, screen 0.372213 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_0  27 %' at screen 0.682133, screen 0.372213 left front font 'Liberation Sans,15' tc rgb blue
set arrow from screen 0.47419, screen 0.344327 to screen 0.47419, screen 0.461095 nohead back lc rgb pale_grey lw 1 dt solid
set label '1024³' at screen 0.4576, screen 0.323765 left front font 'Liberation Sans,14' tc rgb grey
set arrow from screen 0.665466, screen 0.372213 to screen 0.665466, screen 0.488981 nohead back lc rgb pale_grey lw 1 dt solid
set label '2048³' at screen 0.648876, screen 0.35165 left front font 'Liberation Sans,14' tc rgb grey
set arrow from screen 0.665466, screen 0.638817 to screen 0.665466, screen 0.755585 nohead back lc rgb pale_grey lw 1 dt solid
set label '1024³' at screen 0.648876, screen 0.618255 left front font 'Liberation Sans,14' tc rgb grey
set arrow from screen 0.856742, screen 0.666703 to screen 0.856742, screen 0.783471 nohead back lc rgb pale_grey lw 1 dt solid
set label '2048³' at screen 0.840152, screen 0.64614 left front font 'Liberation Sans,14' tc rgb grey
set lmargin at screen 0.103333
set rmargin at screen 0.889675
set tmargin at screen 0.857143
set bmargin at screen 0.294372
set logscale xy
set xrange [44.5138347:769.199064]
set yrange [8.58974359e+12:1.712e+15]
plot $bound0 using 1:2 with points pt 7 ps 1.3*dot lc rgb mid_grey, \
     $bound1 using 1:2 with points pt 9 ps 1.3*dot lc rgb mid_grey, \
     $plain0 using 1:2 with points pt 7 ps 1.3*dot lc rgb blue, \
     $plain1 using 1:2 with points pt 9 ps 1.3*dot lc rgb green, \
     $best0 using 1:2 with points pt 7 ps 1.9*dot lc rgb blue, \
     $best1 using 1:2 with points pt 9 ps 1.9*dot lc rgb green
unset logscale
unset label
unset arrow
set label 'Only moves data: no FLOP, so bandwidth is the roof' at screen 0.02, screen 0.183983 left front font 'Liberation Sans Bold,19' tc rgb ink
set label 'fastest' at screen 0.71, screen 0.127706 left front font 'Liberation Sans,16' tc rgb grey
set label 'of roof' at screen 0.98, screen 0.127706 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose f32 2048²' at screen 0.14408, screen 0.0963203 right front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.15408, screen 0.0963203 to screen 0.696667, screen 0.0963203 nohead back lc rgb grid_line lw 1 dt solid
set label 'copy_2' at screen 0.71, screen 0.0963203 left front font 'Liberation Sans,16' tc rgb ink
set label '2.500 TB/s' at screen 0.925, screen 0.0963203 right front font 'Liberation Sans,16' tc rgb ink
set label '52 %' at screen 0.98, screen 0.0963203 right front font 'Liberation Sans Bold,16' tc rgb ink
set label 'transpose f32 8192²' at screen 0.14408, screen 0.0638528 right front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.15408, screen 0.0638528 to screen 0.696667, screen 0.0638528 nohead back lc rgb grid_line lw 1 dt solid
set label 'copy_2' at screen 0.71, screen 0.0638528 left front font 'Liberation Sans,16' tc rgb ink
set label '4.000 TB/s' at screen 0.925, screen 0.0638528 right front font 'Liberation Sans,16' tc rgb ink
set label '83 %' at screen 0.98, screen 0.0638528 right front font 'Liberation Sans Bold,16' tc rgb ink
set label 'measured: copy_0 8192x8192 4.000 TB/s' at screen 0.59237, screen 0.127706 right front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.59737, screen 0.137446 to screen 0.59737, screen 0.047619 nohead back lc rgb vermilion lw 1.8 dt (8,5)
set label 'bandwidth 4.800 TB/s' at screen 0.681028, screen 0.149351 right front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.686028, screen 0.159091 to screen 0.686028, screen 0.047619 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.15408, screen 0.112554 to screen 0.15408, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '0' at screen 0.15408, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.264902, screen 0.112554 to screen 0.264902, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '1 TB/s' at screen 0.264902, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.375725, screen 0.112554 to screen 0.375725, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '2 TB/s' at screen 0.375725, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.486547, screen 0.112554 to screen 0.486547, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '3 TB/s' at screen 0.486547, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.59737, screen 0.112554 to screen 0.59737, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '4 TB/s' at screen 0.59737, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set lmargin at screen 0.15408
set rmargin at screen 0.696667
set tmargin at screen 0.112554
set bmargin at screen 0.047619
set xrange [0:4.896e+12]
set yrange [1.5:-0.5]
plot $moving using 1:2 with points pt 7 ps 1.1*dot lc rgb pale_blue, \
     $moving_best using 1:2 with points pt 7 ps 1.7*dot lc rgb blue
unset label
unset arrow
unset multiplot
