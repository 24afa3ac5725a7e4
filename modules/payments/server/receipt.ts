import { sql, type Tx } from '#kit/server/db.ts'

/** The next receipt number of a project's year, gapless: whoever takes one holds the counter until his payment is done or undone (PAY-20). `2026-000123` */
export async function nextReceipt(tx: Tx, owner: number, project: string, year: number): Promise<string> {
  const row = await tx.one<{ last: number }>(sql`insert into receipt_counter (owner_id, project_code, year, last) values (${owner}, ${project}, ${year}, 1) on conflict (owner_id, project_code, year) do update set last = receipt_counter.last + 1 returning last`)
  return `${year}-${String(row!.last).padStart(6, '0')}`
}
