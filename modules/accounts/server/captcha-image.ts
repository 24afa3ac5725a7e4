/**
 * Strokes of each letter in a box of 10 × 16: points `x,y`, strokes separated by `|`. Characters that look
 * alike (0 O, 1 I L, 2 Z, 5 S, 8 B) are left out.
 */
const letterStrokes: Readonly<Record<string, string>> = {
  3: '1,2 5,0 9,3 7,7 4,8 8,9 9,13 5,16 1,14',
  4: '7,16 7,0 1,11 10,11',
  6: '9,1 5,1 1,7 1,13 5,16 9,13 8,8 4,7 1,10',
  7: '0,1 9,1 4,16',
  9: '1,15 5,15 9,9 9,3 5,0 1,3 2,8 6,9 9,6',
  A: '0,16 5,0 10,16|2,10 8,10',
  C: '9,3 6,0 2,2 1,8 2,14 6,16 9,13',
  E: '9,0 1,0 1,16 9,16|1,8 7,8',
  F: '9,0 1,0 1,16|1,8 7,8',
  H: '1,0 1,16|9,0 9,16|1,8 9,8',
  K: '1,0 1,16|9,0 1,9|4,7 9,16',
  M: '0,16 1,0 5,10 9,0 10,16',
  N: '1,16 1,0 9,16 9,0',
  P: '1,16 1,0 6,0 9,2 9,6 6,8 1,8',
  R: '1,16 1,0 6,0 9,2 9,6 6,8 1,8|5,8 9,16',
  T: '0,0 10,0|5,0 5,16',
  U: '1,0 1,12 4,16 7,16 9,12 9,0',
  V: '0,0 5,16 10,0',
  W: '0,0 2,16 5,6 8,16 10,0',
  X: '1,0 9,16|9,0 1,16',
  Y: '0,0 5,8 10,0|5,8 5,16',
}

const letters = Object.keys(letterStrokes)

/** 0 to below 1. */
export type RandomSource = () => number
type Point = readonly [x: number, y: number]

/** Four letters. */
export const generateCaptchaText = (random: RandomSource): string =>
  Array.from({ length: 4 }, () => letters[Math.floor(random() * letters.length)] ?? 'A').join('')

const round = (x: number): string => x.toFixed(1)
const toText = ([x, y]: Point): string => `${round(x)} ${round(y)}`
const middleOf = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]

const parsePoint = (text: string): Point => {
  const [x = 0, y = 0] = text.split(',').map(Number)
  return [x, y]
}

/** Corners are rounded through the middles of the segments, so that a stroke is one curve. */
function renderStroke(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return ''
  let path = `M${toText(first)}`
  let previous = first
  rest.slice(0, -1).forEach((corner, i) => {
    const next = rest[i + 1] ?? last
    path += `L${toText(middleOf(previous, corner))}Q${toText(corner)} ${toText(middleOf(corner, next))}`
    previous = corner
  })
  return `${path}L${toText(last)}`
}

/** A letter turned, sheared and scaled at random in its place of the picture (0 is the leftmost). */
function renderLetter(letter: string, place: number, random: RandomSource): string {
  const spread = (by: number): number => (random() - 0.5) * 2 * by
  const angle = spread(0.35)
  const size = 1.45 + random() * 0.35
  const shear = spread(0.25)
  const centreX = 18 + place * 28 + spread(3)
  const centreY = 20 + spread(3)
  const transform = ([x, y]: Point): Point => {
    const dx = (x - 5 + spread(0.5)) * size + shear * (y - 8)
    const dy = (y - 8 + spread(0.5)) * size
    return [
      centreX + dx * Math.cos(angle) - dy * Math.sin(angle),
      centreY + dx * Math.sin(angle) + dy * Math.cos(angle),
    ]
  }
  const strokes = (letterStrokes[letter] ?? '').split('|')
  const path = strokes.map(stroke => renderStroke(stroke.split(' ').map(p => transform(parsePoint(p)))))
  return `<path d="${path.join('')}" stroke-width="${round(2 + random() * 0.9)}"/>`
}

/** A curve across the whole picture. */
function renderStrayCurve(random: RandomSource): string {
  const start: Point = [random() * 20, random() * 40]
  const control1: Point = [30 + random() * 20, random() * 60 - 10]
  const control2: Point = [60 + random() * 20, random() * 60 - 10]
  const end: Point = [100 + random() * 20, random() * 40]
  const curve = `M${toText(start)}C${[control1, control2, end].map(toText).join(' ')}`
  return `<path d="${curve}" stroke-width="${round(0.9 + random())}" opacity="0.75"/>`
}

/**
 * The letters as bent and leaning outlines among stray curves: no text and no font that could be read from
 * the source. 120 × 40.
 */
export function renderCaptchaSvg(text: string, random: RandomSource): string {
  const curves = [
    renderStrayCurve(random),
    ...[...text].map((letter, place) => renderLetter(letter, place, random)),
    renderStrayCurve(random),
    renderStrayCurve(random),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 120 40"><rect width="120" height="40" fill="#f3f5f6"/><g fill="none" stroke="#46525a" stroke-linecap="round" stroke-linejoin="round">${curves.join('')}</g></svg>`
}
