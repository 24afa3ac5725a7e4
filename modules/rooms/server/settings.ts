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
