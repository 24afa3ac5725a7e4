/** What both the browser's scanner and the library's offer. */
export interface QrReader {
  /** The content of the first code in a picture; nothing where there is none. */
  readonly read: (picture: HTMLVideoElement | HTMLCanvasElement) => Promise<string | undefined>
}

interface Detector {
  detect(picture: HTMLVideoElement | HTMLCanvasElement): Promise<readonly { readonly rawValue: string }[]>
}

interface DetectorClass {
  new (options: { formats: ['qr_code'] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** The scanner of the browser, where it has one that reads these codes. */
async function findBuiltIn(): Promise<DetectorClass | undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no part of the standard types yet
  const { BarcodeDetector } = globalThis as { readonly BarcodeDetector?: DetectorClass }
  try {
    const formats = await BarcodeDetector?.getSupportedFormats()
    return formats?.includes('qr_code') ? BarcodeDetector : undefined
  } catch {
    return undefined
  }
}

/** The browser's own scanner is fastest; the library is fetched where there is none. */
export async function openQrReader(): Promise<QrReader> {
  const builtIn = await findBuiltIn()
  const detector: Detector = builtIn
    ? new builtIn({ formats: ['qr_code'] })
    : await import('./qr-library.ts').then(m => m.createDetector())
  return {
    read: async picture => {
      const [found] = await detector.detect(picture)
      return found?.rawValue
    },
  }
}

const maxPictureSide = 1600

/** A photo of a code, small enough to be read at once. */
export async function pictureOfFile(file: File): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, maxPictureSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas
}
