import { expect, it } from 'vitest'
import { checkPhoto, measureGray, photoSizeFault } from './face-photo.ts'

const picture = (valueAt: (x: number, y: number) => number, width = 60, height = 80) =>
  measureGray(
    Array.from({ length: width * height }, (_, i) => valueAt(i % width, Math.floor(i / width))),
    width,
    height,
  )

const faultsOf = (measured: ReturnType<typeof picture>, size = { width: 480, height: 640 }) =>
  checkPhoto({ ...size, ...measured }).flatMap(({ label, fault }) => (fault ? [label] : []))

it('a photo with edges in ordinary light is good', () => {
  const face = picture((x, y) => ((Math.floor(x / 6) + Math.floor(y / 6)) % 2 === 0 ? 90 : 170))
  expect(Math.round(face.brightness)).toBe(130)
  expect(faultsOf(face)).toEqual([])
})

it('what is dark, glaring or without edges is refused', () => {
  expect(faultsOf(picture((x, y) => ((x + y) % 2 ? 5 : 60)))).toEqual(['亮度'])
  expect(faultsOf(picture((x, y) => ((x + y) % 2 ? 200 : 255)))).toEqual(['亮度'])
  expect(faultsOf(picture(x => 60 + 2 * x))).toEqual(['清晰度'])
  expect(faultsOf(picture(() => 0))).toEqual(['亮度', '清晰度'])
})

it('both sides count, the shorter and the longer', () => {
  expect(photoSizeFault({ width: 300, height: 4096 })).toBeUndefined()
  expect(photoSizeFault({ width: 299, height: 640 })).toContain('299 × 640')
  expect(photoSizeFault({ width: 640, height: 4097 })).toContain('4096 像素')
  expect(
    faultsOf(
      picture((x, y) => ((x + y) % 2 ? 90 : 170)),
      { width: 100, height: 100 },
    ),
  ).toEqual(['尺寸'])
})
