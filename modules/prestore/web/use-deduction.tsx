import { useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { PrestoreAccount } from '../contract/account.ts'
import type { DeductionResult } from './deduction-result.tsx'

const DeductionResultDialog = lazyComponent(() =>
  import('./deduction-result.tsx').then(m => m.DeductionResultDialog),
)

/** Why the selected accounts cannot be deducted together. */
export const batchDeductionRefusal = (accounts: readonly PrestoreAccount[]): string | undefined => {
  if (accounts.some(account => account.ownerKind !== 'room')) return '只有房屋账户可以批量冲抵'
  return new Set(accounts.map(account => account.projectCode)).size > 1
    ? '请只勾选同一个项目的账户'
    : undefined
}

export type Deduct = (
  projectCode: string,
  roomCodes: readonly string[] | undefined,
  subject: string,
) => Promise<boolean>

/** Deducts bills from prestore after a confirmation, and shows what was deducted. */
export function useDeduction() {
  const [result, setResult] = useState<DeductionResult>()
  const deduct: Deduct = async (projectCode, roomCodes, subject) => {
    const { confirmDeduction } = await import('./confirm-deduction.ts')
    const done = await confirmDeduction(projectCode, roomCodes, subject)
    setResult(done)
    return done !== undefined
  }
  const dialog = result && <DeductionResultDialog of={result} onClose={() => setResult(undefined)} />
  return { deduct, dialog }
}

export const deductSelected = (deduct: Deduct, accounts: readonly PrestoreAccount[]) =>
  accounts[0]
    ? deduct(
        accounts[0].projectCode,
        [...new Set(accounts.map(account => account.ownerCode))],
        `勾选的 ${accounts.length} 个账户`,
      )
    : undefined
