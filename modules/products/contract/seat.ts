import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, int, ref, text, through } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { byIdsWhy, draftOf, nothing, oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

export const seatState = choiceTable('CallSeatState', '坐席状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'off'],
})

/** A seat of the service line and who sits there. */
export const callSeat = entity(
  'callSeat',
  '呼叫坐席',
  { table: 'call_seat', reach: 'company', title: 'seatNo', order: ['seatNo'] },
  {
    seatNo: text('坐席号', { required: true, max: 10, rule: rules.lettersDigits, sought: true }),
    extension: text('分机号', { max: 10, rule: rules.number, sought: true }),
    managerId: ref('坐席人员', 'manager', { help: '一个账号最多坐一个坐席' }),
    managerName: through('坐席人员', 'managerId', 'realName'),
    state: choice('状态', seatState, { required: true, initial: 'on' }),
    remark: text('备注', { max: 200 }),
  },
)

export type CallSeat = Row<typeof callSeat>

export const listSeats = call({
  at: 'GET CallSeat/Get',
  title: '查询呼叫坐席',
  needs: menu.seat.may.view,
  input: search(callSeat, ['state', 'managerId']),
  output: pageOf(callSeat),
})

export const addSeat = call({
  at: 'POST CallSeat/Post',
  title: '新增呼叫坐席',
  needs: menu.seat.may.add,
  input: draftOf(callSeat),
  output: oneOf(callSeat),
  affects: ['callSeat'],
})

export const editSeat = call({
  at: 'PUT CallSeat/Put',
  title: '编辑呼叫坐席',
  needs: menu.seat.may.edit,
  input: draftOf(callSeat),
  output: oneOf(callSeat),
  affects: ['callSeat'],
})

export const deleteSeats = call({
  at: 'DELETE CallSeat/Delete',
  title: '删除呼叫坐席',
  needs: menu.seat.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['callSeat'],
})

/** How many seats the company has opened, and how many are in use. */
export const seatFigures = call({
  at: 'GET CallSeat/GetFigures',
  title: '坐席数量',
  needs: menu.seat.may.view,
  input: nothing,
  output: shape({ open: int('已开通', { required: true }), used: int('已启用', { required: true }) }),
})
