import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, labelOf, keyOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { assertInDomain, tenantFilter } from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { sourceType, payerSide } from '#modules/fees/contract/choices.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { relation } from '#modules/residents/contract/relation.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { type Scope } from '#kit/server/scope.ts'
import { type SourceType } from '#modules/fees/server/public.ts'
import { bill } from '../contract/bill.ts'
import { getFeeTarget } from '../contract/list.ts'

type TargetKind = 'resident' | 'company'

interface FeeTarget {
  readonly kind: TargetKind
  readonly id: Id
  readonly name: string
  readonly mobile?: string | undefined
  readonly role?: string | undefined
}

interface RoomRow {
  readonly id: Id
  readonly path: string
  readonly projectCode: string
  readonly buildCode: string
  readonly companyId?: Id
}

interface PastPayer {
  readonly kind: number
  readonly id: Id
  readonly name: string
  readonly mobile?: string
  readonly sourceName: string
  readonly projectCode: string
  readonly buildCode?: string
}

const findRoom = (
  db: Db,
  scope: Scope,
  project: string | undefined,
  roomCode: string,
): Promise<RoomRow | undefined> =>
  db.one<RoomRow>(
    sql`
      select t.id, t.path, t.project_code, t.build_code, t.company_id
      from room t
      where ${tenantFilter(room, scope, project)} and t.code = ${roomCode}
    `,
  )

/** Payers of earlier bills of an object, each once. */
const findPastPayers = (
  db: Db,
  scope: Scope,
  project: string | undefined,
  type: SourceType,
  sourceCode: string,
): Promise<PastPayer[]> =>
  db.rows<PastPayer>(sql`
    select distinct on (t.payer_kind, t.payer_id) coalesce(t.payer_kind, 0) as kind,
      coalesce(t.payer_id, 0) as id, coalesce(t.payer_name, '') as name, t.payer_mobile as mobile,
      t.source_name, t.project_code, t.build_code
    from bill t
    where ${tenantFilter(bill, scope, project)}
      and t.source_type = ${codeOf(sourceType, type)}
      and t.source_code = ${sourceCode}
    order by t.payer_kind, t.payer_id, t.id desc
    limit 50
  `)

/** The people who live in a room or own it, the payer first. */
async function findResidents(db: Db, ownerId: Id, roomId: Id): Promise<FeeTarget[]> {
  const people = await db.rows<{
    id: Id
    name: string
    mobile?: string
    relation: Id
    isPayer: boolean
    isMain: boolean
  }>(sql`
    select u.id, u.name, u.mobile, l.relation, l.is_payer, l.is_main
    from user_room l
    join resident u on u.owner_id = ${ownerId} and u.id = l.user_id and ${notDeleted('u')}
    where l.owner_id = ${ownerId}
      and l.room_id = ${roomId}
      and ${notDeleted('l')}
      and l.status = ${code(residencyStatus, 'living')}
    order by l.is_payer desc, l.is_main desc, l.id
  `)
  return people.map(person => ({
    kind: 'resident',
    id: person.id,
    name: person.name,
    mobile: person.mobile,
    role: [
      labelOf(relation, keyOf(relation, person.relation) ?? ''),
      person.isMain ? '主业主' : '',
      person.isPayer ? '缴费人' : '',
    ]
      .filter(Boolean)
      .join(' · '),
  }))
}

/** The company that uses a room. */
async function findCompany(db: Db, ownerId: Id, id: Id): Promise<FeeTarget[]> {
  const companies = await db.rows<{ id: Id; name: string; mobile?: string }>(
    sql`
      select id, name, contact_phone as mobile
      from company
      where owner_id = ${ownerId} and id = ${id} and ${notDeleted()}
    `,
  )
  return companies.map(c => ({ kind: 'company', ...c, role: '使用企业' }))
}

const toTarget = (payer: PastPayer): FeeTarget => ({
  kind: payer.kind === codeOf(payerSide, 'company') ? 'company' : 'resident',
  id: payer.id,
  name: payer.name,
  mobile: payer.mobile,
  role: '缴过或欠过费',
})

const withoutRepeats = (targets: readonly FeeTarget[]): FeeTarget[] =>
  [...Map.groupBy(targets, target => `${target.kind}/${target.id}`).values()].map(([first]) => defined(first))

export const feeTargetHandlers = [
  reads(getFeeTarget, async ({ projectCode, sourceType: type, sourceCode }, { db, scope }) => {
    const project = projectCode ?? (scope.projectCode || undefined)
    // A room has residents and a company; of other objects only the payers of earlier bills are known.
    const roomRow = type === 'room' ? await findRoom(db, scope, project, sourceCode) : undefined
    const pastPayers = await findPastPayers(db, scope, project, type, sourceCode)
    const [past] = pastPayers
    const location = roomRow
      ? { sourceName: roomRow.path, projectCode: roomRow.projectCode, buildCode: roomRow.buildCode }
      : past && {
          sourceName: past.sourceName,
          projectCode: past.projectCode,
          ...(past.buildCode ? { buildCode: past.buildCode } : {}),
        }
    if (!location) throw notFound()
    const payers = withoutRepeats([
      ...(roomRow ? await findResidents(db, scope.ownerId, roomRow.id) : []),
      ...(roomRow?.companyId ? await findCompany(db, scope.ownerId, roomRow.companyId) : []),
      ...pastPayers.filter(p => p.id > 0).map(toTarget),
    ])
    assertInDomain(bill, scope, location)
    return { sourceType: type, sourceCode, ...location, payers }
  }),
]
