import type { Id } from '#kit/domain/id.ts'
import { UnknownSecret, refuse, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { workerState } from '#modules/companies/contract/company-worker.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { residencyLinkFacts } from '#modules/residents/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import type { PersonKind } from '../../contract/choices.ts'
import { paths } from '../../module.ts'

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

/** What a link stands for: a resident at one home, or a worker of a company. */
type LinkKind = 'residency' | 'worker'

const letterOf = { residency: 'r', worker: 'w' } as const satisfies Record<LinkKind, string>

const purpose = 'access-link'

const invalidLink = (): UnknownSecret =>
  new UnknownSecret('链接无效或已失效，请向物业重新索取', resultCode.notFound)

export interface OwnLink {
  readonly kind: LinkKind
  readonly ownerId: Id
  readonly id: Id
}

type LinkApp = Pick<App, 'database'>

const mobilePurpose = 'access-link-mobile'
const stampLength = 8

async function workerLinkFacts(db: Db, ownerId: Id, id: Id): Promise<string> {
  const found = await db.one<{ mobile?: string }>(sql`
    select p.mobile
    from company_worker l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId} and l.id = ${id}
  `)
  return found?.mobile ?? ''
}

/** Changes with the mobile of the person and does not reveal it: a link ends with the number (BASE-14). */
export async function personLinkStamp(app: LinkApp, { kind, ownerId, id }: OwnLink): Promise<string> {
  const db = app.database.reader(ownerId)
  const facts = await (kind === 'residency' ? residencyLinkFacts : workerLinkFacts)(db, ownerId, id)
  const signed = await signLink(app, mobilePurpose, { letter: facts, ownerId, id })
  return signed.slice(-stampLength)
}

export async function ownLinkOf(app: LinkApp, kind: LinkKind, ownerId: Id, id: Id): Promise<string> {
  const letter = `${letterOf[kind]}${await personLinkStamp(app, { kind, ownerId, id })}`
  return `${paths.own}?t=${await signLink(app, purpose, { letter, ownerId, id })}`
}

export async function readOwnLink(app: LinkApp, token: string): Promise<OwnLink> {
  const signed = await readSignedLink(app, purpose, token)
  if (!signed) throw invalidLink()
  const { letter, ownerId, id } = signed
  const kind = letter.startsWith(letterOf.worker) ? 'worker' : 'residency'
  const link: OwnLink = { kind, ownerId, id }
  if (letter !== `${letterOf[kind]}${await personLinkStamp(app, link)}`) throw invalidLink()
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
export async function requireLinkedPerson(db: Db, { kind, ownerId, id }: OwnLink): Promise<OwnPerson> {
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
  readonly kind: LinkKind
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
