import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, moment, text } from '#kit/contract/field.ts'
import { receiverKind } from '#modules/messaging/contract/choices.ts'
import { menu } from '../module.ts'
import { noticeKind, noticeReceipt } from './choices.ts'

const hidden = { hiddenIn: ['table', 'form', 'sheet', 'detail'] } as const
const inTableOnly = { hiddenIn: ['form', 'filter'] } as const

/** Somebody who received a notice: fixed when it is published. */
export const noticeReceiver = entity(
  'noticeReceiver',
  '公告接收人',
  { table: 'notice_receiver', tenancy: 'company', title: 'personName', order: ['receipt', 'id'] },
  {
    noticeKind: choice('种类', noticeKind, { required: true, wire: 'NoticeKind', ...hidden }),
    noticeId: idOf('公告', { required: true, wire: 'NoticeID', ...hidden }),
    receiverKind: choice('对象', receiverKind, { required: true, wire: 'ReceiverKind', hiddenIn: ['form'] }),
    receiverId: idOf('接收人', { required: true, wire: 'ReceiverID', ...hidden }),
    personName: text('接收人', { max: 60, wire: 'PersonName', derived: true, ...inTableOnly }),
    projectCode: text('项目', { max: 20, ...hidden }),
    roomId: idOf('房屋', { wire: 'RoomID', ...hidden }),
    roomPath: text('房屋', { max: 80, wire: 'RoomPath', derived: true, ...inTableOnly }),
    receipt: choice('阅读情况', noticeReceipt, { required: true, initial: 'unread' }),
    readTime: moment('阅读时间', inTableOnly),
    confirmTime: moment('确认时间', inTableOnly),
    remindTime: moment('提醒时间', inTableOnly),
  },
)

export type NoticeReceiver = Row<typeof noticeReceiver>

/** Of one notice; residents are seen as far as the data domain goes. */
export const noticeReceivers = crud(noticeReceiver, {
  path: 'NoticeReceiver',
  permissions: menu.notice.permissions,
  operations: ['list'],
  itemName: '接收人',
  filters: ['noticeKind', 'receipt', 'receiverKind'],
  search: { noticeId: idOf('公告', { required: true, min: 1, wire: 'NoticeID' }) },
})

export const exportReceivers = crudExport(noticeReceivers, { needs: menu.notice.permissions.export })
