import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, int, lookup, ref, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { bulkResult, extendShape, listOfRows, reasonField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { vipState } from './choices.ts'
import { doorwayList } from './group.ts'

/** Doors that one person may open beside those of the groups, until a day (ACS-1). */
export const vipDoorway = entity(
  'vipDoorway',
  'VIP 门',
  { table: 'vip_doorway', tenancy: 'project', title: 'userName', order: ['-id'] },
  {
    projectCode: estateField(),
    userId: ref('住户', 'resident', {
      immutable: true,
      wire: 'UserID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    userName: lookup('住户', 'userId', 'name', { wire: ['Username', 'UserName'] }),
    staffId: ref('员工', 'staff', {
      immutable: true,
      wire: 'StaffID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    staffName: lookup('员工', 'staffId', 'name', { wire: 'StaffName' }),
    doorwayIds: { ...doorwayList, hiddenIn: ['table', 'filter', 'sheet'] },
    doorwayCount: int('门数', { derived: true, wire: 'DoorCount', hiddenIn: ['form', 'filter', 'sheet'] }),
    beginDate: day('生效', { rule: calendarYears, hiddenIn: ['filter'] }),
    endDate: day('失效', { rule: calendarYears, help: '当天仍有效；不填为长期' }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', vipState, { required: true, initial: 'valid' }),
    /** Valid once, and over by now. */
    isExpired: flag('已过期', { derived: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
  },
)

export type VipDoorway = Row<typeof vipDoorway>

const { permissions } = menu.vip

export const vipDoorways = crud(vipDoorway, {
  path: 'PropertyUserVipDoor',
  permissions,
  filters: ['userId', 'staffId', 'endDate', 'state'],
  search: { isExpired: flag('已过期') },
  get: { route: 'GET PropertyUserVipDoor/GetIdentitByID' },
  add: { aliases: ['PropertyUserVipDoor/PostUserVip'] },
})

const holder = shape({
  userId: idOf('住户', { min: 1, wire: ['UserID', 'UserId'] }),
  staffId: idOf('员工', { min: 1, wire: ['StaffID', 'StaffId'] }),
})

/** What is valid for one person today, the latest first. */
export const getHolderVipDoorway = call({
  route: 'GET PropertyUserVipDoor/GetOneByUser',
  aliases: ['PropertyUserVipDoor/GetOneByStaff'],
  title: '人员当前的 VIP 门',
  needs: permissions.view,
  input: holder,
  output: recordOf(vipDoorway),
})

export const listHolderVipDoorways = call({
  route: 'GET PropertyUserVipDoor/GetVipByUserId',
  title: '人员的 VIP 门',
  needs: permissions.view,
  input: holder,
  output: listOfRows({ ...vipDoorway.fields }),
})

/**
 * By the person, as it is called: the number of a record (`ID`) is refused here, or a client that takes one
 * for the other would delete what is somebody else's.
 */
export const deleteHolderVipDoorways = call({
  route: 'DELETE PropertyUserVipDoor/DeleteByUserId',
  title: '删除人员的 VIP 门',
  needs: permissions.del,
  affects: ['vipDoorway'],
  input: extendShape(holder, { reason: reasonField }),
  output: bulkResult,
})
