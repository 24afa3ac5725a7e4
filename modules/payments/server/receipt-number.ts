import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'

/**
 * The next receipt number of a project's year, gapless: a payment that takes one holds the counter until it
 * is done or undone (PAY-20). A part of its statement: `receipt_no` is `2026-000123`.
 */
export const nextReceiptNumber = (
  ownerId: Id,
  project: string,
  year: number,
): RawBuilder<{ receiptNo: string }> =>
  sql`
    insert into receipt_counter (owner_id, project_code, year, last)
    values (${ownerId}, ${project}, ${year}, 1)
    on conflict (owner_id, project_code, year) do update set last = receipt_counter.last + 1
    returning year::text || '-' || lpad(last::text, greatest(6, length(last::text)), '0') as receipt_no
  `
