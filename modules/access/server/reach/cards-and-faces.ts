import { keyOf, labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { cardState, faceState } from '#modules/residents/contract/labels.ts'
import { dateFault, registerCredentialSource, valuesOfKind } from './credential-source.ts'
import { ofHolder, ofHolders } from './holder-condition.ts'
import type { ReachQuery, Sql } from './query.ts'

const notOver = ({ today }: ReachQuery): Sql => sql`(c.end_date is null or c.end_date >= ${today}::date)`

interface StoredCredential {
  readonly state: number
  readonly beginDate?: Day
  readonly endDate?: Day
}

const cardKeys = (ownerId: Id, condition: Sql): Sql => sql`
  select c.project_code, 'card:' || c.card_no as item_key
  from identity_card c
  where c.owner_id = ${ownerId} and ${condition}
`

const faceKeys = (ownerId: Id, condition: Sql): Sql => sql`
  select c.project_code, 'face:' || c.id as item_key
  from face_key c
  where c.owner_id = ${ownerId} and ${condition}
`

/** What cards and faces have alike. */
const ownColumns = {
  id: sql`c.id`,
  userId: sql`c.user_id`,
  staffId: sql`c.staff_id`,
  groupIds: sql`c.doorway_group_ids`,
  beginDate: sql`c.begin_date`,
  endDate: sql`c.end_date`,
}

const withIds = (ids: readonly Id[]): Sql => sql`c.id = any(${[...ids]}::bigint[])`

registerCredentialSource({
  kind: 'card',
  entity: identityCard.name,
  select: query => [
    {
      columns: { ...ownColumns, itemKey: sql`'card:' || c.card_no`, number: sql`c.card_no` },
      from: sql`
    from identity_card c
    where c.owner_id = ${query.ownerId}
      and c.project_code = ${query.projectCode}
      and ${notDeleted('c')}
      and c.state = ${code(cardState, 'normal')}
      and ${notOver(query)}
      ${query.keys ? sql`and c.card_no = any(${valuesOfKind(query.keys, 'card')}::text[])` : sql``}
      ${ofHolder(query)}
  `,
    },
  ],
  selectKeys: (ownerId, holders) => cardKeys(ownerId, ofHolders(holders)),
  selectKeysOf: (ownerId, ids) => cardKeys(ownerId, withIds(ids)),
  // The latest of a number: it may be issued again once its card is ended.
  selectHolders: (ownerId, projectCode, keys) => sql`
    select distinct on (c.card_no) 'card:' || c.card_no as item_key, c.user_id, c.staff_id,
      c.card_no as number, null::text as holder_name
    from identity_card c
    where c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and c.card_no = any(${valuesOfKind(keys, 'card')}::text[])
      and ${notDeleted('c')}
    order by c.card_no, c.id desc
  `,
  explain: async (db, { ownerId, projectCode, key, today }) => {
    // The latest of a number: it may be issued again once its card is ended.
    const card = await db.one<StoredCredential>(sql`
      select state, begin_date, end_date
      from identity_card
      where owner_id = ${ownerId}
        and project_code = ${projectCode}
        and card_no = any(${valuesOfKind([key], 'card')}::text[])
        and ${notDeleted()}
      order by id desc
      limit 1
    `)
    if (!card) return '卡号未登记'
    const state = defined(keyOf(cardState, card.state))
    return state === 'normal' ? dateFault(card, today) : `卡已${labelOf(cardState, state)}`
  },
})

registerCredentialSource({
  kind: 'face',
  entity: faceKey.name,
  select: query => [
    {
      columns: { ...ownColumns, itemKey: sql`'face:' || c.id`, picture: sql`c.face` },
      from: sql`
    from face_key c
    where c.owner_id = ${query.ownerId}
      and c.project_code = ${query.projectCode}
      and ${notDeleted('c')}
      and c.state in ${codes(faceState, 'waiting', 'good', 'failed')}
      and ${notOver(query)}
      ${query.keys ? sql`and c.id = any(${valuesOfKind(query.keys, 'face')}::bigint[])` : sql``}
      ${ofHolder(query)}
  `,
    },
  ],
  selectKeys: (ownerId, holders) => faceKeys(ownerId, ofHolders(holders)),
  selectKeysOf: (ownerId, ids) => faceKeys(ownerId, withIds(ids)),
  selectHolders: (ownerId, projectCode, keys) => sql`
    select 'face:' || c.id as item_key, c.user_id, c.staff_id, null::text as number,
      null::text as holder_name
    from face_key c
    where c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and c.id = any(${valuesOfKind(keys, 'face').map(parseId)}::bigint[])
      and ${notDeleted('c')}
  `,
  explain: async (db, { ownerId, projectCode, key, today }) => {
    const face = await db.one<StoredCredential>(sql`
      select state, begin_date, end_date
      from face_key
      where owner_id = ${ownerId}
        and project_code = ${projectCode}
        and id = any(${valuesOfKind([key], 'face')}::bigint[])
        and ${notDeleted()}
    `)
    if (!face || keyOf(faceState, face.state) === 'deleted') return '人脸未登记'
    return dateFault(face, today)
  },
})
