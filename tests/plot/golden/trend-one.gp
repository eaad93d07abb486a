reset
unset key
set tics font ',16'
unset xtics
set label '3.466 TB/s' at screen 0.98, screen 0.859375 right front font 'Liberation Sans Bold,24' tc rgb ink
set label 'at 54b28ce' at screen 0.87106, screen 0.855469 right front font 'Liberation Sans,16' tc rgb grey
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.859375 left front font 'Liberation Sans Bold,24' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.734375 left front font 'Liberation Sans,17' tc rgb grey
set label '3.466 TB/s at 54b28ce Change something (2026-11-10)' at screen 0.02, screen 0.476562 left front font 'Liberation Sans,18' tc rgb ink
set label '70.5 % of theoretical peak 4.916 TB/s' at screen 0.02, screen 0.367188 left front font 'Liberation Sans,18' tc rgb ink
set label '88.2 % of copy_row 3.930 TB/s' at screen 0.02, screen 0.257812 left front font 'Liberation Sans,18' tc rgb ink
set label 'One commit has runs so far. A trend begins with the third.' at screen 0.02, screen 0.148438 left front font 'Liberation Sans,18' tc rgb ink
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
unset border
unset tics
plot [0:1][0:1] 2
unset label
