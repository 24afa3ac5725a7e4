import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** What a company has set for its guide; a company without a row has set nothing. */
export interface OnboardingState {
  readonly closed: boolean
  readonly sampleCode?: string
  readonly sampleTime?: Date
}

export const findState = async (db: Db | Tx, scope: Scope): Promise<OnboardingState> =>
  (await db.one<OnboardingState>(
    sql`select closed, sample_code, sample_time from onboarding where owner_id = ${scope.ownerId}`,
  )) ?? { closed: false }

/** The row of the company, locked until the end of the transaction. */
export async function lockState(tx: Tx, scope: Scope): Promise<OnboardingState> {
  await tx.execute(sql`
    insert into onboarding (owner_id, update_time, update_by)
    values (${scope.ownerId}, ${scope.time}, ${scope.operatorId})
    on conflict (owner_id) do nothing
  `)
  return (
    (await tx.one<OnboardingState>(sql`
      select closed, sample_code, sample_time
      from onboarding
      where owner_id = ${scope.ownerId}
      for update
    `)) ?? { closed: false }
  )
}
