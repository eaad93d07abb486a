$line << EOD
0 3.46608 3.45564 3.47652
EOD
$clean << EOD
0 3.46608 3.45564 3.47652
EOD
reset
unset key
set bars 0.6
set lmargin at screen 0.07
set rmargin at screen 0.941667
set tmargin at screen 0.789655
set bmargin at screen 0.131034
set label '3.466 TB/s' at screen 0.98, screen 0.941379 right front font 'Liberation Sans Bold,22' tc rgb ink
set label 'at 54b28ce' at screen 0.880972, screen 0.939655 right front font 'Liberation Sans,15' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.941379 left front font 'Liberation Sans Bold,22' tc rgb ink
set label '● median with interval' at screen 0.98, screen 0.886207 right front font 'Liberation Sans,14' tc rgb grey
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.886207 left front font 'Liberation Sans,15' tc rgb grey
set label 'TB/s' at screen 0.07, screen 0.817241 left front font 'Liberation Sans,14' tc rgb grey
set label 'copy_row 3.930 TB/s ↑     theoretical peak 4.916 TB/s ↑' at screen 0.941667, screen 0.817241 right front font 'Liberation Sans,14' tc rgb vermilion
set xrange [-1:1]
set yrange [3.38428051:3.54787949]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('3.40' 3.4, '3.45' 3.45, '3.50' 3.5) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
set label '54b28ce' at screen 0.505833, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb ink
set label '2026-11-10' at screen 0.505833, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb grey
set xtics scale 0.6 nomirror out ('' 0)
plot $line using 1:2 with lines lw 2 lc rgb blue, \
     $line using 1:2:3:4 with yerrorbars pt 0 lw 1.3 lc rgb blue, \
     $clean using 1:2 with points pt 7 ps 1 lc rgb blue
