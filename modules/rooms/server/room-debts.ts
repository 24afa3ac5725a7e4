import type { Permission } from '#kit/contract/call.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'

interface DebtContext {
  readonly db: Db
  readonly scope: Scope
  readonly today: Day
}

/** What is unpaid of one room. */
export interface RoomDebt {
  readonly code: string
  readonly unpaid: Fen
  readonly overdue: Fen
  /** The due day of the oldest overdue bill; nothing where none is overdue. */
  readonly oldestDue?: Day
}

export interface RoomDebtSource {
  /** Without it the caller gets no debts. */
  readonly needs: Permission
  readonly ofRooms: (
    context: DebtContext,
    projectCode: string,
    which: { readonly buildCode?: string | undefined; readonly code?: string | undefined },
  ) => Promise<readonly RoomDebt[]>
  /** What is overdue, by building code. */
  readonly ofBuildings: (context: DebtContext, projectCode: string) => Promise<ReadonlyMap<string, Fen>>
}

let source: RoomDebtSource | undefined

/** The module of bills says what rooms owe. */
export const registerRoomDebts = (registered: RoomDebtSource): void => {
  source = registered
}

const visibleSource = ({ scope }: DebtContext): RoomDebtSource | undefined =>
  source && hasPermission(scope, source.needs) ? source : undefined

export const findRoomDebts = async (
  context: DebtContext,
  projectCode: string,
  which: { readonly buildCode?: string | undefined; readonly code?: string | undefined },
): Promise<readonly RoomDebt[] | undefined> => visibleSource(context)?.ofRooms(context, projectCode, which)

export const findBuildingDebts = async (
  context: DebtContext,
  projectCode: string,
): Promise<ReadonlyMap<string, Fen> | undefined> => visibleSource(context)?.ofBuildings(context, projectCode)
