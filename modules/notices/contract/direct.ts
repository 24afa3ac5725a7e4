import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choices, int, list, moment, systemChoice, text, type Field } from '#kit/contract/field.ts'
import { byId, idRule, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { directState, noticeChannel } from './choices.ts'

const inForm = { hiddenIn: ['table', 'filter', 'sheet'] } as const
const counted = { derived: true, hiddenIn: ['form', 'filter'] } as const
const written = { immutable: true, hiddenIn: ['form', 'filter'] } as const

const { permissions } = menu.direct

const persons = (label: string, target: string): Field<readonly string[], true, 'list'> => ({
  ...list(label, {
    required: true,
    min: 1,
    max: 500,
    rule: idRule,
    wire: ['TargetIDs', 'TargetIds'],
    ...inForm,
  }),
  target,
})

const shared = {
  title: text('标题', { required: true, min: 2, max: 80, searchable: true }),
  content: text('内容', { required: true, max: 500, searchable: true, ...inForm }),
} as const

const results = {
  state: systemChoice('状态', directState, 'draft'),
  publisherName: text('发布人', { max: 40, ...written }),
  publishTime: moment('发布时间', { immutable: true, hiddenIn: ['form'] }),
  withdrawReason: text('撤回原因', { max: 200, immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
  totalCount: int('接收', { unit: '人', ...counted }),
  readCount: int('已读', { unit: '人', ...counted }),
} as const

/** To named residents: on their page, and by the chosen channels. */
export const userNotice = entity(
  'userNotice',
  '住户通知',
  { table: 'user_notice', tenancy: 'company', title: 'title', order: ['-id'] },
  {
    ...shared,
    targetIds: persons('住户', 'resident'),
    channels: choices('渠道', noticeChannel, { required: true, min: 1, initial: ['app'], ...inForm }),
    ...results,
  },
)

/** To named staff who have an account: a system message for each. */
export const staffNotice = entity(
  'staffNotice',
  '员工通知',
  { table: 'staff_notice', tenancy: 'company', title: 'title', order: ['-id'] },
  { ...shared, targetIds: persons('员工', 'staff'), ...results },
)

export type UserNotice = Row<typeof userNotice>
export type StaffNotice = Row<typeof staffNotice>

const systemKeys = ['state', 'publisherName', 'publishTime', 'withdrawReason'] as const
const filters = ['state', 'publishTime'] as const

export const userNotices = crud(userNotice, {
  path: 'UserNotice',
  permissions,
  filters,
  without: systemKeys,
  affects: ['noticeReceiver'],
})

export const staffNotices = crud(staffNotice, {
  path: 'StaffNotice',
  permissions,
  filters,
  without: systemKeys,
  affects: ['noticeReceiver', 'notification'],
})

const withdrawal = shape({ id: recordIdField, reason: reasonField })

const ofUsers = ['userNotice', 'noticeReceiver']
const ofStaff = ['staffNotice', 'noticeReceiver', 'notification']

export const addAndPublishUserNotice = call({
  route: 'POST UserNotice/PostAndPublish',
  title: '新增并发布住户通知',
  needs: permissions.publish,
  input: userNotices.add.input,
  output: recordOf(userNotice),
  affects: ofUsers,
})

export const publishUserNotice = call({
  route: 'PUT UserNotice/PutPublish',
  title: '发布住户通知',
  needs: permissions.publish,
  input: byId,
  output: recordOf(userNotice),
  affects: ofUsers,
})

export const withdrawUserNotice = call({
  route: 'PUT UserNotice/PutWithdraw',
  title: '撤回住户通知',
  needs: permissions.publish,
  input: withdrawal,
  output: recordOf(userNotice),
  affects: ofUsers,
})

export const addAndPublishStaffNotice = call({
  route: 'POST StaffNotice/PostAndPublish',
  title: '新增并发布员工通知',
  needs: permissions.publish,
  input: staffNotices.add.input,
  output: recordOf(staffNotice),
  affects: ofStaff,
})

export const publishStaffNotice = call({
  route: 'PUT StaffNotice/PutPublish',
  title: '发布员工通知',
  needs: permissions.publish,
  input: byId,
  output: recordOf(staffNotice),
  affects: ofStaff,
})

export const withdrawStaffNotice = call({
  route: 'PUT StaffNotice/PutWithdraw',
  title: '撤回员工通知',
  needs: permissions.publish,
  input: withdrawal,
  output: recordOf(staffNotice),
  affects: ofStaff,
})
