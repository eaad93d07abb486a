set encoding utf8

$line << EOD
0 3.46608 3.45564 3.47652
1 3.48 3.46956 3.49044
2 3.49392 3.48348 3.50436
3 3.47304 3.4626 3.48348
4 3.48696 3.47652 3.4974
5 3.46608 3.45564 3.47652
6 3.48 3.46956 3.49044
7 3.49392 3.48348 3.50436
8 3.47304 3.4626 3.48348
9 3.48696 3.47652 3.4974
10 3.46608 3.45564 3.47652
11 3.48 3.46956 3.49044
12 3.49392 3.48348 3.50436
13 3.47304 3.4626 3.48348
14 3.48696 3.47652 3.4974
15 3.46608 3.45564 3.47652
16 3.48 3.46956 3.49044
17 3.49392 3.48348 3.50436
18 3.47304 3.4626 3.48348
19 3.48696 3.47652 3.4974
20 3.46608 3.45564 3.47652
21 3.48 3.46956 3.49044
22 3.49392 3.48348 3.50436
23 3.47304 3.4626 3.48348
24 3.48696 3.47652 3.4974
25 3.46608 3.45564 3.47652
26 3.48 3.46956 3.49044
27 3.49392 3.48348 3.50436
28 3.47304 3.4626 3.48348
29 3.48696 3.47652 3.4974
30 3.46608 3.45564 3.47652
31 3.48 3.46956 3.49044
32 3.49392 3.48348 3.50436
33 3.47304 3.4626 3.48348
34 3.48696 3.47652 3.4974
35 3.46608 3.45564 3.47652
36 3.48 3.46956 3.49044
37 3.49392 3.48348 3.50436
38 3.47304 3.4626 3.48348
39 3.48696 3.47652 3.4974
40 3.46608 3.45564 3.47652
41 3.48 3.46956 3.49044
42 3.49392 3.48348 3.50436
43 3.47304 3.4626 3.48348
44 3.48696 3.47652 3.4974
45 3.46608 3.45564 3.47652
46 3.48 3.46956 3.49044
47 3.49392 3.48348 3.50436
48 3.47304 3.4626 3.48348
49 3.48696 3.47652 3.4974
50 3.46608 3.45564 3.47652
51 3.48 3.46956 3.49044
52 3.49392 3.48348 3.50436
53 3.47304 3.4626 3.48348
54 3.48696 3.47652 3.4974
55 3.46608 3.45564 3.47652
56 3.48 3.46956 3.49044
57 3.49392 3.48348 3.50436
58 3.47304 3.4626 3.48348
59 3.48696 3.47652 3.4974
60 3.46608 3.45564 3.47652
61 3.48 3.46956 3.49044
62 3.49392 3.48348 3.50436
63 3.47304 3.4626 3.48348
64 3.48696 3.47652 3.4974
65 3.46608 3.45564 3.47652
66 3.48 3.46956 3.49044
67 3.49392 3.48348 3.50436
68 3.47304 3.4626 3.48348
69 3.48696 3.47652 3.4974
70 3.46608 3.45564 3.47652
71 3.48 3.46956 3.49044
72 3.49392 3.48348 3.50436
73 3.47304 3.4626 3.48348
74 3.48696 3.47652 3.4974
75 3.46608 3.45564 3.47652
76 3.48 3.46956 3.49044
77 3.49392 3.48348 3.50436
78 3.47304 3.4626 3.48348
79 3.48696 3.47652 3.4974
80 3.46608 3.45564 3.47652
81 3.48 3.46956 3.49044
82 3.49392 3.48348 3.50436
83 3.47304 3.4626 3.48348
84 3.48696 3.47652 3.4974
85 3.46608 3.45564 3.47652
86 3.48 3.46956 3.49044
87 3.49392 3.48348 3.50436
88 3.47304 3.4626 3.48348
89 3.48696 3.47652 3.4974
90 3.46608 3.45564 3.47652
91 3.48 3.46956 3.49044
92 3.49392 3.48348 3.50436
93 3.47304 3.4626 3.48348
94 3.48696 3.47652 3.4974
95 3.46608 3.45564 3.47652
96 3.306 3.29556 3.31644
97 3.319224 3.308784 3.329664
98 3.299388 3.288948 3.309828
99 3.312612 3.302172 3.323052
100 3.292776 3.282336 3.303216
101 3.306 3.29556 3.31644
102 3.319224 3.308784 3.329664
103 3.299388 3.288948 3.309828
104 3.312612 3.302172 3.323052
105 3.292776 3.282336 3.303216
106 3.306 3.29556 3.31644
107 3.319224 3.308784 3.329664
108 3.299388 3.288948 3.309828
109 3.312612 3.302172 3.323052
110 3.292776 3.282336 3.303216
111 3.306 3.29556 3.31644
112 3.319224 3.308784 3.329664
113 3.299388 3.288948 3.309828
114 3.312612 3.302172 3.323052
115 3.292776 3.282336 3.303216
116 3.306 3.29556 3.31644
117 3.319224 3.308784 3.329664
118 3.299388 3.288948 3.309828
119 3.312612 3.302172 3.323052
EOD
$clean << EOD
0 3.46608 3.45564 3.47652
1 3.48 3.46956 3.49044
2 3.49392 3.48348 3.50436
3 3.47304 3.4626 3.48348
4 3.48696 3.47652 3.4974
5 3.46608 3.45564 3.47652
6 3.48 3.46956 3.49044
7 3.49392 3.48348 3.50436
8 3.47304 3.4626 3.48348
9 3.48696 3.47652 3.4974
10 3.46608 3.45564 3.47652
11 3.48 3.46956 3.49044
12 3.49392 3.48348 3.50436
13 3.47304 3.4626 3.48348
14 3.48696 3.47652 3.4974
15 3.46608 3.45564 3.47652
16 3.48 3.46956 3.49044
17 3.49392 3.48348 3.50436
18 3.47304 3.4626 3.48348
19 3.48696 3.47652 3.4974
20 3.46608 3.45564 3.47652
21 3.48 3.46956 3.49044
22 3.49392 3.48348 3.50436
23 3.47304 3.4626 3.48348
24 3.48696 3.47652 3.4974
25 3.46608 3.45564 3.47652
26 3.48 3.46956 3.49044
27 3.49392 3.48348 3.50436
28 3.47304 3.4626 3.48348
29 3.48696 3.47652 3.4974
30 3.46608 3.45564 3.47652
31 3.48 3.46956 3.49044
32 3.49392 3.48348 3.50436
33 3.47304 3.4626 3.48348
34 3.48696 3.47652 3.4974
35 3.46608 3.45564 3.47652
36 3.48 3.46956 3.49044
37 3.49392 3.48348 3.50436
38 3.47304 3.4626 3.48348
39 3.48696 3.47652 3.4974
40 3.46608 3.45564 3.47652
41 3.48 3.46956 3.49044
42 3.49392 3.48348 3.50436
43 3.47304 3.4626 3.48348
44 3.48696 3.47652 3.4974
45 3.46608 3.45564 3.47652
46 3.48 3.46956 3.49044
47 3.49392 3.48348 3.50436
48 3.47304 3.4626 3.48348
49 3.48696 3.47652 3.4974
50 3.46608 3.45564 3.47652
51 3.48 3.46956 3.49044
52 3.49392 3.48348 3.50436
53 3.47304 3.4626 3.48348
54 3.48696 3.47652 3.4974
55 3.46608 3.45564 3.47652
56 3.48 3.46956 3.49044
57 3.49392 3.48348 3.50436
58 3.47304 3.4626 3.48348
59 3.48696 3.47652 3.4974
60 3.46608 3.45564 3.47652
61 3.48 3.46956 3.49044
62 3.49392 3.48348 3.50436
63 3.47304 3.4626 3.48348
64 3.48696 3.47652 3.4974
65 3.46608 3.45564 3.47652
66 3.48 3.46956 3.49044
67 3.49392 3.48348 3.50436
68 3.47304 3.4626 3.48348
69 3.48696 3.47652 3.4974
70 3.46608 3.45564 3.47652
71 3.48 3.46956 3.49044
72 3.49392 3.48348 3.50436
73 3.47304 3.4626 3.48348
74 3.48696 3.47652 3.4974
75 3.46608 3.45564 3.47652
76 3.48 3.46956 3.49044
77 3.49392 3.48348 3.50436
78 3.47304 3.4626 3.48348
79 3.48696 3.47652 3.4974
80 3.46608 3.45564 3.47652
81 3.48 3.46956 3.49044
82 3.49392 3.48348 3.50436
83 3.47304 3.4626 3.48348
84 3.48696 3.47652 3.4974
85 3.46608 3.45564 3.47652
86 3.48 3.46956 3.49044
87 3.49392 3.48348 3.50436
88 3.47304 3.4626 3.48348
89 3.48696 3.47652 3.4974
90 3.46608 3.45564 3.47652
91 3.48 3.46956 3.49044
92 3.49392 3.48348 3.50436
93 3.47304 3.4626 3.48348
94 3.48696 3.47652 3.4974
95 3.46608 3.45564 3.47652
96 3.306 3.29556 3.31644
97 3.319224 3.308784 3.329664
98 3.299388 3.288948 3.309828
99 3.312612 3.302172 3.323052
100 3.292776 3.282336 3.303216
101 3.306 3.29556 3.31644
102 3.319224 3.308784 3.329664
103 3.299388 3.288948 3.309828
104 3.312612 3.302172 3.323052
105 3.292776 3.282336 3.303216
106 3.306 3.29556 3.31644
107 3.319224 3.308784 3.329664
108 3.299388 3.288948 3.309828
109 3.312612 3.302172 3.323052
110 3.292776 3.282336 3.303216
111 3.306 3.29556 3.31644
112 3.319224 3.308784 3.329664
113 3.299388 3.288948 3.309828
114 3.312612 3.302172 3.323052
115 3.292776 3.282336 3.303216
116 3.306 3.29556 3.31644
117 3.319224 3.308784 3.329664
118 3.299388 3.288948 3.309828
119 3.312612 3.302172 3.323052
EOD
set terminal svg size 1200,580 font 'Liberation Sans,15' noenhanced background '#FFFFFF'
set output '0.svg'
reset
unset key
set bars 0.6
set lmargin at screen 0.07
set rmargin at screen 0.941667
set tmargin at screen 0.789655
set bmargin at screen 0.131034
set label '3.313 TB/s' at screen 0.98, screen 0.941379 right front font 'Liberation Sans Bold,22' tc rgb '#24292F'
set label 'at e5db481, −4.43 % from base' at screen 0.880972, screen 0.939655 right front font 'Liberation Sans,15' tc rgb '#57606A'
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.941379 left front font 'Liberation Sans Bold,22' tc rgb '#24292F'
set label 'line: median, band: interval' at screen 0.98, screen 0.886207 right front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.886207 left front font 'Liberation Sans,15' tc rgb '#57606A'
set label 'TB/s' at screen 0.07, screen 0.817241 left front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'theoretical peak 4.916 TB/s ↑' at screen 0.941667, screen 0.817241 right front font 'Liberation Sans,14' tc rgb '#B84A00'
set xrange [-3.57:122.57]
set yrange [3.22404624:3.98828976]
set border 1 back lc rgb '#8C959F' lw 1
set ytics scale 0 nomirror ('3.4' 3.4, '3.6' 3.6, '3.8' 3.8) tc rgb '#57606A'
set grid ytics back lt 1 lw 1 lc rgb '#E4E7EB'
set label 'e5db481' at screen 0.916997, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-29' at screen 0.916997, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '0c6e793' at screen 0.840983, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-18' at screen 0.840983, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '33f19a5' at screen 0.76497, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-27' at screen 0.76497, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '5a95bc7' at screen 0.688957, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-16' at screen 0.688957, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '8128dd9' at screen 0.612943, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-25' at screen 0.612943, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'a8bbfeb' at screen 0.53693, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-14' at screen 0.53693, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'd05e1fd' at screen 0.460916, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-23' at screen 0.460916, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'f7e130f' at screen 0.384903, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-12' at screen 0.384903, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '2e85521' at screen 0.308889, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-21' at screen 0.308889, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '4518833' at screen 0.232876, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-10' at screen 0.232876, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '7caba45' at screen 0.156863, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-19' at screen 0.156863, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set xtics scale 0.6 nomirror out ('' 119, '' 108, '' 97, '' 86, '' 75, '' 64, '' 53, '' 42, '' 31, '' 20, '' 9)
set object rectangle from screen 0.07, screen 0.279877 to screen 0.941667, screen 0.399359 behind fc rgb '#F3F1E7' fs solid noborder
set arrow from screen 0.07, screen 0.339618 to screen 0.941667, screen 0.339618 nohead back lc rgb '#8C959F' lw 1 dt (2,4)
set label 'base' at screen 0.948333, screen 0.339618 left front font 'Liberation Sans,14' tc rgb '#57606A'
set label '+2 %' at screen 0.948333, screen 0.399359 left front font 'Liberation Sans,14' tc rgb '#57606A'
set label '−2 %' at screen 0.948333, screen 0.279877 left front font 'Liberation Sans,14' tc rgb '#57606A'
set arrow from screen 0.509288, screen 0.789655 to screen 0.509288, screen 0.131034 nohead back lc rgb '#8C959F' lw 1.2 dt (6,4)
set label 'base 48d360d' at screen 0.515122, screen 0.772414 left front font 'Liberation Sans,14' tc rgb '#57606A'
set arrow from screen 0.07, screen 0.739421 to screen 0.941667, screen 0.739421 nohead back lc rgb '#B84A00' lw 1.5 dt solid
set label 'copy_row 3.930 TB/s' at screen 0.94, screen 0.760111 right front font 'Liberation Sans,14' tc rgb '#B84A00'
plot $line using 1:3:4 with filledcurves fc rgb '#CCE3F1' fs solid noborder, \
     $line using 1:2 with lines lw 1.6 lc rgb '#0072B2'
