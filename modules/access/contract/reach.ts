import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, moment, text } from '#kit/contract/field.ts'
import { pageOfRows, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { credentialKind, passageDirection, rightSource } from './choices.ts'
import { doorway } from './doorway.ts'

const { permissions } = menu.doorway

const doorwayIdField = idOf('门', { min: 1, wire: ['DoorwayID', 'DoorwayId'] })

/** Who reaches which door, and why: of a door, a resident or one of the staff (ACS-2). */
export const listRights = call({
  route: 'GET Doorway/GetRights',
  title: '查询通行权限',
  needs: permissions.reach,
  input: search(doorway, [], {
    doorwayId: doorwayIdField,
    userId: idOf('住户', { min: 1, wire: ['UserID', 'UserId'] }),
    staffId: idOf('员工', { min: 1, wire: ['StaffID', 'StaffId'] }),
  }),
  output: pageOfRows(
    {
      id: text('编号', { required: true, wire: 'ID' }),
      doorwayName: text('门', { required: true, wire: 'DoorName' }),
      holderName: text('人员', { wire: 'PersonName' }),
      kind: choice('凭证', credentialKind, { required: true, wire: 'CredentialType' }),
      number: text('卡号', { wire: 'CardNo' }),
      source: choice('依据类别', rightSource, { required: true }),
      reason: text('依据', { required: true }),
      fromDate: day('生效', { wire: 'BeginDate' }),
      untilDate: day('失效', { wire: 'EndDate' }),
      windows: text('时间段', { required: true, wire: 'TimeText' }),
    },
    { entity: 'doorway' },
  ),
})

/** Whether a card or a code opens a door at a moment; now, unless another is named. */
export const checkRight = call({
  route: 'GET Doorway/GetCheck',
  title: '通行检查',
  needs: permissions.reach,
  input: shape({
    doorwayId: idOf('门', { required: true, min: 1, wire: ['DoorwayID', 'DoorwayId'] }),
    cardNo: text('卡号', { required: true, max: 20, wire: 'CardNo' }),
    at: moment('时间', { help: '不填为当前时间' }),
    direction: choice('方向', passageDirection, { help: '进入或离开；不填、出入口为不限' }),
  }),
  output: shape({
    isAllowed: flag('可开门', { required: true, wire: 'Allowed' }),
    reason: text('依据', { required: true }),
    holderName: text('人员', { wire: 'PersonName' }),
    untilDate: day('失效', { wire: 'EndDate' }),
  }),
})
