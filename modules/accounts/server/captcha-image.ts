/**
 * Strokes of each letter in a box of 10 × 16; signs that look alike (0 O, 1 I L, 2 Z, 5 S, 8 B) are left out.
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
export type RandomSource = () => number

/** Four letters to be read by people. */
export const generateCaptchaText = (random: RandomSource): string =>
  Array.from({ length: 4 }, () => letters[Math.floor(random() * letters.length)]!).join('')

/**
 * The letters as one bent and leaning outline each among stray curves: no text, no font, nothing to copy out
 * of the source. 120 × 40.
 */
export function renderCaptchaSvg(text: string, random: RandomSource): string {
  const spread = (by: number): number => (random() - 0.5) * 2 * by
  const n = (x: number): string => x.toFixed(1)
  const letter = (c: string, at: number): string => {
    const turn = spread(0.35)
    const size = 1.45 + random() * 0.35
    const shear = spread(0.25)
    const cx = 18 + at * 28 + spread(3)
    const cy = 20 + spread(3)
    const place = (p: string): [number, number] => {
      const [x, y] = p.split(',').map(Number) as [number, number]
      const dx = (x - 5 + spread(0.5)) * size + shear * (y - 8)
      const dy = (y - 8 + spread(0.5)) * size
      return [cx + dx * Math.cos(turn) - dy * Math.sin(turn), cy + dx * Math.sin(turn) + dy * Math.cos(turn)]
    }
    // Corners are rounded through the middles of the strokes, so that each letter is one curve.
    const line = (s: string): string => {
      const ps = s.split(' ').map(place)
      const mid = (a: [number, number], b: [number, number]): string =>
        `${n((a[0] + b[0]) / 2)} ${n((a[1] + b[1]) / 2)}`
      return (
        `M${n(ps[0]![0])} ${n(ps[0]![1])}` +
        ps
          .slice(1, -1)
          .map((p, i) => `L${mid(ps[i]!, p)}Q${n(p[0])} ${n(p[1])} ${mid(p, ps[i + 2]!)}`)
          .join('') +
        `L${n(ps.at(-1)![0])} ${n(ps.at(-1)![1])}`
      )
    }
    return `<path d="${letterStrokes[c]!.split('|').map(line).join('')}" stroke-width="${n(2 + random() * 0.9)}"/>`
  }
  const stray = (): string =>
    `<path d="M${n(random() * 20)} ${n(random() * 40)}C${n(30 + random() * 20)} ${n(random() * 60 - 10)} ${n(60 + random() * 20)} ${n(random() * 60 - 10)} ${n(100 + random() * 20)} ${n(random() * 40)}" stroke-width="${n(0.9 + random())}" opacity="0.75"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 120 40"><rect width="120" height="40" fill="#f3f5f6"/><g fill="none" stroke="#46525a" stroke-linecap="round" stroke-linejoin="round">${stray()}${[...text].map(letter).join('')}${stray()}${stray()}</g></svg>`
}
