import { parseId } from '#kit/domain/id.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { toast } from '#kit/web/toast.ts'
import type { CashierExtensionProps } from '#modules/payments/web/public.ts'
import { renewCar } from '../contract/renewal.ts'
import { RenewalQuote } from './renewal-quote.tsx'
import { useRenewal } from './use-renewal.ts'

const groups = [{ keys: ['months'] }]
const initial = { months: 1 }

/** Months for the car that is open at the cashier: their bill is then paid with the others. */
export function CashierRenewal({ view, onClose, onPaid }: CashierExtensionProps) {
  const carId = parseId(view.sourceCode)
  const { renew, setAmount } = useRenewal()
  return (
    <EditDialog
      shape={renewCar.input}
      title={`月卡续费「${view.sourceName}」`}
      groups={groups}
      initial={initial}
      draftKey={undefined}
      submitLabel="生成账单"
      presentation="dialog"
      save={({ months }) => renew({ carId, months })}
      below={({ months }) => <RenewalQuote carId={carId} months={months} onAmount={setAmount} />}
      onClose={onClose}
      onDone={({ amount, newEnd }) => {
        toast.success(`已生成月卡账单 ${displayYuanWithSymbol(amount)}，收款后有效期至 ${newEnd}`)
        onPaid([])
      }}
    />
  )
}
