import type { Id } from '#kit/domain/id.ts'
import type { RawBuilder } from '#kit/server/db.ts'

/** Selects `project_code`, `source_type` and `source_code` of the objects that a receipt is about. */
type ReceiptSources = (ownerId: Id, receiptNo: string, project?: string) => RawBuilder<unknown>

const registered: ReceiptSources[] = []

/** Registers who keeps receipts: bills do not know what they were paid with (BILL-11). */
export const provideReceiptSources = (provider: ReceiptSources): void => {
  registered.push(provider)
}

export const receiptSources = (ownerId: Id, receiptNo: string, project?: string): RawBuilder<unknown>[] =>
  registered.map(provider => provider(ownerId, receiptNo, project))
