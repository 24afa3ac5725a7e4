import { keyOf } from '#kit/contract/field.ts'
import { cardNumberOf } from '#modules/residents/contract/card.ts'
import { openMethod, type OpenMethod } from '../contract/choices.ts'

/** What a driver sends of one passing, once it is understood. */
export interface ReportedPassage {
  readonly recordKey: string
  readonly openMethod: OpenMethod
  readonly openStatus: 'opened' | 'refused'
  readonly direction: 'entrance' | 'exit'
  readonly itemKey?: string
  readonly cardNo?: string
  readonly plateNo?: string
  readonly reason?: string
  readonly temperature?: string
  /** The device had asked whether it may open. */
  readonly isDecided?: true
  /** Base64. */
  readonly picture?: string
}

type Data = Readonly<Record<string, unknown>>

const maxKeyLength = 80
const maxItemLength = 100
const maxReasonLength = 100
const maxCardLength = 20
const maxPlateLength = 12

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A body has a temperature between these; anything else is no measurement. */
const coldest = 30
const warmest = 45

function temperatureOf(value: unknown): string | undefined {
  const degrees = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return degrees >= coldest && degrees <= warmest ? degrees.toFixed(1) : undefined
}

const codeText = (value: unknown): string => textOf(value) ?? ''

/** Readers spell the number of a card in either case. */
const cardKeyOf = (item: string | undefined): string | undefined =>
  item?.startsWith('card:') ? `card:${cardNumberOf(item.slice('card:'.length))}` : item

/** The credential by its name on devices; a card alone names it too. */
const itemKeyOf = (item: string | undefined, card: string | undefined): string | undefined =>
  cardKeyOf(item) ?? (card === undefined ? undefined : `card:${card}`)

const numberOfKind = (itemKey: string | undefined, kind: string): string | undefined =>
  itemKey?.startsWith(`${kind}:`) ? itemKey.slice(kind.length + 1) : undefined

function lengthFault(passage: ReportedPassage): string | undefined {
  const { recordKey, itemKey, cardNo, plateNo } = passage
  if (recordKey.length > maxKeyLength) return `记录号不能超过 ${maxKeyLength} 个字`
  if (itemKey !== undefined && itemKey.length > maxItemLength) return '凭证过长'
  if (cardNo !== undefined && cardNo.length > maxCardLength) return `卡号不能超过 ${maxCardLength} 位`
  return plateNo !== undefined && plateNo.length > maxPlateLength ? '车牌过长' : undefined
}

const directions: Readonly<Record<string, 'entrance' | 'exit'>> = { '1': 'entrance', '2': 'exit' }
const results: Readonly<Record<string, 'opened' | 'refused'>> = { '1': 'opened', '0': 'refused' }

/** What of a record may be left out. */
function optionalParts(data: Data): Partial<ReportedPassage> {
  const reportedCard = textOf(data.card)
  const card = reportedCard === undefined ? undefined : cardNumberOf(reportedCard)
  const itemKey = itemKeyOf(textOf(data.item), card)
  const parts = {
    itemKey,
    cardNo: card ?? numberOfKind(itemKey, 'card'),
    plateNo: numberOfKind(itemKey, 'plate')?.toUpperCase(),
    reason: textOf(data.reason)?.slice(0, maxReasonLength),
    temperature: temperatureOf(data.temperature),
    picture: textOf(data.picture),
    isDecided: data.decided === true ? (true as const) : undefined,
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

/** What a record says, or why it is none, in words. */
export function readPassage(data: Data): ReportedPassage | string {
  const recordKey = textOf(data.key)
  if (recordKey === undefined) return '缺少记录号'
  const method = keyOf(openMethod, codeText(data.method))
  if (method === undefined) return `开门方式「${codeText(data.method)}」无法识别`
  const status = results[codeText(data.result)]
  if (status === undefined) return '结果应为 1（已开）或 0（未开）'
  const direction = directions[codeText(data.direction)]
  if (direction === undefined) return '方向应为 1（进）或 2（出）'
  const item = textOf(data.item)
  if (item !== undefined && !/^[a-z]+:./i.test(item)) return '凭证格式不正确，应为「类型:号码」'
  const passage: ReportedPassage = {
    recordKey,
    openMethod: method,
    openStatus: status,
    direction,
    ...optionalParts(data),
  }
  return lengthFault(passage) ?? passage
}

interface ReportedTime {
  /** As the device has it. */
  readonly deviceTime: unknown
  /** Of the event that brought it, ISO: believable, or else when it came in. */
  readonly eventTime: string
  readonly isEventDoubtful: boolean
  readonly receivedMs: number
}

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)$/
const earliest = Date.parse('2000-01-01T00:00:00+08:00')
const maxAheadMs = 300_000

/** When it happened: by the device, so that a record that is sent again has the same time. */
export function passageTime({ deviceTime, eventTime, isEventDoubtful, receivedMs }: ReportedTime): {
  readonly atMs: number
  readonly isDoubtful: boolean
} {
  const isText = typeof deviceTime === 'string' && isoInstant.test(deviceTime)
  const deviceMs = isText ? Date.parse(deviceTime) : Number.NaN
  const isBelievable = deviceMs >= earliest && deviceMs <= receivedMs + maxAheadMs
  if (isBelievable && !isEventDoubtful) return { atMs: deviceMs, isDoubtful: false }
  return { atMs: Math.min(Date.parse(eventTime), receivedMs), isDoubtful: true }
}

/** Methods by which somebody is known; who comes otherwise is no stranger. */
const anonymousMethods: ReadonlySet<OpenMethod> = new Set(['remote', 'password', 'button', 'phone'])

export const isStranger = (method: OpenMethod, hasHolder: boolean): boolean =>
  !hasHolder && !anonymousMethods.has(method)
