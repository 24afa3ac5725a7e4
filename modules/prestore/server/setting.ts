import { staleVersion } from '#kit/contract/wire.ts'
import type { Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, update } from '#kit/server/table.ts'
import {
  getPrestoreSetting,
  prestoreSetting,
  savePrestoreSetting,
  type PrestoreSetting,
} from '../contract/setting.ts'

/** Until a project has saved its own. */
const defaultSetting = {
  id: 0 as const,
  version: 0,
  autoDeduct: false,
  onlyDue: true,
  deductLate: true,
  wholeBillOnly: false,
  giftFirst: false,
}

const findSetting = async (db: Db, scope: Scope, projectCode: string): Promise<PrestoreSetting | undefined> =>
  (await findAll(db, prestoreSetting, scope, { projectCode }, { limit: 1 }))[0]

/** How a project deducts. */
export const loadPrestoreSetting = async (
  db: Db,
  scope: Scope,
  projectCode: string,
): Promise<PrestoreSetting> =>
  (await findSetting(db, scope, projectCode)) ?? { ...defaultSetting, projectCode }

/** What is not sent is emptied. */
const emptyFields = {
  itemIds: undefined,
  giftDays: undefined,
  warnBalance: undefined,
  warnResident: undefined,
  warnCompany: undefined,
}

export const settingHandlers = [
  reads(getPrestoreSetting, ({ projectCode }, { db, scope }) => loadPrestoreSetting(db, scope, projectCode)),
  writes(savePrestoreSetting, async ({ projectCode, version, ...input }, { tx, scope }) => {
    const known = await findSetting(tx, scope, projectCode)
    if (version !== undefined && version !== (known?.version ?? defaultSetting.version)) throw staleVersion()
    const fields = { ...emptyFields, ...input }
    return known
      ? update(tx, prestoreSetting, scope, known.id, fields, { version })
      : insert(tx, prestoreSetting, scope, { projectCode, ...fields })
  }),
]
