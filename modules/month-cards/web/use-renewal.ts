import { useState } from 'react'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import { useSend } from '#kit/web/query.ts'
import { renewCar } from '../contract/renewal.ts'

/** Renews by the amount that the screen shows (PAY-1). */
export function useRenewal() {
  const sending = useSend(renewCar, { quiet: true })
  const [amount, setAmount] = useState<Fen>()
  return {
    setAmount,
    renew: async (input: { readonly carId: Id; readonly months: number }) =>
      sending.mutateAsync({ ...input, expectAmount: amount ?? refuse('金额尚未算出，请稍后再提交') }),
  }
}
