import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import { declareSetting, getSettingValues } from '#modules/estates/server/public.ts'
import { graceDaysSetting } from '#modules/parking/server/public.ts'
import type { RenewalRules } from '../domain/renewal.ts'
import type { DayPriceBasis } from '../domain/unused-days.ts'

const oneOrTwo =
  (label: string) =>
  (value: string): string | undefined =>
    value === '1' || value === '2' ? undefined : `${label}应为 1 或 2`

/** PRK-4 */
const startSetting = declareSetting({
  key: 'monthCards.start',
  label: '月卡过期后续期',
  help: '过宽限期后续费：1 从原到期次日连续补缴；2 从办理当天起',
  defaultValue: '2',
  check: oneOrTwo('月卡过期后续期'),
})

/** PRK-4 */
const monthEndSetting = declareSetting({
  key: 'monthCards.monthEnd',
  label: '月卡到期方式',
  help: '1 对日到期；2 自然月末到期，首月不足月的按收费标准的不足月规则',
  defaultValue: '1',
  check: oneOrTwo('月卡到期方式'),
})

/** PRK-5 */
const dayPriceSetting = declareSetting({
  key: 'monthCards.dayPrice',
  label: '月卡退费日价',
  help: '未用天数的日价：1 月单价除以 30；2 除以当月天数',
  defaultValue: '1',
  check: oneOrTwo('月卡退费日价'),
})

export async function getRenewalRules(db: Db, ownerId: Id, project: string): Promise<RenewalRules> {
  const [graceDays, start, monthEnd] = await getSettingValues(db, ownerId, project, [
    graceDaysSetting,
    startSetting,
    monthEndSetting,
  ])
  return {
    graceDays: Number(graceDays),
    start: start === '1' ? 'continuous' : 'today',
    monthEnd: monthEnd === '2' ? 'natural' : 'anniversary',
  }
}

export async function getDayPriceBasis(db: Db, ownerId: Id, project: string): Promise<DayPriceBasis> {
  const [basis] = await getSettingValues(db, ownerId, project, [dayPriceSetting])
  return basis === '2' ? 'actual' : 'thirty'
}
