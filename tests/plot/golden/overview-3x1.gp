$panel0 << EOD
0 1.3 1.287 1.313 mid_grey
1 2.6 2.574 2.626 pale_blue
2 3.9 3.861 3.939 blue
EOD
reset
unset key
set bars 0.5
set border 2 back lc rgb mid_grey lw 1
set tics font ',15'
unset ytics
set grid xtics back lt 1 lw 1 lc rgb grid_line
set multiplot
set label 'transpose' at screen 0.0338573, screen 0.890578 left front font 'Liberation Sans Bold,26' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better  ·  acec78a' at screen 0.0338573, screen 0.781155 left front font 'Liberation Sans,17' tc rgb grey
set label '1024x1024' at screen 0.132915, screen 0.635258 left front font 'Liberation Sans Bold,20' tc rgb ink
set label 'variant_0' at screen 0.120823, screen 0.396657 right front font 'Liberation Sans,17' tc rgb ink
set label 'variant_1' at screen 0.120823, screen 0.308511 right front font 'Liberation Sans,17' tc rgb ink
set label 'variant_2' at screen 0.120823, screen 0.220365 right front font 'Liberation Sans,17' tc rgb ink
set label 'TB/s' at screen 0.88084, screen 0.483283 right front font 'Liberation Sans,17' tc rgb grey
set label 'of peak' at screen 0.965484, screen 0.483283 right front font 'Liberation Sans,17' tc rgb grey
set label '1.300' at screen 0.88084, screen 0.396657 right front font 'Liberation Sans,17' tc rgb ink
set label '26 %' at screen 0.965484, screen 0.396657 right front font 'Liberation Sans,17' tc rgb ink
set label '2.600' at screen 0.88084, screen 0.308511 right front font 'Liberation Sans,17' tc rgb ink
set label '53 %' at screen 0.965484, screen 0.308511 right front font 'Liberation Sans,17' tc rgb ink
set label '3.900' at screen 0.88084, screen 0.220365 right front font 'Liberation Sans Bold,17' tc rgb ink
set label '79 %' at screen 0.965484, screen 0.220365 right front font 'Liberation Sans Bold,17' tc rgb ink
set label 'variant_0 1.300 TB/s' at screen 0.137369, screen 0.483283 left front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.311982, screen 0.507599 to screen 0.311982, screen 0.176292 nohead back lc rgb vermilion lw 1.5 dt solid
set label 'theoretical peak 4.916 TB/s' at screen 0.582015, screen 0.483283 left front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.810062, screen 0.507599 to screen 0.810062, screen 0.176292 nohead back lc rgb vermilion lw 1.5 dt solid
set lmargin at screen 0.132915
set rmargin at screen 0.810062
set tmargin at screen 0.440729
set bmargin at screen 0.176292
set xrange [0:4.916]
set yrange [2.5:-0.5]
set xtics scale 0 nomirror ('0' 0, '1' 1, '2' 2, '3' 3, '4' 4) tc rgb grey
plot $panel0 using (0):1:(0):2:($1-0.36):($1+0.36):(colour_of(strcol(5))) with boxxyerror lc rgb variable fs solid noborder, \
     $panel0 using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb ink
unset label
unset arrow
unset multiplot
