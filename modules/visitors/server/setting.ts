import type { Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, update, withAllFields } from '#kit/server/table.ts'
import {
  getSetting,
  keepDaysPeriod,
  saveSetting,
  visitorSetting,
  type VisitorSetting,
} from '../contract/setting.ts'
import { lockProject } from './project-lock.ts'

/** Where a project has decided nothing. */
export const initialSetting: Omit<VisitorSetting, 'id' | 'projectCode'> = {
  overtimeMinutes: 30,
  keepDays: keepDaysPeriod.initial,
  asksPhoto: false,
  asksItems: true,
  asksTemperature: false,
  maxTemperature: '37.3',
  printsSlip: false,
}

export async function loadSetting(db: Db, scope: Scope, projectCode: string): Promise<VisitorSetting> {
  const [stored] = await findAll(db, visitorSetting, scope, { projectCode }, { limit: 1 })
  return stored ?? { id: 0, projectCode, ...initialSetting }
}

export const settingHandlers = [
  reads(getSetting, ({ projectCode }, { db, scope }) => loadSetting(db, scope, projectCode)),
  writes(saveSetting, async ({ id: _, version, ...draft }, { tx, scope }) => {
    await lockProject(tx, scope, draft.projectCode)
    const stored = await loadSetting(tx, scope, draft.projectCode)
    const values = withAllFields(saveSetting.input, draft)
    return stored.id
      ? update(tx, visitorSetting, scope, stored.id, values, { version })
      : insert(tx, visitorSetting, scope, values)
  }),
]
