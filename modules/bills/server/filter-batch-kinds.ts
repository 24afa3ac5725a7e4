import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import type { Day } from '#kit/domain/day.ts'
import { type Tx } from '#kit/server/db.ts'
import { auditBillsByFilter, type countedFilter } from '../contract/actions.ts'
import { setDiscountByFilter, setLateFeeByFilter } from '../contract/adjustments.ts'
import type { Bill } from '../contract/bill.ts'
import { remindBillsByFilter } from '../contract/reminder.ts'
import { maxReportedRows } from './action-runner.ts'
import { applyAudit, type ActionContext } from './actions.ts'
import {
  applyLateFees,
  parseDiscount,
  applyDiscounts,
  assertLateFeeInput,
  type DiscountInput,
  type LateFeeInput,
} from './adjustment.ts'
import { assertNoDiscountDefinition } from './bill-approvals.ts'
import { shouldSendNow, remindLockedBills, assertRequestAllowed, type ReminderRequest } from './reminder.ts'

/** The result of one part, with the notices to send after its commit. */
export interface PartResult extends BulkResult {
  readonly notices?: readonly Id[]
  /** Those who were reminded, each once. */
  readonly payers?: number
  readonly sends?: readonly Id[]
  readonly waits?: string | undefined
}

/** The input of a batch beside its filter, as the handler and the task know it. */
export interface BatchInput {
  readonly reason?: string | undefined
  readonly channel?: ReminderRequest['channel']
}

export type BatchRequest = NonNullable<typeof countedFilter.T>

export interface FilterBatch<Input = BatchInput> {
  readonly call: Call<BatchRequest, BulkResult & { message?: string; taskId?: Id }>
  readonly kind: string
  readonly actionLabel: string
  /** Keys of the input that do not belong to the filter. */
  readonly inputKeys: readonly string[]
  /** Refuses input that no bill could be changed by, before anything starts. */
  check?(input: Input, today: Day): void
  apply(
    tx: Tx,
    context: ActionContext,
    input: Input,
    rows: readonly Bill[],
    missing: readonly Id[],
  ): Promise<PartResult>
  /** Bills of one payer stay in one part, which may then exceed `partSize`. */
  readonly byPayer?: true
  readonly partSize: number
}

/** Whatever its call accepts is the input of its handler, and of its task. */
const defineFilterBatch = <Input extends BatchInput>(batch: FilterBatch<Input>): FilterBatch => batch

const remindPart = async (
  tx: Tx,
  { scope, now, maxReported }: ActionContext,
  input: ReminderRequest,
  rows: readonly Bill[],
  missing: readonly Id[],
): Promise<PartResult> => {
  const { made, skipped } = await remindLockedBills(tx, scope, rows, missing, input, now)
  return {
    success: made.bills,
    fail: 0,
    skipped: skipped.length,
    rows: skipped.slice(0, maxReported ?? maxReportedRows),
    notices: made.ids,
    payers: made.payers,
    sends: shouldSendNow(made, input.channel) ? made.ids : [],
    waits: made.sendsAfter,
  }
}

/** Actions on all bills of a filter (BILL-1); each bill is checked separately (BILL-2). */
export const filterBatches: readonly FilterBatch[] = [
  defineFilterBatch<DiscountInput>({
    call: setDiscountByFilter,
    kind: 'bills.discount',
    actionLabel: '减免',
    inputKeys: ['kind', 'amount', 'percent', 'reason'],
    partSize: 2000,
    check: input => void parseDiscount(input),
    apply: async (tx, context, input, rows, missing) => {
      await assertNoDiscountDefinition(tx, context.scope)
      return applyDiscounts(tx, context, input, rows, missing)
    },
  }),
  defineFilterBatch<LateFeeInput>({
    call: setLateFeeByFilter,
    kind: 'bills.lateFee',
    actionLabel: '调整违约金',
    inputKeys: ['kind', 'amount', 'reason'],
    partSize: 2000,
    check: assertLateFeeInput,
    apply: applyLateFees,
  }),
  defineFilterBatch<BatchInput>({
    call: auditBillsByFilter,
    kind: 'bills.audit',
    actionLabel: '审核',
    inputKeys: [],
    partSize: 2000,
    apply: (tx, context, _, rows, missing) => applyAudit(tx, context, rows, missing),
  }),
  defineFilterBatch<ReminderRequest>({
    call: remindBillsByFilter,
    kind: 'bills.urgeSearch',
    actionLabel: '催缴',
    inputKeys: ['channel', 'promiseDate', 'remark'],
    partSize: 500,
    byPayer: true,
    check: assertRequestAllowed,
    apply: remindPart,
  }),
]
