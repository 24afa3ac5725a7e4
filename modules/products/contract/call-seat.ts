import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, int, ref, text, lookup } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { byIdsWithReason, draftOf, noData, recordOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

export const seatState = choiceTable('CallSeatState', '坐席状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'off'],
})

/** A seat of the service line and who sits there. */
export const callSeat = entity(
  'callSeat',
  '呼叫坐席',
  { table: 'call_seat', tenancy: 'company', title: 'seatNo', order: ['seatNo'] },
  {
    seatNo: text('坐席号', { required: true, max: 10, rule: rules.lettersDigits, searchable: true }),
    extension: text('分机号', { max: 10, rule: rules.number, searchable: true }),
    managerId: ref('坐席人员', 'manager', { help: '一个账号最多绑定一个坐席' }),
    managerName: lookup('坐席人员', 'managerId', 'realName'),
    state: choice('状态', seatState, { required: true, initial: 'on' }),
    remark: text('备注', { max: 200 }),
  },
)

export type CallSeat = Row<typeof callSeat>

export const listSeats = call({
  route: 'GET CallSeat/Get',
  title: '查询呼叫坐席',
  needs: menu.seat.permissions.view,
  input: search(callSeat, ['state', 'managerId']),
  output: pageOf(callSeat),
})

export const addSeat = call({
  route: 'POST CallSeat/Post',
  title: '新增呼叫坐席',
  needs: menu.seat.permissions.add,
  input: draftOf(callSeat),
  output: recordOf(callSeat),
  affects: ['callSeat'],
})

export const editSeat = call({
  route: 'PUT CallSeat/Put',
  title: '编辑呼叫坐席',
  needs: menu.seat.permissions.edit,
  input: draftOf(callSeat),
  output: recordOf(callSeat),
  affects: ['callSeat'],
})

export const deleteSeats = call({
  route: 'DELETE CallSeat/Delete',
  title: '删除呼叫坐席',
  needs: menu.seat.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['callSeat'],
})

/** How many seats the company has opened, and how many are in use. */
export const getSeatCounts = call({
  route: 'GET CallSeat/GetFigures',
  title: '坐席数量',
  needs: menu.seat.permissions.view,
  input: noData,
  output: shape({ open: int('已开通', { required: true }), used: int('已启用', { required: true }) }),
})
