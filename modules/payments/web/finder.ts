import { labelOf } from '#kit/contract/field.ts'
import type { Hit } from '#kit/web/command-palette.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { send } from '#kit/web/send.ts'
import { session, shownProjectCode } from '#kit/web/session.ts'
import { recordState } from '../contract/choices.ts'
import { listRecords, type PayRecord } from '../contract/record.ts'
import { isRecordNumber } from '../domain/record-number.ts'
import { recordPath } from './paths.ts'

export const toHit = (record: PayRecord, currentProject: string | undefined): Hit => ({
  key: String(record.id),
  title: record.receiptNo ?? record.recordNo,
  note: [
    record.receiptNo ? '收据' : '收款记录',
    record.sourceName,
    record.payerName,
    displayYuanWithSymbol(record.receivedAmount),
  ]
    .filter(Boolean)
    .join(' · '),
  trailing: labelOf(recordState, record.state),
  isOtherProject: currentProject !== undefined && record.projectCode !== currentProject,
  path: recordPath(record.id),
  actions: [{ label: '查看收款', path: recordPath(record.id), letter: 'S' }],
})

/** A payment by the number of its receipt or its own; receipts of several projects may share one. */
export async function findRecordHits(keyword: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const number = keyword.normalize('NFKC').trim()
  if (!isRecordNumber(number)) return []
  const { rows } = await send(listRecords, { number, page: 1, size: 10 }, { quiet: true, signal, project: 0 })
  const currentProject = shownProjectCode(session.getState())
  return rows.map(record => toHit(record, currentProject))
}
