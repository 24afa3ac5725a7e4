import type { SKRSContext2D } from '@napi-rs/canvas'

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

const width = 120
const height = 40
/** Drawn larger and scaled down by the browser: sharp on dense screens, too. */
const scale = 2
const paper = '#f3f5f6'
const ink = '#46525a'
const specks = 180

/** 0 to below 1. */
export type RandomSource = () => number
type Point = readonly [x: number, y: number]

/** Four letters. */
export const generateCaptchaText = (random: RandomSource): string =>
  Array.from({ length: 4 }, () => letters[Math.floor(random() * letters.length)] ?? 'A').join('')

const parsePoint = (text: string): Point => {
  const [x = 0, y = 0] = text.split(',').map(Number)
  return [x, y]
}

/** Corners are rounded through the middles of the segments, so that a stroke is one curve. */
function drawStroke(canvas: SKRSContext2D, points: readonly Point[]): void {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return
  canvas.beginPath()
  canvas.moveTo(first[0], first[1])
  rest.slice(0, -1).forEach((corner, i) => {
    const next = rest[i + 1] ?? last
    const middle = [(corner[0] + next[0]) / 2, (corner[1] + next[1]) / 2] as const
    canvas.quadraticCurveTo(corner[0], corner[1], middle[0], middle[1])
  })
  canvas.lineTo(last[0], last[1])
  canvas.stroke()
}

/** A letter turned, sheared and scaled at random in its place of the picture (0 is the leftmost). */
function drawLetter(canvas: SKRSContext2D, letter: string, place: number, random: RandomSource): void {
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
  canvas.lineWidth = 2 + random() * 0.9
  for (const stroke of (letterStrokes[letter] ?? '').split('|')) {
    drawStroke(
      canvas,
      stroke.split(' ').map(point => transform(parsePoint(point))),
    )
  }
}

/** A curve across the whole picture, of the letters' ink: it cannot be distinguished from them by colour. */
function drawStrayCurve(canvas: SKRSContext2D, random: RandomSource): void {
  const at = (from: number, to: number): number => from + random() * (to - from)
  canvas.lineWidth = 0.9 + random()
  canvas.beginPath()
  canvas.moveTo(at(0, 20), at(0, height))
  canvas.bezierCurveTo(at(30, 50), at(-10, 50), at(60, 80), at(-10, 50), at(100, width), at(0, height))
  canvas.stroke()
}

/** Bends what is drawn: every column moves up or down along a wave of random length. */
function bendColumns(canvas: SKRSContext2D, random: RandomSource): void {
  const picture = canvas.getImageData(0, 0, width * scale, height * scale)
  const bent = canvas.createImageData(picture.width, picture.height)
  const from = new Uint32Array(picture.data.buffer)
  const to = new Uint32Array(bent.data.buffer)
  const length = (30 + random() * 30) * scale
  const phase = random() * Math.PI * 2
  for (let x = 0; x < picture.width; x++) {
    const shift = Math.round(Math.sin((x / length) * Math.PI * 2 + phase) * 2.5 * scale)
    for (let y = 0; y < picture.height; y++) {
      const row = Math.min(picture.height - 1, Math.max(0, y + shift))
      to[y * picture.width + x] = from[row * picture.width + x] ?? 0
    }
  }
  canvas.putImageData(bent, 0, 0)
}

/** Specks of ink and of paper. */
function addSpecks(canvas: SKRSContext2D, random: RandomSource): void {
  for (let i = 0; i < specks; i++) {
    canvas.fillStyle = random() < 0.5 ? ink : paper
    canvas.fillRect(random() * width, random() * height, 0.7, 0.7)
  }
}

/**
 * A picture of pixels (PNG), bent and specked: nothing in the file names the letters or their lines.
 * 240 × 80, shown at 120 × 40.
 */
export async function renderCaptchaPng(text: string, random: RandomSource): Promise<Buffer> {
  // Read at the first picture: no start waits for it.
  const { createCanvas } = await import('@napi-rs/canvas')
  const picture = createCanvas(width * scale, height * scale)
  const canvas = picture.getContext('2d')
  canvas.scale(scale, scale)
  canvas.fillStyle = paper
  canvas.fillRect(0, 0, width, height)
  canvas.strokeStyle = ink
  canvas.lineCap = 'round'
  canvas.lineJoin = 'round'
  drawStrayCurve(canvas, random)
  for (const [place, letter] of [...text].entries()) {
    drawLetter(canvas, letter, place, random)
  }
  drawStrayCurve(canvas, random)
  drawStrayCurve(canvas, random)
  bendColumns(canvas, random)
  addSpecks(canvas, random)
  return picture.encode('png')
}
