import { parseId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { cardState, faceState } from '#modules/residents/contract/labels.ts'
import type { CredentialKind } from '../../contract/choices.ts'
import { valuesOfKind } from './credential-source.ts'
import type { Holders, ReachQuery, Sql } from './query.ts'

/** In keys that name a person or a finger: `u12` is a resident's, `s12` of one of the staff. */
export type HolderLetter = 'u' | 's'

export const idsOfLetter = (
  keys: readonly string[] | undefined,
  kind: CredentialKind,
  letter: HolderLetter,
): Id[] =>
  valuesOfKind(keys ?? [], kind).flatMap(value => (value.startsWith(letter) ? [parseId(value.slice(1))] : []))

/** Credentials `c` of the one person who is asked for, of everybody without; it begins with `and`. */
export const ofHolder = ({ userId, staffId }: ReachQuery): Sql => sql`
  ${userId === undefined ? sql`` : sql`and c.user_id = ${userId}`}
  ${staffId === undefined ? sql`` : sql`and c.staff_id = ${staffId}`}
`

/** Credentials `c` of some people. */
export const ofHolders = ({ userIds = [], staffIds = [] }: Holders): Sql =>
  sql`(c.user_id = any(${[...userIds]}::bigint[]) or c.staff_id = any(${[...staffIds]}::bigint[]))`

/** Of `i`, whose rights and dates count today in the project. */
export const isCurrent = ({ ownerId, projectCode, today }: ReachQuery): Sql => sql`
  i.owner_id = ${ownerId}
  and i.project_code = ${projectCode}
  and ${notDeleted('i')}
  and (i.begin_date is null or i.begin_date <= ${today}::date)
  and (i.end_date is null or i.end_date >= ${today}::date)
`

export const isCardInUse = sql`i.state = ${code(cardState, 'normal')}`
export const isFaceInUse = sql`i.state in ${codes(faceState, 'waiting', 'good', 'failed')}`
