import { locate, type Position } from '#kit/web/phone/locate.ts'

/** Reading tags and beacons is no part of the standard types yet. */
interface TagReader extends EventTarget {
  scan(options: { readonly signal: AbortSignal }): Promise<void>
}

interface Bluetooth {
  requestDevice(options: { readonly filters: readonly { readonly name: string }[] }): Promise<{
    readonly name?: string
  }>
}

type TagReaderClass = new () => TagReader

const tagReaderOf = (): TagReaderClass | undefined =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no part of the standard types yet
  (globalThis as { readonly NDEFReader?: TagReaderClass }).NDEFReader

const bluetoothOf = (): Bluetooth | undefined =>
  (navigator as Navigator & { readonly bluetooth?: Bluetooth }).bluetooth

export const canReadTags = (): boolean => tagReaderOf() !== undefined
export const canFindBeacons = (): boolean => bluetoothOf() !== undefined

/** The number of the tag that is held to the phone next. */
export async function readTag(signal: AbortSignal): Promise<string> {
  const Reader = tagReaderOf()
  if (!Reader) throw new Error('此手机不支持 NFC，请用其他方式签到')
  const reader = new Reader()
  await reader.scan({ signal })
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('已取消')))
    reader.addEventListener('reading', event => {
      const { serialNumber } = event as Event & { readonly serialNumber?: string }
      resolve(serialNumber ?? '')
    })
  })
}

/** The beacon of this name, if it is near and the person chooses it. */
export async function findBeacon(name: string): Promise<string> {
  const bluetooth = bluetoothOf()
  if (!bluetooth) throw new Error('此浏览器不支持蓝牙，请用其他方式签到')
  const found = await bluetooth.requestDevice({ filters: [{ name }] }).catch(() => undefined)
  if (!found?.name) throw new Error('附近未发现此点位的蓝牙信标')
  return found.name
}

/** Where the phone is, for points that ask it. */
export const positionFor = (signKinds: readonly string[]): Promise<Position> =>
  signKinds.includes('gps') ? locate() : Promise.resolve({})
