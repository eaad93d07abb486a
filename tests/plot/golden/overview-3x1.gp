$panel0 << EOD
0 3.9 3.861 3.939 blue
2 1.3 1.287 1.313 mid_grey
EOD
$panel0_pale << EOD
1 2.6 2.574 2.626 pale_blue
EOD
reset
unset key
set bars 0.5
set border 2 back lc rgb mid_grey lw 1
set tics font ',15'
unset ytics
set grid xtics back lt 1 lw 1 lc rgb grid_line
set multiplot
set label 'transpose' at screen 0.0340219, screen 0.888545 left front font 'Liberation Sans Bold,26' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better  ·  acec78a  ·  shaded: the best' at screen 0.0340219, screen 0.77709 left front font 'Liberation Sans,17' tc rgb grey
set object rectangle from screen 0.133561, screen 0.346749 to screen 0.970176, screen 0.430341 behind fc rgb haze_blue fs solid noborder
set label '1024x1024' at screen 0.133561, screen 0.628483 left front font 'Liberation Sans Bold,20' tc rgb ink
set label 'variant_2' at screen 0.121411, screen 0.388545 right front font 'Liberation Sans,17' tc rgb ink
set label 'variant_1' at screen 0.121411, screen 0.304954 right front font 'Liberation Sans,17' tc rgb ink
set label 'variant_0' at screen 0.121411, screen 0.221362 right front font 'Liberation Sans,17' tc rgb ink
set label 'TB/s' at screen 0.885122, screen 0.473684 right front font 'Liberation Sans,17' tc rgb grey
set label 'of peak' at screen 0.965316, screen 0.473684 right front font 'Liberation Sans,17' tc rgb grey
set label '3.900' at screen 0.885122, screen 0.388545 right front font 'Liberation Sans Bold,17' tc rgb ink
set label '79 %' at screen 0.965316, screen 0.388545 right front font 'Liberation Sans Bold,17' tc rgb ink
set label '2.600' at screen 0.885122, screen 0.304954 right front font 'Liberation Sans,17' tc rgb ink
set label '53 %' at screen 0.965316, screen 0.304954 right front font 'Liberation Sans,17' tc rgb ink
set label '1.300' at screen 0.885122, screen 0.221362 right front font 'Liberation Sans,17' tc rgb ink
set label '26 %' at screen 0.965316, screen 0.221362 right front font 'Liberation Sans,17' tc rgb ink
set label 'variant_0 1.300' at screen 0.180576, screen 0.473684 left front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.313498, screen 0.498452 to screen 0.313498, screen 0.179567 nohead back lc rgb vermilion lw 1.5 dt solid
set label 'theoretical peak 4.916' at screen 0.627383, screen 0.473684 left front font 'Liberation Sans,15' tc rgb vermilion
set arrow from screen 0.813999, screen 0.498452 to screen 0.813999, screen 0.179567 nohead back lc rgb vermilion lw 1.5 dt solid
set lmargin at screen 0.133561
set rmargin at screen 0.813999
set tmargin at screen 0.430341
set bmargin at screen 0.179567
set xrange [0:4.916]
set yrange [2.5:-0.5]
set xtics scale 0 nomirror ('0' 0, '1' 1, '2' 2, '3' 3, '4' 4) tc rgb grey
plot $panel0 using (0):1:(0):2:($1-0.36):($1+0.36):(colour_of(strcol(5))) with boxxyerror lc rgb variable fs solid noborder, \
     $panel0 using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb ink, \
     $panel0_pale using (0):1:(0):2:($1-0.36):($1+0.36):(colour_of(strcol(5))) with boxxyerror lc rgb variable fs transparent solid 0.65 noborder, \
     $panel0_pale using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb ink
unset label
unset arrow
unset object
unset multiplot
