import { fromInstant } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { seedGrounds, seedGroundTemplates } from './grounds.ts'
import { seedVisits } from './visits.ts'

/** What is done on the sites of a company: their grounds, their gatehouses. */
export async function seedSites(
  tx: Tx,
  scope: Scope,
  plans: readonly { readonly projectCode: string }[],
): Promise<void> {
  await seedGroundTemplates(tx, scope)
  for (const { projectCode } of plans) {
    await seedGrounds(tx, scope, projectCode)
    await seedVisits(tx, scope, projectCode, fromInstant(Date.now()))
  }
}
