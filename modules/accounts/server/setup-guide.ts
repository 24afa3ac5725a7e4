import type { ChoiceOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { countRows, requireById } from '#kit/server/table.ts'
import { building } from '#modules/estates/contract/building.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { property } from '../contract/company.ts'
import { getSetupGuide, type guideStep } from '../contract/setup-guide.ts'
import { manager, managerType } from '../contract/manager.ts'
import { role } from '../contract/role.ts'

/** The company fields that receipts and letters print. */
const requiredCompanyFields = ['contactName', 'contactPhone', 'address'] as const

type Step = ChoiceOf<typeof guideStep>

const toStepStatus = (step: Step, count: number): { step: Step; done: boolean; count: number } => ({
  step,
  done: count > 0,
  count,
})

export const setupGuideHandlers = [
  reads(getSetupGuide, async (_, { db, scope }) => {
    // The whole company, whatever project is chosen in the header bar.
    const companyScope = { ...scope, projectCode: '' }
    const company = await requireById(db, property, companyScope, companyScope.ownerId)
    const filled = requiredCompanyFields.filter(k => company[k]).length
    return [
      { ...toStepStatus('company', filled), done: filled === requiredCompanyFields.length },
      toStepStatus('estate', await countRows(db, estate, companyScope)),
      toStepStatus('building', await countRows(db, building, companyScope)),
      toStepStatus('room', await countRows(db, room, companyScope)),
      // Without the role and the account that every company starts with.
      toStepStatus('role', await countRows(db, role, companyScope, {}, { where: [sql`not t.built_in`] })),
      toStepStatus(
        'manager',
        await countRows(
          db,
          manager,
          companyScope,
          {},
          { where: [sql`t.manager_type <> ${code(managerType, 'owner')}`] },
        ),
      ),
    ]
  }),
]
