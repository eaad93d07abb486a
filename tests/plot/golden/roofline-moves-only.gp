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
set label 'Roofline' at screen 0.02, screen 0.880282 left front font 'Liberation Sans Bold,26' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  acec78a  ·  theoretical peaks at 1980 MHz (cores) and 3201 MHz (memory)' at screen 0.02, screen 0.753521 left front font 'Liberation Sans,17' tc rgb grey
set label 'Only moves data: no FLOP, so bandwidth is the roof' at screen 0.02, screen 0.598592 left front font 'Liberation Sans Bold,19' tc rgb ink
set label 'fastest' at screen 0.71, screen 0.415493 left front font 'Liberation Sans,16' tc rgb grey
set label 'of roof' at screen 0.98, screen 0.415493 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose f32 2048²' at screen 0.14408, screen 0.31338 right front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.15408, screen 0.31338 to screen 0.696667, screen 0.31338 nohead back lc rgb grid_line lw 1 dt solid
set label 'copy_2' at screen 0.71, screen 0.31338 left front font 'Liberation Sans,16' tc rgb ink
set label '2.500 TB/s' at screen 0.925, screen 0.31338 right front font 'Liberation Sans,16' tc rgb ink
set label '52 %' at screen 0.98, screen 0.31338 right front font 'Liberation Sans Bold,16' tc rgb ink
set label 'transpose f32 8192²' at screen 0.14408, screen 0.207746 right front font 'Liberation Sans,16' tc rgb ink
set arrow from screen 0.15408, screen 0.207746 to screen 0.696667, screen 0.207746 nohead back lc rgb grid_line lw 1 dt solid
set label 'copy_2' at screen 0.71, screen 0.207746 left front font 'Liberation Sans,16' tc rgb ink
set label '4.000 TB/s' at screen 0.925, screen 0.207746 right front font 'Liberation Sans,16' tc rgb ink
set label '83 %' at screen 0.98, screen 0.207746 right front font 'Liberation Sans Bold,16' tc rgb ink
set label 'bandwidth 4.800 TB/s' at screen 0.681028, screen 0.415493 right front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.686028, screen 0.447183 to screen 0.686028, screen 0.15493 nohead back lc rgb vermilion lw 2 dt solid
set arrow from screen 0.15408, screen 0.366197 to screen 0.15408, screen 0.15493 nohead back lc rgb grid_line lw 1 dt solid
set label '0' at screen 0.15408, screen 0.0985915 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.264902, screen 0.366197 to screen 0.264902, screen 0.15493 nohead back lc rgb grid_line lw 1 dt solid
set label '1 TB/s' at screen 0.264902, screen 0.0985915 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.375725, screen 0.366197 to screen 0.375725, screen 0.15493 nohead back lc rgb grid_line lw 1 dt solid
set label '2 TB/s' at screen 0.375725, screen 0.0985915 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.486547, screen 0.366197 to screen 0.486547, screen 0.15493 nohead back lc rgb grid_line lw 1 dt solid
set label '3 TB/s' at screen 0.486547, screen 0.0985915 center front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.59737, screen 0.366197 to screen 0.59737, screen 0.15493 nohead back lc rgb grid_line lw 1 dt solid
set label '4 TB/s' at screen 0.59737, screen 0.0985915 center front font 'Liberation Sans,15' tc rgb grey
set lmargin at screen 0.15408
set rmargin at screen 0.696667
set tmargin at screen 0.366197
set bmargin at screen 0.15493
set xrange [0:4.896e+12]
set yrange [1.5:-0.5]
plot $moving using 1:2 with points pt 7 ps 1.1*dot lc rgb pale_blue, \
     $moving_best using 1:2 with points pt 7 ps 1.7*dot lc rgb blue
unset label
unset arrow
unset multiplot
