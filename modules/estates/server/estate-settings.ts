import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'

/**
 * A parameter that one estate may set otherwise than the others; modules declare theirs here, with the rule
 * its text must keep.
 */
export interface EstateSetting {
  readonly key: string
  readonly label: string
  readonly help: string
  readonly defaultValue: string
  readonly check: (value: string) => string | undefined
}

const declaredSettings = new Map<string, EstateSetting>()

export const declareSetting = (s: EstateSetting): EstateSetting => {
  declaredSettings.set(s.key, s)
  return s
}

export const listDeclaredSettings = (): readonly EstateSetting[] => [...declaredSettings.values()]
export const findSetting = (key: string): EstateSetting | undefined => declaredSettings.get(key)

/** Several parameters of several estates at once: of each estate in their order. */
export async function getSettingValuesByProject(
  db: Db,
  ownerId: Id,
  projects: Iterable<string>,
  list: readonly EstateSetting[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = [...new Set(projects)]
  const rows = await db.rows<{ project: string; key: string; value: string }>(
    sql`
      select project_code as project, key, value
      from estate_setting
      where owner_id = ${ownerId} and project_code = any(${all}) and key = any(${list.map(s => s.key)})
    `,
  )
  const valueByKey = new Map(rows.map(r => [`${r.project}/${r.key}`, r.value]))
  return new Map(all.map(p => [p, list.map(s => valueByKey.get(`${p}/${s.key}`) ?? s.defaultValue)]))
}

/** Several parameters of one estate at once, in their order. */
export const getSettingValues = async (
  db: Db,
  ownerId: Id,
  project: string,
  list: readonly EstateSetting[],
): Promise<readonly string[]> =>
  defined((await getSettingValuesByProject(db, ownerId, [project], list)).get(project))

/** What the estate has set, or the default of the parameter. */
export const getSettingValue = async (
  db: Db,
  ownerId: Id,
  project: string,
  setting: EstateSetting,
): Promise<string> => defined((await getSettingValues(db, ownerId, project, [setting]))[0])

/** A whole number between two bounds, as a setting's rule. */
export const integerBetween =
  (label: string, min: number, max: number) =>
  (v: string): string | undefined =>
    /^\d+$/.test(v) && Number(v) >= min && Number(v) <= max
      ? undefined
      : `${label}应为 ${min} 到 ${max} 的整数`
