import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { toast } from '#kit/web/toast.ts'
import { renewCar } from '../contract/renewal.ts'
import { cashierPath } from './paths.ts'
import { RenewalQuote } from './renewal-quote.tsx'
import { useRenewal } from './use-renewal.ts'

const groups: readonly FormFieldGroup[] = [{ keys: ['carId', 'months'] }]

/** 月卡续费: a car, months, what they cost; the bill is paid at the cashier. */
export default function RenewPage() {
  const [params] = useSearchParams()
  const car = params.get('car')
  const { renew, setAmount } = useRenewal()
  const initial = useMemo(() => ({ months: 1, ...(car ? { carId: parseId(car) } : {}) }), [car])
  return (
    <FormPage
      key={car}
      shape={renewCar.input}
      draftKey={draftKeyOf(renewCar, [car ?? ''])}
      title="月卡续费"
      groups={groups}
      initial={initial}
      submitLabel="生成账单并收款"
      save={renew}
      below={({ carId, months }) => <RenewalQuote carId={carId} months={months} onAmount={setAmount} />}
      onDone={order => {
        toast.success(`已生成「${order.plateNo}」的月卡账单，付款后生效`)
        navigateTo(cashierPath(order))
      }}
    />
  )
}
