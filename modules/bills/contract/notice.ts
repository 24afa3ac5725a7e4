import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, int, keyRef, list, moment, money, text } from '#kit/contract/field.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { urgeChannel, urgeState } from './choices.ts'

/** One demand to one payer for what one object owes (URG). */
export const feeNotice = entity(
  'feeNotice',
  '催缴通知',
  { table: 'fee_notice', reach: 'project', title: 'sourceName', order: ['-id'] },
  {
    projectCode: estateOf(),
    sourceType: choice('对象类型', sourceType, { required: true }),
    sourceCode: text('对象编码', { required: true, max: 40, notIn: ['table'] }),
    sourceName: text('收费对象', { required: true, max: 100, sought: true }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      notIn: ['table', 'form', 'detail'],
    }),
    payerKind: choice('缴费人类别', payerSide, { notIn: ['table', 'filter'] }),
    payerId: int('缴费人', { wire: 'PayerID', notIn: ['table', 'filter', 'detail'] }),
    payerName: text('缴费人', { max: 80, sought: true }),
    payerMobile: text('电话', { max: 20, masked: 'mobile', notIn: ['filter'] }),
    billIds: list('账单', { required: true, max: 500, wire: 'BillIDs', notIn: ['table', 'filter'] }),
    billCount: int('账单数', { required: true, notIn: ['filter'] }),
    totalAmount: money('金额', { required: true }),
    channel: choice('渠道', urgeChannel, { required: true }),
    level: int('级别', { required: true, min: 0, max: 4 }),
    content: text('内容', { required: true, max: 500, notIn: ['filter'] }),
    promiseDate: day('承诺缴费日', { notIn: ['filter'] }),
    sendTime: moment('发送时间'),
    failReason: text('失败原因', { max: 100, notIn: ['filter'] }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
    state: choice('状态', urgeState, { required: true, initial: 'queued' }),
  },
)

export type FeeNotice = Row<typeof feeNotice>
