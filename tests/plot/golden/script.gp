set encoding utf8

$dots << EOD
0 1
EOD
ground = '#FFFFFF'
ink = '#24292F'
grey = '#57606A'
blue = '#0072B2'
vermilion = '#B84A00'
green = '#287A46'
purple = '#6B1F8A'
pale_blue = '#4A90C2'
mid_grey = '#7C8590'
haze_blue = '#CCE3F1'
pale_grey = '#C4CAD1'
band = '#F3F1E7'
grid_line = '#E4E7EB'
nothing = '#F0F2F4'
colour_of(name) = int(name[1:2] eq '0x' ? name : '0x'.substr(value(name), 2, 7))
dot = 0.6
set terminal svg size 300,200 font 'Liberation Sans,15' noenhanced background rgb ground
set output '0.svg'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output
dot = 1
set terminal pngcairo size 300,200 fontscale 0.75 font 'Liberation Sans,15' noenhanced background rgb ground
set output '0.png'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output
ground = '#0D1117'
ink = '#E6EDF3'
grey = '#9DA7B3'
blue = '#56B4E9'
vermilion = '#F0803C'
green = '#1FB976'
purple = '#A371F7'
pale_blue = '#2C78AC'
mid_grey = '#767F8A'
haze_blue = '#143652'
pale_grey = '#3D444D'
band = '#232117'
grid_line = '#262C34'
nothing = '#1C2128'
colour_of(name) = int(name[1:2] eq '0x' ? name : '0x'.substr(value(name), 2, 7))
dot = 0.6
set terminal svg size 300,200 font 'Liberation Sans,15' noenhanced background rgb ground
set output '0-dark.svg'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output
dot = 1
set terminal pngcairo size 300,200 fontscale 0.75 font 'Liberation Sans,15' noenhanced background rgb ground
set output '0-dark.png'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output

$dots << EOD
0 1
EOD
ground = '#FFFFFF'
ink = '#24292F'
grey = '#57606A'
blue = '#0072B2'
vermilion = '#B84A00'
green = '#287A46'
purple = '#6B1F8A'
pale_blue = '#4A90C2'
mid_grey = '#7C8590'
haze_blue = '#CCE3F1'
pale_grey = '#C4CAD1'
band = '#F3F1E7'
grid_line = '#E4E7EB'
nothing = '#F0F2F4'
colour_of(name) = int(name[1:2] eq '0x' ? name : '0x'.substr(value(name), 2, 7))
dot = 0.6
set terminal svg size 300,200 font 'Liberation Sans,15' noenhanced background rgb ground
set output '1.svg'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output
dot = 1
set terminal pngcairo size 300,200 fontscale 0.75 font 'Liberation Sans,15' noenhanced background rgb ground
set output '1.png'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output
ground = '#0D1117'
ink = '#E6EDF3'
grey = '#9DA7B3'
blue = '#56B4E9'
vermilion = '#F0803C'
green = '#1FB976'
purple = '#A371F7'
pale_blue = '#2C78AC'
mid_grey = '#767F8A'
haze_blue = '#143652'
pale_grey = '#3D444D'
band = '#232117'
grid_line = '#262C34'
nothing = '#1C2128'
colour_of(name) = int(name[1:2] eq '0x' ? name : '0x'.substr(value(name), 2, 7))
dot = 0.6
set terminal svg size 300,200 font 'Liberation Sans,15' noenhanced background rgb ground
set output '1-dark.svg'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output
dot = 1
set terminal pngcairo size 300,200 fontscale 0.75 font 'Liberation Sans,15' noenhanced background rgb ground
set output '1-dark.png'
set label 'words' at screen 0.5, screen 0.9 left front font 'Liberation Sans,15' tc rgb ink
plot $dots with points lc rgb blue
unset output
