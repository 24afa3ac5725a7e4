import { metresBetween } from '#kit/domain/distance.ts'
import type { Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { ExtraReason, signType } from '#modules/planned-work/contract/choices.ts'
import type { SignKind } from './point.ts'

/** A point as signs are matched with it. */
export interface SignedPoint {
  readonly id: Id
  readonly name: string
  readonly signTypes: readonly SignKind[]
  readonly code?: string | undefined
  readonly nfcNo?: string | undefined
  readonly bleNo?: string | undefined
  readonly longitude?: string | undefined
  readonly latitude?: string | undefined
  readonly radius?: number | undefined
}

/** A sign as the phone sends it. */
export interface PointSign {
  readonly signType: ChoiceOf<typeof signType>
  readonly code?: string | undefined
  readonly longitude?: string | undefined
  readonly latitude?: string | undefined
}

export type PointMatch = { readonly pointId: Id } | { readonly reason: ExtraReason; readonly message: string }

/** Tags are written `04:A2:2B…` or `04a22b…`. */
export const toTagNumber = (text: string): string => text.replaceAll(/[^0-9a-z]/gi, '').toLowerCase()

const textOfMetres = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} 米` : `${(metres / 1000).toFixed(1)} 公里`

/** Why the place of a sign is not that of its point; a point without a position is signed from anywhere. */
function placeRefusal(
  { name, signTypes, longitude, latitude, radius = 50 }: SignedPoint,
  sign: PointSign,
): { readonly reason: ExtraReason; readonly message: string } | undefined {
  if (!signTypes.includes('gps') || longitude === undefined || latitude === undefined) return undefined
  if (sign.longitude === undefined || sign.latitude === undefined)
    return { reason: 'tooFar', message: `「${name}」须定位签到，未取得位置，请允许定位后重新签到` }
  const metres = metresBetween(
    { longitude: Number(longitude), latitude: Number(latitude) },
    { longitude: Number(sign.longitude), latitude: Number(sign.latitude) },
  )
  return metres <= radius
    ? undefined
    : {
        reason: 'tooFar',
        message: `距「${name}」${textOfMetres(metres)}，超出签到半径 ${radius} 米，请到点位后重新签到`,
      }
}

type FoundPoint = SignedPoint | 'unknown'

/** What a sign of each kind is recognised by. */
const finders: Record<
  'qr' | 'nfc' | 'ble',
  (points: readonly SignedPoint[], code: string) => SignedPoint | undefined
> = {
  qr: (points, code) => points.find(point => point.code === code),
  nfc: (points, code) =>
    points.find(point => point.nfcNo !== undefined && toTagNumber(point.nfcNo) === toTagNumber(code)),
  ble: (points, code) =>
    points.find(point => point.bleNo !== undefined && point.bleNo.toLowerCase() === code.toLowerCase()),
}

function findPoint(sign: PointSign, points: readonly SignedPoint[], namedId: Id | undefined): FoundPoint {
  const { signType, code } = sign
  if (signType === 'qr' || signType === 'nfc' || signType === 'ble') {
    const text = code?.trim()
    return (text ? finders[signType](points, text) : undefined) ?? 'unknown'
  }
  return points.find(point => point.id === namedId) ?? 'unknown'
}

const kindLabels: Record<SignKind, string> = {
  qr: '扫码',
  nfc: 'NFC',
  ble: '蓝牙',
  gps: '定位',
  photo: '拍照',
}

/** A photo is a sign of its own only where the point has no other. */
const isAllowed = (signTypes: readonly SignKind[], kind: PointSign['signType']): boolean =>
  kind === 'photo' ? signTypes.every(each => each === 'photo') : signTypes.some(each => each === kind)

/**
 * The point of a round that a sign is of (PAT-1): `points` are all of the project, `roundIds` those of the
 * round, `namedId` the one that the person chose where the sign itself does not say it.
 */
export function matchSign(
  sign: PointSign,
  points: readonly SignedPoint[],
  roundIds: ReadonlySet<Id>,
  namedId: Id | undefined,
): PointMatch {
  const point = findPoint(sign, points, namedId)
  if (point === 'unknown')
    return { reason: 'unknownCode', message: '签到码无效，不是本项目的巡更点，请扫描点位上张贴的二维码' }
  if (!roundIds.has(point.id))
    return { reason: 'notInTask', message: `「${point.name}」不在此次巡更的路线中` }
  if (!isAllowed(point.signTypes, sign.signType)) {
    const allowedKinds = point.signTypes.map(kind => kindLabels[kind]).join('、')
    return { reason: 'wrongWay', message: `「${point.name}」的签到方式为${allowedKinds}，请按此签到` }
  }
  return placeRefusal(point, sign) ?? { pointId: point.id }
}

/** What a label says, bare or inside the address that it opens. */
export const codeOfScan = (text: string): string =>
  /^https?:\/\/.*[?&]code=([\w-]+)/.exec(text.trim())?.[1] ?? text.trim()
