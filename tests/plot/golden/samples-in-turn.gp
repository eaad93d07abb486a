$pairs << EOD
0.5 0.66243
1.5 0.09444

3.1 0.71923
4.1 0.70497

5.7 0.63403
6.7 0.067176

8.3 0.69083
9.3 0.6766

EOD
$base_dots << EOD
0.24 0.63403
0.5 0.66243
0.76 0.67663
2.84 0.69072
3.1 0.71923
3.36 0.73349
5.44 0.60569
5.7 0.63403
5.96 0.6482
8.04 0.66238
8.3 0.69083
8.56 0.70506
EOD
$base_medians << EOD
0.08 0.66243
2.68 0.71923
5.28 0.63403
7.88 0.69083
EOD
$candidate_dots << EOD
1.24 0.080808
1.5 0.09444
1.76 0.1217
3.84 0.69073
4.1 0.70497
4.36 0.73346
6.44 0.053571
6.7 0.067176
6.96 0.094385
9.04 0.66239
9.3 0.6766
9.56 0.70503
EOD
$candidate_medians << EOD
1.08 0.09444
3.68 0.70497
6.28 0.067176
8.88 0.6766
EOD
$base_density << EOD
-0.0043085 0.56667
-0.015868 0.57333
-0.045895 0.58
-0.10457 0.58667
-0.18933 0.59333
-0.27863 0.6
-0.3519 0.60667
-0.42027 0.61333
-0.51931 0.62
-0.65874 0.62667
-0.79912 0.63333
-0.89613 0.64
-0.94825 0.64667
-0.98005 0.65333
-0.99949 0.66
-1 0.66667
-0.98988 0.67333
-0.98688 0.68
-0.98539 0.68667
-0.95707 0.69333
-0.88889 0.7
-0.80103 0.70667
-0.72114 0.71333
-0.65362 0.72
-0.5786 0.72667
-0.47504 0.73333
-0.34392 0.74
-0.21105 0.74667
-0.10673 0.75333
-0.043654 0.76
-0.014268 0.76667
EOD
$candidate_density << EOD
0.14864 0
0.15482 0.0066667
0.16073 0.013333
0.16631 0.02
0.17151 0.026667
0.17629 0.033333
0.1806 0.04
0.18441 0.046667
0.18767 0.053333
0.19036 0.06
0.19244 0.066667
0.19391 0.073333
0.19474 0.08
0.19493 0.086667
0.19447 0.093333
0.19337 0.1
0.19165 0.10667
0.18931 0.11333
0.18638 0.12
0.18288 0.12667
0.17886 0.13333
0.17435 0.14
0.1694 0.14667
0.16404 0.15333
0.15832 0.16
0.1523 0.16667
0.14602 0.17333
0.13954 0.18
0.13291 0.18667
0.12617 0.19333
0.11939 0.2
0.11259 0.20667
0.10583 0.21333
0.099157 0.22
0.092598 0.22667
0.086191 0.23333
0.079969 0.24
0.073957 0.24667
0.068181 0.25333
0.062659 0.26
0.057408 0.26667
0.05244 0.27333
0.047766 0.28
0.04339 0.28667
0.039317 0.29333
0.035547 0.3
0.03208 0.30667
0.028912 0.31333
0.026039 0.32
0.023455 0.32667
0.021155 0.33333
0.019131 0.34
0.017378 0.34667
0.015887 0.35333
0.014653 0.36
0.013671 0.36667
0.012936 0.37333
0.012444 0.38
0.012193 0.38667
0.012182 0.39333
0.012409 0.4
0.012878 0.40667
0.013589 0.41333
0.014547 0.42
0.015755 0.42667
0.017221 0.43333
0.018948 0.44
0.020945 0.44667
0.023218 0.45333
0.025773 0.46
0.028616 0.46667
0.031754 0.47333
0.03519 0.48
0.038928 0.48667
0.042969 0.49333
0.047312 0.5
0.051953 0.50667
0.056887 0.51333
0.062105 0.52
0.067595 0.52667
0.07334 0.53333
0.07932 0.54
0.085514 0.54667
0.091893 0.55333
0.098427 0.56
0.10508 0.56667
0.11182 0.57333
0.1186 0.58
0.12537 0.58667
0.1321 0.59333
0.13872 0.6
0.1452 0.60667
0.15149 0.61333
0.15752 0.62
0.16325 0.62667
0.16863 0.63333
0.17362 0.64
0.17816 0.64667
0.18222 0.65333
0.18576 0.66
0.18874 0.66667
0.19113 0.67333
0.19292 0.68
0.19408 0.68667
0.1946 0.69333
0.19449 0.7
0.19373 0.70667
0.19234 0.71333
0.19032 0.72
0.18771 0.72667
0.18453 0.73333
0.1808 0.74
0.17656 0.74667
0.17185 0.75333
0.16672 0.76
0.16121 0.76667
0.15536 0.77333
0.14924 0.78
0.14288 0.78667
0.13635 0.79333
0.12968 0.8
0.12293 0.80667
0.11615 0.81333
0.10939 0.82
0.10267 0.82667
0.096055 0.83333
0.089567 0.84
0.083242 0.84667
0.077109 0.85333
0.071193 0.86
0.065513 0.86667
0.060089 0.87333
0.054931 0.88
0.050051 0.88667
0.045454 0.89333
0.041144 0.9
0.037119 0.90667
0.033377 0.91333
0.029914 0.92
0.026722 0.92667
0.023792 0.93333
0.021113 0.94
0.018674 0.94667
0.016462 0.95333
0.014464 0.96
0.012667 0.96667
0.011057 0.97333
0.0096191 0.98
0.0083409 0.98667
0.0072086 0.99333
0.0062095 1
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
set label '1' at screen 0.136871, screen 0.106312 center front font 'Liberation Sans,15' tc rgb grey
set label '2' at screen 0.293401, screen 0.106312 center front font 'Liberation Sans,15' tc rgb grey
set label '3' at screen 0.449932, screen 0.106312 center front font 'Liberation Sans,15' tc rgb grey
set label '4' at screen 0.606463, screen 0.106312 center front font 'Liberation Sans,15' tc rgb grey
set label 'round: both sides measured side by side, in one job' at screen 0.371667, screen 0.0664452 center front font 'Liberation Sans,15' tc rgb grey
set label 'base' at screen 0.765, screen 0.106312 right front font 'Liberation Sans,15' tc rgb grey
set label 'candidate' at screen 0.781667, screen 0.106312 left front font 'Liberation Sans,15' tc rgb grey
set label 'how often' at screen 0.773333, screen 0.0664452 center front font 'Liberation Sans,15' tc rgb grey
set label 'shaded: within the threshold' at screen 0.02, screen 0.0332226 left front font 'Liberation Sans,15' tc rgb grey
set lmargin at screen 0.0766667
set rmargin at screen 0.666667
set tmargin at screen 0.750831
set bmargin at screen 0.136213
set xrange [0:9.8]
plot $pairs using 1:2 with lines lw 1.2 lc rgb pale_grey, \
     $base_dots using 1:2 with points pt 7 ps 0.75*dot lc rgb mid_grey, \
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
