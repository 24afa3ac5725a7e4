import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Sql } from '../reach/query.ts'
import type { AffectedProject } from './affected.ts'

/** Devices of another module that hold credentials too: lifts. */
export interface DevicePlan {
  /** What its devices put before the key of a credential. */
  readonly keyPrefix: string
  /** `owner_id` and `project_code` of those that are in use, by a condition on the company of `l`. */
  readonly selectProjects: (ofCompany: Sql) => Sql
  /** Brings what they have to hold up to date; what has changed is found once for all modules. */
  readonly plan: (tx: Tx, scope: Scope, affected: AffectedProject) => Promise<number>
}

const plans: DevicePlan[] = []

/** Once, as the module is loaded. */
export const registerDevicePlan = (plan: DevicePlan): void => void plans.push(plan)

export const devicePlans = (): readonly DevicePlan[] => plans
