/** What a photo is, as far as it can be judged without knowing whether a face is in it. */
export interface PhotoMeasures {
  readonly width: number
  readonly height: number
  /** Mean of the grey values, 0 black to 255 white. */
  readonly brightness: number
  /** Variance of the second differences of the grey values: little where nothing has an edge. */
  readonly sharpness: number
}

/** Readers cut the face out of the picture: with fewer pixels it is too coarse for them. */
export const facePhotoSides = { min: 300, max: 4096 } as const

const brightnessRange = { min: 60, max: 215 } as const
const minSharpness = 25

/** Grey values by lines; of a picture of some 320 pixels, or the noise of the camera counts as sharp. */
export function measureGray(
  gray: ArrayLike<number>,
  width: number,
  height: number,
): Pick<PhotoMeasures, 'brightness' | 'sharpness'> {
  const at = (x: number, y: number): number => gray[y * width + x] ?? 0
  let total = 0
  for (let i = 0; i < width * height; i++) {
    total += gray[i] ?? 0
  }
  let sum = 0
  let squares = 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const difference = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y)
      sum += difference
      squares += difference * difference
    }
  }
  const count = Math.max(1, (width - 2) * (height - 2))
  return { brightness: total / Math.max(1, width * height), sharpness: squares / count - (sum / count) ** 2 }
}

export function photoSizeFault({
  width,
  height,
}: Pick<PhotoMeasures, 'width' | 'height'>): string | undefined {
  const { min, max } = facePhotoSides
  if (Math.min(width, height) < min)
    return `照片为 ${width} × ${height}，宽和高都不能少于 ${min} 像素，请重拍或换一张`
  return Math.max(width, height) > max
    ? `照片为 ${width} × ${height}，宽和高都不能超过 ${max} 像素，请缩小后再选`
    : undefined
}

export interface PhotoCheck {
  readonly label: string
  readonly fault?: string | undefined
}

/** The checks of a photo, each with what is wrong and what to do. */
export function checkPhoto(photo: PhotoMeasures): readonly PhotoCheck[] {
  const { brightness, sharpness } = photo
  const light =
    brightness < brightnessRange.min
      ? '光线太暗，请到明亮处重拍'
      : brightness > brightnessRange.max
        ? '光线过强，请避开强光重拍'
        : undefined
  return [
    { label: '尺寸', fault: photoSizeFault(photo) },
    { label: '亮度', fault: light },
    { label: '清晰度', fault: sharpness < minSharpness ? '照片模糊，请拿稳重拍' : undefined },
  ]
}
