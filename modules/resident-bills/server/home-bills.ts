import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { clockScope } from '#kit/server/scope.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import {
  chosenHome,
  readResident,
  type Resident,
  type ResidentHome,
} from '#modules/resident-page/server/public.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { relation } from '#modules/residents/contract/relation.ts'

/** Who looks at the bills of which home. */
export interface Viewer {
  readonly resident: Resident
  readonly home: ResidentHome
}

export type BillContext = Pick<WriteContext, 'tx' | 'app' | 'scope' | 'now' | 'today'>

export const readViewer = async (
  app: App,
  { token, home }: { readonly token: string; readonly home?: string | undefined },
): Promise<Viewer> => {
  const resident = await readResident({ app }, token)
  return { resident, home: chosenHome(resident, home) }
}

/** Work in the company of a resident: nobody's rights; orders and receipts name no cashier. */
export const inCompanyOf = <T>(
  app: App,
  { resident }: Viewer,
  work: (c: BillContext) => Promise<T>,
): Promise<T> =>
  app.database.tx(resident.ownerId, tx => {
    const now = fromInstant(app.clock())
    const scope = { ...clockScope(app, resident.ownerId), name: '线上缴费' }
    return work({ tx, app, now, today: dayOfMoment(now), scope })
  })

export const placeOf = ({ home: { estateName, roomPath, servicePhone } }: Viewer) => ({
  estateName,
  placeName: roomPath,
  servicePhone,
})

interface HomeObjects {
  readonly roomCode?: string
  readonly placeCodes?: readonly string[]
  readonly payerIds?: readonly Id[]
}

/** Owners and their families know of all who live there; tenants of tenants; others of themselves. */
function payersKnownTo({ resident, home }: Viewer): RawBuilder<unknown> {
  if (home.relation === 'owner' || home.relation === 'family') return sql`true`
  const isTenant = home.relation === 'tenant' || home.relation === 'tenantFamily'
  const itself = sql`l.user_id = ${resident.userId}`
  return isTenant ? sql`(${itself} or l.relation in ${codes(relation, 'tenant', 'tenantFamily')})` : itself
}

const findObjects = (db: Db, viewer: Viewer): Promise<HomeObjects | undefined> => {
  const { resident, home } = viewer
  const { ownerId } = resident
  return db.one<HomeObjects>(sql`
    select r.code as room_code,
      (
        select array_agg(k.code)
        from park_place k
        where k.owner_id = ${ownerId}
          and k.project_code = ${home.projectCode}
          and k.room_code = r.code
          and ${notDeleted('k')}
      ) as place_codes,
      (
        select array_agg(l.user_id)
        from user_room l
        where l.owner_id = ${ownerId}
          and l.room_id = r.id
          and l.status = ${code(residencyStatus, 'living')}
          and ${notDeleted('l')}
          and ${payersKnownTo(viewer)}
      ) as payer_ids
    from room r
    where r.owner_id = ${ownerId} and r.id = ${home.roomId ?? 0} and ${notDeleted('r')}
  `)
}

/**
 * Bills `b` that a resident may know of at one of their homes: of the room and its parking places, to be
 * paid by somebody who lives there now. What those who moved out owe is not theirs, nor what a company pays.
 * Nothing for who works there only.
 */
export async function billsOfHome(db: Db, viewer: Viewer): Promise<RawBuilder<unknown>> {
  const objects = viewer.home.roomId === undefined ? undefined : await findObjects(db, viewer)
  if (objects?.roomCode === undefined) return sql`false`
  const { resident, home } = viewer
  const isOwnerSide = home.relation === 'owner' || home.relation === 'family'
  const places = [...(objects.placeCodes ?? [])]
  return sql`b.owner_id = ${resident.ownerId}
    and b.project_code = ${home.projectCode}
    and ${notDeleted('b')}
    and b.state = ${code(billState, 'normal')}
    and (
      (b.source_type = ${code(sourceType, 'room')} and b.source_code = ${objects.roomCode})
      or (b.source_type = ${code(sourceType, 'parkPlace')} and b.source_code = any(${places}::text[]))
    )
    and (
      (
        b.payer_kind = ${code(payerSide, 'resident')}
        and b.payer_id = any(${[...(objects.payerIds ?? [])]}::bigint[])
      )
      or (${isOwnerSide} and b.payer_id is null)
    )`
}

/** Owed now; what is paid ahead by an order of its own goes with that order (TMP-2). */
export const isOwed: RawBuilder<unknown> = sql`
  b.pay_state = ${code(payState, 'unpaid')} and not b.is_pre
`
