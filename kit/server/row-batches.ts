import type { PoolClient } from 'pg'
import type { Entity } from '#kit/contract/entity.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import { toEntityRow } from './column-storage.ts'
import { queryBuilder, type RawBuilder } from './db.ts'

/**
 * Rows of a statement from a cursor, a batch at a time, the next one fetched while the last is used: memory
 * stays flat.
 */
export async function* readBatches<F extends Fields>(
  client: PoolClient,
  entity: Entity<F>,
  keys: readonly string[],
  query: RawBuilder<unknown>,
  size = 400,
): AsyncGenerator<ValueOf<F>[]> {
  const { sql: text, parameters } = query.compile(queryBuilder())
  await client.query({ text: `declare export_rows no scroll cursor for ${text}`, values: [...parameters] })
  const fetchBatch = (): Promise<unknown[][]> => {
    const batch = client
      .query<unknown[]>({ text: `fetch ${size} from export_rows`, rowMode: 'array' })
      .then(result => result.rows)
    // A batch is awaited only when the one before it has been used, or never, when the reader stops there:
    // its failure must not end the process as an unhandled rejection.
    batch.catch(() => {})
    return batch
  }
  let next = fetchBatch()
  for (;;) {
    const rows = await next
    if (rows.length === size) {
      next = fetchBatch()
    }
    yield rows.map(row => toEntityRow(entity, Object.fromEntries(keys.map((key, i) => [key, row[i]]))))
    if (rows.length < size) return
  }
}
