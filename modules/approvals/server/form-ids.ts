import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { approvalKind, instanceState } from '../contract/choices.ts'
import type { ApprovalKind } from '../contract/kind.ts'

type Kinds = readonly Pick<ApprovalKind, 'key'>[]

/** The ids that forms of running requests of these kinds list under `ids`, as rows of `listed.id`. */
export const selectIdsInForms = (ownerId: Id, kinds: Kinds): RawBuilder<unknown> => sql`
  select listed.id
  from process_instance i, jsonb_array_elements_text(i.form::jsonb -> 'ids') as listed(id)
  where i.owner_id = ${ownerId}
    and i.biz_type in ${codes(approvalKind, ...kinds.map(({ key }) => key))}
    and i.state in ${codes(instanceState, 'running')}
    and ${notDeleted('i')}`

/** Those of the ids that forms of running requests of these kinds list under `ids`. */
export async function findIdsInForms(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  kinds: Kinds,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    ${selectIdsInForms(ownerId, kinds)} and listed.id = any(${[...ids]}::text[])
  `)
  return new Set(rows.map(({ id }) => id))
}
