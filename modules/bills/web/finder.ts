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
  return rows.map((b): Hit => ({
    key: String(b.id),
    title: b.billNo,
    note: `${b.sourceName} · ${b.feeItemName} · ${displayYuanWithSymbol(b.unpaid)}`,
    trailing: statusText(b),
    path: billPath(b.billNo),
    actions: [{ label: '查看账单', path: billPath(b.billNo), letter: 'B' }],
  }))
}
