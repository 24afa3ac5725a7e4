import type { ChoiceOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { count, need } from '#kit/server/table.ts'
import { building } from '#modules/estates/contract/building.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { property } from '../contract/company.ts'
import { guide, type guideStep } from '../contract/guide.ts'
import { manager } from '../contract/manager.ts'
import { role } from '../contract/role.ts'

/** What of the company stands on receipts and letters. */
const asked = ['contactName', 'contactPhone', 'address'] as const

type Step = ChoiceOf<typeof guideStep>

const some = (step: Step, count: number): { step: Step; done: boolean; count: number } => ({
  step,
  done: count > 0,
  count,
})

export const guideHandlers = [
  reads(guide, async (_, { db, scope }) => {
    // The whole company, whatever project is chosen in the header bar.
    const who = { ...scope, projectCode: '' }
    const company = await need(db, property, who, who.ownerId)
    const filled = asked.filter(k => company[k]).length
    return [
      { ...some('company', filled), done: filled === asked.length },
      some('estate', await count(db, estate, who)),
      some('building', await count(db, building, who)),
      some('room', await count(db, room, who)),
      // The role and the account every company starts with are no step.
      some('role', await count(db, role, who, {}, { where: [sql`not t.built_in`] })),
      some('manager', await count(db, manager, who, {}, { where: [sql`t.manager_type <> 10`] })),
    ]
  }),
]
