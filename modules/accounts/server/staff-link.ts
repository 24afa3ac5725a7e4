import type { Id } from '#kit/domain/id.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { Db } from '#kit/server/db.ts'

type LoadStaffIds = (db: Db, ownerId: Id, managerIds: readonly Id[]) => Promise<ReadonlyMap<Id, Id>>

let loader: LoadStaffIds = async () => new Map()

/** The module that has the employees says here, while it is loaded, who is behind an account. */
export const registerStaffIds = (load: LoadStaffIds): void => {
  loader = load
}

/** Employees by the account that they sign in with. */
export const loadStaffIds: LoadStaffIds = (db, ownerId, managerIds) => loader(db, ownerId, managerIds)

/** Who is behind an account is kept with the employee alone: a second link would mean nothing. */
export function assertSameStaff(staffId: Id | undefined, linked: Id | undefined): void {
  if (staffId && staffId !== linked)
    throw invalidField('StaffID', '员工与账号在通讯录中关联，请在该员工的「登录账号」中选择此账号')
}
