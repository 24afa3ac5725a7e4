import type { Hit } from '#kit/web/command-palette.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { send } from '#kit/web/send.ts'
import { listBills } from '../contract/list.ts'
import { billPath, statusText } from './labels.tsx'

/** A bill by its number; by anything else there are too many. */
export async function findBills(keyword: string, signal: AbortSignal): Promise<readonly Hit[]> {
  if (!/^ZD\d{6,}/i.test(keyword.trim())) return []
  const { rows } = await send(
    listBills,
    { keyword, anyState: true, page: 1, size: 5 },
    { quiet: true, signal, project: 0 },
  )
  return rows.map((bill): Hit => ({
    key: String(bill.id),
    title: bill.billNo,
    note: `${bill.sourceName} · ${bill.feeItemName} · ${displayYuanWithSymbol(bill.unpaid)}`,
    trailing: statusText(bill),
    path: billPath(bill.billNo),
    actions: [{ label: '查看账单', path: billPath(bill.billNo), letter: 'B' }],
  }))
}
