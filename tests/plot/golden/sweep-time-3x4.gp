$cells << EOD
0 0 0.4886 0.4667 0xFDEA79
1 0 0.4886 0.4667 0x10AB92
2 0 0.4886 0.4667 0x046987
3 0 0.4886 0.4667 0x023A7B
0 1 0.4886 0.4667 0x0E2C6D
1 1 0.4886 0.4667 0x8BD76E
2 1 0.4886 0.4667 0x0A8D92
3 1 0.4886 0.4667 nothing
0 2 0.4886 0.4667 0x01427D
1 2 0.4886 0.4667 0x181F60
2 2 0.4886 0.4667 0x25BB8A
3 2 0.4886 0.4667 0x05748B
EOD
$best << EOD
0 0
1 1
2 2
EOD
reset
unset key
unset border
unset tics
set label 'transpose_blocks/f32/8192x8192' at screen 0.035443, screen 0.917808 left front font 'Liberation Sans Bold,26' tc rgb ink
set label 'nvidia-h200-140gib-700w  ·  time in ×1e-15 s, lower is better  ·  acec78a' at screen 0.035443, screen 0.840183 left front font 'Liberation Sans,17' tc rgb grey
set label 'variant_0' at screen 0.121276, screen 0.312785 right front font 'Liberation Sans,16' tc rgb ink
set label 'variant_1' at screen 0.121276, screen 0.244292 right front font 'Liberation Sans,16' tc rgb ink
set label 'variant_2' at screen 0.121276, screen 0.175799 right front font 'Liberation Sans,16' tc rgb ink
set label '8x8' at screen 0.18963, screen 0.365297 left rotate by 90 front font 'Liberation Sans,15' tc rgb ink
set label 'a column who…or its cell' at screen 0.301023, screen 0.365297 left rotate by 90 front font 'Liberation Sans,15' tc rgb ink
set label '24x8' at screen 0.412415, screen 0.365297 left rotate by 90 front font 'Liberation Sans,15' tc rgb ink
set label '32x8' at screen 0.523808, screen 0.365297 left rotate by 90 front font 'Liberation Sans,15' tc rgb ink
set label '' at screen 0.133934, screen 0.739726 left front font 'Liberation Sans,15' tc rgb grey
set label '' at screen 0.121276, screen 0.376712 right front font 'Liberation Sans,15' tc rgb grey
set label '256' at screen 0.18963, screen 0.312785 center front font 'Liberation Sans Bold,15' tc rgb '#000000'
set label '321' at screen 0.301023, screen 0.312785 center front font 'Liberation Sans,15' tc rgb '#000000'
set label '385' at screen 0.412415, screen 0.312785 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '449' at screen 0.523808, screen 0.312785 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '474' at screen 0.18963, screen 0.244292 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '282' at screen 0.301023, screen 0.244292 center front font 'Liberation Sans Bold,15' tc rgb '#000000'
set label '346' at screen 0.412415, screen 0.244292 center front font 'Liberation Sans,15' tc rgb '#000000'
set label '–' at screen 0.523808, screen 0.244292 center front font 'Liberation Sans,15' tc rgb mid_grey
set label '436' at screen 0.18963, screen 0.175799 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '500' at screen 0.301023, screen 0.175799 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '308' at screen 0.412415, screen 0.175799 center front font 'Liberation Sans Bold,15' tc rgb '#000000'
set label '372' at screen 0.523808, screen 0.175799 center front font 'Liberation Sans,15' tc rgb '#FFFFFF'
set label '500' at screen 0.035443, screen 0.0684932 left front font 'Liberation Sans,15' tc rgb grey
set object rectangle from screen 0.0772405, screen 0.0502283 to screen 0.0829367, screen 0.086758 behind fc rgb '#162162' fs solid noborder
set object rectangle from screen 0.0823038, screen 0.0502283 to screen 0.088, screen 0.086758 behind fc rgb '#122667' fs solid noborder
set object rectangle from screen 0.0873671, screen 0.0502283 to screen 0.0930633, screen 0.086758 behind fc rgb '#0F2A6B' fs solid noborder
set object rectangle from screen 0.0924304, screen 0.0502283 to screen 0.0981266, screen 0.086758 behind fc rgb '#0B2F70' fs solid noborder
set object rectangle from screen 0.0974937, screen 0.0502283 to screen 0.10319, screen 0.086758 behind fc rgb '#073374' fs solid noborder
set object rectangle from screen 0.102557, screen 0.0502283 to screen 0.108253, screen 0.086758 behind fc rgb '#043879' fs solid noborder
set object rectangle from screen 0.10762, screen 0.0502283 to screen 0.113316, screen 0.086758 behind fc rgb '#013C7C' fs solid noborder
set object rectangle from screen 0.112684, screen 0.0502283 to screen 0.11838, screen 0.086758 behind fc rgb '#01417D' fs solid noborder
set object rectangle from screen 0.117747, screen 0.0502283 to screen 0.123443, screen 0.086758 behind fc rgb '#02467E' fs solid noborder
set object rectangle from screen 0.12281, screen 0.0502283 to screen 0.128506, screen 0.086758 behind fc rgb '#024B7F' fs solid noborder
set object rectangle from screen 0.127873, screen 0.0502283 to screen 0.13357, screen 0.086758 behind fc rgb '#02507F' fs solid noborder
set object rectangle from screen 0.132937, screen 0.0502283 to screen 0.138633, screen 0.086758 behind fc rgb '#035580' fs solid noborder
set object rectangle from screen 0.138, screen 0.0502283 to screen 0.143696, screen 0.086758 behind fc rgb '#035A81' fs solid noborder
set object rectangle from screen 0.143063, screen 0.0502283 to screen 0.148759, screen 0.086758 behind fc rgb '#035F83' fs solid noborder
set object rectangle from screen 0.148127, screen 0.0502283 to screen 0.153823, screen 0.086758 behind fc rgb '#046385' fs solid noborder
set object rectangle from screen 0.15319, screen 0.0502283 to screen 0.158886, screen 0.086758 behind fc rgb '#046886' fs solid noborder
set object rectangle from screen 0.158253, screen 0.0502283 to screen 0.163949, screen 0.086758 behind fc rgb '#046D88' fs solid noborder
set object rectangle from screen 0.163316, screen 0.0502283 to screen 0.169013, screen 0.086758 behind fc rgb '#05718A' fs solid noborder
set object rectangle from screen 0.16838, screen 0.0502283 to screen 0.174076, screen 0.086758 behind fc rgb '#05768C' fs solid noborder
set object rectangle from screen 0.173443, screen 0.0502283 to screen 0.179139, screen 0.086758 behind fc rgb '#067A8D' fs solid noborder
set object rectangle from screen 0.178506, screen 0.0502283 to screen 0.184203, screen 0.086758 behind fc rgb '#077F8E' fs solid noborder
set object rectangle from screen 0.18357, screen 0.0502283 to screen 0.189266, screen 0.086758 behind fc rgb '#088490' fs solid noborder
set object rectangle from screen 0.188633, screen 0.0502283 to screen 0.194329, screen 0.086758 behind fc rgb '#098891' fs solid noborder
set object rectangle from screen 0.193696, screen 0.0502283 to screen 0.199392, screen 0.086758 behind fc rgb '#0A8D92' fs solid noborder
set object rectangle from screen 0.198759, screen 0.0502283 to screen 0.204456, screen 0.086758 behind fc rgb '#0B9293' fs solid noborder
set object rectangle from screen 0.203823, screen 0.0502283 to screen 0.209519, screen 0.086758 behind fc rgb '#0C9794' fs solid noborder
set object rectangle from screen 0.208886, screen 0.0502283 to screen 0.214582, screen 0.086758 behind fc rgb '#0D9C93' fs solid noborder
set object rectangle from screen 0.213949, screen 0.0502283 to screen 0.219646, screen 0.086758 behind fc rgb '#0EA193' fs solid noborder
set object rectangle from screen 0.219013, screen 0.0502283 to screen 0.224709, screen 0.086758 behind fc rgb '#0FA692' fs solid noborder
set object rectangle from screen 0.224076, screen 0.0502283 to screen 0.229772, screen 0.086758 behind fc rgb '#10AB92' fs solid noborder
set object rectangle from screen 0.229139, screen 0.0502283 to screen 0.234835, screen 0.086758 behind fc rgb '#10B091' fs solid noborder
set object rectangle from screen 0.234203, screen 0.0502283 to screen 0.239899, screen 0.086758 behind fc rgb '#14B590' fs solid noborder
set object rectangle from screen 0.239266, screen 0.0502283 to screen 0.244962, screen 0.086758 behind fc rgb '#20BA8B' fs solid noborder
set object rectangle from screen 0.244329, screen 0.0502283 to screen 0.250025, screen 0.086758 behind fc rgb '#2CBE87' fs solid noborder
set object rectangle from screen 0.249392, screen 0.0502283 to screen 0.255089, screen 0.086758 behind fc rgb '#38C382' fs solid noborder
set object rectangle from screen 0.254456, screen 0.0502283 to screen 0.260152, screen 0.086758 behind fc rgb '#44C77E' fs solid noborder
set object rectangle from screen 0.259519, screen 0.0502283 to screen 0.265215, screen 0.086758 behind fc rgb '#50CC79' fs solid noborder
set object rectangle from screen 0.264582, screen 0.0502283 to screen 0.270278, screen 0.086758 behind fc rgb '#5CD075' fs solid noborder
set object rectangle from screen 0.269646, screen 0.0502283 to screen 0.275342, screen 0.086758 behind fc rgb '#6BD273' fs solid noborder
set object rectangle from screen 0.274709, screen 0.0502283 to screen 0.280405, screen 0.086758 behind fc rgb '#79D471' fs solid noborder
set object rectangle from screen 0.279772, screen 0.0502283 to screen 0.285468, screen 0.086758 behind fc rgb '#88D76F' fs solid noborder
set object rectangle from screen 0.284835, screen 0.0502283 to screen 0.290532, screen 0.086758 behind fc rgb '#97D96D' fs solid noborder
set object rectangle from screen 0.289899, screen 0.0502283 to screen 0.295595, screen 0.086758 behind fc rgb '#A6DB6B' fs solid noborder
set object rectangle from screen 0.294962, screen 0.0502283 to screen 0.300658, screen 0.086758 behind fc rgb '#B4DD69' fs solid noborder
set object rectangle from screen 0.300025, screen 0.0502283 to screen 0.305722, screen 0.086758 behind fc rgb '#C0DF6A' fs solid noborder
set object rectangle from screen 0.305089, screen 0.0502283 to screen 0.310785, screen 0.086758 behind fc rgb '#CBE16D' fs solid noborder
set object rectangle from screen 0.310152, screen 0.0502283 to screen 0.315848, screen 0.086758 behind fc rgb '#D6E36F' fs solid noborder
set object rectangle from screen 0.315215, screen 0.0502283 to screen 0.320911, screen 0.086758 behind fc rgb '#E1E572' fs solid noborder
set object rectangle from screen 0.320278, screen 0.0502283 to screen 0.325975, screen 0.086758 behind fc rgb '#ECE775' fs solid noborder
set object rectangle from screen 0.325342, screen 0.0502283 to screen 0.331038, screen 0.086758 behind fc rgb '#F7E978' fs solid noborder
set label '256 ×1e-15 s' at screen 0.340532, screen 0.0684932 left front font 'Liberation Sans,15' tc rgb grey
set arrow from screen 0.484222, screen 0.0890411 to screen 0.519665, screen 0.0890411 nohead back lc rgb ink lw 2.5 dt solid
set arrow from screen 0.484222, screen 0.0479452 to screen 0.519665, screen 0.0479452 nohead back lc rgb ink lw 2.5 dt solid
set arrow from screen 0.485487, screen 0.0890411 to screen 0.485487, screen 0.0479452 nohead back lc rgb ink lw 2.5 dt solid
set arrow from screen 0.518399, screen 0.0890411 to screen 0.518399, screen 0.0479452 nohead back lc rgb ink lw 2.5 dt solid
set label 'best of its row' at screen 0.531057, screen 0.0684932 left front font 'Liberation Sans,15' tc rgb grey
set label 'bold' at screen 0.681101, screen 0.0684932 left front font 'Liberation Sans Bold,15' tc rgb ink
set label 'as good, by the threshold' at screen 0.73131, screen 0.0684932 left front font 'Liberation Sans,15' tc rgb grey
set lmargin at screen 0.133934
set rmargin at screen 0.579504
set tmargin at screen 0.347032
set bmargin at screen 0.141553
set xrange [-0.5:3.5]
set yrange [2.5:-0.5]
plot $cells using 1:2:3:4:(colour_of(strcol(5))) with boxxyerror lc rgb variable fs solid noborder, \
     $best using 1:2:(0.5):(0.5) with boxxyerror lc rgb ink lw 2.5 fs empty, \
     $best using 1:2:(0.4659):(0.4) with boxxyerror lc rgb ground lw 1.5 fs empty
unset label
unset arrow
unset object
