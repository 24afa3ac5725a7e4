import type { Db } from '#kit/server/db.ts'
import { declareSetting, settingsAt, wholeBetween } from '#modules/estates/server/public.ts'
import { usualUrging, type UrgeRules } from '../domain/urge.ts'

const days = (v: string): number[] =>
  v
    .split(/[,，、/\s]+/)
    .filter(Boolean)
    .map(Number)

const rising = (v: string): boolean => {
  const d = days(v)
  return (
    d.length >= 1 &&
    d.length <= 4 &&
    d.every((n, i) => Number.isInteger(n) && n >= 1 && n <= 3650 && (i === 0 || n > d[i - 1]!))
  )
}

const hours = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

/** URG-2, URG-4, URG-5 */
const levels = declareSetting({
  key: 'bills.urgeLevels',
  label: '催缴级别',
  help: '逾期多少天进入第 1、2、3、4 级',
  initial: '1,15,45,90',
  check: v => (rising(v) ? undefined : '请填写 1 到 4 个从小到大的天数，如 1,15,45,90'),
})

const gap = declareSetting({
  key: 'bills.urgeGap',
  label: '催缴间隔',
  help: '同一级别多少天内不重复发送',
  initial: '7',
  check: wholeBetween('催缴间隔', 1, 90),
})

const quiet = declareSetting({
  key: 'bills.urgeQuiet',
  label: '催缴安静时段',
  help: '这段时间不发消息，到点后再发',
  initial: '21:00-08:00',
  check: v => (hours.test(v) ? undefined : '请填写起止时间，如 21:00-08:00'),
})

export const autoUrge = declareSetting({
  key: 'bills.urgeAuto',
  label: '自动催缴',
  help: '1 应缴前 3 天、当天、次日和每一级的第一天自动发短信；0 只人工催缴',
  initial: '0',
  check: v => (/^[01]$/.test(v) ? undefined : '请填写 0 或 1'),
})

/** How each of some estates urges. */
export async function urgeRules(
  db: Db,
  owner: number,
  projects: Iterable<string>,
): Promise<ReadonlyMap<string, UrgeRules>> {
  return new Map(
    [...(await settingsAt(db, owner, projects, [levels, gap, quiet]))].map(([project, [l, g, q]]) => {
      const [quietFrom, quietTo] = q!.split('-')
      return [
        project,
        { ...usualUrging, levels: days(l!), gapDays: Number(g), quietFrom: quietFrom!, quietTo: quietTo! },
      ]
    }),
  )
}
