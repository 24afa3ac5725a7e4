import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { type Db, sql } from '#kit/server/db.ts'
import type { Caller } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { Id } from '#kit/domain/id.ts'
import { modules } from '#modules/index.ts'
import { managerType } from '../contract/manager.ts'
import type { MenuNode } from '../contract/permission.ts'
import { whyCannotGrant } from '../domain/granting.ts'
import {
  addViewPermissions,
  buildMenuTree,
  collectPermissions,
  unknownPermissionFaults,
} from '../domain/permission.ts'
import { loadAccountCallers, type AccountCaller } from './caller.ts'
import { getPermissionLabel } from './granting.ts'

const keyModules = modules.filter(({ sessionOnly }) => !sessionOnly)

/** What a key of a company can hold: no permission of a module that is for people alone. */
const keyPermissions = collectPermissions(keyModules)

/** The permissions of a key as they count, those to view included; others have fallen away. */
export const keyPermissionsOf = (keys: readonly string[]): string[] =>
  addViewPermissions(keys, keyPermissions)

/** Refuses permissions that no key can hold, and those that the granter lacks (PERM-4). */
export function assertGrantableToKey(granter: Caller, keys: readonly string[]): void {
  const faults = unknownPermissionFaults(keys, keyPermissions)
  if (faults.length) throw invalidInput(faults)
  const why = whyCannotGrant(granter, keys, getPermissionLabel)
  if (why) refuse(why)
}

/** Every menu that a key can be granted, with nothing granted. */
export const keyMenuTree = ({ disabledModules }: Pick<Caller, 'disabledModules'>): MenuNode[] =>
  buildMenuTree(
    keyModules.filter(({ name }) => !disabledModules?.has(name)),
    () => false,
    'all',
  )

/**
 * The owner account of a company that works: what the company as a whole may do. Nothing for a stopped
 * company.
 */
export async function loadCompanyCaller(
  db: Pick<Db, 'rows' | 'one'>,
  ownerId: Id,
): Promise<AccountCaller | undefined> {
  const account = await db.one<{ id: Id }>(sql`
    select id
    from manager
    where owner_id = ${ownerId} and manager_type = ${code(managerType, 'owner')} and ${notDeleted()}
  `)
  return account && (await loadAccountCallers(db, ownerId, [account.id])).get(account.id)
}
