$bound0 << EOD
170.6667 4.123077e+13
341.3333 5.36e+13
EOD
$best0 << EOD
170.6667 2.061538e+13
341.3333 2.68e+13
EOD
$moving << EOD
1.25e+12 0
2e+12 1
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
set label 'nvidia-h200-140gib-700w  ·  acec78a  ·  the device states no theoretical peak' at screen 0.02, screen 0.924242 left front font 'Liberation Sans,17' tc rgb grey
set label '' at screen 0.108333, screen 0.885281 front point pt 7 ps 1.3*dot lw 1.6 lc rgb blue
set label 'gemm 0' at screen 0.118333, screen 0.885281 left front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.116897, screen 0.857143 to screen 0.116897, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '50' at screen 0.116897, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.316793, screen 0.857143 to screen 0.316793, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '100' at screen 0.316793, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.516689, screen 0.857143 to screen 0.516689, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '200' at screen 0.516689, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.780938, screen 0.857143 to screen 0.780938, screen 0.294372 nohead back lc rgb grid_line lw 1 dt solid
set label '500' at screen 0.780938, screen 0.277056 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.367281 to screen 0.925113, screen 0.367281 nohead back lc rgb grid_line lw 1 dt solid
set label '10 TFLOP/s' at screen 0.095, screen 0.367281 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.487581 to screen 0.925113, screen 0.487581 nohead back lc rgb grid_line lw 1 dt solid
set label '20 TFLOP/s' at screen 0.095, screen 0.487581 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.646608 to screen 0.925113, screen 0.646608 nohead back lc rgb grid_line lw 1 dt solid
set label '50 TFLOP/s' at screen 0.095, screen 0.646608 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.766908 to screen 0.925113, screen 0.766908 nohead back lc rgb grid_line lw 1 dt solid
set label '100 TFLOP/s' at screen 0.095, screen 0.766908 right front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.103333, screen 0.294372 to screen 0.925113, screen 0.294372 nohead back lc rgb mid_grey lw 1 dt solid
set label 'arithmetic intensity: FLOP per byte, as stated and not as moved' at screen 0.925113, screen 0.244589 right front font 'Liberation Sans,16' tc rgb grey
set arrow from screen 0.675012, screen 0.658675 to screen 0.685012, screen 0.658675 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_1' at screen 0.687512, screen 0.658675 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.675012, screen 0.538375 to screen 0.685012, screen 0.538375 nohead back lc rgb mid_grey lw 1 dt solid
set label 'variant_0' at screen 0.687512, screen 0.538375 left front font 'Liberation Sans Bold,15' tc rgb ink
set arrow from screen 0.470949, screen 0.49284 to screen 0.470949, screen 0.61314 nohead back lc rgb pale_grey lw 1 dt solid
set label '1024³' at screen 0.454359, screen 0.472278 left front font 'Liberation Sans,14' tc rgb grey
set arrow from screen 0.670846, screen 0.538375 to screen 0.670846, screen 0.658675 nohead back lc rgb pale_grey lw 1 dt solid
set label '2048³' at screen 0.654256, screen 0.517812 left front font 'Liberation Sans,14' tc rgb grey
set lmargin at screen 0.103333
set rmargin at screen 0.925113
set tmargin at screen 0.857143
set bmargin at screen 0.294372
set logscale xy
set xrange [47.7027835:824.304099]
set yrange [6.56989053e+12:1.68189197e+14]
plot $bound0 using 1:2 with points pt 7 ps 1.3*dot lc rgb mid_grey, \
     $best0 using 1:2 with points pt 7 ps 1.9*dot lc rgb blue
unset logscale
unset label
unset arrow
set label 'Only moves data: no FLOP, so bandwidth is the roof' at screen 0.02, screen 0.183983 left front font 'Liberation Sans Bold,19' tc rgb ink
set label 'fastest' at screen 0.71, screen 0.127706 left front font 'Liberation Sans,16' tc rgb grey
set label 'transpose f32 2048²' at screen 0.14408, screen 0.0963203 right front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.15408, screen 0.0963203 to screen 0.696667, screen 0.0963203 nohead back lc rgb grid_line lw 1 dt solid
set label 'copy_1' at screen 0.71, screen 0.0963203 left front font 'Liberation Sans,16' tc rgb ink
set label '2.500 TB/s' at screen 0.925, screen 0.0963203 right front font 'Liberation Sans,16' tc rgb ink
set label 'transpose f32 8192²' at screen 0.14408, screen 0.0638528 right front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.15408, screen 0.0638528 to screen 0.696667, screen 0.0638528 nohead back lc rgb grid_line lw 1 dt solid
set label 'copy_1' at screen 0.71, screen 0.0638528 left front font 'Liberation Sans,16' tc rgb ink
set label '4.000 TB/s' at screen 0.925, screen 0.0638528 right front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.15408, screen 0.112554 to screen 0.15408, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '0' at screen 0.15408, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.287067, screen 0.112554 to screen 0.287067, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '1 TB/s' at screen 0.287067, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.420054, screen 0.112554 to screen 0.420054, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '2 TB/s' at screen 0.420054, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.553041, screen 0.112554 to screen 0.553041, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '3 TB/s' at screen 0.553041, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.686028, screen 0.112554 to screen 0.686028, screen 0.047619 nohead back lc rgb grid_line lw 1 dt solid
set label '4 TB/s' at screen 0.686028, screen 0.030303 center front font 'Liberation Sans,15' tc rgb grey
set lmargin at screen 0.15408
set rmargin at screen 0.696667
set tmargin at screen 0.112554
set bmargin at screen 0.047619
set xrange [0:4.08e+12]
set yrange [1.5:-0.5]
plot $moving using 1:2 with points pt 7 ps 1.1*dot lc rgb pale_blue, \
     $moving_best using 1:2 with points pt 7 ps 1.7*dot lc rgb blue
unset label
unset arrow
unset multiplot
