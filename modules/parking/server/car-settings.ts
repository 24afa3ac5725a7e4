import { declareSetting, integerBetween } from '#modules/estates/server/public.ts'

/** PRK-3: how long after its last day a car is let in on its right, marked as expired. */
export const graceDaysSetting = declareSetting({
  key: 'parking.graceDays',
  label: '车辆到期宽限天数',
  help: '到期后这些天内仍按月租放行，标记为已到期；0 为不宽限',
  defaultValue: '0',
  check: integerBetween('车辆到期宽限天数', 0, 90),
})

/** PRK-3: what an expired car is at the gate. */
export const expiredEntrySetting = declareSetting({
  key: 'parking.expiredEntry',
  label: '到期车辆入场',
  help: '1 转临停收费；2 禁止入场',
  defaultValue: '1',
  check: value => (value === '1' || value === '2' ? undefined : '到期车辆入场应为 1 或 2'),
})
