import { notFound } from '#kit/contract/wire.ts'
import { reads } from '#kit/server/handler.ts'
import { findByIds } from '#kit/server/table.ts'
import { getEffectiveDateLimit } from '../contract/effective-date.ts'
import { room } from '../contract/room.ts'
import { earliestEffectiveDate, latestOf } from '../domain/effective-date.ts'
import { loadBackDating } from './back-dating.ts'

export const effectiveDateHandlers = [
  reads(getEffectiveDateLimit, async ({ ids }, { db, scope, today }) => {
    const rooms = await findByIds(db, room, scope, ids)
    if (!rooms.length) throw notFound()
    const projects = rooms.map(each => each.projectCode)
    const backDating = await loadBackDating(db, scope.ownerId, projects, today)
    return latestOf([...backDating.values()].map(earliestEffectiveDate))
  }),
]
