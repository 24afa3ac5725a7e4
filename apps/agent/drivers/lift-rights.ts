import { isObject, type JsonObject } from '../json.ts'

/** What a controller keeps of the items that it was sent, by their keys. */
export type HeldItems = ReadonlyMap<string, JsonObject>

export const settingsKey = 'lift:settings'

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const minuteOf = (clock: unknown): number => {
  const [hour = '0', minute = '0'] = String(clock).split(':')
  return Number(hour) * 60 + Number(minute)
}

/** Monday first, as windows name them. */
const weekDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** A moment on the clock of the site. */
export interface SiteMoment {
  readonly day: string
  /** 0 is Monday. */
  readonly weekDay: number
  readonly minute: number
  /** `2026-03-06T10:00:00` */
  readonly time: string
}

const siteOffsetMs = 8 * 3_600_000

export function siteMoment(instant: number): SiteMoment {
  const local = new Date(instant + siteOffsetMs)
  return {
    day: local.toISOString().slice(0, 10),
    weekDay: (local.getUTCDay() + 6) % 7,
    minute: local.getUTCHours() * 60 + local.getUTCMinutes(),
    time: local.toISOString().slice(0, 19),
  }
}

/** An end that is not after the beginning is on the next day. */
function isInWindow(window: JsonObject, { weekDay, minute }: SiteMoment): boolean {
  const begin = minuteOf(window.begin)
  const end = minuteOf(window.end)
  const days = textsOf(window.weekDays)
  const isOn = (day: number): boolean => !days.length || days.includes(weekDays[(day + 7) % 7] ?? '')
  if (end > begin) return isOn(weekDay) && minute >= begin && minute < end
  return (isOn(weekDay) && minute >= begin) || (isOn(weekDay - 1) && minute < end)
}

function isValid(right: JsonObject, at: SiteMoment): boolean {
  const windows = objectsOf(right.windows)
  return (
    (right.from === undefined || String(right.from) <= at.day) &&
    (right.until === undefined || String(right.until) >= at.day) &&
    (!windows.length || windows.some(window => isInWindow(window, at)))
  )
}

/** Why a credential does not go to a floor now; nothing where it does. It needs no line to the server. */
export function liftRefusal(
  items: HeldItems,
  credential: string,
  floor: string,
  at: SiteMoment,
): string | undefined {
  const settings = items.get(settingsKey)
  if (!settings) return '电梯参数未下发'
  if (settings.isRunning !== true) return '电梯停用'
  if (!textsOf(settings.floors).includes(floor)) return '电梯不停靠此楼层'
  if (textsOf(settings.closedFloors).includes(floor)) return '楼层已停用'
  const item = items.get(`lift:${credential}`)
  if (!item) return '无此电梯的权限'
  if (item.endTime !== undefined && at.time > String(item.endTime)) return '不在有效期或时间段内'
  const isPublic = textsOf(settings.publicFloors).includes(floor)
  const valid = objectsOf(item.rights).filter(right => isValid(right, at))
  const reaching = valid.filter(right => isPublic || textsOf(right.floors).includes(floor))
  if (!valid.length) return '不在有效期或时间段内'
  if (!reaching.length) return '无此楼层的权限'
  const limits = objectsOf(settings.busyTimes)
    .filter(window => isInWindow(window, at))
    .map(({ limit }) => limit)
  if (limits.includes('noCall')) return '繁忙时段，暂停呼梯'
  if (limits.includes('ownFloor') && !isPublic && !reaching.some(right => right.isHome === true))
    return '繁忙时段，仅可到本层与公共楼层'
  return undefined
}
