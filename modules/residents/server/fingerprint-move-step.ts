import { labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { finger } from '#modules/staff/contract/labels.ts'
import { residentFingerprint } from '../contract/fingerprint.ts'
import { menu } from '../module.ts'
import { forgetFingerprints } from './fingerprint.ts'
import { registerMoveStep, type MoveContext } from './move-steps.ts'
import { onDeparture, registerDepartureStep, type Departure } from './departure.ts'
import { currentPlaces, leavingCompany } from './presence.ts'

const findLeaving = (db: Db, context: MoveContext) =>
  findAll(
    db,
    residentFingerprint,
    context.scope,
    {},
    {
      where: [sql`t.user_id in (${leavingCompany(context)})`],
    },
  )

// A finger is the person's in all projects: it goes once no home and no work is left in any of them.
registerMoveStep({
  key: 'fingerprints',
  title: '指纹',
  order: 215,
  kinds: ['checkout', 'transfer'],
  needs: menu.card.permissions.view,
  plan: async context => {
    const prints = await findLeaving(context.db, context)
    const value = [...new Set(prints.map(print => labelOf(finger, print.fingerNo)))].join('、')
    return prints.length
      ? { lines: [{ label: '删除', value, note: '同时从设备上删除', tone: 'off' }] }
      : undefined
  },
  apply: async context => {
    const prints = await findLeaving(context.tx, context)
    const ids = prints.map(print => print.id)
    await forgetFingerprints(context.tx, context.scope, ids, `住户迁出 ${context.room.path}`)
  },
})

/** Of people who leave a company: once no home and no work is left in any project. */
const findDeparted = (db: Db, scope: Scope, { userIds, today, leavingCompanyId }: Departure) => {
  const places = currentPlaces({ ownerId: scope.ownerId, today, leavingCompanyId })
  return findAll(
    db,
    residentFingerprint,
    scope,
    { userId: [...userIds] },
    { where: [sql`not exists (select 1 from (${places}) p where p.user_id = t.user_id)`] },
  )
}

registerDepartureStep({
  key: 'fingerprints',
  title: '指纹',
  order: 215,
  needs: menu.card.permissions.view,
  plan: async (db, scope, departure) => {
    const { length } = await findDeparted(db, scope, departure)
    return length
      ? { label: '删除', value: `${length} 个`, note: '同时从设备上删除', tone: 'off' }
      : undefined
  },
})

// BASE-16: the same of a job that ended.
onDeparture(async (tx, scope, departure) => {
  const prints = await findDeparted(tx, scope, departure)
  const ids = prints.map(print => print.id)
  await forgetFingerprints(tx, scope, ids, departure.reason)
})
