import type { Fen } from '#kit/domain/money.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** How much is owed at least, and over how many months. */
export interface ArrearsFilter {
  readonly amount: Fen | undefined
  readonly months: number | undefined
}

/** The ids of rooms that owe so much, as a query of one column. */
export type ArrearsSource = (scope: Scope, filter: ArrearsFilter) => RawBuilder<unknown>

let source: ArrearsSource = () => sql`select null::bigint where false`

/** The module of the bills says which rooms owe. Called once, as it is loaded. */
export const provideArrears = (provider: ArrearsSource): void => {
  source = provider
}

export const arrearsRooms: ArrearsSource = (scope, filter) => source(scope, filter)