unset output
set terminal pngcairo size 1200,580 fontscale 0.75 font 'Liberation Sans,15' noenhanced background rgb '#FFFFFF'
set output '0.png'
reset
unset key
set bars 0.6
set lmargin at screen 0.07
set rmargin at screen 0.941667
set tmargin at screen 0.789655
set bmargin at screen 0.131034
set label '3.313 TB/s' at screen 0.98, screen 0.941379 right front font 'Liberation Sans Bold,22' tc rgb '#24292F'
set label 'at e5db481, −4.43 % from base' at screen 0.880972, screen 0.939655 right front font 'Liberation Sans,15' tc rgb '#57606A'
set label 'transpose/smem_padded/f32/8192x8192' at screen 0.02, screen 0.941379 left front font 'Liberation Sans Bold,22' tc rgb '#24292F'
set label 'line: median, band: interval' at screen 0.98, screen 0.886207 right front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'nvidia-h200-140gib-700w  ·  bandwidth, higher is better' at screen 0.02, screen 0.886207 left front font 'Liberation Sans,15' tc rgb '#57606A'
set label 'TB/s' at screen 0.07, screen 0.817241 left front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'theoretical peak 4.916 TB/s ↑' at screen 0.941667, screen 0.817241 right front font 'Liberation Sans,14' tc rgb '#B84A00'
set xrange [-3.57:122.57]
set yrange [3.22404624:3.98828976]
set border 1 back lc rgb '#8C959F' lw 1
set ytics scale 0 nomirror ('3.4' 3.4, '3.6' 3.6, '3.8' 3.8) tc rgb '#57606A'
set grid ytics back lt 1 lw 1 lc rgb '#E4E7EB'
set label 'e5db481' at screen 0.916997, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-29' at screen 0.916997, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '0c6e793' at screen 0.840983, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-18' at screen 0.840983, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '33f19a5' at screen 0.76497, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-27' at screen 0.76497, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '5a95bc7' at screen 0.688957, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-16' at screen 0.688957, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '8128dd9' at screen 0.612943, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-25' at screen 0.612943, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'a8bbfeb' at screen 0.53693, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-14' at screen 0.53693, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'd05e1fd' at screen 0.460916, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-23' at screen 0.460916, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label 'f7e130f' at screen 0.384903, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-12' at screen 0.384903, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '2e85521' at screen 0.308889, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-21' at screen 0.308889, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '4518833' at screen 0.232876, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-10' at screen 0.232876, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set label '7caba45' at screen 0.156863, screen 0.0896552 center front font 'Liberation Sans,15' tc rgb '#24292F'
set label '2026-11-19' at screen 0.156863, screen 0.0517241 center front font 'Liberation Sans,14' tc rgb '#57606A'
set xtics scale 0.6 nomirror out ('' 119, '' 108, '' 97, '' 86, '' 75, '' 64, '' 53, '' 42, '' 31, '' 20, '' 9)
set object rectangle from screen 0.07, screen 0.279877 to screen 0.941667, screen 0.399359 behind fc rgb '#F3F1E7' fs solid noborder
set arrow from screen 0.07, screen 0.339618 to screen 0.941667, screen 0.339618 nohead back lc rgb '#8C959F' lw 1 dt (2,4)
set label 'base' at screen 0.948333, screen 0.339618 left front font 'Liberation Sans,14' tc rgb '#57606A'
set label '+2 %' at screen 0.948333, screen 0.399359 left front font 'Liberation Sans,14' tc rgb '#57606A'
set label '−2 %' at screen 0.948333, screen 0.279877 left front font 'Liberation Sans,14' tc rgb '#57606A'
set arrow from screen 0.509288, screen 0.789655 to screen 0.509288, screen 0.131034 nohead back lc rgb '#8C959F' lw 1.2 dt (6,4)
set label 'base 48d360d' at screen 0.515122, screen 0.772414 left front font 'Liberation Sans,14' tc rgb '#57606A'
set arrow from screen 0.07, screen 0.739421 to screen 0.941667, screen 0.739421 nohead back lc rgb '#B84A00' lw 1.5 dt solid
set label 'copy_row 3.930 TB/s' at screen 0.94, screen 0.760111 right front font 'Liberation Sans,14' tc rgb '#B84A00'
plot $line using 1:3:4 with filledcurves fc rgb '#CCE3F1' fs solid noborder, \
     $line using 1:2 with lines lw 1.6 lc rgb '#0072B2'
unset output
