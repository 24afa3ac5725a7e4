import { parseId } from '#kit/domain/id.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import type { CashierExtensionProps } from '#modules/payments/web/public.ts'
import { renewCar } from '../contract/renewal.ts'
import { QuoteControl } from './quote-control.tsx'

const RenewalDialog = actionDialog({
  call: renewCar,
  submitLabel: '生成账单',
  title: ({ view }: CashierExtensionProps) => `月卡续费「${view.sourceName}」`,
  keys: ['months', { key: 'expectAmount', control: QuoteControl, wide: true }],
  target: ({ view }) => ({ carId: parseId(view.sourceCode) }),
  initial: () => ({ months: 1 }),
  doneText: (_, { amount, newEnd }) =>
    `已生成月卡账单 ${displayYuanWithSymbol(amount)}，收款后有效期至 ${newEnd}`,
})

/** Months for the car that is open at the cashier: their bill is then paid with the others. */
export const CashierRenewal = (props: CashierExtensionProps) => (
  <RenewalDialog record={props} onClose={props.onClose} onDone={() => props.onPaid([])} />
)
