import type { FileKey } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

interface StayPhoto {
  readonly stayId: Id
  readonly way: 'in' | 'out'
  readonly photo: FileKey
}

/** The picture of an entry or an exit; the first one stays, whatever other cameras send of the same car. */
export const keepStayPhoto = (scope: Scope, { stayId, way, photo }: StayPhoto): Statement => {
  const column = sql.ref(way === 'in' ? 'in_photo' : 'out_photo')
  return sql`
    update parking_stay
    set ${column} = ${photo}
    where owner_id = ${scope.ownerId} and id = ${stayId} and ${column} is null
    returning id
  `
}
