import type { Id } from '#kit/domain/id.ts'
import { UnknownSecret, refuse, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { workerState } from '#modules/companies/contract/company-worker.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import type { PersonKind } from '../../contract/choices.ts'
import { paths } from '../../module.ts'
import { readPersonLink, signPersonLink, type PersonLink } from './person-link.ts'

/** Who opens doors with their own telephone, in one project. */
export interface OwnPerson {
  readonly kind: PersonKind
  readonly projectCode: string
  readonly userId?: Id
  readonly staffId?: Id
  readonly name: string
  readonly placeName?: string
  readonly roomId?: Id
}

const purpose = 'access-link'

const invalidLink = (): UnknownSecret =>
  new UnknownSecret('链接无效或已失效，请向物业重新索取', resultCode.notFound)

type LinkApp = Pick<App, 'database'>

/** None while the links of the place are void. */
export async function ownLinkOf(app: LinkApp, link: PersonLink): Promise<string | undefined> {
  const token = await signPersonLink(app, purpose, link)
  return token && `${paths.own}?t=${token}`
}

export async function readOwnLink(app: LinkApp, token: string): Promise<PersonLink> {
  const link = await readPersonLink(app, purpose, token)
  if (!link) throw invalidLink()
  return link
}

const findHome = (db: Db, ownerId: Id, id: Id): Promise<Omit<OwnPerson, 'kind'> | undefined> =>
  db.one(sql`
    select l.project_code, l.user_id, p.name, r.path as place_name, l.room_id
    from user_room l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id and ${notDeleted('p')}
    join room r on r.owner_id = ${ownerId} and r.id = l.room_id
    where l.owner_id = ${ownerId}
      and l.id = ${id}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('l')}
  `)

const findWorker = (db: Db, ownerId: Id, id: Id): Promise<Omit<OwnPerson, 'kind'> | undefined> =>
  db.one(sql`
    select w.project_code, w.user_id, w.name, c.name as place_name
    from company_worker w
    join company c on c.owner_id = ${ownerId} and c.id = w.company_id and ${notDeleted('c')}
    where w.owner_id = ${ownerId}
      and w.id = ${id}
      and w.state = ${code(workerState, 'active')}
      and w.user_id is not null
      and ${notDeleted('w')}
  `)

/** Whose link it is, as long as they live or work there (BASE-11, BASE-16). */
export async function requireLinkedPerson(db: Db, { kind, ownerId, id }: PersonLink): Promise<OwnPerson> {
  const found = await (kind === 'residency' ? findHome : findWorker)(db, ownerId, id)
  if (!found) throw invalidLink()
  return { ...found, kind: kind === 'residency' ? 'resident' : 'companyWorker' }
}

/** The employee behind the account; who has left has none. */
export async function requireStaffPerson(
  db: Db,
  { ownerId, operatorId }: Scope,
  projectCode: string,
): Promise<OwnPerson> {
  const found = await db.one<{ staffId: Id; name: string }>(sql`
    select s.id as staff_id, s.name
    from staff s
    where s.owner_id = ${ownerId}
      and s.manager_id = ${operatorId}
      and s.state <> ${code(staffState, 'left')}
      and ${notDeleted('s')}
    order by s.id
    limit 1
  `)
  if (!found) return refuse('当前账号未关联在职员工，请联系人事在通讯录中关联登录账号')
  return { ...found, kind: 'staff', projectCode }
}

interface Place {
  readonly kind: PersonLink['kind']
  readonly id: Id
  readonly projectCode: string
  readonly placeName: string
}

/** The homes and jobs of a resident, each with its link. */
export const findPlaces = (db: Db, ownerId: Id, userId: Id): Promise<Place[]> =>
  db.rows(sql`
    select 'residency' as kind, l.id, l.project_code, r.path as place_name
    from user_room l
    join room r on r.owner_id = ${ownerId} and r.id = l.room_id
    where l.owner_id = ${ownerId}
      and l.user_id = ${userId}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('l')}
    union all
    select 'worker', w.id, w.project_code, c.name
    from company_worker w
    join company c on c.owner_id = ${ownerId} and c.id = w.company_id and ${notDeleted('c')}
    where w.owner_id = ${ownerId}
      and w.user_id = ${userId}
      and w.state = ${code(workerState, 'active')}
      and ${notDeleted('w')}
    order by 1, 2
  `)
