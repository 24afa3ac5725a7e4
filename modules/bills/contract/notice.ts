import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, idOf, int, keyRef, list, moment, money, text } from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { reminderChannel, reminderState } from './choices.ts'

/** One demand to one payer for what one object owes (URG). */
export const feeNotice = entity(
  'feeNotice',
  '催缴通知',
  { table: 'fee_notice', tenancy: 'project', title: 'sourceName', order: ['-id'] },
  {
    projectCode: estateField(),
    sourceType: choice('对象类型', sourceType, { required: true }),
    sourceCode: text('对象编码', { required: true, max: 40, hiddenIn: ['table'] }),
    sourceName: text('收费对象', { required: true, max: 100, searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail'],
    }),
    payerKind: choice('缴费人类别', payerSide, { hiddenIn: ['table', 'filter'] }),
    payerId: idOf('缴费人', { wire: 'PayerID', hiddenIn: ['table', 'filter', 'detail'] }),
    payerName: text('缴费人', { max: 80, searchable: true }),
    payerMobile: text('电话', { max: 20, masked: 'mobile', hiddenIn: ['filter'] }),
    billIds: list('账单', { required: true, max: 500, wire: 'BillIDs', hiddenIn: ['table', 'filter'] }),
    billCount: int('账单数', { required: true, hiddenIn: ['filter'] }),
    totalAmount: money('金额', { required: true }),
    channel: choice('渠道', reminderChannel, { required: true }),
    level: int('级别', { required: true, min: 0, max: 4 }),
    content: text('内容', { required: true, max: 500, hiddenIn: ['filter'] }),
    promiseDate: day('承诺缴费日', { hiddenIn: ['filter'] }),
    sendTime: moment('发送时间'),
    failReason: text('失败原因', { max: 100, hiddenIn: ['filter'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', reminderState, { required: true, initial: 'queued' }),
  },
)

export type FeeNotice = Row<typeof feeNotice>
