$line0 << EOD
0 3.46608 3.45564 3.47652
EOD
$clean0 << EOD
0 3.46608 3.45564 3.47652
EOD
reset
unset key
set tics font ',16'
unset xtics
set label '3.466 TB/s' at screen 0.98, screen 0.927419 right front font 'Liberation Sans Bold,24' tc rgb ink
set label 'at 54b28ce' at screen 0.87106, screen 0.925403 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.927419 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.862903 left front font 'Liberation Sans,17' tc rgb grey
set label '●' at screen 0.02, screen 0.798387 left front font 'Liberation Sans,15' tc rgb blue
set label 'median and its interval' at screen 0.0333333, screen 0.798387 left front font 'Liberation Sans,15' tc rgb grey
set label '54b28ce' at screen 0.503333, screen 0.104839 center front font 'Liberation Sans,16' tc rgb ink
set label '2026-11-10' at screen 0.503333, screen 0.0604839 center front font 'Liberation Sans,15' tc rgb grey
set xtics scale 0.6 nomirror out ('' 0)
set lmargin at screen 0.0766667
set rmargin at screen 0.93
set tmargin at screen 0.596774
set bmargin at screen 0.153226
set arrow from screen 0.0766667, screen 0.731855 to screen 0.758279, screen 0.731855 nohead back lc rgb purple lw 1.5 dt (14,5)
set label 'theoretical peak 4.916 TB/s ↑' at screen 0.93, screen 0.731855 right front font 'Liberation Sans,15' tc rgb purple
set arrow from screen 0.0766667, screen 0.679435 to screen 0.793029, screen 0.679435 nohead back lc rgb purple lw 1.5 dt (14,5)
set label 'copy_row 3.930 TB/s ↑' at screen 0.93, screen 0.679435 right front font 'Liberation Sans,15' tc rgb purple
set label 'TB/s' at screen 0.0683333, screen 0.631048 right front font 'Liberation Sans,15' tc rgb grey
set xrange [-1:1]
set yrange [3.38428051:3.54787949]
set border 1 back lc rgb mid_grey lw 1
set ytics scale 0 nomirror ('3.40' 3.4, '3.45' 3.45, '3.50' 3.5) tc rgb grey
set grid ytics back lt 1 lw 1 lc rgb grid_line
plot $line0 using 1:2 with lines lw 2 lc rgb blue, \
     $line0 using 1:3:(0):($4-$3) with vectors heads size screen 0.0025,90 fixed lw 1.3 lc rgb blue, \
     $clean0 using 1:2 with points pt 7 ps 1.1*dot lc rgb blue
unset label
unset arrow
unset object
