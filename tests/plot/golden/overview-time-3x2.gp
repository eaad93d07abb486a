$panel0 << EOD
0 256.4103 253.8462 258.9744 blue
EOD
$panel0_pale << EOD
1 384.6154 380.7692 388.4615 pale_blue
2 769.2308 761.5385 776.9231 pale_blue
EOD
$panel1 << EOD
0 269.9055 267.2065 272.6046 blue
EOD
$panel1_pale << EOD
1 404.8583 400.8097 408.9069 pale_blue
2 809.7166 801.6194 817.8138 pale_blue
EOD
reset
unset key
set bars 0.5
set border 2 back lc rgb mid_grey lw 1
set tics font ',15'
unset ytics
set grid xtics back lt 1 lw 1 lc rgb grid_line
set multiplot
set label 'transpose' at screen 0.0289555, screen 0.881967 left front font 'Liberation Sans Bold,26' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  time, lower is better  ·  acec78a  ·  shaded: the best' at screen 0.0289555, screen 0.763934 left front font 'Liberation Sans,17' tc rgb grey
set object rectangle from screen 0.113672, screen 0.367213 to screen 0.530668, screen 0.455738 behind fc rgb haze_blue fs solid noborder
set label '1024x1024' at screen 0.113672, screen 0.606557 left front font 'Liberation Sans Bold,20' tc rgb ink
set label 'variant_2' at screen 0.103331, screen 0.411475 right front font 'Liberation Sans,17' tc rgb ink
set label 'variant_1' at screen 0.103331, screen 0.322951 right front font 'Liberation Sans,17' tc rgb ink
set label 'variant_0' at screen 0.103331, screen 0.234426 right front font 'Liberation Sans,17' tc rgb ink
set label '×1e-15 s' at screen 0.526532, screen 0.501639 right front font 'Liberation Sans,17' tc rgb grey
set label '256.4' at screen 0.526532, screen 0.411475 right front font 'Liberation Sans Bold,17' tc rgb ink
set label '384.6' at screen 0.526532, screen 0.322951 right front font 'Liberation Sans,17' tc rgb ink
set label '769.2' at screen 0.526532, screen 0.234426 right front font 'Liberation Sans,17' tc rgb ink
set lmargin at screen 0.113672
set rmargin at screen 0.444593
set tmargin at screen 0.455738
set bmargin at screen 0.190164
set xrange [0:776.923077]
set yrange [2.5:-0.5]
set xtics scale 0 nomirror ('0' 0, '200' 200, '400' 400, '600' 600) tc rgb grey
plot $panel0 using (0):1:(0):2:($1-0.36):($1+0.36):(colour_of(strcol(5))) with boxxyerror lc rgb variable fs solid noborder, \
     $panel0 using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb ink, \
     $panel0_pale using (0):1:(0):2:($1-0.36):($1+0.36):(colour_of(strcol(5))) with boxxyerror lc rgb variable fs transparent solid 0.65 noborder, \
     $panel0_pale using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb ink
unset label
unset arrow
unset object
set object rectangle from screen 0.557555, screen 0.367213 to screen 0.974551, screen 0.455738 behind fc rgb haze_blue fs solid noborder
set label '2048x1024' at screen 0.557555, screen 0.606557 left front font 'Liberation Sans Bold,20' tc rgb ink
set label '×1e-15 s' at screen 0.970415, screen 0.501639 right front font 'Liberation Sans,17' tc rgb grey
set label '269.9' at screen 0.970415, screen 0.411475 right front font 'Liberation Sans Bold,17' tc rgb ink
set label '404.9' at screen 0.970415, screen 0.322951 right front font 'Liberation Sans,17' tc rgb ink
set label '809.7' at screen 0.970415, screen 0.234426 right front font 'Liberation Sans,17' tc rgb ink
set lmargin at screen 0.557555
set rmargin at screen 0.888476
set tmargin at screen 0.455738
set bmargin at screen 0.190164
set xrange [0:817.813765]
set yrange [2.5:-0.5]
set xtics scale 0 nomirror ('0' 0, '200' 200, '400' 400, '600' 600, '800' 800) tc rgb grey
plot $panel1 using (0):1:(0):2:($1-0.36):($1+0.36):(colour_of(strcol(5))) with boxxyerror lc rgb variable fs solid noborder, \
     $panel1 using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb ink, \
     $panel1_pale using (0):1:(0):2:($1-0.36):($1+0.36):(colour_of(strcol(5))) with boxxyerror lc rgb variable fs transparent solid 0.65 noborder, \
     $panel1_pale using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb ink
unset label
unset arrow
unset object
unset multiplot
