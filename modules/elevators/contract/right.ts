import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, lines, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { pageOfRows, search, shape } from '#kit/contract/shape.ts'
import { credentialKind } from '#modules/access/contract/choices.ts'
import { windowFields } from '#modules/access/contract/group.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { floorSource, rightState } from './choices.ts'
import { elevator, floorList, floorRule } from './elevator.ts'

/** Floors of a lift that one person may go to beside those of home (ELV-2). */
export const elevatorRight = entity(
  'elevatorRight',
  '梯控权限',
  { table: 'elevator_right', tenancy: 'project', title: 'userName', order: ['-id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('elevatorId'),
    userId: ref('住户', 'resident', {
      immutable: true,
      wire: 'UserID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    userName: lookup('住户', 'userId', 'name', { searchable: true, wire: ['Username', 'UserName'] }),
    staffId: ref('员工', 'staff', {
      immutable: true,
      wire: 'StaffID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    staffName: lookup('员工', 'staffId', 'name', { searchable: true, wire: 'StaffName' }),
    elevatorId: ref('电梯', 'elevator', {
      required: true,
      immutable: true,
      wire: ['ElevatorID', 'ElevatorId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    elevatorName: lookup('电梯', 'elevatorId', 'name', { searchable: true, wire: 'ElevatorName' }),
    floors: { ...floorList('楼层'), required: true as const, hiddenIn: ['filter'] },
    beginDate: day('生效', { rule: calendarYears, hiddenIn: ['filter'] }),
    endDate: day('失效', { rule: calendarYears, help: '当天仍有效；不填为长期' }),
    windows: lines('时间段', windowFields, {
      max: 20,
      wire: ['TimeJson', 'Windows'],
      help: '不填为全天',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', rightState, { required: true, initial: 'valid' }),
    /** Valid once, and over by now. */
    isExpired: flag('已过期', { derived: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
  },
)

export type ElevatorRight = Row<typeof elevatorRight>

const { permissions } = menu.right

export const elevatorRights = crud(elevatorRight, {
  path: 'LadderControlRight',
  permissions,
  filters: ['elevatorId', 'userId', 'staffId', 'endDate', 'state'],
  search: { isCurrent: flag('有效'), isExpired: flag('已过期') },
})

export const exportElevatorRights = crudExport(elevatorRights, { needs: menu.right.permissions.export })

const elevatorIdField = idOf('电梯', { min: 1, wire: ['ElevatorID', 'ElevatorId'] })

/** Who may go to which floors of a lift, and why. */
export const listFloorRights = call({
  route: 'GET PropertyElevator/GetRights',
  title: '查询楼层权限',
  needs: permissions.reach,
  input: search(elevator, [], { elevatorId: { ...elevatorIdField, required: true as const } }),
  output: pageOfRows(
    {
      id: text('编号', { required: true, wire: 'ID' }),
      holderName: text('人员', { wire: 'PersonName' }),
      kind: choice('凭证', credentialKind, { required: true, wire: 'CredentialType' }),
      number: text('卡号', { wire: 'CardNo' }),
      floors: text('楼层', { required: true }),
      source: choice('依据类别', floorSource, { required: true }),
      reason: text('依据', { required: true }),
      fromDate: day('生效', { wire: 'BeginDate' }),
      untilDate: day('失效', { wire: 'EndDate' }),
      windows: text('时间段', { required: true, wire: 'TimeText' }),
    },
    { entity: 'elevator' },
  ),
})

/** Whether a card or a visitor's code goes to a floor at a moment; now, unless another is named. */
export const checkFloor = call({
  route: 'GET PropertyElevator/GetCheck',
  title: '乘梯检查',
  needs: permissions.reach,
  input: shape({
    elevatorId: { ...elevatorIdField, required: true as const },
    cardNo: text('卡号、邀请码或通行码', { required: true, max: 20, wire: 'CardNo' }),
    floor: text('楼层', { required: true, max: 4, rule: floorRule }),
    at: moment('时间', { help: '不填为当前时间' }),
  }),
  output: shape({
    isAllowed: flag('可到达', { required: true, wire: 'Allowed' }),
    reason: text('依据', { required: true }),
    hint: text('提示'),
    holderName: text('人员', { wire: 'PersonName' }),
    untilDate: day('失效', { wire: 'EndDate' }),
  }),
})
