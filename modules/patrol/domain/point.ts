import type { ChoiceOf } from '#kit/contract/field.ts'
import type { signKind } from '../contract/choices.ts'

export type SignKind = ChoiceOf<typeof signKind>

/** How a point is signed, as its form gives it. */
export interface PointSigns {
  readonly signTypes?: readonly SignKind[] | undefined
  readonly nfcNo?: string | undefined
  readonly bleNo?: string | undefined
  readonly longitude?: string | undefined
  readonly latitude?: string | undefined
  readonly radius?: number | undefined
}

export type PointKey = keyof PointSigns

export interface PointFault {
  readonly key: PointKey
  readonly message: string
}

/** What each kind of sign needs to be recognised by (PAT-1). */
const neededBy: readonly (readonly [kind: SignKind, key: PointKey, message: string])[] = [
  ['nfc', 'nfcNo', '签到方式含 NFC，请填写 NFC 编号'],
  ['ble', 'bleNo', '签到方式含蓝牙，请填写蓝牙编号'],
  ['gps', 'longitude', '签到方式含定位，请填写经度'],
  ['gps', 'latitude', '签到方式含定位，请填写纬度'],
  ['gps', 'radius', '签到方式含定位，请填写签到半径'],
]

export const pointFaults = (point: PointSigns): PointFault[] =>
  neededBy.flatMap(([kind, key, message]) =>
    point.signTypes?.includes(kind) && point[key] === undefined ? [{ key, message }] : [],
  )
