import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Db } from '#kit/server/db.ts'
import { declareSetting, getSettingValuesByProject, integerBetween } from '#modules/estates/server/public.ts'
import { defaultReminderRules, type ReminderRules } from '../domain/reminder.ts'

const parseDays = (v: string): number[] =>
  v
    .split(/[,，、/\s]+/)
    .filter(Boolean)
    .map(Number)

const isRising = (value: string): boolean => {
  const days = parseDays(value)
  return (
    days.length >= 1 &&
    days.length <= 4 &&
    days.every((n, i) => Number.isInteger(n) && n >= 1 && n <= 3650 && (i === 0 || n > defined(days[i - 1])))
  )
}

const hoursPattern = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

/** URG-2, URG-4, URG-5 */
const levelsSetting = declareSetting({
  key: 'bills.urgeLevels',
  label: '催缴级别',
  help: '逾期多少天进入第 1、2、3、4 级',
  defaultValue: '1,15,45,90',
  check: v => (isRising(v) ? undefined : '请填写 1 到 4 个从小到大的天数，如 1,15,45,90'),
})

const gapSetting = declareSetting({
  key: 'bills.urgeGap',
  label: '催缴间隔',
  help: '同一级别多少天内不重复发送',
  defaultValue: '7',
  check: integerBetween('催缴间隔', 1, 90),
})

const quietHoursSetting = declareSetting({
  key: 'bills.urgeQuiet',
  label: '催缴安静时段',
  help: '该段时间不发消息，到点后再发',
  defaultValue: '21:00-08:00',
  check: v => (hoursPattern.test(v) ? undefined : '请填写起止时间，如 21:00-08:00'),
})

export const autoReminderSetting = declareSetting({
  key: 'bills.urgeAuto',
  label: '自动催缴',
  help: '1 应缴前 3 天、当天、次日和每一级的第一天自动发短信；0 只人工催缴',
  defaultValue: '0',
  check: v => (/^[01]$/.test(v) ? undefined : '请填写 0 或 1'),
})

/** How each of some estates urges. */
export async function findReminderRules(
  db: Db,
  ownerId: Id,
  projects: Iterable<string>,
): Promise<ReadonlyMap<string, ReminderRules>> {
  return new Map(
    [
      ...(await getSettingValuesByProject(db, ownerId, projects, [
        levelsSetting,
        gapSetting,
        quietHoursSetting,
      ])),
    ].map(([project, [limit, gap, query]]) => {
      const [quietFrom, quietTo] = defined(query).split('-')
      return [
        project,
        {
          ...defaultReminderRules,
          levels: parseDays(defined(limit)),
          gapDays: Number(gap),
          quietFrom: defined(quietFrom),
          quietTo: defined(quietTo),
        },
      ]
    }),
  )
}
