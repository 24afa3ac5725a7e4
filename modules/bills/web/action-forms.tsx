import { defined } from '#kit/domain/defined.ts'
import type { Call } from '#kit/contract/call.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import type { SelectedRows } from '#kit/web/list/selection.ts'
import { recoverBills } from '../contract/actions.ts'
import {
  changePayer,
  setDiscountByFilter,
  editBillAmount,
  setLateFeeByFilter,
  markBills,
  setDiscount,
  setLateFee,
  reissueBill,
  splitBill,
} from '../contract/adjustments.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { Note, DiscountPreview, SplitPreview, sumDiscount, type AffectedBills } from './action-previews.tsx'

export type DialogKind =
  | 'discount'
  | 'lateFee'
  | 'split'
  | 'payer'
  | 'amount'
  | 'reissue'
  | 'mark'
  | 'recover'
  | 'urge'

export interface DialogRequest {
  readonly kind: DialogKind
  readonly bills: readonly Bill[]
  readonly ids?: readonly string[]
  /** All bills of a filter. */
  readonly allMatching?: SelectedRows<Bill, BillFilter>['allMatching']
}

interface ActionForm<Values extends object = object> {
  readonly call: Call<object>
  /** The same action on all bills of a filter. */
  readonly filterCall?: Call<object>
  /**
   * How many fen it affects: from ¥10,000 on the count must be typed to confirm. A number, for it is
   * estimated while the form may still hold what is no amount.
   */
  touches?(values: Values, t: AffectedBills): number
  readonly actionLabel: string
  readonly groups: readonly FormFieldGroup[]
  readonly initial: (bills: readonly Bill[]) => object
  below?(values: Values, t: AffectedBills): React.ReactNode
  rules?(values: Values, bills: readonly Bill[]): Faults | undefined
  /** Acts on one bill, identified by id and version. */
  readonly single?: boolean
  /** The fields and the input when only one bill is selected. */
  readonly alone?: {
    readonly groups: readonly FormFieldGroup[]
    toInput(values: Values, b: Bill): object
  }
}

/** A form and what it computes from the values of its own call. */
const defineForm = <Values extends object>(
  form: ActionForm<Values> & { readonly call: Call<Values> },
): ActionForm => form

const reasonField = (help = '会写入账单变更记录'): FormFieldGroup['keys'][number] => ({
  key: 'reason',
  wide: true,
  help,
})

const isOtherKind =
  (kind: string) =>
  (v: { kind?: string }): boolean =>
    v.kind !== kind

export const actionForms: Readonly<Record<Exclude<DialogKind, 'urge'>, ActionForm>> = {
  discount: defineForm({
    call: setDiscount,
    filterCall: setDiscountByFilter,
    actionLabel: '减免',
    groups: [
      {
        keys: [
          'kind',
          { key: 'amount', isRequired: true, isHidden: isOtherKind('amount') },
          {
            key: 'percent',
            isRequired: true,
            isHidden: isOtherKind('rate'),
            help: '减去的部分：15 表示打八五折',
          },
          reasonField(),
        ],
      },
    ],
    initial: () => ({ kind: 'amount' }),
    rules: (values): Faults | undefined =>
      values.kind === 'rate'
        ? values.percent === undefined
          ? { percent: '请填写减免比例，0 到 100' }
          : undefined
        : values.amount === undefined
          ? { amount: '请填写减免金额' }
          : undefined,
    below: (v, t) => <DiscountPreview v={v} t={t} />,
    touches: sumDiscount,
  }),
  lateFee: defineForm({
    call: setLateFee,
    filterCall: setLateFeeByFilter,
    actionLabel: '调整违约金',
    groups: [
      {
        keys: [
          'kind',
          {
            key: 'amount',
            isHidden: v => v.kind === 'auto',
            help: '减免：不填减免全部未收的；定额：未收违约金改为该数，不再增加',
          },
          reasonField(),
        ],
      },
    ],
    initial: () => ({ kind: 'waive' }),
    rules: v => (v.kind === 'fix' && v.amount === undefined ? { amount: '请填写违约金定额' } : undefined),
    below: (_, t) => <Note>现在未收违约金 {displayYuan(t.sum('lateFeeUnpaid'))}，提交时按今天重算</Note>,
    touches: (values, affected) =>
      values.kind === 'fix'
        ? Math.max(affected.sum('lateFeeUnpaid'), (values.amount ?? 0) * affected.count)
        : values.amount === undefined
          ? affected.sum('lateFeeUnpaid')
          : values.amount * affected.count,
  }),
  split: defineForm({
    call: splitBill,
    actionLabel: '拆分',
    single: true,
    groups: [
      {
        keys: [
          { key: 'on', help: '第二张从该日开始' },
          { key: 'amount', help: '或按金额拆分，账期不变' },
          { key: 'secondDue', help: '不填与原账单相同' },
          reasonField(),
        ],
      },
    ],
    initial: () => ({}),
    below: (v, t) => <SplitPreview v={v} b={defined(t.bills[0])} />,
  }),
  payer: defineForm({
    call: changePayer,
    actionLabel: '变更缴费人',
    groups: [
      { keys: ['payerKind', { key: 'payerId', wide: true }, reasonField('已缴费或已开票的账单不能变更')] },
    ],
    initial: () => ({ payerKind: 'resident' }),
  }),
  amount: defineForm({
    call: editBillAmount,
    actionLabel: '修改金额',
    single: true,
    groups: [{ keys: ['amount', reasonField('只有导入和手工临时的账单可以直接改金额')] }],
    initial: bills => ({ amount: defined(bills[0]).amount }),
    touches: (v, t) => Math.abs((v.amount ?? 0) - defined(t.bills[0]).amount),
  }),
  reissue: defineForm({
    call: reissueBill,
    actionLabel: '重开',
    single: true,
    groups: [
      {
        keys: [
          'amount',
          'dueDate',
          'beginDate',
          'endDate',
          'remark',
          reasonField('原账单作废，新账单注明所替换的账单'),
        ],
      },
    ],
    initial: ([bill]) => ({
      amount: defined(bill).amount,
      dueDate: defined(bill).dueDate,
      beginDate: defined(bill).beginDate,
      endDate: defined(bill).endDate,
    }),
  }),
  mark: defineForm({
    call: markBills,
    actionLabel: '标记',
    groups: [
      {
        keys: [
          'disputed',
          { key: 'promiseDate', help: '到该日之前不自动催缴' },
          'clearPromise',
          'remark',
          'clearRemark',
        ],
      },
    ],
    initial: ([b, second]) =>
      second
        ? {}
        : { disputed: defined(b).disputed, promiseDate: defined(b).promiseDate, remark: defined(b).remark },
    below: () => <Note>有争议的账单不催缴，直到取消标记</Note>,
    // A field that is emptied clears the mark.
    alone: {
      groups: [
        {
          keys: ['disputed', { key: 'promiseDate', help: '到该日之前不自动催缴；清空即取消承诺' }, 'remark'],
        },
      ],
      toInput: (v, b) => ({
        ...v,
        ...(v.promiseDate === undefined && b.promiseDate !== undefined ? { clearPromise: true } : {}),
        ...(!v.remark && b.remark ? { clearRemark: true } : {}),
      }),
    },
  }),
  recover: defineForm({
    call: recoverBills,
    actionLabel: '恢复',
    groups: [{ keys: [{ key: 'resetDue', help: '不勾选时违约金从原应缴日补算' }, reasonField('选填')] }],
    initial: () => ({ resetDue: false }),
    below: () => <Note>本期已有其他有效账单、对象已删除或读数已被计费的不能恢复</Note>,
  }),
}
