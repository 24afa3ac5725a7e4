import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

export const shiftState = choiceTable('ParkShiftState', '状态', {
  onDuty: [5, '当班中', 'doing'],
  waiting: [10, '待确认', 'todo'],
  confirmed: [20, '已确认', 'done'],
  different: [30, '有差异', 'bad'],
})

export type ShiftState = ChoiceOf<typeof shiftState>

/** What the booth did by hand, listed in the hand-over (PRK-10). */
export const shiftEventKind = choiceTable('ParkShiftEventKind', '类型', {
  free: [10, '免费放行'],
  manual: [20, '手动放行'],
  open: [30, '远程开闸'],
  plate: [40, '修改车牌'],
  clear: [50, '清场'],
  price: [60, '改价'],
})

export type ShiftEventKind = ChoiceOf<typeof shiftEventKind>
