import { send } from '#kit/web/send.ts'
import type { PrintContent } from '#modules/accounts/web/public.ts'
import type { recordType } from '../contract/choices.ts'
import { listHandovers } from '../contract/day-close.ts'
import { getReceipts } from '../contract/receipt.ts'
import { listRecords } from '../contract/record.ts'

/** The newest record that prints so, as the preview of the templates shows it. */
export async function findNewestRecord(
  kind: keyof typeof recordType.rows,
  project: string | undefined,
): Promise<PrintContent | undefined> {
  const { rows } = await send(
    listRecords,
    { recordType: [kind], ...(project ? { projectCode: project } : {}), page: 1, size: 1 },
    { quiet: true, project: 0 },
  )
  const record = rows[0]
  if (!record) return undefined
  const [[one], { buildReceiptContent }] = await Promise.all([
    send(getReceipts, { ids: [String(record.id)] }, { quiet: true, project: 0 }),
    import('./receipt-content.ts'),
  ])
  return one && buildReceiptContent(one, record.payTime.slice(0, 16), 1)
}

/** The newest hand-over, as the preview of the templates shows it. */
export async function findNewestHandover(project: string | undefined): Promise<PrintContent | undefined> {
  const { rows } = await send(
    listHandovers,
    { ...(project ? { projectCode: project } : {}), page: 1, size: 1 },
    { quiet: true, project: 0 },
  )
  const handover = rows[0]
  return handover && (await import('./handover-sheet.tsx')).buildHandoverContent(handover)
}
