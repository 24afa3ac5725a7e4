import { send } from '#kit/web/send.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { printSamples } from '#modules/accounts/web/public.ts'
import type { recordType } from '../contract/choices.ts'
import { listHandovers } from '../contract/close.ts'
import { receipts } from '../contract/receipt.ts'
import { listRecords } from '../contract/record.ts'

/** The newest record that prints so, as the preview of the templates shows it. */
const newest = (kind: keyof typeof recordType.rows) => async (project: string | undefined) => {
  const { rows } = await send(listRecords, { recordType: [kind], ...(project ? { projectCode: project } : {}), page: 1, size: 1 } as never, { quiet: true, project: 0 }), r = rows[0]
  if (!r) return undefined
  const [[one], { contentOf }] = await Promise.all([send(receipts, { ids: [String(r.id)] }, { quiet: true, project: 0 }), import('./receipt-content.ts')])
  return one && contentOf(one, r.payTime.slice(0, 16), 1)
}
const kinds = { receipt: 'payment', prestore: 'prestore', deposit: 'deposit', refund: 'refund' } as const
for (const [kind, type] of Object.entries(kinds)) printSamples.lend({ kind: kind as keyof typeof kinds, newest: newest(type) })
printSamples.lend({ kind: 'handover', newest: async project => {
  const { rows } = await send(listHandovers, { ...(project ? { projectCode: project } : {}), page: 1, size: 1 } as never, { quiet: true, project: 0 }), h = rows[0]
  return h && (await import('./handover-sheet.tsx')).handoverContent(h)
} })
export const provides: Provides = {}
