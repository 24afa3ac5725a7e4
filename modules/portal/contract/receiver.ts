import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, lookup, moment, ref } from '#kit/contract/field.ts'
import { menu } from '../module.ts'
import { receiptState } from './choices.ts'

const inTableOnly = { hiddenIn: ['form', 'filter'] } as const

/** A receiver of a notice: fixed when it is published, never removed while it is published. */
export const internalNoticeReceiver = entity(
  'internalNoticeReceiver',
  '公告接收人',
  { table: 'internal_notice_receiver', tenancy: 'company', title: 'managerName', order: ['receipt', 'id'] },
  {
    noticeId: ref('公告', 'internalNotice', {
      required: true,
      wire: 'NoticeID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    noticeTitle: lookup('公告', 'noticeId', 'title', { wire: 'NoticeTitle', hiddenIn: ['table', 'detail'] }),
    managerId: ref('接收人', 'manager', {
      required: true,
      wire: 'ManagerID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    managerName: lookup('接收人', 'managerId', 'realName', { wire: 'ManagerName', searchable: true }),
    departmentId: ref('部门', 'department', { wire: 'DepartmentID', hiddenIn: ['table', 'sheet', 'detail'] }),
    departmentName: lookup('部门', 'departmentId', 'name', { wire: 'DepartmentName' }),
    receipt: choice('阅读状态', receiptState, { required: true, initial: 'unread' }),
    readTime: moment('阅读时间', inTableOnly),
    confirmTime: moment('已阅时间', inTableOnly),
    remindTime: moment('提醒时间', inTableOnly),
  },
)

export type InternalNoticeReceiver = Row<typeof internalNoticeReceiver>

export const noticeReceivers = crud(internalNoticeReceiver, {
  path: 'NinternalNoticeReceiver',
  permissions: menu.notice.permissions,
  operations: ['list'],
  itemName: '接收人',
  filters: ['noticeId', 'receipt', 'departmentId'],
})

export const exportReceivers = crudExport(noticeReceivers, { needs: menu.notice.permissions.export })
