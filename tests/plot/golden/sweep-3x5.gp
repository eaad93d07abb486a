$cells << EOD
0 0 0.4886 0.4667 0xFDEA79
1 0 0.4886 0.4667 0x16B68F
2 0 0.4886 0.4667 0x067A8D
3 0 0.4886 0.4667 0x025180
4 0 0.4886 0.4667 0x093273
0 1 0.4886 0.4667 0x02437D
1 1 0.4886 0.4667 0x112869
2 1 0.4886 0.4667 nothing
3 1 0.4886 0.4667 0x0D9A93
4 1 0.4886 0.4667 0x046987
0 2 0.4886 0.4667 0x088490
1 2 0.4886 0.4667 0x035981
2 2 0.4886 0.4667 0x043778
3 2 0.4886 0.4667 0x181F60
4 2 0.4886 0.4667 0x3BC481
EOD
$best << EOD
0 0
3 1
4 2
EOD
reset
unset key
unset border
unset tics
set label 'transpose_blocks/f32/8192x8192' at screen 0.035443, screen 0.883117 left front font 'Liberation Sans Bold,26' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  bandwidth in TB/s, higher is better  ·  acec78a' at screen 0.035443, screen 0.772727 left front font 'Liberation Sans,17' tc rgb grey
set label 'variant_0' at screen 0.121276, screen 0.444805 right front font 'Liberation Sans,16' tc rgb ink
set label 'variant_1' at screen 0.121276, screen 0.347403 right front font 'Liberation Sans,16' tc rgb ink
set label 'variant_2' at screen 0.121276, screen 0.25 right front font 'Liberation Sans,16' tc rgb ink
set label '8x8' at screen 0.18963, screen 0.535714 center front font 'Liberation Sans,15' tc rgb ink
set label '16x8' at screen 0.301023, screen 0.535714 center front font 'Liberation Sans,15' tc rgb ink
set label '24x8' at screen 0.412415, screen 0.535714 center front font 'Liberation Sans,15' tc rgb ink
set label '32x8' at screen 0.523808, screen 0.535714 center front font 'Liberation Sans,15' tc rgb ink
set label '40x8' at screen 0.6352, screen 0.535714 center front font 'Liberation Sans,15' tc rgb ink
set label 'block x × y' at screen 0.133934, screen 0.62987 left front font 'Liberation Sans,15' tc rgb grey
set label 'variant' at screen 0.121276, screen 0.535714 right front font 'Liberation Sans,15' tc rgb grey
set label '3.90' at screen 0.18963, screen 0.444805 center front font 'Liberation Sans Bold,15' tc rgb '#000000'
set label '3.12' at screen 0.301023, screen 0.444805 center front font 'Liberation Sans,15' tc rgb '#000000'
set label '2.60' at screen 0.412415, screen 0.444805 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '2.23' at screen 0.523808, screen 0.444805 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '1.95' at screen 0.6352, screen 0.444805 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '2.11' at screen 0.18963, screen 0.347403 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '1.86' at screen 0.301023, screen 0.347403 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '–' at screen 0.412415, screen 0.347403 center front font 'Liberation Sans,15' tc rgb mid_grey
set label '2.89' at screen 0.523808, screen 0.347403 center front font 'Liberation Sans Bold,15' tc rgb '#000000'
set label '2.44' at screen 0.6352, screen 0.347403 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '2.69' at screen 0.18963, screen 0.25 center front font 'Liberation Sans,15' tc rgb '#000000'
set label '2.29' at screen 0.301023, screen 0.25 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '2.00' at screen 0.412415, screen 0.25 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '1.77' at screen 0.523808, screen 0.25 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '3.25' at screen 0.6352, screen 0.25 center front font 'Liberation Sans Bold,15' tc rgb '#000000'
set label '1.77' at screen 0.035443, screen 0.0974026 left front font 'Liberation Sans,15' tc rgb grey
set object rectangle from screen 0.082519, screen 0.0714286 to screen 0.0882152, screen 0.123377 behind fc rgb '#162162' fs solid noborder
set object rectangle from screen 0.0875823, screen 0.0714286 to screen 0.0932785, screen 0.123377 behind fc rgb '#122667' fs solid noborder
set object rectangle from screen 0.0926456, screen 0.0714286 to screen 0.0983418, screen 0.123377 behind fc rgb '#0F2A6B' fs solid noborder
set object rectangle from screen 0.0977089, screen 0.0714286 to screen 0.103405, screen 0.123377 behind fc rgb '#0B2F70' fs solid noborder
set object rectangle from screen 0.102772, screen 0.0714286 to screen 0.108468, screen 0.123377 behind fc rgb '#073374' fs solid noborder
set object rectangle from screen 0.107835, screen 0.0714286 to screen 0.113532, screen 0.123377 behind fc rgb '#043879' fs solid noborder
set object rectangle from screen 0.112899, screen 0.0714286 to screen 0.118595, screen 0.123377 behind fc rgb '#013C7C' fs solid noborder
set object rectangle from screen 0.117962, screen 0.0714286 to screen 0.123658, screen 0.123377 behind fc rgb '#01417D' fs solid noborder
set object rectangle from screen 0.123025, screen 0.0714286 to screen 0.128722, screen 0.123377 behind fc rgb '#02467E' fs solid noborder
set object rectangle from screen 0.128089, screen 0.0714286 to screen 0.133785, screen 0.123377 behind fc rgb '#024B7F' fs solid noborder
set object rectangle from screen 0.133152, screen 0.0714286 to screen 0.138848, screen 0.123377 behind fc rgb '#02507F' fs solid noborder
set object rectangle from screen 0.138215, screen 0.0714286 to screen 0.143911, screen 0.123377 behind fc rgb '#035580' fs solid noborder
set object rectangle from screen 0.143278, screen 0.0714286 to screen 0.148975, screen 0.123377 behind fc rgb '#035A81' fs solid noborder
set object rectangle from screen 0.148342, screen 0.0714286 to screen 0.154038, screen 0.123377 behind fc rgb '#035F83' fs solid noborder
set object rectangle from screen 0.153405, screen 0.0714286 to screen 0.159101, screen 0.123377 behind fc rgb '#046385' fs solid noborder
set object rectangle from screen 0.158468, screen 0.0714286 to screen 0.164165, screen 0.123377 behind fc rgb '#046886' fs solid noborder
set object rectangle from screen 0.163532, screen 0.0714286 to screen 0.169228, screen 0.123377 behind fc rgb '#046D88' fs solid noborder
set object rectangle from screen 0.168595, screen 0.0714286 to screen 0.174291, screen 0.123377 behind fc rgb '#05718A' fs solid noborder
set object rectangle from screen 0.173658, screen 0.0714286 to screen 0.179354, screen 0.123377 behind fc rgb '#05768C' fs solid noborder
set object rectangle from screen 0.178722, screen 0.0714286 to screen 0.184418, screen 0.123377 behind fc rgb '#067A8D' fs solid noborder
set object rectangle from screen 0.183785, screen 0.0714286 to screen 0.189481, screen 0.123377 behind fc rgb '#077F8E' fs solid noborder
set object rectangle from screen 0.188848, screen 0.0714286 to screen 0.194544, screen 0.123377 behind fc rgb '#088490' fs solid noborder
set object rectangle from screen 0.193911, screen 0.0714286 to screen 0.199608, screen 0.123377 behind fc rgb '#098891' fs solid noborder
set object rectangle from screen 0.198975, screen 0.0714286 to screen 0.204671, screen 0.123377 behind fc rgb '#0A8D92' fs solid noborder
set object rectangle from screen 0.204038, screen 0.0714286 to screen 0.209734, screen 0.123377 behind fc rgb '#0B9293' fs solid noborder
set object rectangle from screen 0.209101, screen 0.0714286 to screen 0.214797, screen 0.123377 behind fc rgb '#0C9794' fs solid noborder
set object rectangle from screen 0.214165, screen 0.0714286 to screen 0.219861, screen 0.123377 behind fc rgb '#0D9C93' fs solid noborder
set object rectangle from screen 0.219228, screen 0.0714286 to screen 0.224924, screen 0.123377 behind fc rgb '#0EA193' fs solid noborder
set object rectangle from screen 0.224291, screen 0.0714286 to screen 0.229987, screen 0.123377 behind fc rgb '#0FA692' fs solid noborder
set object rectangle from screen 0.229354, screen 0.0714286 to screen 0.235051, screen 0.123377 behind fc rgb '#10AB92' fs solid noborder
set object rectangle from screen 0.234418, screen 0.0714286 to screen 0.240114, screen 0.123377 behind fc rgb '#10B091' fs solid noborder
set object rectangle from screen 0.239481, screen 0.0714286 to screen 0.245177, screen 0.123377 behind fc rgb '#14B590' fs solid noborder
set object rectangle from screen 0.244544, screen 0.0714286 to screen 0.250241, screen 0.123377 behind fc rgb '#20BA8B' fs solid noborder
set object rectangle from screen 0.249608, screen 0.0714286 to screen 0.255304, screen 0.123377 behind fc rgb '#2CBE87' fs solid noborder
set object rectangle from screen 0.254671, screen 0.0714286 to screen 0.260367, screen 0.123377 behind fc rgb '#38C382' fs solid noborder
set object rectangle from screen 0.259734, screen 0.0714286 to screen 0.26543, screen 0.123377 behind fc rgb '#44C77E' fs solid noborder
set object rectangle from screen 0.264797, screen 0.0714286 to screen 0.270494, screen 0.123377 behind fc rgb '#50CC79' fs solid noborder
set object rectangle from screen 0.269861, screen 0.0714286 to screen 0.275557, screen 0.123377 behind fc rgb '#5CD075' fs solid noborder
set object rectangle from screen 0.274924, screen 0.0714286 to screen 0.28062, screen 0.123377 behind fc rgb '#6BD273' fs solid noborder
set object rectangle from screen 0.279987, screen 0.0714286 to screen 0.285684, screen 0.123377 behind fc rgb '#79D471' fs solid noborder
set object rectangle from screen 0.285051, screen 0.0714286 to screen 0.290747, screen 0.123377 behind fc rgb '#88D76F' fs solid noborder
set object rectangle from screen 0.290114, screen 0.0714286 to screen 0.29581, screen 0.123377 behind fc rgb '#97D96D' fs solid noborder
set object rectangle from screen 0.295177, screen 0.0714286 to screen 0.300873, screen 0.123377 behind fc rgb '#A6DB6B' fs solid noborder
set object rectangle from screen 0.300241, screen 0.0714286 to screen 0.305937, screen 0.123377 behind fc rgb '#B4DD69' fs solid noborder
set object rectangle from screen 0.305304, screen 0.0714286 to screen 0.311, screen 0.123377 behind fc rgb '#C0DF6A' fs solid noborder
set object rectangle from screen 0.310367, screen 0.0714286 to screen 0.316063, screen 0.123377 behind fc rgb '#CBE16D' fs solid noborder
set object rectangle from screen 0.31543, screen 0.0714286 to screen 0.321127, screen 0.123377 behind fc rgb '#D6E36F' fs solid noborder
set object rectangle from screen 0.320494, screen 0.0714286 to screen 0.32619, screen 0.123377 behind fc rgb '#E1E572' fs solid noborder
set object rectangle from screen 0.325557, screen 0.0714286 to screen 0.331253, screen 0.123377 behind fc rgb '#ECE775' fs solid noborder
set object rectangle from screen 0.33062, screen 0.0714286 to screen 0.336316, screen 0.123377 behind fc rgb '#F7E978' fs solid noborder
set label '3.90 TB/s' at screen 0.34581, screen 0.0974026 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.458722, screen 0.126623 to screen 0.494165, screen 0.126623 nohead back lc rgb ink lw 2.5 dt solid
set arrow from screen 0.458722, screen 0.0681818 to screen 0.494165, screen 0.0681818 nohead back lc rgb ink lw 2.5 dt solid
set arrow from screen 0.459987, screen 0.126623 to screen 0.459987, screen 0.0681818 nohead back lc rgb ink lw 2.5 dt solid
set arrow from screen 0.492899, screen 0.126623 to screen 0.492899, screen 0.0681818 nohead back lc rgb ink lw 2.5 dt solid
set label 'best of its row' at screen 0.505557, screen 0.0974026 left front font 'Liberation Sans,15' tc rgb grey
set label 'bold' at screen 0.655601, screen 0.0974026 left front font 'Liberation Sans Bold,15' tc rgb ink
set label 'as good, by the threshold' at screen 0.70581, screen 0.0974026 left front font 'Liberation Sans,15' tc rgb grey
set lmargin at screen 0.133934
set rmargin at screen 0.690896
set tmargin at screen 0.493506
set bmargin at screen 0.201299
set xrange [-0.5:4.5]
set yrange [2.5:-0.5]
plot $cells using 1:2:3:4:(colour_of(strcol(5))) with boxxyerror lc rgb variable fs solid noborder, \
     $best using 1:2:(0.5):(0.5) with boxxyerror lc rgb ink lw 2.5 fs empty, \
     $best using 1:2:(0.4659):(0.4) with boxxyerror lc rgb ground lw 1.5 fs empty
unset label
unset arrow
unset object
