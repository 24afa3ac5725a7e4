import { declareSetting, integerBetween } from '#modules/estates/server/public.ts'

/**
 * How an estate writes the floor in a room number that batch generation makes (BASE-3): one digit 101, two
 * 0101.
 */
export const floorDigitsSetting = declareSetting({
  key: 'RoomNoFloorDigits',
  label: '房号中的楼层位数',
  help: '批量生成房间时用：填 1 得到 101，填 2 得到 0101',
  defaultValue: '1',
  check: integerBetween('楼层位数', 1, 3),
})

/** C27-7: how late another payer, area or state of a room may be entered. */
export const backDatingSetting = declareSetting({
  key: 'ChangeBackDateDays',
  label: '变更追溯天数',
  help: '过户、缴费人、面积和房态的生效日期最多可以早于今天的天数；已日结、已结转的日子之前一律不能',
  defaultValue: '366',
  check: integerBetween('变更追溯天数', 0, 3660),
})
