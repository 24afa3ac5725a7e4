import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { paths } from '../module.ts'

const purpose = 'resident-entrance'
const letters = { estate: 'e', building: 'b' } as const

export type EntranceKind = keyof typeof letters

type LinkApp = Pick<App, 'database'>

const invalidCode = (): UnknownSecret =>
  new UnknownSecret('二维码无效或已停用，请扫描楼栋的二维码', resultCode.notFound)

/** What the printed code of a project or a building opens. */
export const entranceUrlOf = async (app: LinkApp, kind: EntranceKind, ownerId: Id, id: Id): Promise<string> =>
  `${paths.home}?e=${await signLink(app, purpose, { letter: letters[kind], ownerId, id })}`

export interface Entrance {
  readonly ownerId: Id
  readonly projectCode: string
  readonly companyName: string
  readonly estateName: string
  readonly buildingName?: string
  readonly servicePhone?: string
}

const findEstate = (db: Db, ownerId: Id, id: Id): Promise<Entrance | undefined> =>
  db.one(sql`
    select e.owner_id, e.project_code, p.company_name, e.name as estate_name, e.service_phone
    from estate e
    join property p on p.owner_id = ${ownerId}
    where e.owner_id = ${ownerId} and e.id = ${id} and ${notDeleted('e')}
  `)

const findBuilding = (db: Db, ownerId: Id, id: Id): Promise<Entrance | undefined> =>
  db.one(sql`
    select e.owner_id, e.project_code, p.company_name, e.name as estate_name, b.name as building_name,
      e.service_phone
    from building b
    join estate e on e.owner_id = ${ownerId} and e.project_code = b.project_code and ${notDeleted('e')}
    join property p on p.owner_id = ${ownerId}
    where b.owner_id = ${ownerId} and b.id = ${id} and ${notDeleted('b')}
  `)

/** Where a printed code hangs. */
export async function readEntrance(app: LinkApp, token: string): Promise<Entrance> {
  const link = await readSignedLink(app, purpose, token)
  if (link?.letter !== letters.estate && link?.letter !== letters.building) throw invalidCode()
  const db = app.database.reader(link.ownerId)
  const found = await (link.letter === letters.estate ? findEstate : findBuilding)(db, link.ownerId, link.id)
  if (!found) throw invalidCode()
  return found
}
