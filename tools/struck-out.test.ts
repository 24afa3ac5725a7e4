import { expect, it } from 'vitest'
import { loadInstalledModules } from '#apps/server/modules.ts'

const calls = (await loadInstalledModules()).flatMap(m => [...m.contract.calls])

/**
 * States that look over (`off`) in a list with sums and still count, with the reason. Whatever else is over
 * is struck through and counts in no sum (C27-9).
 */
const stillCounts: Readonly<Record<string, string>> = {
  'activitySign.payState.refunded': 'the state of the sign-up says whether it is over',
  'activitySign.state.cancelled': 'it owes nothing; what was paid and not given back counts',
  'bill.state.writtenOff': 'a bad debt stays a receivable of its own list',
  'billFollowUp.state.ignored': 'the bill stands as it is',
  'billRun.state.stopped': 'the bills that it made stand',
  'estate.state.off': 'no money; its buildings stand',
  'feeNotice.state.refused': 'what it reminded of is owed all the same',
  'merchant.state.ended': 'its balance is still owed',
  'park.state.off': 'no money; its places are there',
  'payRecord.state.refunded': 'its refund is a record of its own, negative',
  'invoiceRecord.state.red': 'its red invoice stands beside it, negative',
  'dayRecord.manualState.rest': 'overtime of a day of rest counts',
  'dayRecord.state.rest': 'overtime of a day of rest counts',
  'deposit.state.toIncome': 'the money came in and stayed',
  'deposit.state.toPrestore': "the money came in and stays the payer's",
  'payOrder.state.refunded': 'was paid; the refund has a record of its own',
  'purchaseOrder.state.closed': 'what had come of it was bought',
  'workOrder.payState.abolished': 'the state of the order says whether it is over',
  'workOrder.payState.refunded': 'the state of the order says whether it is over',
  'workOrder.state.closed': 'what was paid and not given back counts; its payment state says what is over',
}

it('C27-9: what is over is struck through in every list with sums, or counts for a stated reason', () => {
  const over = calls.flatMap(({ output }) =>
    output.form === 'page' && output.sums?.length && output.entity
      ? Object.entries(output.fields).flatMap(([key, { choices, struckOut }]) =>
          Object.entries(choices?.rows ?? {})
            .filter(([value, [, , tone]]) => tone === 'off' && !struckOut?.includes(value))
            .map(([value]) => `${output.entity}.${key}.${value}`),
        )
      : [],
  )
  expect([...new Set(over)].toSorted()).toEqual(Object.keys(stillCounts).toSorted())
})
