"""Line charts with error bars."""

import math

COLOURS = {"rank": "#1f6fb4", "gap": "#d1571c"}


def ticks(low, high):
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9)))
    step = next(step * part for part in (0.1, 0.2, 0.5, 1, 2) if (high - low) / (step * part) <= 8)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def chart(title, across, up, series, xs=None):
    """Draws points (x, y, error) of lines by name. `xs`: the marks of a logarithmic scale."""
    series = {name: points for name, points in series.items() if points}
    points = [point for line in series.values() for point in line] or [(0, 0, 0), (1, 1, 0)]
    scale = math.log2 if xs else float
    left, right = scale(min(xs or (x for x, _, _ in points))), scale(max(xs or (x for x, _, _ in points)))
    top = max(y + error for _, y, error in points) * 1.08 or 1
    place_x = lambda x: 60 + 400 * (scale(x) - left + 0.03 * (right - left)) / (1.06 * (right - left) or 1)
    place_y = lambda y: 250 - 210 * y / top
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 300" font-family="sans-serif" font-size="11">']
    out += ['<rect width="480" height="300" fill="white"/>', f'<text x="60" y="20" font-size="13">{title}</text>']
    for x in xs or ticks(left, right):
        out.append(f'<text x="{place_x(x):.1f}" y="266" text-anchor="middle">{x:g}</text>')
    for y in ticks(0, top):
        at = place_y(y)
        out.append(f'<line x1="60" x2="460" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="54" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>')
    out.append(f'<text x="260" y="288" text-anchor="middle">{across}</text>')
    out.append(f'<text transform="translate(18 145) rotate(-90)" text-anchor="middle">{up}</text>')
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[name]
        path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y, _ in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for x, y, error in line if len(line) < 50 else []:
            out.append(f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="2.5" fill="{colour}"/>')
            low, high = place_y(y - error), place_y(y + error)
            out.append(f'<path d="M{place_x(x):.1f} {low:.1f}V{high:.1f}" stroke="{colour}"/>')
        out.append(f'<text x="{380 + 45 * number}" y="20" fill="{colour}">{name}</text>')
    return "\n".join([*out, "</svg>\n"])
