import { defined } from '#kit/domain/defined.ts'
import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, list, moment, text } from '#kit/contract/field.ts'
import {
  fileResponse,
  bulkResult,
  byIds,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
  extendShape,
  omitFields,
  type Shape,
  recordIdField,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { billSearch, billIdsField, type BillFilter } from './list.ts'
import { countedFilter, bulkOutcome } from './actions.ts'
import { reminderChannel, reminderRefusal } from './choices.ts'
import { feeNotice } from './notice.ts'

const { permissions } = menu.notice

/** Channels that are available; the app has no binding for residents yet. */
export const supportedChannels = ['sms', 'wechat', 'email', 'phone', 'visit', 'letter', 'lawyer'] as const
const channelField = { channel: choice('渠道', reminderChannel, { required: true, initial: 'sms' }) }
const talkFields = { promiseDate: day('承诺缴费日'), remark: text('沟通情况', { max: 200 }) }

const billIdsFields = {
  ids: list('账单', { required: true, max: 2000, wire: ['Ids', 'ID'], rule: defined(billIdsField().rule) }),
  ...channelField,
}

const messageField = text('说明', { required: true, wire: 'Message' })

/** Which bills may be reminded of over a channel now, and why others may not (URG-1). Changes nothing. */
export const checkReminders = call({
  route: 'GET finance/v1/FeeBill/CheckUrge',
  aliases: ['POST Feenotice/PostForCheck'],
  title: '检查能否催缴',
  needs: permissions.urge,
  input: shape(billIdsFields),
  output: listOfRows({
    id: idOf('账单', { required: true, wire: 'ID' }),
    billNo: text('账单号', { required: true }),
    /** The customer's key: the same for all bills of one customer. */
    payerKey: text('缴费人', { required: true, wire: 'PayerKey' }),
    canRemind: flag('可以催缴', { required: true, wire: 'CanUrge' }),
    refusal: choice('原因', reminderRefusal),
    words: text('说明'),
    /** A reminder may be sent, but the operator is warned. */
    warning: choice('提醒', reminderRefusal),
    level: int('级别', { required: true }),
    lastTime: moment('上次催缴'),
    count: int('催缴次数', { required: true }),
  }),
})

/**
 * One demand per payer and object over all their bills (URG-4). Messages are queued, what a person did is
 * written down.
 */
export const remindBills = call({
  route: 'POST finance/v1/FeeBill/urge',
  aliases: ['Feebill/PostNotice', 'Feenotice/post'],
  title: '催缴',
  needs: permissions.urge,
  affects: ['bill', 'feeNotice'],
  input: shape({ ...billIdsFields, ...talkFields }),
  output: extendShape(bulkResult, {
    notices: list('通知', { required: true, wire: 'NoticeIDs' }),
    message: messageField,
  }),
})

/** Over all that a filter finds: a payer's bills stay together (URG-4), however many there are. */
export const remindBillsByFilter = call({
  route: 'POST finance/v1/FeeBill/UrgeSearch',
  title: '按筛选催缴',
  needs: permissions.urge,
  affects: ['bill', 'feeNotice'],
  input: extendShape(countedFilter, { ...channelField, ...talkFields }),
  output: extendShape(bulkOutcome, { message: messageField }),
})

export const noticeFilters = [
  'channel',
  'level',
  'state',
  'buildCode',
  'sourceType',
  'totalAmount',
  'sendTime',
  'promiseDate',
  'createTime',
] as const

export const listNotices = call({
  route: 'GET Feenotice/Get',
  title: '查询催缴',
  needs: permissions.view,
  input: search(feeNotice, noticeFilters, {
    sourceCode: text('对象编码', { max: 40 }),
    promised: flag('有承诺'),
  }),
  output: pageOf(feeNotice, { sums: ['totalAmount'] }),
})

/** The result of a call or a visit; a promise is also written to the bills (URG-7). */
export const recordNoticeResult = call({
  route: 'PUT Feenotice/Put',
  title: '登记催缴结果',
  needs: permissions.urge,
  affects: ['feeNotice', 'bill'],
  output: recordOf(feeNotice),
  input: shape({
    id: recordIdField,
    version: int('版本'),
    promiseDate: day('承诺缴费日'),
    clearPromise: flag('取消承诺', { wire: 'ClearPromise' }),
    remark: text('沟通情况', { max: 200 }),
    clearRemark: flag('清除沟通情况', { wire: 'ClearRemark' }),
  }),
})

/** Those that failed are queued again (URG-6). */
export const resendNotices = call({
  route: 'PUT Feenotice/PutResend',
  title: '重发催缴',
  needs: permissions.urge,
  input: byIds,
  output: bulkResult,
  affects: ['feeNotice'],
})

/** Letters count as sent once a person says that they were printed (URG-6). */
export const confirmLettersPrinted = call({
  route: 'PUT Feenotice/PutPrinted',
  title: '确认催缴函已打印',
  needs: permissions.letter,
  input: byIds,
  output: bulkResult,
  affects: ['feeNotice'],
})

/** 催缴函 of notices: a page each, sorted by building and room. */
export const printDemandLetters = call({
  route: 'GET Feenotice/GetLetters',
  title: '打印催缴函',
  needs: permissions.letter,
  input: byIds,
  output: fileResponse,
})

const printFilter: Shape<BillFilter> = omitFields<BillFilter, 'page' | 'size' | 'order'>(billSearch, [
  'page',
  'size',
  'order',
])

/**
 * 缴费通知单 for the open bills of a filter or for selected ones: one page per object, sorted by building and
 * room; 2,000 bills at most (BILL-13).
 */
export const printPaymentNotices = call({
  route: 'GET Feebill/GetFeeBillPrintExport',
  title: '打印缴费通知单',
  needs: menu.bill.permissions.print,
  output: fileResponse,
  input: extendShape(printFilter, { ids: billIdsField() }),
})
